/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs made up at random, in workers, until the time is over. A round is a batch of samples for
 * each worker, with a seed of its own: the same seed makes up the same programs. Small rounds come
 * first, so that a device of many is left in time; large ones start fewer processes. Of the
 * findings of one rule the one with the shortest program is reported.
 */
#include <inttypes.h>

#include "case.h"
#include "run_internal.h"
#include "run_need.h"
#include "sample_random.h"

#define FIRST_BATCH 2 /* samples; each round has twice as many as the one before */
#define LARGE_BATCH 16

struct found {
    struct adi_outcome outcome;
    uint64_t seed;
};

#define ROLES (ADI_RELAYS_STREAM + 1) /* they are bits */

struct fuzzing {
    struct adi_run *run;
    struct adi_random random;
    size_t *cases; /* that the implementation can play */
    size_t n_cases;
    uint64_t seed; /* of the next batch */
    struct found *found;
    size_t n_found, n_shrunk;
    uint64_t programs[ROLES]; /* by role */
    char *refusals[ROLES];    /* by role, the last one */
};

static const enum adi_verdict telling[] = {ADI_FAIL, ADI_CRASH, ADI_TIMEOUT, ADI_WARN, ADI_NOTE};

/* The row that a finding is known by: the worst. */
static const struct adi_result *worst(const struct adi_outcome *outcome) {
    for (size_t v = 0; v < sizeof telling / sizeof telling[0]; v++)
        for (size_t i = 0; i < outcome->n_rows; i++)
            if (outcome->rows[i].verdict == telling[v]) return &outcome->rows[i];
    return outcome->n_rows == 0 ? NULL : &outcome->rows[0];
}

static size_t length(const struct adi_outcome *outcome) {
    return outcome->program == NULL ? SIZE_MAX : outcome->program->n;
}

/* Is it what was found before, in a program that is not longer? */
static bool is_known(const struct fuzzing *fuzzing, size_t n, const struct adi_outcome *outcome) {
    const struct adi_result *row = worst(outcome);
    for (size_t i = 0; i < n; i++) {
        const struct adi_result *other = worst(&fuzzing->found[i].outcome);
        if (other->rule == row->rule && other->party == row->party) return true;
    }
    return false;
}

static void keep(struct fuzzing *fuzzing, struct adi_outcome *outcome, uint64_t seed) {
    fuzzing->found =
        adi_need(reallocarray(fuzzing->found, fuzzing->n_found + 1, sizeof *fuzzing->found));
    fuzzing->found[fuzzing->n_found++] = (struct found){*outcome, seed};
    *outcome = (struct adi_outcome){0};
}

static void count(struct fuzzing *fuzzing, const struct adi_outcome *outcome) {
    const struct adi_scenario *scenario = adi_case((size_t)outcome->index)->scenario;
    const struct adi_result *row = outcome->n_rows == 0 ? NULL : &outcome->rows[0];
    if (row != NULL && row->verdict == ADI_PASS) {
        fuzzing->programs[scenario->role] += (uint64_t)scenario->parameter;
        fuzzing->run->programs += (uint64_t)scenario->parameter;
    } else if (row != NULL && row->verdict == ADI_UNSUPPORTED) {
        free(fuzzing->refusals[scenario->role]);
        fuzzing->refusals[scenario->role] = adi_need_text(row->message);
    }
}

static void take_batch(void *context, struct adi_task *task) {
    struct fuzzing *fuzzing = context;
    struct adi_outcomes *outcomes = &task->outcomes;
    for (size_t i = 0; i < outcomes->count; i++) {
        struct adi_outcome *outcome = &outcomes->list[i];
        bool finding = adi_outcome_has_finding(outcome);
        if (finding && !is_known(fuzzing, fuzzing->n_found, outcome))
            keep(fuzzing, outcome, task->job.seed);
        else if (!finding && outcome->index >= 0 && outcome->ended)
            count(fuzzing, outcome);
    }
    for (size_t i = 0; i < ADI_RULES; i++) fuzzing->run->satisfied[i] += outcomes->satisfied[i];
}

static void submit(struct fuzzing *fuzzing, size_t samples) {
    size_t batch[LARGE_BATCH];
    for (size_t i = 0; i < samples; i++)
        batch[i] = fuzzing->cases[adi_random_below(&fuzzing->random, fuzzing->n_cases)];
    struct adi_task *task = adi_run_task(fuzzing->run, batch, samples);
    task->job.seed = fuzzing->seed++;
    task->done = take_batch;
    task->context = fuzzing;
    adi_pool_submit(&fuzzing->run->pool, task);
}

/* ---- what was found ---- */

/* As what has been shrunk before? Then the shorter one stays. */
static void keep_shorter(struct fuzzing *fuzzing, size_t index) {
    struct found *found = &fuzzing->found[index], *kept = fuzzing->found;
    struct found *end = kept + fuzzing->n_shrunk;
    while (kept < end && (worst(&kept->outcome)->rule != worst(&found->outcome)->rule ||
                          worst(&kept->outcome)->party != worst(&found->outcome)->party))
        kept++;
    if (kept == end) {
        if (end != found) *end = *found;
        fuzzing->n_shrunk++;
        return;
    }
    if (length(&found->outcome) < length(&kept->outcome)) {
        struct found longer = *kept;
        *kept = *found;
        *found = longer;
    }
    adi_outcome_clear(&found->outcome);
}

