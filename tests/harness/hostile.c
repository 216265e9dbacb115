/* SPDX-License-Identifier: Apache-2.0
 *
 * Whatever an adapter does, it costs its own case and nothing else: each hostile adapter
 * misbehaves in one case, and every other case of the run has its row all the same.
 */
#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "process.h"
#include "slow.h"

Suite *harness_hostile_suite(void);

#define CASES   "int*/many/export"
#define CASE    "int32/many/export"
#define TIMEOUT (IS_SANITIZED ? 1.5 : 0.5) /* a crash has to be over by then */

static const struct expectation {
    const char *adapter;
    const char *where; /* the case that is charged; NULL: none */
    enum adi_verdict verdict;
    const char *rule, *message;
} expectations[] = {
    {"crash", CASE, ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"abort", CASE, ADI_CRASH, "life/crash", "killed by SIGABRT"},
    {"loop", CASE, ADI_TIMEOUT, "life/hang", "did not end within"},
    {"sleep", CASE, ADI_TIMEOUT, "life/hang", "did not end within"},
    {"exit_zero", CASE, ADI_CRASH, "life/crash", "exit status 0"},
    {"exit_now", CASE, ADI_CRASH, "life/crash", "exit status 0"},
    {"raise_kill", CASE, ADI_CRASH, "life/crash", "killed by SIGKILL"},
    {"raise_stop", CASE, ADI_TIMEOUT, "life/hang", "did not end"},
    {"close_all", NULL, ADI_PASS, "", ""},
    {"stack_overflow", CASE, ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"memory", CASE, ADI_CRASH, "life/crash", "MB of memory"},
    {"memory_of_child", CASE, ADI_CRASH, "life/crash", "MB of memory"},
    {"daemon", CASE, ADI_NOTE, "life/process-left-behind", "went on after"},
    {"daemon_nameless", CASE, ADI_NOTE, "life/process-left-behind", "went on after"},
    {"child", CASE, ADI_NOTE, "life/process-left-behind", "went on after"},
    {"fork_returns", NULL, ADI_PASS, "", ""},
    {"fork_bomb", CASE, ADI_CRASH, "life/crash", "processes"},
    {"flood", NULL, ADI_PASS, "", ""},
    {"flood_log", NULL, ADI_PASS, "", ""},
    {"scribble", CASE, ADI_CRASH, "life/crash", "wrote over memory of the harness"},
    {"scribble_zero", CASE, ADI_CRASH, "life/crash", "wrote over memory of the harness"},
    {"unmap", CASE, ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"directory", NULL, ADI_PASS, "", ""},
    {"signals", NULL, ADI_PASS, "", ""},
    {"mask", NULL, ADI_PASS, "", ""},
    {"handler_loops", CASE, ADI_TIMEOUT, "life/hang", "did not end"},
    {"exit_handler_hangs", "exit", ADI_TIMEOUT, "life/hang", "did not end"},
    {"exit_handler_crashes", "exit", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"exit_handler_fails", "exit", ADI_ERROR, NULL, "exit status 7"},
    {"thread_exits", CASE, ADI_CRASH, "life/crash", "in step 1 (produce)"},
    {"resources", NULL, ADI_PASS, "", ""},
    {"executes", CASE, ADI_CRASH, "life/crash", "exit status 0"},
    {"group", CASE, ADI_TIMEOUT, "life/hang", "did not end"},
    {"load_crashes", "load", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"load_hangs", "load", ADI_TIMEOUT, "life/hang", "did not end"},
    {"load_exits", "load", ADI_CRASH, "life/crash", "exit status 0"},
    {"open_crashes", "load", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"open_fails", "load", ADI_ERROR, NULL, "the moon is in the wrong place"},
    {"roles_crash", "load", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"close_crashes", "close", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
    {"name_garbage", "load", ADI_CRASH, "life/crash", "killed by SIGSEGV"},
};

static const struct adi_run_options options = {.device = "cpu",
                                               .case_name = CASES,
                                               .jobs = 2,
                                               .seed = 1,
                                               .timeout = TIMEOUT,
                                               .memory_mb = 600};

static void expect_finding(const struct adi_report *report, const struct expectation *wanted) {
    const struct adi_result *result = finding_of(report, wanted->where);
    ck_assert_msg(result != NULL, "%s: nothing is said of %s", wanted->adapter, wanted->where);
    /* A sanitizer turns signals into reports. */
    bool is_said = strstr(result->message, wanted->message) != NULL ||
                   (IS_SANITIZED && strstr(result->message, "AddressSanitizer: ") != NULL);
    ck_assert_msg(is_said, "%s: %s", wanted->adapter, result->message);
    if (wanted->rule == NULL) {
        ck_assert_ptr_null(result->rule);
    } else {
        ck_assert_ptr_nonnull(result->rule);
        ck_assert_str_eq(result->rule->id, wanted->rule);
    }
    if (wanted->verdict != ADI_NOTE) ck_assert_int_eq(result->verdict, wanted->verdict);
}

/* Nobody is blamed for anything else. */
static void expect_nothing_else(const struct adi_report *report, const struct expectation *wanted) {
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (result->verdict == ADI_PASS || result->verdict == ADI_UNSUPPORTED) continue;
        ck_assert_msg(wanted->where != NULL && strcmp(result->case_name, wanted->where) == 0,
                      "%s: %s is charged too: %s", wanted->adapter, result->case_name,
                      result->message);
    }
}

static void expect_no_process_left(void) {
    pid_t children[8];
    size_t n = adi_process_children(getpid(), children, 8);
    for (size_t i = 0; i < n; i++) ck_assert(adi_process_ended(children[i]));
}

