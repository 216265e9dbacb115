/* SPDX-License-Identifier: Apache-2.0 */
#include "layers/watchdog.h"

#include <pthread.h>
#include <time.h>

#define LONGEST 1500 /* ms that a hold lasts if nobody ends it */
#define SLICE   25   /* of which */

static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct watchdog *what;
static uint64_t watched; /* the number of the hold */

/* Bit by bit, since on a busy machine each takes longer, as does all that the caller does. */
static void sleep_for_longest(const struct watchdog *watchdog, uint64_t number) {
    for (int slept = 0; slept < LONGEST && !watchdog->is_over(number); slept += SLICE)
        nanosleep(&(struct timespec){0, SLICE * 1000000}, NULL);
}

static void *watch(void *unused) {
    uint64_t seen = 0;
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (watched == seen) pthread_cond_wait(&begun, &lock);
        const struct watchdog *watchdog = what;
        seen = watched;
        pthread_mutex_unlock(&lock);
        sleep_for_longest(watchdog, seen);
        watchdog->end(seen);
    }
    return NULL;
}

static void start(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}

void watchdog_watch(const struct watchdog *watchdog, uint64_t number) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_mutex_lock(&lock);
    what = watchdog;
    watched = number;
    pthread_cond_signal(&begun);
    pthread_mutex_unlock(&lock);
    pthread_once(&once, start);
}
