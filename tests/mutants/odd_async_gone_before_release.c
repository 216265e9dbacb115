/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A cancel takes a while; when none is under way, and a stream has ended, the
 * producer is gone just before the handler is released.
 */
#include <stdlib.h>
#include <time.h>

#include "base/async.h"

#define WHILE_NS 20000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int under_way;
static bool is_gone;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void count(int more) {
    pthread_mutex_lock(&lock);
    if (is_gone) abort();
    under_way += more;
    pthread_mutex_unlock(&lock);
}

static void cancel(struct ArrowAsyncProducer *self) {
    count(1);
    base_cancel(self);
    for (int64_t end = now_ns() + WHILE_NS; now_ns() < end;) continue;
    count(-1);
}

static void opened(struct base_stream *stream) {
    (void)stream;
    pthread_mutex_lock(&lock);
    is_gone = false;
    pthread_mutex_unlock(&lock);
}

static bool leave(void) {
    pthread_mutex_lock(&lock);
    is_gone = under_way == 0;
    pthread_mutex_unlock(&lock);
    return is_gone;
}

static void release(struct base_stream *stream) {
    while (!leave()) continue;
    base_release_handler(stream);
}

void mutate(void) {
    base_async.cancel = cancel;
    base_async.opened = opened;
    base_async.release = release;
    base_plays_async();
}
