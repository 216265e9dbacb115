/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../devices/devices.h"
#include "nearest.h"
#include "run_internal.h"
#include "run_need.h"
#include "worker_internal.h"

#define ATTEMPTS 2 /* a death while loading has to show twice */
#define TYPES    64

/* What the probing workers of a run have come to. */
struct probing {
    struct adi_run *run;
    bool finished;
    bool doubted; /* the last worker was ended by others */
    char *refusal;
    struct adi_outcome load; /* rows: what went wrong */
    size_t broken[TYPES];    /* types whose runtime ended the worker */
    struct {
        char name[32], why[ADI_ERROR_SIZE];
    } said[TYPES]; /* of each of them */
    size_t n_failed;
};

/* ---- what the worker says ---- */

static void take_name(struct adi_run *run, const struct adi_log_record *record) {
    adi_result_set(&run->report->implementation, "%s", record->message);
    adi_result_set(&run->report->implementation_version, "%s", record->seen);
}

static void take_probing(struct adi_run *run, const struct adi_log_record *record) {
    run->probing = record->index > 0 ? (ArrowDeviceType)record->index : 0;
    run->probing_adapters = record->count != 0;
    snprintf(run->probing_name, sizeof run->probing_name, "%.31s", record->message);
}

static void take_device(struct adi_run *run, const struct adi_log_record *record) {
    struct adi_report_device *shown = adi_report_add_device(run->report);
    snprintf(shown->name, sizeof shown->name, "%.16s:%" PRId64, record->message, record->count);
    snprintf(shown->runtime, sizeof shown->runtime, "%.31s", record->seen);
    shown->type = (ArrowDeviceType)record->index;
    shown->available = true;
    run->devices = adi_need(reallocarray(run->devices, run->n_devices + 1, sizeof *run->devices));
    struct adi_probed *device = &run->devices[run->n_devices++];
    *device = (struct adi_probed){.type = shown->type,
                                  .id = record->count,
                                  .from_adapter = strcmp(record->wanted, "adapter") == 0};
    memcpy(device->name, shown->name, sizeof device->name);
}

static void take_roles(struct adi_run *run, const struct adi_log_record *record) {
    if (run->n_devices == 0) return;
    struct adi_probed *device = &run->devices[run->n_devices - 1];
    struct adi_report_device *shown = &run->report->devices[run->report->n_devices - 1];
    device->roles = (unsigned)record->index;
    shown->idle = device->roles == 0;
    device->unobservable = (unsigned)record->count;
    snprintf(device->lacks, sizeof device->lacks, "%.500s", record->message);
    snprintf(shown->why, sizeof shown->why, "%s", device->lacks);
    snprintf(shown->remark, sizeof shown->remark, "%.500s", record->seen);
}

static void say_absent(struct adi_run *run, ArrowDeviceType type, const char *name,
                       const char *runtime, const char *why) {
    struct adi_report_device *device = adi_report_add_device(run->report);
    device->type = type;
    snprintf(device->name, sizeof device->name, "%.31s", name);
    snprintf(device->runtime, sizeof device->runtime, "%.31s", runtime);
    snprintf(device->why, sizeof device->why, "%.500s", why);
}

static void take_absent(struct adi_run *run, const struct adi_log_record *record) {
    say_absent(run, (ArrowDeviceType)record->index, record->message, record->seen, record->wanted);
}

void adi_run_take_probe(void *context, const struct adi_log_record *record) {
    static const struct {
        const char *what;
        void (*take)(struct adi_run *, const struct adi_log_record *);
    } answers[] = {
        {ADI_SAYS_NAME, take_name},     {ADI_SAYS_PROBING, take_probing},
        {ADI_SAYS_DEVICE, take_device}, {ADI_SAYS_ROLES, take_roles},
        {ADI_SAYS_ABSENT, take_absent},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(record->text, answers[i].what) == 0) answers[i].take(context, record);
}

/* ---- asking ---- */

static void take_task(void *context, struct adi_task *task) {
    struct probing *probing = context;
    struct adi_outcomes *outcomes = &task->outcomes;
    adi_outcome_clear(&probing->load);
    struct adi_outcome *load = adi_outcomes_find(outcomes, ADI_PHASE_LOAD);
    /* What goes wrong after the answers shows again when the cases are played. */
    probing->finished = outcomes->finished || adi_outcomes_find(outcomes, ADI_PHASE_CLOSE) != NULL;
    probing->refusal = outcomes->refusal;
    outcomes->refusal = NULL;
    if (load == NULL) return;
    probing->load = *load;
    *load = (struct adi_outcome){0};
}

