/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment of a process of ours in which an implementation runs.
 */
#ifndef ADI_RUN_ENVIRONMENT_H
#define ADI_RUN_ENVIRONMENT_H

/* What has to be preloaded for the adapter: the runtime of the sanitizer that it was built with,
 * which must be there before the library, unless this program has one. "" nothing, also if the file
 * cannot be read, or is NULL. */
void adi_environment_preload(const char *adapter, char out[512]);

/* Ours, with the process's number in ADI_WORKER_VARIABLE, `preload` in front of LD_PRELOAD, and an
 * allocator without caches of freed blocks, so that what is paused can be told to the byte
 * (heap.h).
 */
char **adi_environment_make(unsigned number, const char *preload);
void adi_environment_free(char **environment);

#endif /* ADI_RUN_ENVIRONMENT_H */
