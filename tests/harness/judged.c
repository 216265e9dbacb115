/* SPDX-License-Identifier: Apache-2.0 */
#include "judged.h"

#include <check.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "devices.h"
#include "worker.h"

/* The program of the unit tests is its own worker, as every program is that runs adapters. */
__attribute__((constructor)) static void become_worker(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], ADI_WORKER_COMMAND) == 0) exit(adi_worker_main(argc, argv));
}

const char *adapter_path(const char *directory, const char *name) {
    static char path[512];
    const char *build = getenv("ADI_TEST_BUILD");
    snprintf(path, sizeof path, "%s/%s/%s.so", build == NULL ? "build" : build, directory, name);
    return path;
}

const char *adapter_device(const char *name) {
    const struct adi_device_ops *ops;
    const char *best = "cpu";
    size_t longest = 0;
    for (size_t i = 0; (ops = adi_device_at(i)) != NULL; i++) {
        size_t n = strlen(ops->name);
        if (n <= longest || strncmp(name, ops->name, n) != 0 || name[n] != '_') continue;
        longest = n;
        best = ops->name;
    }
    return best;
}

struct adi_report *judge(const char *adapter, const struct adi_run_options *options) {
    static const struct adi_run_options none;
    struct adi_report *report = adi_report_new();
    struct adi_error error = {""};
    int code = adi_run(adapter, options == NULL ? &none : options, report, &error);
    ck_assert_msg(code == 0, "%s: %s", adapter == NULL ? "the reference" : adapter, error.text);
    for (size_t i = 0; i < report->n_results; i++)
        ck_assert_uint_le(report->results[i].step, report->results[i].n_steps);
    return report;
}

struct adi_report *judge_hostile(const char *name, const struct adi_run_options *options) {
    return judge(adapter_path("tests/hostile", name), options);
}

static bool is_finding(const struct adi_result *result) {
    return result->verdict != ADI_PASS && result->verdict != ADI_SKIP &&
           result->verdict != ADI_UNSUPPORTED;
}

const struct adi_result *finding_of(const struct adi_report *report, const char *case_name) {
    const struct adi_result *found = NULL;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (strcmp(result->case_name, case_name) != 0 || !is_finding(result)) continue;
        ck_assert_msg(found == NULL, "%s: two findings: %s; %s", case_name, found->message,
                      result->message);
        found = result;
    }
    return found;
}

const struct adi_result *row_of(const struct adi_report *report, const char *case_name) {
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(report->results[i].case_name, case_name) == 0) return &report->results[i];
    return NULL;
}

void expect_no_result_lost(const struct adi_report *report, const char *glob) {
    const struct adi_case *played;
    size_t expected = 0;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        if (played->scenario->role != ADI_PRODUCES || played->scenario->robustness) continue;
        if (fnmatch(glob, played->name, 0) != 0) continue;
        expected++;
        ck_assert_msg(row_of(report, played->name) != NULL, "no row for %s", played->name);
    }
    ck_assert_msg(expected > 0, "no case is named %s", glob);
}
