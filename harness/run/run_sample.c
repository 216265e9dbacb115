/* SPDX-License-Identifier: Apache-2.0 */
#include "run_sample.h"

#include <ctype.h>
#include <string.h>

#include "case.h"
#include "run_internal.h"
#include "run_need.h"

struct adi_sample_cause {
    const struct adi_rule *rule;
    char *message; /* without its digits */
    unsigned role;
    bool is_death;
    unsigned confirmed, waiting; /* of the run; being confirmed */
    unsigned here;               /* confirmed or being confirmed, on the device at hand */
    unsigned shrunk;
};

static char *without_digits(const char *message) {
    char *text = adi_need_text(message), *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (!isdigit((unsigned char)*from)) *to++ = *from;
    *to = '\0';
    return text;
}

static struct adi_sample_cause *cause_of(struct adi_run *run, int64_t index,
                                         const struct adi_result *row) {
    struct adi_samples *samples = &run->samples;
    struct adi_sample_cause like = {.rule = row->rule,
                                    .message = without_digits(row->message),
                                    .is_death = adi_result_is_death(row)};
    if (index >= 0) like.role = adi_case((size_t)index)->scenario->role;
    for (size_t i = 0; i < samples->n_causes; i++) {
        struct adi_sample_cause *cause = &samples->causes[i];
        if (cause->rule != like.rule || cause->role != like.role ||
            cause->is_death != like.is_death || strcmp(cause->message, like.message) != 0)
            continue;
        free(like.message);
        return cause;
    }
    samples->causes =
        adi_need(reallocarray(samples->causes, samples->n_causes + 1, sizeof *samples->causes));
    samples->causes[samples->n_causes] = like;
    return &samples->causes[samples->n_causes++];
}

/* Enough of them, once those that are being confirmed are? */
static bool is_full(const struct adi_sample_cause *cause) {
    return cause->confirmed + cause->waiting >= ADI_SAMPLE_MOST && cause->here >= ADI_SAMPLE_HERE;
}

static bool is_enough(const struct adi_sample_cause *cause) {
    return cause->confirmed >= ADI_SAMPLE_MOST && cause->here >= ADI_SAMPLE_HERE;
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

static void count_waiting(struct adi_run *run, const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++) {
        if (!adi_result_is_finding(&outcome->rows[i])) continue;
        struct adi_sample_cause *cause = cause_of(run, outcome->index, &outcome->rows[i]);
        cause->waiting++;
        cause->here++;
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

bool adi_sample_wants(struct adi_run *run, struct adi_outcome *outcome, const size_t *before,
                      size_t n_before) {
    bool alone = n_before == 0 || !dies(outcome);
    if (outcome->index < 0 || adi_outcome_at_limit(outcome) ||
        adi_outcome_has_doubt(outcome, ADI_DOUBT_STARVED) ||
        adi_outcome_has_doubt(outcome, ADI_DOUBT_KILLED) || !alone ||
        !all_are(run, outcome, is_full)) {
        count_waiting(run, outcome);
        return true;
    }
    park(run, outcome, before, n_before);
    return false;
}

void adi_sample_conclude(struct adi_run *run, int64_t index, const struct adi_result *first,
                         bool confirmed) {
    struct adi_sample_cause *cause = cause_of(run, index, first);
    if (cause->waiting > 0) cause->waiting--;
    if (confirmed)
        cause->confirmed++;
    else if (cause->here > 0)
        cause->here--;
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
