/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a worker hang, or is the machine busy? A step has its limit, which begins anew whenever the
 * worker moves on. Time in which the worker wanted a processor and was given none is not counted;
 * after five limits of it nothing can be said either way.
 *
 * A scheduler is fair: whichever thread the rest waits for could have had what the one that ran
 * most had. So the worker had as much, however long its other threads waited beside that one.
 */
#ifndef ADI_WATCHDOG_H
#define ADI_WATCHDOG_H

#include "process.h"

#define ADI_STARVED_LIMITS 5  /* that a starved worker is waited for */
#define ADI_WATCHDOG_LOOKS 20 /* in a limit, at least; before the first nothing needs a look */

struct adi_watchdog {
    int64_t moved_ns;  /* when the worker last moved on */
    int64_t since_ns;  /* the first look after that */
    int64_t looked_ns; /* the last one */
    struct adi_process_time first, last;
    int64_t ran_ns, waited_ns; /* since then, all threads together */
    int64_t ready_ns;          /* between looks at which one was ready, and that none ran */
};

enum adi_lateness {
    ADI_IN_TIME,
    ADI_HANGS,   /* it had its limit */
    ADI_STARVED, /* it did not have it in five limits */
};

/* Looks at a worker that last moved on at `moved_ns`, and whose threads have had `now` by now.
 * Called again and again. `processors`: how many may run its
 * threads. */
enum adi_lateness adi_watchdog_look(struct adi_watchdog *watchdog, int64_t moved_ns, int64_t now_ns,
                                    struct adi_process_time now, int64_t limit_ns,
                                    size_t processors);

#endif /* ADI_WATCHDOG_H */
