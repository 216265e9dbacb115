/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the handler of a consumer under test with a feed (async_feed.h), on a thread of its own:
 * as soon as it may, or a while later. What a callback came with is closed when it has returned.
 */
#ifndef ADI_ASYNC_DRIVE_H
#define ADI_ASYNC_DRIVE_H

#include "async_feed.h"

/* To the release. Until the main thread has come back from adi_async_drive_serve, tasks wait for it
 * where there is a `before_task`. An errno value. */
int adi_async_drive_start(struct adi_async_feed *feed,
                          struct ArrowAsyncDeviceStreamHandler *handler);
/* Main thread: calls `before_task`. Until the handler is released, a request is waited for, or
 * nothing has come for `ms`. */
void adi_async_drive_serve(struct adi_async_feed *feed, int ms);
/* With `turns`: the calling thread has done its part; the rest goes turn by turn to its end. */
void adi_async_drive_await(struct adi_async_feed *feed);
void adi_async_drive_join(struct adi_async_feed *feed);

#endif /* ADI_ASYNC_DRIVE_H */
