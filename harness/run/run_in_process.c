/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases in this very process, one for a debugger, or all of them: no worker, no limit, nothing
 * survives a crash.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "case.h"
#include "crash_word.h"
#include "guard.h"
#include "last_word.h"
#include "nearest.h"
#include "play.h"
#include "run_internal.h"
#include "run_need.h"
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

/* ---- the last word ---- */

static const struct adi_run *running;
static struct adi_log *running_log;

/* What ends the process is the last thing that was broken. */
static void say_last(void) {
    static struct adi_log_reader reader;
    static char case_name[ADI_LOG_TEXT], rule[ADI_LOG_TEXT], message[ADI_LOG_TEXT];
    struct adi_log_record record;
    bool damaged = false;
    reader = (struct adi_log_reader){.log = running_log, .writers_gone = true};
    while (adi_log_next(&reader, &record, &damaged)) {
        const struct adi_rule *broken =
            record.kind == ADI_LOG_VIOLATION ? adi_rule((size_t)record.index) : NULL;
        if (record.kind == ADI_LOG_CASE_BEGIN)
            snprintf(case_name, sizeof case_name, "%s", record.text);
        if (broken == NULL) continue;
        snprintf(rule, sizeof rule, "%s", broken->id);
        snprintf(message, sizeof message, "%.500s: %.500s", adi_party_name(record.party),
                 record.message);
    }
    fprintf(stderr, "adicheck: %s on %s: %s: %s\nadicheck: there is nothing to go on with\n",
            case_name, running->device->name, rule, message);
    if (running->options->hint != NULL) fprintf(stderr, "adicheck: %s\n", running->options->hint);
    signal(SIGABRT, SIG_DFL);
    abort();
}

/* ---- a signal ends it ---- */

/* A copy of what the log says: its reader's texts are overwritten. */
static void copy(char *to, const char *from) {
    size_t i = 0;
    for (; i + 1 < ADI_LOG_TEXT && from[i] != '\0'; i++) to[i] = from[i];
    to[i] = '\0';
}

bool adi_run_say_crash(int number) {
    static struct adi_log_reader reader;
    static char case_name[ADI_LOG_TEXT];
    const char *rule = "life/crash";
    enum adi_party party = ADI_BOTH, charged = ADI_BOTH;
    struct adi_log_record record;
    bool damaged = false;
    if (running == NULL || running->device == NULL) return false;
    case_name[0] = '\0';
    reader = (struct adi_log_reader){.log = running_log, .writers_gone = true};
    while (adi_log_next(&reader, &record, &damaged)) {
        bool begins = record.kind == ADI_LOG_CASE_BEGIN;
        if (!begins && record.kind != ADI_LOG_CRASH_RULE) continue;
        if (begins) copy(case_name, record.text);
        if (begins) party = record.party;
        charged = begins ? ADI_BOTH : record.party;
        const struct adi_rule *broken =
            !begins && record.index >= 0 ? adi_rule((size_t)record.index) : NULL;
        rule = broken == NULL ? "life/crash" : broken->id;
    }
    if (case_name[0] == '\0') return false;
    adi_crash_word_write(
        (const char *const[]){"adicheck: ", case_name, " on ", running->device->name, ": ", rule,
                              ": ", adi_party_name(charged == ADI_BOTH ? party : charged),
                              ": the process ends by ", adi_crash_word_name(number), "\n", NULL});
    return true;
}

/* ---- playing ---- */

static void conclude(struct adi_run *run, struct adi_outcome *outcome) {
    adi_outcome_settle(outcome);
    for (size_t i = 0; i < outcome->n_rows; i++)
        outcome->rows[i].confirmed =
            run->options->within || !adi_result_is_finding(&outcome->rows[i]);
    adi_run_conclude(run, outcome->index, outcome);
}

