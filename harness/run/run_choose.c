/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cases are played on a device: by role, globs, version, profile and robustness.
 */
#include <string.h>

#include "case.h"
#include "device_types.h"
#include "nearest.h"
#include "run_need.h"
#include "run_part.h"

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
            return ADI_SHARE_TASTE;
    return ADI_SHARE_MEMORY;
}

void adi_run_choose(struct adi_run *run) {
    bool every = wants_every_case(run);
    enum adi_share share = share_of(run);
    const struct adi_case *played;
    run->cases = adi_need(malloc((adi_case_count() + 1) * sizeof *run->cases));
    run->final = adi_need(calloc(adi_case_count() + 1, sizeof *run->final));
    run->outstanding = adi_need(calloc(adi_case_count() + 1, sizeof *run->outstanding));
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
