/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: plans of turns (turns.h) as text, and all plans that there are.
 *
 *   " 5>2 9>1"   behind the 5th point thread 2 goes on, behind the 9th thread 1
 *   " ~17"       by priorities that are drawn from 17
 */
#ifndef ADI_TURNS_PLAN_H
#define ADI_TURNS_PLAN_H

#include <stddef.h>

#include "turns.h"

#define ADI_TURNS_TEXT 56 /* bytes */

/* All of `text`; `points` is that of a drawn one. EINVAL: it is no plan; `*out` is undefined. */
int adi_turns_plan_read(const char *text, int points, struct adi_turns_plan *out);
/* Returns `text`; "" where nothing is planned. */
const char *adi_turns_plan_write(const struct adi_turns_plan *plan, char text[ADI_TURNS_TEXT]);

/* Plays a plan, and answers its turns as they were when it was over; NULL: no further one. */
typedef const struct adi_turns *adi_turns_play(void *context, const struct adi_turns_plan *plan);

/* Plays all schedules with at most `most` turns, ADI_TURNS_MOST at most: preemptions, and choices
 * other than the usual one among those that can go on where somebody waits. From each that was
 * played it goes on with what else could have been decided behind its last turn. Those with few
 * come first, and once more with those that have more. Behind ADI_TURNS_NOTED points nothing is
 * decided any more. Answers how many there are. */
size_t adi_turns_explore(adi_turns_play *play, void *context, int most);

#endif /* ADI_TURNS_PLAN_H */
