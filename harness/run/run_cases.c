/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "nearest.h"
#include "run_need.h"
#include "run_part.h"

#define BATCHES_A_WORKER 2 /* many end more evenly, but each starts a process and its runtimes */
#define FEWEST           64
#define MOST             1024
#define ATTEMPTS         3 /* workers that may end before their first case */

/* ---- which cases ---- */

bool adi_run_wants(const struct adi_run *run, const struct adi_rule *rule) {
    if (rule == NULL) return true;
    const char *version = run->options->rules;
    return adi_glob_matches(run->options->rule, rule->id) &&
           (version == NULL || adi_rule_counts(rule, version));
}

/* A rule that is looked at wherever a tree goes by needs every case. */
static bool wants_every_case(const struct adi_run *run) {
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (rule->finder != ADI_BY_CASE && adi_run_wants(run, rule)) return true;
    return false;
}

/* Who names cases gets all of them. */
static enum adi_share share_of(const struct adi_run *run) {
    if (run->options->case_name != NULL || run->device->type == ARROW_DEVICE_CPU)
        return ADI_SHARE_ALL;
    for (size_t i = 0; &run->devices[i] != run->device; i++)
        if (run->devices[i].type == run->device->type &&
            adi_glob_matches_device(run->options->device, run->devices[i].name))
            return ADI_SHARE_TASTE;
    return ADI_SHARE_MEMORY;
}

void adi_run_choose(struct adi_run *run) {
    bool every = wants_every_case(run);
    enum adi_share share = share_of(run);
    const struct adi_case *played;
    run->cases = adi_need(malloc((adi_case_count() + 1) * sizeof *run->cases));
    run->final = adi_need(calloc(adi_case_count() + 1, sizeof *run->final));
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        const struct adi_scenario *scenario = played->scenario;
        bool wanted = (run->device->roles & scenario->role) == scenario->role &&
                      (run->options->robustness || !scenario->robustness) &&
                      adi_glob_matches(run->options->case_name, played->name) &&
                      adi_case_in_share(played, share) &&
                      (!scenario->queued || adi_device_type_has_event(run->device->type)) &&
                      (every || adi_run_wants(run, adi_rule_named(scenario->rule)));
        if (wanted) run->cases[run->n_cases++] = i;
    }
}

void adi_run_forget_device(struct adi_run *run) {
    for (size_t i = 0; run->final != NULL && i < adi_case_count(); i++)
        adi_outcome_clear(&run->final[i]);
    for (size_t i = 0; i < 3; i++) adi_outcome_clear(&run->phases[i]);
    free(run->cases);
    free(run->final);
    run->cases = NULL;
    run->final = NULL;
    run->n_cases = run->n_done = 0;
    memset(run->phase_suspected, 0, sizeof run->phase_suspected);
    memset(run->held, 0, sizeof run->held);
}

/* ---- playing them ---- */

struct adi_task *adi_run_task(struct adi_run *run, const size_t *cases, size_t n_cases) {
    struct adi_job job = {.mode = ADI_JOB_PLAY,
                          .adapter = run->adapter,
                          .seed = run->seed,
                          .type = run->device->type,
                          .id = run->device->id,
                          .from_adapter = run->device->from_adapter};
    return adi_task_new(&job, cases, n_cases);
}

void adi_run_conclude(struct adi_run *run, int64_t index, struct adi_outcome *outcome) {
    struct adi_outcome *to = index >= 0 ? &run->final[index] : &run->phases[-1 - index];
    if (index >= 0 && to->rows == NULL) run->n_done++;
    adi_outcome_clear(to);
    *to = *outcome;
    to->index = index;
    *outcome = (struct adi_outcome){0};
}

/* Something came of it: it ended, or the worker ended on account of it. */
static bool is_complete(const struct adi_outcome *outcome) {
    return outcome->n_rows > 0 && (outcome->ended || adi_outcome_has_finding(outcome));
}

static void take_phase(struct adi_run *run, struct adi_outcome *outcome,
                       const struct adi_task *task) {
    bool *suspected = &run->phase_suspected[-1 - outcome->index];
    if (*suspected || !adi_outcome_has_finding(outcome)) return;
    *suspected = true;
    adi_run_suspect(run, outcome, task->job.numbers, task->outcomes.n_begun);
}

