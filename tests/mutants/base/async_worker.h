/* SPDX-License-Identifier: Apache-2.0
 *
 * The asynchronous consumer with a thread of its own, which extracts, and requests under a lock
 * that the release takes, too. Of what fails it is told by on_error, and only there.
 */
#ifndef BASE_ASYNC_WORKER_H
#define BASE_ASYNC_WORKER_H

#include "async_consumer.h"

/* Gives the adapter the role. The thread waits so long before it extracts a task, and between
 * seeing that the handler is not released and its request. */
void base_works_async(unsigned before_extract_us, unsigned before_request_us);

#endif /* BASE_ASYNC_WORKER_H */
