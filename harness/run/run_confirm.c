/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is reported on the strength of one run behind other cases. A case with a finding is
 * played alone in a fresh worker; what does not show there is played with the cases that went
 * before it, and those are halved while it still shows; what never shows again is reported as seen
 * once. Where the case alone ends the process, it is that which keeps it from telling the rest:
 * then it is played alone again, and not behind others.
 *
 * What others may have done to a worker (a signal, no processor) is charged only if every run alone
 * ends that way.
 */
#include <stdio.h>
#include <string.h>

#include "run_internal.h"
#include "run_need.h"

#define RUNS_ALONE 3  /* with the first */
#define RUNS_MOST  24 /* of one case, halving included */
#define RUNS_HUNG  6  /* the same where each takes the limit, of time or of memory */

struct adi_suspect {
    struct adi_suspect *next;
    struct adi_run *run;
    int64_t index;
    struct adi_outcome first; /* as it was first seen */
    struct adi_outcome alone; /* as it shows alone; no rows: nothing yet */
    struct adi_outcome shown; /* the rest, as it shows behind other cases */
    size_t *preceding;        /* cases played before it */
    size_t n_preceding;
    size_t *subset; /* what is being tried: all of the preceding cases, or half of them */
    size_t n_subset;
    int half;       /* 0: the later one, 1: the earlier one */
    bool was_alone; /* `alone` says what came of it there, be it nothing */
    bool survived;  /* ... and nobody else ended the worker */
    unsigned runs;
};

static void submit(struct adi_suspect *suspect, const size_t *before, size_t n_before,
                   void (*done)(void *, struct adi_task *)) {
    size_t *cases = adi_need(malloc((n_before + 1) * sizeof *cases)), n = n_before;
    if (n > 0) memcpy(cases, before, n * sizeof *cases);
    if (suspect->index >= 0) cases[n++] = (size_t)suspect->index;
    struct adi_task *task = adi_run_task(suspect->run, cases, n);
    free(cases);
    task->done = done;
    task->context = suspect;
    suspect->runs++;
    adi_pool_submit(&suspect->run->pool, task);
}

/* ---- what is known by now ---- */

static bool is_missing(const struct adi_suspect *suspect, const struct adi_result *row) {
    if (row->doubt == ADI_DOUBT_STARVED && suspect->was_alone) return false;
    return adi_result_is_finding(row) && adi_outcome_find(&suspect->alone, row) == NULL;
}

/* Is it worth looking for? What others did to a worker does not come back by playing more. */
static bool is_sought(const struct adi_suspect *suspect, const struct adi_result *row) {
    return row->doubt != ADI_DOUBT_KILLED && is_missing(suspect, row);
}

/* Did it end the process alone, by itself? What that kept from being told needs no other case. */
static bool died_alone(const struct adi_suspect *suspect) {
    for (size_t i = 0; i < suspect->alone.n_rows; i++)
        if (adi_result_is_death(&suspect->alone.rows[i]) &&
            suspect->alone.rows[i].doubt == ADI_NO_DOUBT)
            return true;
    return false;
}

static bool any_sought(const struct adi_suspect *suspect) {
    for (size_t i = 0; i < suspect->first.n_rows; i++)
        if (is_sought(suspect, &suspect->first.rows[i])) return true;
    return false;
}

/* Did others end every worker so far? One more run may tell. */
static bool is_doubtful(const struct adi_suspect *suspect) {
    return !suspect->survived && suspect->runs + 1 < RUNS_ALONE &&
           (adi_outcome_has_doubt(&suspect->first, ADI_DOUBT_KILLED) ||
            adi_outcome_has_doubt(&suspect->alone, ADI_DOUBT_KILLED));
}

/* They ended all of them, in the same case: it will have been that. */
static bool was_killed_each_time(const struct adi_suspect *suspect) {
    return !suspect->survived && adi_outcome_has_doubt(&suspect->first, ADI_DOUBT_KILLED) &&
           adi_outcome_has_doubt(&suspect->alone, ADI_DOUBT_KILLED);
}

