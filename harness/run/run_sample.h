/* SPDX-License-Identifier: Apache-2.0
 *
 * Of many findings with one cause a sample is confirmed. One cause is: the same rule, the same
 * message as the report groups it (group.h: without digits, values, and the place in the tree), the
 * same operation. While enough of them are confirmed or being confirmed, a further one waits until
 * the round is over; then it is reported as it was found, and marked so, or, if too few were seen
 * again, confirmed in its turn.
 *
 * A case that took a second takes it again, and counts as eight. What was waited for in vain until
 * a limit takes that limit again to confirm: one of them is, and each of the others had its whole
 * limit, too.
 *
 * A death is reported as found only if its case was the first that its worker played, so that no
 * other can have brought it about.
 */
#ifndef ADI_RUN_SAMPLE_H
#define ADI_RUN_SAMPLE_H

#include "run_outcome.h"

struct adi_run;

#define ADI_SAMPLE_MOST    32 /* are confirmed in a run */
#define ADI_SAMPLE_HERE    4  /* and so many at least on each device */
#define ADI_SAMPLE_DEAR    8  /* as so many counts a case that took so long: */
#define ADI_SAMPLE_DEAR_MS 1000
#define ADI_SAMPLE_WAITED  1 /* the same two, of what was waited for in vain */

struct adi_samples {
    struct adi_sample_cause *causes;
    size_t n_causes;
    struct adi_parked {
        struct adi_outcome outcome;
        size_t *before; /* cases that were played before it in its worker */
        size_t n_before;
    } * parked;
    size_t n_parked;
};

/* Is the outcome to be confirmed? true: it is counted as being confirmed. false: it was parked, and
 * the run has it. */
bool adi_sample_wants(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                      size_t n_before);
/* A finding was confirmed, or was not: `row` of `first`, as it was first found. */
void adi_sample_conclude(struct adi_run *run, const struct adi_outcome *first,
                         const struct adi_result *row, bool confirmed);
/* Were enough confirmed of each cause in it? */
bool adi_sample_is_enough(struct adi_run *run, const struct adi_outcome *outcome);

/* How often a row of this cause was asked for so far, this one included. */
unsigned adi_sample_shrinks(struct adi_run *run, const struct adi_outcome *outcome);

void adi_sample_begin_device(struct adi_run *run);
void adi_sample_free(struct adi_samples *samples);

#endif /* ADI_RUN_SAMPLE_H */
