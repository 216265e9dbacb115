/* SPDX-License-Identifier: Apache-2.0 */
#include "grace_period.h"

#include <errno.h>
#include <time.h>

#include "log.h"
#include "process.h"
#include "processors.h"

#define MS        INT64_C(1000000)
#define SECOND_NS 1000000000L
#define SHORT     8 /* sleeps of a millisecond; then longer ones, since each wakes somebody up */
#define LONGER_MS 5

static bool look(struct adi_grace_period *grace) {
    enum adi_lateness lateness =
        adi_watchdog_look(&grace->watchdog, grace->begun_ns, adi_now_ns(),
                          adi_process_time_beside(), grace->limit_ns, adi_processors());
    grace->is_starved = lateness == ADI_STARVED;
    return lateness == ADI_IN_TIME;
}

struct adi_grace_period adi_grace_period(int ms) {
    return (struct adi_grace_period){.limit_ns = ms * MS};
}

/* The first look says what was there before, and is dear: there is none as long as the watchdog
 * needs none, since most waits are over by then. */
static bool needs_no_look(const struct adi_grace_period *grace) {
    return adi_now_ns() - grace->begun_ns < grace->limit_ns / ADI_WATCHDOG_LOOKS - MS;
}

static void begin(struct adi_grace_period *grace) {
    grace->begun_ns = adi_now_ns();
    if (!needs_no_look(grace)) look(grace);
}

static int64_t next_length(struct adi_grace_period *grace) {
    int64_t length = grace->sleeps++ < SHORT ? MS : LONGER_MS * MS;
    int64_t left =
        grace->begun_ns == 0 ? grace->limit_ns : grace->begun_ns + grace->limit_ns - adi_now_ns();
    return left > 0 && left < length ? left : length;
}

/* In the first milliseconds there is nothing to look at. */
static bool goes_on(struct adi_grace_period *grace) {
    bool is_early = grace->sleeps < SHORT && adi_now_ns() - grace->begun_ns < grace->limit_ns;
    bool has_looked = grace->watchdog.since_ns != 0;
    return (has_looked ? is_early : needs_no_look(grace)) || look(grace);
}

bool adi_grace_period_sleep(struct adi_grace_period *grace) {
    if (grace->limit_ns == 0) return false;
    if (grace->begun_ns == 0) begin(grace);
    nanosleep(&(struct timespec){.tv_nsec = next_length(grace)}, NULL);
    return goes_on(grace);
}

/* Who is woken up in time has cost nobody a look. */
bool adi_grace_period_await(struct adi_grace_period *grace, pthread_cond_t *changed,
                            pthread_mutex_t *lock) {
    struct timespec until;
    if (grace->limit_ns == 0) return false;
    int64_t length = next_length(grace);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += length;
    until.tv_sec += until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    bool is_over = pthread_cond_timedwait(changed, lock, &until) == ETIMEDOUT;
    if (grace->begun_ns == 0) {
        if (is_over) begin(grace);
        return true;
    }
    bool is_due = is_over || adi_now_ns() - grace->watchdog.looked_ns >= LONGER_MS * MS;
    return !is_due || goes_on(grace);
}