static void say_seen_once(struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++) {
        struct adi_result *row = &outcome->rows[i];
        if (!adi_result_is_finding(row)) continue;
        adi_result_set(&row->message, "%s (seen once, and not when its program was played alone)",
                       row->message);
        row->confirmed = false;
        row->flaky = true;
        if (row->doubt == ADI_DOUBT_KILLED)
            adi_result_undecide(row);
        else if (row->verdict != ADI_ERROR)
            row->verdict = ADI_NOTE;
    }
}

static void shrink_found(struct fuzzing *fuzzing) {
    for (size_t i = fuzzing->n_shrunk; i < fuzzing->n_found && !adi_run_interrupted(); i++) {
        fuzzing->run->seed = fuzzing->found[i].seed;
        if (!adi_run_shrink(fuzzing->run, &fuzzing->found[i].outcome))
            say_seen_once(&fuzzing->found[i].outcome);
        keep_shorter(fuzzing, i);
    }
    if (!adi_run_interrupted()) fuzzing->n_found = fuzzing->n_shrunk;
}

static void report_passes(struct fuzzing *fuzzing) {
    for (size_t i = 0; i < adi_case_fuzz_count(); i++) {
        const struct adi_scenario *scenario = adi_case(ADI_CASE_FUZZ + i)->scenario;
        uint64_t *programs = &fuzzing->programs[scenario->role];
        const char *refusal = fuzzing->refusals[scenario->role];
        if (*programs == 0 && refusal == NULL) continue;
        struct adi_result *result = adi_report_add(fuzzing->run->report);
        result->rule = adi_rule_named(scenario->rule);
        result->party = scenario->party;
        result->verdict = *programs > 0 ? ADI_PASS : ADI_UNSUPPORTED;
        adi_result_set(&result->device, "%s", fuzzing->run->device->name);
        adi_result_set(&result->case_name, "%s", scenario->name);
        if (*programs > 0)
            adi_result_set(&result->message, "%" PRIu64 " programs", *programs);
        else
            adi_result_set(&result->message, "%s", refusal);
        *programs = 0;
        free(fuzzing->refusals[scenario->role]);
        fuzzing->refusals[scenario->role] = NULL;
    }
}

/* What else came of the sample is not for the record. */
static void drop_quiet(struct adi_outcome *outcome) {
    size_t kept = 0;
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_result_is_finding(&outcome->rows[i]))
            outcome->rows[kept++] = outcome->rows[i];
        else
            adi_result_free(&outcome->rows[i]);
    outcome->n_rows = kept;
}

static void report(struct fuzzing *fuzzing) {
    for (size_t i = 0; i < fuzzing->n_found; i++) {
        fuzzing->run->seed = fuzzing->found[i].seed;
        drop_quiet(&fuzzing->found[i].outcome);
        adi_run_report_outcome(fuzzing->run, &fuzzing->found[i].outcome);
        adi_outcome_clear(&fuzzing->found[i].outcome);
    }
    fuzzing->run->seed = fuzzing->run->options->seed;
    report_passes(fuzzing);
    free(fuzzing->found);
}

static void choose(struct fuzzing *fuzzing) {
    size_t n = adi_case_fuzz_count();
    fuzzing->cases = adi_need(malloc((n + 1) * sizeof *fuzzing->cases));
    for (size_t i = 0; i < n; i++) {
        const struct adi_case *played = adi_case(ADI_CASE_FUZZ + i);
        unsigned role = played->scenario->role;
        if (adi_case_is_fuzzed(played) && (fuzzing->run->device->roles & role) == role &&
            adi_case_goes_on(played, fuzzing->run->device->type))
            fuzzing->cases[fuzzing->n_cases++] = ADI_CASE_FUZZ + i;
    }
}

/* A round; returns the nanoseconds that it took. */
static int64_t play_round(struct fuzzing *fuzzing, size_t samples, int *code,
                          struct adi_error *error) {
    int64_t begun_ns = adi_now_ns();
    for (size_t i = 0; i < fuzzing->run->pool.n_workers - fuzzing->run->pool.n_beside; i++)
        submit(fuzzing, samples);
    *code = adi_pool_run(&fuzzing->run->pool, error);
    int64_t took_ns = adi_now_ns() - begun_ns;
    shrink_found(fuzzing);
    return took_ns;
}

int adi_run_fuzz(struct adi_run *run, struct adi_error *error) {
    struct fuzzing fuzzing = {
        .run = run, .random = {.state = run->options->seed}, .seed = run->options->seed};
    int code = 0;
    choose(&fuzzing);
    int64_t took_ns = 0; /* a round that would end late by more than half of itself is not begun */
    for (size_t samples = FIRST_BATCH; code == 0 && fuzzing.n_cases > 0; samples *= 2) {
        if (samples > LARGE_BATCH) samples = LARGE_BATCH;
        if (took_ns > 0 && adi_now_ns() + took_ns / 2 >= run->fuzz_end_ns) break;
        took_ns = play_round(&fuzzing, samples, &code, error);
    }
    adi_run_unshow(run);
    report(&fuzzing);
    free(fuzzing.cases);
    return code;
}