/* The row in what a worker did: with the case itself, or, for a death, with any: memory that one
 * case spoils kills where chance will have it. */
static const struct adi_result *find_like(const struct adi_suspect *suspect,
                                          const struct adi_outcomes *outcomes,
                                          const struct adi_result *like) {
    const struct adi_result *row =
        adi_outcome_find(adi_outcomes_find(outcomes, suspect->index), like);
    if (!adi_result_is_death(like)) return row;
    for (size_t i = 0; i < outcomes->count && row == NULL; i++)
        row = adi_outcome_find(&outcomes->list[i], like);
    return row;
}

/* Does all that is missing show? Then it is kept as `shown`. */
static bool take_shown(struct adi_suspect *suspect, const struct adi_outcomes *outcomes) {
    struct adi_outcome shown = {0};
    bool all = true;
    for (size_t i = 0; i < suspect->first.n_rows; i++) {
        if (!is_sought(suspect, &suspect->first.rows[i])) continue;
        const struct adi_result *row = find_like(suspect, outcomes, &suspect->first.rows[i]);
        if (row == NULL || row->doubt == ADI_DOUBT_KILLED)
            all = false;
        else
            adi_outcome_copy_row(&shown, row);
    }
    if (!all) {
        adi_outcome_clear(&shown);
        return false;
    }
    const struct adi_outcome *own = adi_outcomes_find(outcomes, suspect->index);
    if (own != NULL && own->output != NULL) shown.output = adi_need_text(own->output);
    adi_outcome_clear(&suspect->shown);
    suspect->shown = shown;
    return true;
}

static bool is_shown(const struct adi_suspect *suspect, const struct adi_result *row) {
    return !is_missing(suspect, row) || adi_outcome_find(&suspect->shown, row) != NULL;
}

/* ---- the end of it ---- */

static void add_remark(struct adi_result *row, const char *remark) {
    adi_result_set(&row->message, "%s%s(%s)", row->message, *row->message == '\0' ? "" : " ",
                   remark);
}

static void name_preceding(const struct adi_suspect *suspect, struct adi_result *row) {
    for (size_t i = 0; i < suspect->n_preceding; i++)
        adi_result_set(&row->preceding, "%s%s%s", row->preceding, i == 0 ? "" : "|",
                       adi_outcome_name((int64_t)suspect->preceding[i]));
}

static void doubt(struct adi_result *row) {
    add_remark(row, "not each time: the out-of-memory killer, or somebody else, may have done it");
    adi_result_undecide(row);
}

/* Adds what was not seen alone to what was. */
static void add_missing(struct adi_suspect *suspect, struct adi_outcome *to, bool given_up) {
    char remark[96];
    for (size_t i = 0; i < suspect->first.n_rows; i++) {
        const struct adi_result *row = &suspect->first.rows[i];
        if (!is_missing(suspect, row)) continue;
        const struct adi_result *shown = adi_outcome_find(&suspect->shown, row);
        adi_outcome_copy_row(to, shown != NULL ? shown : row);
        struct adi_result *made = &to->rows[to->n_rows - 1];
        if (shown != NULL) {
            snprintf(remark, sizeof remark, "only after %zu other case%s", suspect->n_preceding,
                     suspect->n_preceding == 1 ? "" : "s");
            name_preceding(suspect, made);
            made->confirmed = false;
            made->flaky = true;
        } else if (row->doubt == ADI_DOUBT_KILLED) {
            doubt(made);
            made->confirmed = false;
            continue;
        } else if (given_up) {
            snprintf(remark, sizeof remark, "not confirmed: %s",
                     adi_run_interrupted() ? "the run was interrupted" : "the time limit is over");
            made->confirmed = false;
        } else {
            made->confirmed = false;
            made->flaky = true;
            snprintf(remark, sizeof remark, "seen once in %u runs", suspect->runs + 1);
            /* A busy machine alone can make it late. */
            if (adi_result_rests_on_time(made)) made->verdict = ADI_NOTE;
        }
        add_remark(made, remark);
    }
}

