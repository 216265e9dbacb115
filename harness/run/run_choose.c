/* SPDX-License-Identifier: Apache-2.0
 *
 * The device at hand: which cases are played on it, by role, globs, version, profile and
 * robustness; and what came of each.
 */
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "nearest.h"
#include "run_internal.h"
#include "run_need.h"

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
    if (run->options->profile != NULL && run->options->case_name == NULL) return ADI_SHARE_LIBRARY;
    if (run->options->case_name != NULL || adi_device_type_is_cpu(run->device->type))
        return ADI_SHARE_ALL;
    for (size_t i = 0; &run->devices[i] != run->device; i++)
        if (run->devices[i].type == run->device->type &&
            adi_glob_matches_device(run->options->device, run->devices[i].name))
            return ADI_SHARE_SMOKE;
    return ADI_SHARE_MEMORY;
}

size_t *adi_run_chosen(const struct adi_run *run, size_t *n_cases) {
    bool every = wants_every_case(run);
    enum adi_share share = share_of(run);
    const struct adi_case *played;
    size_t *cases = adi_need(malloc((adi_case_count() + 1) * sizeof *cases));
    *n_cases = 0;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        const struct adi_scenario *scenario = played->scenario;
        bool wanted = (run->device->roles & scenario->role) == scenario->role &&
                      (run->options->robustness || !scenario->robustness) &&
                      adi_glob_matches(run->options->case_name, played->name) &&
                      adi_case_in_share(played, share) &&
                      adi_case_goes_on(played, run->device->type) &&
                      (every || adi_run_wants(run, adi_rule_named(scenario->rule)));
        if (wanted) cases[(*n_cases)++] = i;
    }
    return cases;
}

void adi_run_choose(struct adi_run *run) {
    run->cases = adi_run_chosen(run, &run->n_cases);
    run->final = adi_need(calloc(adi_case_count() + 1, sizeof *run->final));
    run->outstanding = adi_need(calloc(adi_case_count() + 1, sizeof *run->outstanding));
}

void adi_run_forget_device(struct adi_run *run) {
    for (size_t i = 0; run->final != NULL && i < adi_case_count(); i++)
        adi_outcome_clear(&run->final[i]);
    for (size_t i = 0; i < 3; i++) adi_outcome_clear(&run->phases[i]);
    free(run->cases);
    free(run->final);
    free(run->outstanding);
    run->cases = NULL;
    run->final = NULL;
    run->outstanding = NULL;
    run->n_cases = run->n_done = 0;
    memset(run->phase_suspected, 0, sizeof run->phase_suspected);
    memset(run->satisfied, 0, sizeof run->satisfied);
}

struct adi_task *adi_run_task(struct adi_run *run, const size_t *cases, size_t n_cases) {
    struct adi_job job = {.mode = ADI_JOB_PLAY,
                          .adapter = run->adapter,
                          .seed = run->seed,
                          .type = run->device->type,
                          .id = run->device->id,
                          .from_adapter = run->device->from_adapter};
    struct adi_task *task = adi_task_new(&job, cases, n_cases);
    task->waits = n_cases > 0;
    for (size_t i = 0; i < n_cases && task->waits; i++)
        task->waits = adi_case_pace(adi_case(cases[i])) == ADI_PACE_WAITS;
    return task;
}

void adi_run_conclude(struct adi_run *run, int64_t index, struct adi_outcome *outcome) {
    outcome->index = index;
    adi_hung_conclude(run, outcome);
    if ((index == ADI_PHASE_CLOSE || index == ADI_PHASE_EXIT) && adi_outcome_at_limit(outcome)) {
        run->pool.close_hangs = true;
        if (run->close_hung[0] == '\0') {
            memcpy(run->close_hung, run->device->name, 40);
            run->close_did = adi_outcome_limit_text(outcome);
        }
    }
    struct adi_outcome *to = index >= 0 ? &run->final[index] : &run->phases[-1 - index];
    if (index >= 0 && to->rows == NULL) run->n_done++;
    adi_outcome_clear(to);
    *to = *outcome;
    *outcome = (struct adi_outcome){0};
}