static void take_batch(void *context, struct adi_task *task);

static void submit(struct adi_run *run, const size_t *cases, size_t n_cases, unsigned attempts) {
    if (n_cases == 0) return;
    struct adi_task *task = adi_run_task(run, cases, n_cases);
    task->done = take_batch;
    task->context = run;
    task->attempts = attempts;
    adi_pool_submit(&run->pool, task);
}

/* No worker gets to these cases: that is what came of them. */
static void give_up(struct adi_run *run, const size_t *cases, size_t n_cases) {
    for (size_t i = 0; i < n_cases; i++) {
        const struct adi_scenario *scenario = adi_case(cases[i])->scenario;
        struct adi_outcome none = {0};
        adi_outcome_add(&none, adi_rule_named(scenario->rule), scenario->party, ADI_ERROR,
                        "not played: workers ended before they came to it", NULL, NULL);
        adi_run_conclude(run, (int64_t)cases[i], &none);
    }
}

/* The cases of a task that nothing came of, again. */
static void submit_rest(struct adi_run *run, const struct adi_task *task, const size_t *rest,
                        size_t n_rest) {
    bool progress = n_rest < task->job.n_numbers;
    if (adi_run_interrupted()) return;
    if (task->outcomes.damaged) {
        /* Whose doing that was is seen where there is but one. */
        submit(run, rest, n_rest / 2, 0);
        submit(run, rest + n_rest / 2, n_rest - n_rest / 2, 0);
    } else if (progress || task->attempts + 1 < ATTEMPTS) {
        submit(run, rest, n_rest, progress ? 0 : task->attempts + 1);
    } else {
        give_up(run, rest, n_rest);
    }
}

/* A finding that will not be reported needs no confirmation. */
static bool has_wanted_finding(const struct adi_run *run, const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_row_is_finding(&outcome->rows[i]) && adi_run_wants(run, outcome->rows[i].rule))
            return true;
    return false;
}

static void take_batch(void *context, struct adi_task *task) {
    struct adi_run *run = context;
    struct adi_outcomes *outcomes = &task->outcomes;
    size_t *rest = adi_need(malloc((task->job.n_numbers + 1) * sizeof *rest)), n_rest = 0;
    for (size_t i = 0; i < task->job.n_numbers; i++) {
        /* The load comes before the cases. */
        struct adi_outcome *outcome =
            i < outcomes->n_begun ? adi_outcomes_find(outcomes, (int64_t)task->job.numbers[i])
                                  : NULL;
        if (outcome == NULL || !is_complete(outcome))
            rest[n_rest++] = task->job.numbers[i];
        else if (has_wanted_finding(run, outcome))
            adi_run_suspect(run, outcome, task->job.numbers, i);
        else
            adi_run_conclude(run, outcome->index, outcome);
    }
    for (int64_t phase = ADI_PHASE_EXIT; phase <= ADI_PHASE_LOAD; phase++) {
        struct adi_outcome *outcome = adi_outcomes_find(outcomes, phase);
        if (outcome != NULL) take_phase(run, outcome, task);
    }
    for (size_t i = 0; i < ADI_RULES; i++) run->held[i] += outcomes->held[i];
    submit_rest(run, task, rest, n_rest);
    free(rest);
}

static size_t batch_size(const struct adi_run *run) {
    size_t size = run->n_cases / (run->pool.n_slots * BATCHES_A_WORKER) + 1;
    return size < FEWEST ? FEWEST : size > MOST ? MOST : size;
}

/* The programs that findings were made in. */
static void shrink_all(struct adi_run *run) {
    for (size_t i = 0; i < run->n_cases && !adi_run_interrupted(); i++)
        adi_run_shrink(run, &run->final[run->cases[i]]);
}

int adi_run_device(struct adi_run *run, struct adi_error *error) {
    adi_run_choose(run);
    size_t size = batch_size(run);
    for (size_t at = 0; at < run->n_cases; at += size) {
        size_t left = run->n_cases - at;
        submit(run, run->cases + at, left < size ? left : size, 0);
    }
    int code = adi_pool_run(&run->pool, error);
    adi_run_give_up(run);
    shrink_all(run);
    adi_run_unshow(run);
    adi_run_report(run);
    adi_run_forget_device(run);
    return code;
}
