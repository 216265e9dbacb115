/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "../devices/devices.h"
#include "adapter_load.h"
#include "nearest.h"
#include "processors.h"
#include "run_environment.h"
#include "run_internal.h"
#include "run_need.h"
#include "shortage.h"
#include "worker_internal.h"

#define DEFAULT_SECONDS 10.0
#define DEFAULT_MB      2048
#define MOST_JOBS       64
#define MOST_BESIDE     8   /* workers for what waits: more would not be busy, and want memory */
#define LOAD_FACTOR     2.5 /* loading may take so many times as long as a case */

static void set_limits(struct adi_run *run) {
    const struct adi_run_options *options = run->options;
    double seconds = options->timeout > 0 ? options->timeout : DEFAULT_SECONDS;
    int64_t mb = options->memory_mb > 0 ? options->memory_mb : DEFAULT_MB;
    if (options->time_limit > 0)
        run->pool.deadline_ns = run->started_ns + (int64_t)(options->time_limit * 1e9);
    run->pool.schedule = run->options->schedule;
    run->pool.limits = (struct adi_limits){.step_ns = (int64_t)(seconds * 1e9),
                                           .load_ns = (int64_t)(LOAD_FACTOR * seconds * 1e9),
                                           .bytes = mb << 20};
}

/* Looks at the adapter from outside. `absolute` is where its path goes. */
static int look(struct adi_run *run, const char *adapter, char absolute[PATH_MAX],
                struct adi_error *error) {
    adi_result_set(&run->report->implementation, "adicheck reference"); /* until it says its name */
    if (adapter == NULL) return 0;
    int code = adi_adapter_look(adapter, error);
    if (code == 0 && realpath(adapter, absolute) == NULL)
        code = adi_error_set(error, errno, "cannot read the adapter '%s': %s", adapter,
                             strerror(errno));
    if (code != 0) return adi_is_shortage(code) ? code : EINVAL;
    run->adapter = absolute;
    adi_result_set(&run->report->adapter, "%s", adapter);
    const char *slash = strrchr(adapter, '/');
    adi_result_set(&run->report->implementation, "%s", slash == NULL ? adapter : slash + 1);
    adi_environment_preload(absolute, run->preload);
    return 0;
}

/* Why there is no device of this name; NULL: there is one. */
static const char *why_missing(const struct adi_run *run, const char *name) {
    const char *why = "no backend in this build", *asked = run->options->device;
    size_t type = strcspn(name, ":");
    for (size_t i = 0; i < run->report->n_devices; i++) {
        const struct adi_report_device *device = &run->report->devices[i];
        if (device->available && adi_glob_matches_device(name, device->name)) return NULL;
        if (strncmp(device->name, name, type) == 0 && strchr(":", device->name[type]) != NULL)
            why =
                device->available ? "there are others of its type, and not this one" : device->why;
    }
    char bare[sizeof run->devices->name];
    snprintf(bare, sizeof bare, "%.*s", (int)type, name);
    bool is_left_out = adi_device_named(bare) != NULL && !adi_glob_may_match_type(asked, bare);
    return is_left_out ? "--device or --profile leaves it out" : why;
}

/* The devices of --require that are not there. */
static void note_missing(struct adi_run *run) {
    if (run->options->require == NULL) return;
    char *names = adi_need_text(run->options->require), *rest = names, *missing = NULL,
         *reasons = NULL;
    for (const char *name, *why; (name = strsep(&rest, ",")) != NULL;) {
        if (*name == '\0' || (why = why_missing(run, name)) == NULL) continue;
        adi_result_append(&missing, ", ", name);
        adi_result_append(&reasons, "; ", name);
        adi_result_append(&reasons, ": ", why);
    }
    if (missing != NULL) adi_result_set(&run->report->missing, "%s (%s)", missing, reasons);
    free(missing);
    free(reasons);
    free(names);
}

/* ---- devices by name ---- */

static const struct adi_run *named; /* whose devices are suggested */

static const char *device_name_at(size_t index) {
    return index < named->n_devices ? named->devices[index].name : NULL;
}

/* Devices of the types that --device could mean are there; is one of them meant? What is absent has
 * said why, and may have been meant. */
static int check_name(const struct adi_run *run, struct adi_error *error) {
    const char *glob = run->options->device;
    struct adi_error near;
    if (run->n_devices == 0 || run->report->n_devices > run->n_devices) return 0;
    for (size_t i = 0; i < run->n_devices; i++)
        if (adi_glob_matches_device(glob, run->devices[i].name)) return 0;
    named = run;
    adi_nearest_text(glob, device_name_at, &near);
    return adi_error_set(error, EINVAL, "--device '%s' matches no device%s", glob, near.text);
}