/* One that was not come to, since what was played before left something behind. */
static void leave_out(struct adi_run *run, size_t index) {
    const struct adi_scenario *scenario = adi_case(index)->scenario;
    struct adi_outcome none = {0};
    adi_outcome_add(&none, adi_rule_named(scenario->rule), scenario->party, ADI_SKIP,
                    "not played: an earlier case left nothing to go on with in this process", NULL,
                    NULL);
    adi_run_conclude(run, (int64_t)index, &none);
}

/* The case that has just been played, if it began. */
static bool take_one(struct adi_run *run, struct inside *inside, size_t index) {
    adi_outcomes_read(&inside->outcomes, &inside->reader);
    struct adi_outcome *outcome = adi_outcomes_find(&inside->outcomes, (int64_t)index);
    if (outcome == NULL || inside->outcomes.damaged) return false;
    conclude(run, outcome);
    return true;
}

static int play(struct adi_run *run, struct inside *inside, struct adi_adapter *adapter,
                struct adi_error *error) {
    const struct adi_device_ops *ops =
        adi_worker_ops(adapter, run->device->type, run->device->from_adapter);
    if (ops == NULL) return adi_error_set(error, ENODEV, "%s is gone", run->device->name);
    ADI_TRY(adi_worker_open_device(&inside->host, ops, run->device->id, error));
    struct adi_job job = {.seed = run->seed, .numbers = run->cases, .n_numbers = run->n_cases};
    if (run->options->schedule != NULL)
        snprintf(job.schedule, sizeof job.schedule, "%s", run->options->schedule);
    adi_outcomes_clear(&inside->outcomes); /* of another device */
    inside->outcomes.expected = run->cases;
    inside->outcomes.n_expected = run->n_cases;
    inside->outcomes.n_begun = 0;
    size_t taken = 0, before;
    bool closes, goes_on;
    do {
        before = taken;
        job.numbers = run->cases + taken;
        job.n_numbers = run->n_cases - taken;
        closes = adi_worker_play(&inside->host, &job, adapter);
        while (taken < run->n_cases && take_one(run, inside, run->cases[taken])) taken++;
        goes_on = run->options->within && !closes && !inside->host.over;
    } while (goes_on && taken > before && taken < run->n_cases);
    for (size_t i = taken; taken > 0 && i < run->n_cases; i++) leave_out(run, run->cases[i]);
    if (closes && !run->options->within) adi_call_end(adapter);
    adi_worker_close_device(&inside->host);
    if (taken == 0) return adi_error_set(error, EIO, "the log of the case is damaged");
    memcpy(run->satisfied, inside->outcomes.satisfied, sizeof run->satisfied);
    adi_run_report(run);
    return 0;
}

/* The process goes on, and nobody listens any more to what is done with the device, whose calls
 * are the implementation's, or touched. */
static void let_go(void) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    adi_attribution_enter(true);
    if (interceptor != NULL) interceptor->subscribe(NULL, NULL);
    adi_attribution_set(NULL);
    adi_guard_ignore(true);
}

/* Each device in turn. */
static int play_all(struct adi_run *run, struct inside *inside, struct adi_adapter *adapter,
                    struct adi_error *error) {
    int code = 0;
    for (size_t i = 0; i < run->n_devices && code == 0; i++) {
        run->device = &run->devices[i];
        if (run->device->roles == 0 ||
            !adi_glob_matches_device(run->options->device, run->device->name))
            continue;
        adi_run_choose(run);
        adi_guard_ignore(false);
        if (run->n_cases > 0) code = play(run, inside, adapter, error);
        let_go();
        adi_run_forget_device(run);
    }
    return code;
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
    if (run->options->within) return play_all(run, inside, adapter, error);
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
    running = run;
    running_log = inside.host.log;
    adi_last_word_by(run->options->within ? say_last : NULL);
    int code = work(run, &inside, error);
    adi_last_word_by(NULL);
    running = NULL;
    adi_outcomes_clear(&inside.outcomes);
    adi_run_forget_device(run);
    adi_log_destroy(inside.host.log);
    return code;
}
