/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "case.h"
#include "nearest.h"
#include "run_internal.h"

/* The first device that is meant; NULL: why there is none. */
static const struct adi_probed *find(const struct adi_run *run, struct adi_error *why) {
    const char *glob = run->options->device;
    for (size_t i = 0; i < run->n_devices; i++)
        if (adi_glob_matches_device(glob, run->devices[i].name)) return &run->devices[i];
    adi_error_set(why, EINVAL, "there is no device %s", glob);
    for (size_t i = 0; i < run->report->n_devices; i++) {
        const struct adi_report_device *device = &run->report->devices[i];
        if (!device->available && adi_glob_matches_device(glob, device->name))
            adi_error_set(why, EINVAL, "%s is not there: %s", device->name, device->why);
    }
    return NULL;
}

/* What may have been others' doing is nobody's. */
static void take(void *run_at, struct adi_task *task) {
    struct adi_run *run = run_at;
    struct adi_outcomes *outcomes = &task->outcomes;
    for (size_t i = 0; i < outcomes->count; i++) {
        struct adi_outcome *outcome = &outcomes->list[i];
        for (size_t k = 0; k < outcome->n_rows; k++)
            if (outcome->rows[k].doubt != ADI_NO_DOUBT) adi_result_undecide(&outcome->rows[k]);
        adi_run_report_outcome(run, outcome);
    }
}

int adi_run_one_program(struct adi_run *run, struct adi_error *error) {
    const struct adi_scenario *scenario = adi_case(run->options->program_case)->scenario;
    run->device = find(run, error);
    if (run->device == NULL) return run->report->n_results > 0 ? 0 : EINVAL;
    if ((run->device->roles & scenario->role) != scenario->role) {
        struct adi_outcome none = {.index = (int64_t)run->options->program_case};
        adi_outcome_add(&none, adi_rule_named(scenario->rule), scenario->party, ADI_UNSUPPORTED,
                        "the implementation has no such role on this device", NULL, NULL);
        adi_run_report_outcome(run, &none);
        adi_outcome_clear(&none);
        return 0;
    }
    struct adi_task *task = adi_run_task(run, &run->options->program_case, 1);
    task->job.program = run->options->program;
    task->done = take;
    task->context = run;
    adi_pool_submit(&run->pool, task);
    return adi_pool_run(&run->pool, error);
}