static void unlink_suspect(struct adi_suspect *suspect) {
    struct adi_suspect **at = &suspect->run->suspects;
    while (*at != suspect) at = &(*at)->next;
    *at = suspect->next;
}

/* The run whose output tells how it came to what is reported: where all shows alone, that one. */
static struct adi_outcome *telling(struct adi_suspect *suspect) {
    bool all_alone = true;
    for (size_t i = 0; i < suspect->first.n_rows; i++)
        all_alone = all_alone && !is_missing(suspect, &suspect->first.rows[i]);
    if (all_alone) return &suspect->alone;
    return suspect->shown.n_rows > 0 ? &suspect->shown : &suspect->first;
}

static void conclude(struct adi_suspect *suspect, bool given_up) {
    struct adi_outcome result = {0};
    unlink_suspect(suspect);
    bool alone = suspect->alone.n_rows > 0;
    struct adi_outcome *base = alone ? &suspect->alone : &suspect->first;
    /* `first` is still needed for what is missing. */
    for (size_t i = 0; i < base->n_rows; i++)
        if (alone || !adi_result_is_finding(&base->rows[i]))
            adi_outcome_copy_row(&result, &base->rows[i]);
    for (size_t i = 0; i < result.n_rows && !was_killed_each_time(suspect); i++)
        if (result.rows[i].doubt == ADI_DOUBT_KILLED) doubt(&result.rows[i]);
    add_missing(suspect, &result, given_up);
    /* What was seen in another run may have been seen in a step that this one did not come to. */
    for (size_t i = 0; i < result.n_rows; i++)
        if (result.rows[i].step > base->n_steps) result.rows[i].step = 0;
    for (size_t i = 0; i < suspect->first.n_rows && !given_up; i++)
        if (adi_result_is_finding(&suspect->first.rows[i]))
            adi_sample_conclude(suspect->run, &suspect->first, &suspect->first.rows[i],
                                is_shown(suspect, &suspect->first.rows[i]));
    adi_outcome_settle(&result);
    result.steps = base->steps;
    result.n_steps = base->n_steps;
    result.ms = base->ms;
    result.ended = true;
    result.program = base->program;
    base->program = NULL;
    base->steps = NULL;
    base->n_steps = 0;
    struct adi_outcome *said = telling(suspect);
    result.output = said->output;
    said->output = NULL;
    adi_run_conclude(suspect->run, suspect->index, &result);
    adi_outcome_clear(&suspect->first);
    adi_outcome_clear(&suspect->alone);
    adi_outcome_clear(&suspect->shown);
    free(suspect->preceding);
    free(suspect->subset);
    free(suspect);
}

void adi_run_give_up(struct adi_run *run) {
    while (run->suspects != NULL) conclude(run->suspects, true);
}

/* ---- step by step ---- */

static void take_subset(void *context, struct adi_task *task);

/* Tries a half of the preceding cases, if there is one that was not tried. */
static void halve(struct adi_suspect *suspect) {
    size_t n = suspect->n_preceding, later = n / 2;
    if (n < 2 || suspect->half > 1 ||
        suspect->runs >= (adi_outcome_at_limit(&suspect->first) ? RUNS_HUNG : RUNS_MOST)) {
        conclude(suspect, false);
        return;
    }
    suspect->n_subset = suspect->half == 0 ? later : n - later;
    const size_t *from = suspect->half == 0 ? suspect->preceding + n - later : suspect->preceding;
    memcpy(suspect->subset, from, suspect->n_subset * sizeof *from);
    submit(suspect, suspect->subset, suspect->n_subset, take_subset);
}

static void take_subset(void *context, struct adi_task *task) {
    struct adi_suspect *suspect = context;
    bool whole = suspect->shown.n_rows == 0;
    if (adi_pool_over(&suspect->run->pool) != 0) {
        conclude(suspect, true);
    } else if (take_shown(suspect, &task->outcomes)) {
        memcpy(suspect->preceding, suspect->subset, suspect->n_subset * sizeof *suspect->preceding);
        suspect->n_preceding = suspect->n_subset;
        suspect->half = 0;
        halve(suspect);
    } else if (whole) {
        conclude(suspect, false);
    } else {
        suspect->half++;
        halve(suspect);
    }
}

