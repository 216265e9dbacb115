/* SPDX-License-Identifier: Apache-2.0 */
#include "watchdog.h"

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Threads that have ended are in no sum any more. */
static void add(struct adi_watchdog *watchdog, int64_t now_ns, struct adi_process_time now) {
    int64_t ran = most(0, now.ran_ns - watchdog->last.ran_ns);
    watchdog->ran_ns += ran;
    watchdog->waited_ns += most(0, now.waited_ns - watchdog->last.waited_ns);
    if (now.is_ready) watchdog->ready_ns += now_ns - watchdog->looked_ns - ran;
    watchdog->looked_ns = now_ns;
    watchdog->last = now;
}

enum adi_lateness adi_watchdog_look(struct adi_watchdog *watchdog, int64_t moved_ns, int64_t now_ns,
                                    struct adi_process_time now, int64_t limit_ns,
                                    size_t processors) {
    if (watchdog->since_ns == 0 || moved_ns != watchdog->moved_ns) {
        *watchdog = (struct adi_watchdog){
            .moved_ns = moved_ns, .since_ns = now_ns, .looked_ns = now_ns, .last = now};
        return ADI_IN_TIME;
    }
    add(watchdog, now_ns, now);
    /* Nothing is known of the time before the first look, which may be late for the same reason. */
    int64_t before = least(watchdog->since_ns - moved_ns, limit_ns / ADI_WATCHDOG_LOOKS);
    int64_t wall = now_ns - watchdog->since_ns;
    /* Threads may wait for each other, one after the other, for a processor. Those that keep all
     * processors busy by themselves wait for nobody else. */
    int64_t waited = least(most(watchdog->waited_ns, watchdog->ready_ns), wall);
    int64_t had = most(wall - waited, watchdog->ran_ns / (int64_t)processors);
    if (before + had > limit_ns) return ADI_HANGS;
    return before + wall > ADI_STARVED_LIMITS * limit_ns ? ADI_STARVED : ADI_IN_TIME;
}
