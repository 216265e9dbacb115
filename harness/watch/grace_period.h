/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for what other threads of this process do: an implementation's, a device's. They are
 * given so much time, and on a busy machine more: time in which they wanted a processor and were
 * given none is not counted, up to five times as much in all (watchdog.h).
 */
#ifndef ADI_GRACE_PERIOD_H
#define ADI_GRACE_PERIOD_H

#include <stdbool.h>

#include "watchdog.h"

struct adi_grace_period {
    int64_t limit_ns, begun_ns;
    unsigned sleeps;
    struct adi_watchdog watchdog;
};

/* It begins with the first sleep. */
struct adi_grace_period adi_grace_period(int ms);
/* Sleeps for some milliseconds. false: they have had their time. */
bool adi_grace_period_sleep(struct adi_grace_period *grace);

#endif /* ADI_GRACE_PERIOD_H */
