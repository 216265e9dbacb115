/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: what a handler of the harness's does with the tasks that come.
 */
#ifndef ADI_ASYNC_EXTRACT_H
#define ADI_ASYNC_EXTRACT_H

#include "async_handler.h"

/* Extracts the task, or gives it up, as the conduct says; on this thread, or on another one that it
 * waits for. Any thread. */
void adi_async_extract(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                       int64_t number);
void adi_async_extract_elsewhere(struct adi_async_handler *handler,
                                 const struct ArrowAsyncTask *task, int64_t number);
/* How many tasks this thread is extracting that a release waits for: one that comes from within, on
 * the same thread, cannot. */
int adi_async_extracting(void);
/* Keeps a copy of it for later. false: there is no room. */
bool adi_async_keep(struct adi_async_handler *handler, const struct ArrowAsyncTask *task,
                    int64_t number);

#endif /* ADI_ASYNC_EXTRACT_H */
