/* SPDX-License-Identifier: Apache-2.0
 *
 * One case in this very process, for a debugger: no worker, no limit, nothing survives a crash.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "play.h"
#include "run_internal.h"
#include "worker_internal.h"

struct inside {
    struct adi_worker_host host;
    struct adi_log_reader reader;
    struct adi_outcomes outcomes;
};

/* The one case that the globs leave, and its device. */
static int choose(struct adi_run *run, struct adi_error *error) {
    size_t found = 0;
    const struct adi_probed *device = NULL;
    for (size_t i = 0; i < run->n_devices; i++) {
        if (!adi_glob_matches_device(run->options->device, run->devices[i].name)) continue;
        run->device = &run->devices[i];
        adi_run_choose(run);
        found += run->n_cases;
        if (run->n_cases > 0) device = run->device;
        adi_run_forget_device(run);
    }
    run->device = device;
    if (found != 1)
        return adi_error_set(error, EINVAL, "--in-process plays one case on one device; %zu match",
                             found);
    adi_run_choose(run);
    return 0;
}

static int play(struct adi_run *run, struct inside *inside, struct adi_adapter *adapter,
                struct adi_error *error) {
    const struct adi_device_ops *ops =
        adi_worker_ops(adapter, run->device->type, run->device->from_adapter);
    if (ops == NULL) return adi_error_set(error, ENODEV, "%s is gone", run->device->name);
    ADI_TRY(adi_worker_open_device(&inside->host, ops, run->device->id, error));
    struct adi_job job = {.seed = run->seed, .numbers = run->cases, .n_numbers = 1};
    if (run->options->schedule != NULL)
        snprintf(job.schedule, sizeof job.schedule, "%s", run->options->schedule);
    inside->outcomes.expected = run->cases;
    inside->outcomes.n_expected = run->n_cases;
    bool closes = adi_worker_play(&inside->host, &job, adapter);
    adi_outcomes_read(&inside->outcomes, &inside->reader);
    if (closes) adi_call_end(adapter);
    adi_worker_close_device(&inside->host);

    struct adi_outcome *outcome = adi_outcomes_find(&inside->outcomes, (int64_t)run->cases[0]);
    if (outcome == NULL || inside->outcomes.damaged)
        return adi_error_set(error, EIO, "the log of the case is damaged");
    adi_outcome_settle(outcome);
    for (size_t i = 0; i < outcome->n_rows; i++)
        outcome->rows[i].confirmed = !adi_result_is_finding(&outcome->rows[i]);
    adi_run_conclude(run, outcome->index, outcome);
    memcpy(run->satisfied, inside->outcomes.satisfied, sizeof run->satisfied);
    adi_run_report(run);
    return 0;
}

static int work(struct adi_run *run, struct inside *inside, struct adi_error *error) {
    struct adi_adapter *adapter = NULL;
    struct adi_job job = {.mode = ADI_JOB_PROBE, .device = run->options->device};
    int code = adi_worker_open(&inside->host, run->adapter, &adapter);
    if (code == 0) adi_worker_probe(adapter, &job, inside->host.log);
    adi_outcomes_read(&inside->outcomes, &inside->reader);
    if (inside->outcomes.refusal != NULL)
        return adi_error_set(error, EINVAL, "%s", inside->outcomes.refusal);
    if (code != 0) return adi_error_set(error, code, "the adapter cannot be opened");
    ADI_TRY(choose(run, error));
    return play(run, inside, adapter, error);
}

int adi_run_in_process(struct adi_run *run, struct adi_error *error) {
    static struct inside inside;
    int fd = -1;
    inside = (struct inside){.outcomes = {.strict = run->options->strict,
                                          .info = adi_run_take_probe,
                                          .context = run,
                                          .crash_rule = -1,
                                          .crash_party = ADI_BOTH}};
    inside.host.log = inside.reader.log = adi_log_create(&fd);
    if (inside.host.log == NULL) return adi_error_set(error, errno, "no log: %s", strerror(errno));
    int code = work(run, &inside, error);
    adi_outcomes_clear(&inside.outcomes);
    adi_run_forget_device(run);
    adi_log_destroy(inside.host.log);
    return code;
}
