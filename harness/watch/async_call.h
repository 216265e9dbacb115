/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/watch/: what a handler (async_handler.h) calls of its producer. Any thread;
 * once the release has begun, and before on_schema, nothing is called.
 */
#ifndef ADI_ASYNC_CALL_H
#define ADI_ASYNC_CALL_H

#include "async_handler.h"

/* `rule` is what a crash or hang breaks; NULL: what it would anyway. */
void adi_async_call_request(struct adi_async_handler *handler, int64_t n, const char *rule);

/* A crash or hang breaks that from here on; NULL: no more. */
void adi_async_tell(struct adi_async_handler *handler, const char *rule);
/* Within the lock: somebody may wait for what has changed. */
void adi_async_wake(struct adi_async_handler *handler);

#endif /* ADI_ASYNC_CALL_H */