static void take_outcome(struct adi_suspect *suspect, struct adi_outcome *outcome) {
    if (outcome == NULL || (outcome->n_rows == 0 && suspect->index >= 0)) return;
    bool killed = adi_outcome_has_doubt(outcome, ADI_DOUBT_KILLED);
    if (killed && suspect->survived) return;
    adi_outcome_clear(&suspect->alone);
    suspect->alone = *outcome;
    *outcome = (struct adi_outcome){0};
    suspect->was_alone = true;
    suspect->survived = !killed;
}

/* What one more run alone has shown, beside a death that the first one ended in. */
static void take_rest(struct adi_suspect *suspect, const struct adi_outcome *outcome) {
    for (size_t i = 0; outcome != NULL && i < outcome->n_rows; i++)
        if (adi_result_is_finding(&outcome->rows[i]) && outcome->rows[i].doubt == ADI_NO_DOUBT &&
            adi_outcome_find(&suspect->alone, &outcome->rows[i]) == NULL)
            adi_outcome_copy_row(&suspect->alone, &outcome->rows[i]);
}

static void take_alone(void *context, struct adi_task *task) {
    struct adi_suspect *suspect = context;
    struct adi_outcome *outcome = adi_outcomes_find(&task->outcomes, suspect->index);
    if (died_alone(suspect))
        take_rest(suspect, outcome);
    else
        take_outcome(suspect, outcome);
    if (adi_pool_over(&suspect->run->pool) != 0) {
        conclude(suspect, true);
    } else if (is_doubtful(suspect)) {
        submit(suspect, NULL, 0, take_alone);
    } else if (!any_sought(suspect)) {
        conclude(suspect, false);
    } else if (suspect->n_preceding > 0 && !died_alone(suspect)) {
        suspect->n_subset = suspect->n_preceding;
        memcpy(suspect->subset, suspect->preceding,
               suspect->n_preceding * sizeof *suspect->preceding);
        submit(suspect, suspect->subset, suspect->n_subset, take_subset);
    } else if (suspect->runs + 1 < RUNS_ALONE) {
        submit(suspect, NULL, 0, take_alone);
    } else {
        conclude(suspect, false);
    }
}

void adi_run_suspect(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                     size_t n_before) {
    struct adi_suspect *suspect = adi_need(calloc(1, sizeof *suspect));
    *suspect = (struct adi_suspect){.next = run->suspects,
                                    .run = run,
                                    .index = outcome->index,
                                    .first = *outcome,
                                    .n_preceding = n_before};
    *outcome = (struct adi_outcome){0};
    suspect->preceding = adi_need(malloc((n_before + 1) * sizeof *before));
    suspect->subset = adi_need(malloc((n_before + 1) * sizeof *before));
    if (n_before > 0) memcpy(suspect->preceding, before, n_before * sizeof *before);
    run->suspects = suspect;
    submit(suspect, NULL, 0, take_alone);
}

/* ---- what was parked (run_sample.h) ---- */

/* As it was found. */
static void conclude_unconfirmed(struct adi_run *run, struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        outcome->rows[i].confirmed = !adi_result_is_finding(&outcome->rows[i]);
    outcome->ended = true;
    adi_run_conclude(run, outcome->index, outcome);
}

bool adi_run_settle(struct adi_run *run, bool all) {
    struct adi_samples *samples = &run->samples;
    size_t n = samples->n_parked;
    struct adi_parked *parked = samples->parked;
    samples->parked = NULL;
    samples->n_parked = 0;
    for (size_t i = 0; i < n; i++) {
        struct adi_parked *one = &parked[i];
        if (all || adi_sample_is_enough(run, &one->outcome))
            conclude_unconfirmed(run, &one->outcome);
        else if (adi_sample_wants(run, &one->outcome, one->before, one->n_before))
            adi_run_suspect(run, &one->outcome, one->before, one->n_before);
        free(one->before);
    }
    free(parked);
    return n > 0;
}
