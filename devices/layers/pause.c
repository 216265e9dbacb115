/* SPDX-License-Identifier: Apache-2.0 */
#include "layers/pause.h"

#include <pthread.h>
#include <time.h>

#define LONGEST 1500 /* ms that a pause lasts if nobody ends it */
#define SLICE   25   /* of which */

struct pause paused;

static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct pause_watch *what;
static uint64_t watched; /* the number of the pause */

bool is_paused(uint64_t number) {
    return paused.active && number == paused.number;
}

static UNDER_LOCK(bool, is_over, (uint64_t number), !is_paused(number))

/* Bit by bit, since on a busy machine each takes longer, as does all that the caller does. */
static void sleep_for_longest(const struct pause_watch *watch, uint64_t number) {
    for (int slept = 0; slept < LONGEST && !is_over(number); slept += SLICE) {
        if (watch->slice != NULL) watch->slice(number);
        nanosleep(&(struct timespec){0, SLICE * 1000000}, NULL);
    }
}

static void *watch_all(void *unused) {
    uint64_t seen = 0;
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (watched == seen) pthread_cond_wait(&begun, &lock);
        const struct pause_watch *watch = what;
        seen = watched;
        pthread_mutex_unlock(&lock);
        sleep_for_longest(watch, seen);
        watch->expire(seen);
    }
    return NULL;
}

static void start(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_all, NULL) == 0) pthread_detach(thread);
}

void pause_begin(bool implementation, const struct pause_watch *watch) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    objects_lock();
    uint64_t number = paused.number + 1;
    paused = (struct pause){.number = number, .active = true, .party = implementation};
    objects_unlock();
    pthread_mutex_lock(&lock);
    what = watch;
    watched = number;
    pthread_cond_signal(&begun);
    pthread_mutex_unlock(&lock);
    pthread_once(&once, start);
}

bool pause_end(uint64_t number, bool expires) {
    bool ends = is_paused(number);
    if (ends) paused.expired = expires;
    if (ends) paused.active = false;
    return ends;
}

UNDER_LOCK(bool, pause_expired, (void), paused.expired)
