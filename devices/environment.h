/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the library and the command: what the environment sets. A setting that is empty is as
 * if it were not set. Any thread, as long as none changes the environment.
 */
#ifndef ADI_ENVIRONMENT_H
#define ADI_ENVIRONMENT_H

#include <stdint.h>

#include "error.h"

#define ADI_WAIT_MOST_MS 3600000 /* an hour */

/* ADI_WAIT_MS: how many milliseconds an event is waited for. What is not understood counts as not
 * set: `otherwise`. */
int64_t adi_setting_wait_ms(int64_t otherwise);
/* The same for a whole number of up to 32 bits that may be 0; 0 otherwise. */
uint32_t adi_setting_number(const char *name);

/* How a runtime is come by. Each returns 0, or says why not. */
struct adi_runtime_ways {
    int (*usual)(struct adi_error *error); /* where nothing is set */
    int (*real)(struct adi_error *error);
    int (*simulated)(struct adi_error *error);
    int (*path)(const char *path, struct adi_error *error);
};
/* Goes the way that the setting says (ADI_CUDA): real, sim, off, or what is to be loaded, which
 * dlopen(3) looks for if it has no slash. */
int adi_setting_runtime(const char *name, const struct adi_runtime_ways *ways,
                        struct adi_error *error);

/* EINVAL: one that has a number, or one of some words, has something else; it is named, with what
 * it may be. Which runtimes there are is said where they are looked for. */
int adi_settings_check(struct adi_error *error);

#endif /* ADI_ENVIRONMENT_H */
