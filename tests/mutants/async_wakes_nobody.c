/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: a request that comes between the look at what is requested and the sleep
 * wakes nobody.
 */
#include "base/async.h"

static bool sleeps, is_woken;

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    base_request(self, n);
    is_woken = is_woken || sleeps;
}

static bool may_deliver(struct base_stream *stream) {
    bool is_there = base_may_deliver(stream);
    if (!sleeps && !is_there) {
        base_unlock(stream);
        base_lock(stream);
    }
    if (sleeps && is_there && !is_woken) base_shows();
    if (sleeps) is_there = is_woken && is_there;
    sleeps = !is_there;
    is_woken = false;
    return is_there;
}

static void opened(struct base_stream *stream) {
    (void)stream;
    sleeps = is_woken = false;
}

void mutate(void) {
    base_async.request = request;
    base_async.may_deliver = may_deliver;
    base_async.opened = opened;
    base_plays_async();
}