/* What a worker is at when the run is cut (adi_pool.stops). */
static void take_stopped(void *context, const struct adi_job *job, const struct adi_outcome *now,
                         int64_t ns) {
    struct adi_run *run = context;
    const struct adi_probed *device = NULL;
    for (size_t i = 0; i < run->n_devices && job->mode == ADI_JOB_PLAY; i++)
        if (run->devices[i].type == job->type && run->devices[i].id == job->id)
            device = &run->devices[i];
    const char *step = now->n_steps == 0 ? "" : now->steps[now->n_steps - 1];
    struct adi_report_in_play *play = adi_report_add_in_play(run->report);
    play->ms = ns / 1000000;
    adi_result_set(&play->device, "%s", device == NULL ? run->probing_name : device->name);
    adi_result_set(&play->case_name, "%s", adi_outcome_name(now->index));
    adi_result_set(&play->operation, "%.*s", (int)strcspn(step, " "), step);
}

static bool goes_on(const struct adi_run *run, int code) {
    return code == 0 || code == ETIME || (code == EINTR && run->options->fuzz == 0);
}

/* Is there something to play on it? */
static bool is_wanted(const struct adi_run *run, const struct adi_probed *device) {
    return device->roles != 0 && adi_glob_matches_device(run->options->device, device->name);
}

/* Of the time that is left until `end_ns`, the same share for this device as for each one behind
 * it: what one needs more, or leaves, the others share. */
static int64_t share_end_ns(const struct adi_run *run, size_t index, int64_t end_ns) {
    int64_t devices = 0, now = adi_now_ns();
    for (size_t i = index; i < run->n_devices; i++) devices += is_wanted(run, &run->devices[i]);
    return devices == 0 ? now : now + (end_ns - now) / devices;
}

/* The next one that is meant; NULL: there is none. */
static const struct adi_probed *next_device(const struct adi_run *run, size_t index) {
    for (size_t i = index + 1; i < run->n_devices; i++)
        if (adi_glob_matches_device(run->options->device, run->devices[i].name))
            return &run->devices[i];
    return NULL;
}

static int judge_devices(struct adi_run *run, struct adi_error *error) {
    int code = 0;
    int64_t end_ns = adi_now_ns() + (int64_t)(run->options->fuzz * 1e9);
    /* Past the deadline every case still has its row, and those that an interruption left out are
     * counted. */
    run->report->counted = run->options->fuzz == 0;
    for (size_t i = 0; i < run->n_devices && goes_on(run, code); i++) {
        run->device = &run->devices[i];
        if (!adi_glob_matches_device(run->options->device, run->device->name)) continue;
        run->next = run->options->fuzz > 0 ? NULL : next_device(run, i);
        run->device_ns = adi_now_ns();
        run->fuzz_end_ns = share_end_ns(run, i, end_ns);
        code = run->options->fuzz > 0 ? adi_run_fuzz(run, error) : adi_run_device(run, error);
    }
    return code;
}

static int judge(struct adi_run *run, struct adi_error *error) {
    size_t jobs = (size_t)run->options->jobs, beside = 0;
    if (jobs == 0) {
        jobs = adi_processors() < MOST_JOBS ? adi_processors() : MOST_JOBS;
        beside = 4 * jobs < MOST_BESIDE ? 4 * jobs : MOST_BESIDE;
    }
    adi_pool_open(&run->pool, jobs, beside);
    int code = adi_run_probe(run, error);
    if (code == 0 && run->options->program != NULL) {
        code = adi_run_one_program(run, error);
    } else if (code == 0) {
        code = check_name(run, error);
        if (code == 0) adi_run_report_unserved(run);
        if (code == 0) code = judge_devices(run, error);
    }
    adi_pool_close(&run->pool);
    return code;
}

int adi_run(const char *adapter, const struct adi_run_options *options, struct adi_report *report,
            struct adi_error *error) {
    char absolute[PATH_MAX];
    struct adi_run run = {
        .options = options, .report = report, .seed = options->seed, .started_ns = adi_now_ns()};
    run.pool = (struct adi_pool){.strict = options->strict,
                                 .preload = run.preload,
                                 .tick = adi_run_show,
                                 .idles = adi_run_begin_ahead,
                                 .stops = take_stopped,
                                 .context = &run};
    report->begun = time(NULL);
    report->seed = options->seed;
    report->strict = options->strict;
    if (options->rules != NULL) report->rules = options->rules;
    set_limits(&run);
    ADI_TRY(look(&run, adapter, absolute, error));
    const bool here = options->in_process || options->within;
    int code = here ? adi_run_in_process(&run, error) : judge(&run, error);
    if (code == EINTR) report->interrupted = true;
    if (code == ETIME) report->out_of_time = true;
    if (code == EINTR || code == ETIME) code = 0;
    note_missing(&run);
    report->sim_log_error = here ? adi_worker_sim_log_error() : run.pool.sim_log_error;
    if (adi_report_fold(report) != 0) adi_need(NULL);
    report->seconds = (double)(adi_now_ns() - run.started_ns) / 1e9;
    adi_hung_free(&run.hung);
    adi_sample_free(&run.samples);
    free(run.devices);
    return code;
}

int adi_run_find_devices(struct adi_report *report, struct adi_error *error) {
    const struct adi_run_options options = {0};
    struct adi_run run = {.options = &options, .report = report};
    run.pool = (struct adi_pool){.preload = run.preload};
    set_limits(&run);
    adi_pool_open(&run.pool, 1, 0);
    int code = adi_run_probe(&run, error);
    adi_pool_close(&run.pool);
    free(run.devices);
    return code;
}
