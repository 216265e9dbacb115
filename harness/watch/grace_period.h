/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for what other threads of this process do: an implementation's, a device's. They are
 * given so much time, and on a busy machine more: time in which they wanted a processor and were
 * given none is not counted, up to five times as much in all (watchdog.h).
 */
#ifndef ADI_GRACE_PERIOD_H
#define ADI_GRACE_PERIOD_H

#include <pthread.h>
#include <stdbool.h>

#include "watchdog.h"

/* How late somebody may be with a release: */
#define ADI_RELEASE_AT_ONCE_MS 20   /* that does not wait for anything else */
#define ADI_RELEASE_NEXT_MS    200  /* that waits for the next import */
#define ADI_RELEASE_LATE_MS    1000 /* at the latest: from another thread, or a finalizer */

struct adi_grace_period {
    int64_t limit_ns, begun_ns;
    unsigned sleeps;
    bool is_starved; /* it is over, but they did not have it */
    struct adi_watchdog watchdog;
};

/* It begins with the first sleep. */
struct adi_grace_period adi_grace_period(int ms);
/* Sleeps for some milliseconds. false: they have had their time, or `is_starved`: then nothing can
 * be said of what has not come. */
bool adi_grace_period_sleep(struct adi_grace_period *grace);
/* The same, but wakes up when `changed` is signalled, whose lock is held. */
bool adi_grace_period_await(struct adi_grace_period *grace, pthread_cond_t *changed,
                            pthread_mutex_t *lock);

#endif /* ADI_GRACE_PERIOD_H */
