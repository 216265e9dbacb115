/* SPDX-License-Identifier: Apache-2.0 */
#include "grace_period.h"

#include <time.h>

#include "log.h"
#include "process.h"
#include "processors.h"

#define MS        INT64_C(1000000)
#define SHORT     8 /* sleeps of a millisecond; then longer ones, since each wakes somebody up */
#define LONGER_MS 5

static bool look(struct adi_grace_period *grace) {
    return adi_watchdog_look(&grace->watchdog, grace->begun_ns, adi_now_ns(),
                             adi_process_time_beside(), grace->limit_ns,
                             adi_processors()) == ADI_IN_TIME;
}

struct adi_grace_period adi_grace_period(int ms) {
    return (struct adi_grace_period){.limit_ns = ms * MS};
}

bool adi_grace_period_sleep(struct adi_grace_period *grace) {
    if (grace->limit_ns == 0) return false;
    if (grace->sleeps == 0) {
        grace->begun_ns = adi_now_ns();
        look(grace);
    }
    int64_t left = grace->begun_ns + grace->limit_ns - adi_now_ns();
    int64_t length = grace->sleeps++ < SHORT ? MS : LONGER_MS * MS;
    if (left > 0 && left < length) length = left;
    nanosleep(&(struct timespec){.tv_nsec = length}, NULL);
    bool is_early = grace->sleeps < SHORT && adi_now_ns() - grace->begun_ns < grace->limit_ns;
    return is_early || look(grace);
}