static void forget(struct adi_run *run) {
    run->report->n_devices = 0;
    run->n_devices = 0;
    run->probing = 0;
}

static int ask(struct probing *probing, struct adi_error *error) {
    struct adi_run *run = probing->run;
    struct adi_job job = {.mode = ADI_JOB_PROBE,
                          .adapter = run->adapter,
                          .seed = run->options->seed,
                          .device = run->options->device};
    struct adi_task *task = adi_task_new(&job, probing->broken, probing->n_failed);
    task->outcomes.info = adi_run_take_probe;
    task->outcomes.context = run;
    task->done = take_task;
    task->context = probing;
    forget(run);
    adi_pool_submit(&run->pool, task);
    return adi_pool_run(&run->pool, error);
}

/* Was it ended by others? Then once more, before anything is left out. */
static bool is_doubtful(struct probing *probing) {
    bool doubtful = !probing->finished && !probing->doubted &&
                    adi_outcome_has_doubt(&probing->load, ADI_DOUBT_KILLED);
    probing->doubted = doubtful;
    return doubtful;
}

static void leave_out_type(struct probing *probing, ArrowDeviceType type, const char *name,
                           const char *remedy) {
    if (probing->n_failed == TYPES) return;
    size_t at = probing->n_failed++;
    const struct adi_outcome *load = &probing->load;
    probing->broken[at] = (size_t)type;
    snprintf(probing->said[at].name, sizeof probing->said[at].name, "%.31s", name);
    snprintf(probing->said[at].why, sizeof probing->said[at].why, "looking for it: %.300s%s%.150s",
             load->n_rows > 0 && load->rows[0].message != NULL ? load->rows[0].message
                                                               : "the process ended",
             remedy != NULL ? "; " : "", remedy != NULL ? remedy : "");
}

static const char *remedy_of(const struct adi_device_ops *ops) {
    return ops != NULL && ADI_DEVICE_HAS(ops, remedy) ? ops->remedy : NULL;
}

/* Are they two kinds of memory of one runtime, whose calls one interceptor sees? */
static bool is_of_runtime(const struct adi_device_ops *ops, const struct adi_device_ops *other) {
    return ADI_DEVICE_HAS(ops, interceptor) && ADI_DEVICE_HAS(other, interceptor) &&
           ops->interceptor == other->interceptor;
}

/* The runtime of a device that ends the process is no fault of the implementation's: that device is
 * not there, nor is what comes behind it of that runtime. */
static bool leave_out_runtime(struct probing *probing) {
    const struct adi_run *run = probing->run;
    if (run->probing == 0 || probing->n_failed == TYPES) return false;
    const struct adi_device_ops *ops = adi_device_of(run->probing), *other;
    leave_out_type(probing, run->probing, run->probing_name, remedy_of(ops));
    if (ops == NULL || run->probing_adapters) return true;
    bool is_ahead = false; /* those before it have answered */
    for (size_t i = 0; (other = adi_device_at(i)) != NULL; i++) {
        if (is_ahead && is_of_runtime(ops, other) &&
            adi_glob_may_match_type(run->options->device, other->name))
            leave_out_type(probing, other->type, other->name, remedy_of(other));
        is_ahead = is_ahead || other == ops;
    }
    return true;
}

static int ask_until_answered(struct probing *probing, struct adi_error *error) {
    for (int attempt = 0; attempt < ATTEMPTS && !probing->finished;) {
        ADI_TRY(ask(probing, error));
        if (probing->refusal != NULL) return adi_error_set(error, EINVAL, "%s", probing->refusal);
        if (is_doubtful(probing)) continue;
        if (!probing->finished && !leave_out_runtime(probing)) attempt++;
    }
    for (size_t i = 0; i < probing->n_failed; i++)
        say_absent(probing->run, (ArrowDeviceType)probing->broken[i], probing->said[i].name, "",
                   probing->said[i].why);
    return 0;
}

int adi_run_probe(struct adi_run *run, struct adi_error *error) {
    struct probing probing = {.run = run};
    int code = ask_until_answered(&probing, error);
    if (code == 0 && adi_outcome_has_finding(&probing.load)) {
        static const struct adi_probed none;
        run->device = &none;
        adi_run_report_outcome(run, &probing.load);
        run->device = NULL;
        run->n_devices = 0;
    }
    adi_outcome_clear(&probing.load);
    free(probing.refusal);
    return code;
}
