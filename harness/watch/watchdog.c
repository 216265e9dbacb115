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
    /* Several threads may have run at once: that is no time to come. */
    if (now.is_ready) watchdog->ready_ns += most(0, now_ns - watchdog->looked_ns - ran);
    watchdog->looked_ns = now_ns;
    watchdog->last = now;
}

/* What a thread had run at the first look: nothing, if it was not there yet. */
static int64_t ran_before(const struct adi_process_time *first, pid_t id) {
    for (size_t i = 0; i < first->n_threads; i++)
        if (first->threads[i].id == id) return first->threads[i].ran_ns;
    return first->n_threads < ADI_THREADS ? 0 : INT64_MAX;
}

/* How long the thread ran that ran most since the first look. */
static int64_t busiest(const struct adi_process_time *first, const struct adi_process_time *now) {
    int64_t ran = 0;
    for (size_t i = 0; i < now->n_threads; i++)
        ran = most(ran, now->threads[i].ran_ns - ran_before(first, now->threads[i].id));
    return ran;
}

enum adi_lateness adi_watchdog_look(struct adi_watchdog *watchdog, int64_t moved_ns, int64_t now_ns,
                                    struct adi_process_time now, int64_t limit_ns,
                                    size_t processors) {
    if (watchdog->since_ns == 0 || moved_ns != watchdog->moved_ns) {
        *watchdog = (struct adi_watchdog){.moved_ns = moved_ns,
                                          .since_ns = now_ns,
                                          .looked_ns = now_ns,
                                          .first = now,
                                          .last = now};
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
    had = most(had, busiest(&watchdog->first, &now));
    if (before + had > limit_ns) return ADI_HANGS;
    return before + wall > ADI_STARVED_LIMITS * limit_ns ? ADI_STARVED : ADI_IN_TIME;
}
