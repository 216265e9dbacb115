/* SPDX-License-Identifier: Apache-2.0 */
#include "run_sample.h"

#include <string.h>

#include "case.h"
#include "group.h"
#include "run_internal.h"
#include "run_need.h"

struct adi_sample_cause {
    const struct adi_rule *rule;
    char *message; /* as the report groups it */
    unsigned role;
    bool is_death, is_waited_for;
    unsigned confirmed, waiting; /* of the run; being confirmed */
    unsigned here;               /* confirmed or being confirmed, on the device at hand */
    unsigned shrunk;
};

static struct adi_sample_cause *cause_of(struct adi_run *run, int64_t index,
                                         const struct adi_result *row) {
    struct adi_samples *samples = &run->samples;
    struct adi_sample_cause like = {.rule = row->rule,
                                    .message = adi_need(adi_group_message(row)),
                                    .is_death = adi_result_is_death(row)};
    like.is_waited_for = row->at_limit && !like.is_death;
    if (index >= 0) like.role = adi_case((size_t)index)->scenario->role;
    for (size_t i = 0; i < samples->n_causes; i++) {
        struct adi_sample_cause *cause = &samples->causes[i];
        if (cause->rule != like.rule || cause->role != like.role ||
            cause->is_death != like.is_death || cause->is_waited_for != like.is_waited_for ||
            strcmp(cause->message, like.message) != 0)
            continue;
        free(like.message);
        return cause;
    }
    samples->causes =
        adi_need(reallocarray(samples->causes, samples->n_causes + 1, sizeof *samples->causes));
    samples->causes[samples->n_causes] = like;
    return &samples->causes[samples->n_causes++];
}

static bool is_so_many(const struct adi_sample_cause *cause, unsigned count) {
    unsigned most = cause->is_waited_for ? ADI_SAMPLE_WAITED : ADI_SAMPLE_MOST;
    unsigned here = cause->is_waited_for ? ADI_SAMPLE_WAITED : ADI_SAMPLE_HERE;
    return count >= most && cause->here >= here;
}

/* Enough of them, once those that are being confirmed are? */
static bool is_full(const struct adi_sample_cause *cause) {
    return is_so_many(cause, cause->confirmed + cause->waiting);
}

static bool is_enough(const struct adi_sample_cause *cause) {
    return is_so_many(cause, cause->confirmed);
}

/* Does each finding of the outcome meet the condition? */
static bool all_are(struct adi_run *run, const struct adi_outcome *outcome,
                    bool (*condition)(const struct adi_sample_cause *)) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_result_is_finding(&outcome->rows[i]) &&
            !condition(cause_of(run, outcome->index, &outcome->rows[i])))
            return false;
    return true;
}

bool adi_sample_is_enough(struct adi_run *run, const struct adi_outcome *outcome) {
    return all_are(run, outcome, is_enough);
}

/* As how many it counts: what is dear to confirm is confirmed less often. */
static unsigned weight_of(const struct adi_outcome *outcome) {
    return outcome->ms >= ADI_SAMPLE_DEAR_MS ? ADI_SAMPLE_DEAR : 1;
}

static void count_waiting(struct adi_run *run, const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++) {
        if (!adi_result_is_finding(&outcome->rows[i])) continue;
        struct adi_sample_cause *cause = cause_of(run, outcome->index, &outcome->rows[i]);
        cause->waiting += weight_of(outcome);
        cause->here += weight_of(outcome);
    }
}

static bool dies(const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_result_is_death(&outcome->rows[i])) return true;
    return false;
}

static void park(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                 size_t n_before) {
    struct adi_samples *samples = &run->samples;
    if ((samples->n_parked & (samples->n_parked + 1)) == 0)
        samples->parked = adi_need(
            reallocarray(samples->parked, 2 * samples->n_parked + 2, sizeof *samples->parked));
    struct adi_parked *parked = &samples->parked[samples->n_parked++];
    *parked = (struct adi_parked){.outcome = *outcome, .n_before = n_before};
    parked->before = adi_need(malloc((n_before + 1) * sizeof *before));
    if (n_before > 0) memcpy(parked->before, before, n_before * sizeof *before);
    *outcome = (struct adi_outcome){0};
}

/* Did a limit end it? What only was waited for until one is not meant. */
static bool dies_at_limit(const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (outcome->rows[i].at_limit && adi_result_is_death(&outcome->rows[i])) return true;
    return false;
}

bool adi_sample_wants(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                      size_t n_before) {
    bool alone = n_before == 0 || !dies(outcome);
    if (outcome->index < 0 || dies_at_limit(outcome) ||
        adi_outcome_has_doubt(outcome, ADI_DOUBT_STARVED) ||
        adi_outcome_has_doubt(outcome, ADI_DOUBT_KILLED) || !alone ||
        !all_are(run, outcome, is_full)) {
        count_waiting(run, outcome);
        return true;
    }
    park(run, outcome, before, n_before);
    return false;
}

void adi_sample_conclude(struct adi_run *run, const struct adi_outcome *first,
                         const struct adi_result *row, bool confirmed) {
    struct adi_sample_cause *cause = cause_of(run, first->index, row);
    unsigned weight = weight_of(first);
    cause->waiting -= cause->waiting < weight ? cause->waiting : weight;
    if (confirmed)
        cause->confirmed += weight;
    else
        cause->here -= cause->here < weight ? cause->here : weight;
}

unsigned adi_sample_shrinks(struct adi_run *run, const struct adi_outcome *outcome) {
    unsigned least = 0;
    for (size_t i = 0; i < outcome->n_rows; i++) {
        if (!adi_result_is_finding(&outcome->rows[i])) continue;
        unsigned shrunk = ++cause_of(run, outcome->index, &outcome->rows[i])->shrunk;
        if (least == 0 || shrunk < least) least = shrunk;
    }
    return least;
}

void adi_sample_begin_device(struct adi_run *run) {
    for (size_t i = 0; i < run->samples.n_causes; i++) run->samples.causes[i].here = 0;
}

void adi_sample_free(struct adi_samples *samples) {
    for (size_t i = 0; i < samples->n_causes; i++) free(samples->causes[i].message);
    free(samples->causes);
    free(samples->parked);
}