/* Some work hard until they are stopped; some are many. */
static struct adi_run_options options_for(const char *adapter) {
    static const char *const busy[] = {"memory", "memory_of_child", "flood", "flood_log",
                                       "fork_bomb"};
    struct adi_run_options own = options;
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++)
        if (strcmp(adapter, busy[i]) == 0) own.timeout = 20;
    if (strcmp(adapter, "fork_bomb") == 0) own.memory_mb = 1 << 20;
    return own;
}

/* One that burns a processor is no violation where it hardly gets one: then it is judged again. */
static bool is_starved(const struct adi_report *report) {
    for (size_t i = 0; i < report->n_results; i++)
        if (strstr(report->results[i].message, "It waited for a processor") != NULL) return true;
    return false;
}

static struct adi_report *judge_on_busy_machine(const char *adapter,
                                                const struct adi_run_options *patient) {
    for (int again = 0;; again++) {
        struct adi_report *report = judge(adapter_path("tests/hostile", adapter), patient);
        if (again == 4 || !is_starved(report)) return report;
        adi_report_free(report);
    }
}

START_TEST(an_adapter_costs_its_own_case_only)
{
    const struct expectation *wanted = &expectations[_i];
    struct adi_run_options patient = options_for(wanted->adapter);
    /* Under ASan memory that is not to be had ends the process: everything is taken from it. */
    if (IS_SANITIZED && strcmp(wanted->adapter, "resources") == 0) {
        printf("left out: resources: AddressSanitizer ends a process that memory runs out in\n");
        return;
    }
    struct adi_report *report = judge_on_busy_machine(wanted->adapter, &patient);
    if (wanted->where != NULL) expect_finding(report, wanted);
    expect_nothing_else(report, wanted);
    bool played = wanted->where == NULL || strcmp(wanted->where, "load") != 0;
    if (played) expect_no_result_lost(report, CASES);
    expect_no_process_left();
    adi_report_free(report);
}
END_TEST

/* When it strikes is chance: in which case, or in none. */
START_TEST(what_strikes_later_loses_no_result)
{
    static const char *const adapters[] = {"thread", "alarm"};
    struct adi_report *report = judge(adapter_path("tests/hostile", adapters[_i]), &options);
    expect_no_result_lost(report, CASES);
    expect_no_process_left();
    adi_report_free(report);
}
END_TEST

START_TEST(what_it_wrote_is_attached_but_bounded)
{
    struct adi_run_options few = options;
    few.case_name = CASE;
    few.memory_mb = 100;
    few.timeout = 100; /* a gigabyte through a pipe, beside other work */
    struct adi_report *report = judge(adapter_path("tests/hostile", "flood_then_crash"), &few);
    const struct adi_result *result = finding_of(report, CASE);
    ck_assert_ptr_nonnull(result);
    ck_assert_ptr_nonnull(strstr(result->stderr_text, "the first line"));
    ck_assert_ptr_nonnull(strstr(result->stderr_text, "the last line"));
    ck_assert_ptr_nonnull(strstr(result->stderr_text, "bytes left out"));
    ck_assert_uint_le(strlen(result->stderr_text), 9000);
    adi_report_free(report);
}
END_TEST

static const struct {
    const char *adapter, *sentence;
} refused[] = {
    {"version_two", "is an adapter of version 2; this is version 1"},
    {"too_small", "is smaller"},
    {"returns_null", "returned NULL"},
    {"no_symbol", "does not export adi_adapter"},
};

START_TEST(what_is_no_adapter_is_refused_in_a_sentence)
{
    struct adi_report *report = adi_report_new();
    struct adi_error error = {""};
    int code =
        adi_run(adapter_path("tests/hostile", refused[_i].adapter), &options, report, &error);
    ck_assert_int_eq(code, EINVAL);
    ck_assert_msg(strstr(error.text, refused[_i].sentence) != NULL, "%s", error.text);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    adi_report_free(report);
}
END_TEST

/* ADI_TEST_FULL: as many as it takes to believe it. A sanitizer takes its time. */
START_TEST(many_hostile_adapters_lose_no_result)
{
    struct adi_run_options many = options;
    unsigned runs = is_full() ? 1000 : IS_SANITIZED ? 10 : 40;
    many.case_name = "int32/n*/export";
    char seed[16];
    for (unsigned i = 0; i < runs; i++) {
        snprintf(seed, sizeof seed, "%u", i);
        setenv("ADI_HOSTILE", seed, 1);
        struct adi_report *report = judge(adapter_path("tests/hostile", "seeded"), &many);
        expect_no_result_lost(report, many.case_name);
        adi_report_free(report);
    }
    expect_no_process_left();
}
END_TEST

Suite *harness_hostile_suite(void) {
    Suite *suite = suite_create("harness_hostile");
    TCase *each = tcase_create("each");
    tcase_set_timeout(each, 120);
    tcase_add_loop_test(each, an_adapter_costs_its_own_case_only, 0,
                        (int)(sizeof expectations / sizeof *expectations));
    tcase_add_loop_test(each, what_strikes_later_loses_no_result, 0, 2);
    tcase_add_test(each, what_it_wrote_is_attached_but_bounded);
    tcase_add_loop_test(each, what_is_no_adapter_is_refused_in_a_sentence, 0,
                        (int)(sizeof refused / sizeof *refused));
    suite_add_tcase(suite, each);
    TCase *many = tcase_create("many");
    tcase_set_timeout(many, 1800);
    tcase_add_test(many, many_hostile_adapters_lose_no_result);
    suite_add_tcase(suite, many);
    return suite;
}
