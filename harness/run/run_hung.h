/* SPDX-License-Identifier: Apache-2.0
 *
 * What hangs, or crashes each time, so that a run ends in minutes whatever an implementation does.
 *
 * A hang takes its time limit; what uses too much memory has to be given that, and counts as one.
 * The first hang of an operation on a device is confirmed, and its other cases wait until it is;
 * from then on they have a second each and are no violation; after three of them the rest is not
 * played. The same holds for one sample in several scenarios. On a further device an operation that
 * was left out before has one case and a second first.
 *
 * What is waited for in vain until a limit, and is a finding, is treated likewise, but put down to
 * the scenario alone. Where that breaks no more than a recommendation, the rest is played with a
 * second each, and nothing stays undecided.
 *
 * A crash takes a new worker. After many, and none of the operation's cases that came to its end,
 * a few that are spread over all its cases are played; the rest only if one of those comes to its
 * end.
 *
 * An operation is what the implementation does in a scenario's role (produce, consume, relay);
 * where a rule is charged on a hang, or programs are played, the one scenario.
 */
#ifndef ADI_RUN_HUNG_H
#define ADI_RUN_HUNG_H

#include "run_outcome.h"

struct adi_run;

#define ADI_BRIEF_NS INT64_C(1000000000) /* for a case of what hung before */

/* What becomes of a case on the device at hand. */
enum adi_standing {
    ADI_STANDING_PLAY,
    ADI_STANDING_BRIEF, /* with a limit of ADI_BRIEF_NS; a hang is no violation */
    ADI_STANDING_WAIT,  /* not before it is known what becomes of others */
    ADI_STANDING_SKIP,  /* not played */
};

struct adi_cause;

struct adi_hung {
    struct adi_cause *causes;
    size_t n_causes;
    bool *cases; /* by index: hung, on whatever device */
};

void adi_hung_free(struct adi_hung *hung);

/* Has nothing hung, and nothing crashed so often that it mattered? Then no case waits for others,
 * on no device. */
bool adi_hung_is_calm(const struct adi_hung *hung);

/* A device begins (its cases are chosen), and a round of it: nothing is being played. */
void adi_hung_begin_device(struct adi_run *run);
void adi_hung_begin_round(struct adi_run *run);

/* `why`, if not NULL: the sentence for a case that is left out. */
enum adi_standing adi_hung_standing(const struct adi_run *run, size_t index, struct adi_error *why);
/* Nothing waits any more: what it waited for has not come. */
void adi_hung_resume(struct adi_run *run);

/* A case hung within its full limit, or used too much memory. true: it is to be confirmed; false:
 * another of the same operation is being confirmed, and this one is to be played again. */
bool adi_hung_suspect(struct adi_run *run, const struct adi_outcome *outcome);
/* The same within ADI_BRIEF_NS: `outcome` is no violation any more. */
void adi_hung_excuse(struct adi_run *run, struct adi_outcome *outcome);
/* What a case has come to in its worker; whether it is reported shows later. */
void adi_hung_count(struct adi_run *run, const struct adi_outcome *outcome);
/* What a case or phase has come to in the end. */
void adi_hung_conclude(struct adi_run *run, const struct adi_outcome *outcome);

/* Is it being tried whether the load hangs on this device as well? */
bool adi_hung_load_is_tried(const struct adi_run *run);

/* Is one of its rows a hang, a death by the limit of memory, or waited for until a limit? */
bool adi_outcome_at_limit(const struct adi_outcome *outcome);
/* What it did, behind "it": "hung", "used too much memory". */
const char *adi_outcome_limit_text(const struct adi_outcome *outcome);

#endif /* ADI_RUN_HUNG_H */
