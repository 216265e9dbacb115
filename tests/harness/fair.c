/* SPDX-License-Identifier: Apache-2.0
 *
 * Nobody is blamed for what the machine does: implementations that are slow, or get no processor,
 * or are ended by somebody else. Whoever does the same by himself is.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "busy.h"
#include "helper.h"
#include "judged.h"
#include "slow.h"

Suite *harness_fair_suite(void);

#define CASE "int32/many/export"
#define LATE (IS_SANITIZED ? 3 : 1) /* times as late a sanitizer makes everything */

static struct adi_run_options options;

static void set_up(void) {
    options = (struct adi_run_options){.device = "cpu", .jobs = 2, .seed = 1};
}

static void set_number(const char *variable, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(variable, text, 1);
}

/* ---- slow ---- */

static struct adi_report *judge_slow(const char *case_name, int ms, int hangs) {
    options.case_name = case_name;
    set_number("ADI_TEST_SLOW", ms);
    set_number("ADI_TEST_HANGS", hangs);
    return judge(adapter_path("tests/adapters", "slow"), &options);
}

/* Some nine hundred calls of 3 ms, and a limit of a second. */
START_TEST(a_limit_is_of_a_step_and_not_of_a_case)
{
    options.timeout = LATE;
    struct adi_report *report = judge_slow("int32/many/program-export", 3 * LATE, 0);
    ck_assert_ptr_null(finding_of(report, options.case_name));
    ck_assert_int_eq(row_of(report, options.case_name)->verdict, ADI_PASS);
    ck_assert_msg(report->seconds > options.timeout, "%.1f s", report->seconds);
    adi_report_free(report);
}
END_TEST

START_TEST(a_case_that_moves_on_for_long_is_cut)
{
    options.timeout = 0.3 * LATE;
    struct adi_report *report = judge_slow("struct/many/program-export", 20 * LATE, 0);
    const struct adi_result *row = row_of(report, options.case_name);
    unsigned played, all;
    ck_assert_ptr_null(finding_of(report, options.case_name));
    ck_assert_int_eq(row->verdict, ADI_SKIP);
    ck_assert_msg(sscanf(row->message, "played %u of %u programs", &played, &all) == 2, "%s",
                  row->message);
    ck_assert_uint_gt(played, 0);
    ck_assert_uint_lt(played, all);
    ck_assert_uint_gt(all, 200);
    ck_assert(report->seconds < 20 * options.timeout);
    adi_report_free(report);
}
END_TEST

/* As the one before, but in a single program. */
START_TEST(a_slow_call_in_a_long_case_is_no_hang)
{
    options.timeout = 0.3 * LATE;
    struct adi_report *report = judge_slow("int32/many/@(export|export-moved|export-twice)",
                                           (int)(options.timeout * 700), 0);
    for (size_t i = 0; i < report->n_results; i++)
        ck_assert_msg(report->results[i].verdict == ADI_PASS, "%s: %s",
                      report->results[i].case_name, report->results[i].message);
    adi_report_free(report);
}
END_TEST

START_TEST(a_call_that_hangs_among_slow_ones_is_charged)
{
    options.timeout = 0.5 * LATE;
    struct adi_report *report = judge_slow("int32/many/program-export", 10 * LATE, 30);
    const struct adi_result *found = finding_of(report, options.case_name);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(found->verdict, ADI_TIMEOUT);
    ck_assert_str_eq(found->rule->id, "life/hang");
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

/* ---- starved ---- */

#define BUSY 30

/* The workers, too, share the one processor that is left to this process. */
static struct adi_report *judge_busily(const char *name) {
    pid_t busy[BUSY];
    options.case_name = CASE;
    options.timeout = 0.4;
    options.jobs = 1;
    pin_to_one_processor();
    start_busy(busy, BUSY);
    struct adi_report *report = judge(adapter_path("tests/hostile", name), &options);
    stop_busy(busy, BUSY);
    return report;
}

/* What turns in a circle, or works, for as long as it gets no processor: who could tell? */
START_TEST(who_gets_no_processor_is_not_charged)
{
    struct adi_report *report = judge_busily("loop");
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert_ptr_nonnull(found);
    ck_assert_msg(found->verdict == ADI_ERROR, "%s: %s", adi_verdict_name(found->verdict),
                  found->message);
    ck_assert_ptr_nonnull(strstr(found->message, "waited for a processor"));
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

START_TEST(who_sleeps_for_ever_is_charged_on_a_busy_machine_too)
{
    struct adi_report *report = judge_busily("sleep");
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert_ptr_nonnull(found);
    ck_assert_msg(found->verdict == ADI_TIMEOUT, "%s: %s", adi_verdict_name(found->verdict),
                  found->message);
    adi_report_free(report);
}
END_TEST

/* ---- ended by others ---- */

static const char counter[] = "/tmp/adicheck-test-killed";

/* The first so many workers that come to the case are ended by the signal. */
static struct adi_report *judge_killed(int number, int times) {
    int fd = open(counter, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, times), 0);
    close(fd);
    setenv("ADI_HOSTILE_FILE", counter, 1);
    set_number("ADI_HOSTILE_SIGNAL", number);
    options.case_name = "int*/many/export";
    struct adi_report *report = judge(adapter_path("tests/hostile", "killed"), &options);
    unlink(counter);
    return report;
}

static const struct {
    int number, times;
    enum adi_verdict verdict;
    int status;
} ends[] = {
    {SIGKILL, 1, ADI_ERROR, 2},  {SIGKILL, 2, ADI_ERROR, 2}, {SIGTERM, 1, ADI_ERROR, 2},
    {SIGXCPU, 1, ADI_ERROR, 2},  {SIGHUP, 1, ADI_ERROR, 2},  {SIGKILL, 99, ADI_CRASH, 1},
    {SIGTERM, 99, ADI_CRASH, 1}, {SIGABRT, 1, ADI_CRASH, 1}, {SIGSEGV, 1, ADI_CRASH, 1},
};

START_TEST(who_is_ended_by_others_is_not_charged)
{
    struct adi_report *report = judge_killed(ends[_i].number, ends[_i].times);
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert_ptr_nonnull(found);
    ck_assert_msg(found->verdict == ends[_i].verdict ||
                      (IS_SANITIZED && strstr(found->message, "Sanitizer") != NULL),
                  "%d, %d times: %s: %s", ends[_i].number, ends[_i].times,
                  adi_verdict_name(found->verdict), found->message);
    ck_assert_int_eq(adi_report_exit(report), ends[_i].status);
    expect_no_result_lost(report, options.case_name);
    /* Whoever is charged has a rule. */
    ck_assert((found->verdict == ADI_ERROR) == (found->rule == NULL));
    adi_report_free(report);
}
END_TEST

START_TEST(nor_in_programs_that_are_made_up)
{
    options.fuzz = 2; /* seconds: for more than the first samples */
    struct adi_report *report = judge_killed(SIGKILL, 1);
    ck_assert_uint_eq(adi_report_count(report, ADI_ERROR), 1);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

/* ---- who else is there ---- */

static void *wait_for(void *end) {
    while (sem_wait(end) != 0) continue;
    return NULL;
}

static void let(void *array_at) {
    ((struct ArrowArray *)array_at)->release = NULL;
}

/* What an implementation without threads has not released will not be: nobody waits for it. */
START_TEST(a_helper_is_none_of_the_others)
{
    struct ArrowArray array = {.length = 0};
    struct adi_helper helper = {.runs = false};
    const size_t others = adi_other_threads(); /* a sanitizer may have one */
    sem_t end;
    pthread_t other;
    ck_assert(adi_helper_call(&helper, let, &array));
    ck_assert_uint_eq(adi_other_threads(), others);
    sem_init(&end, 0, 0);
    ck_assert_int_eq(pthread_create(&other, NULL, wait_for, &end), 0);
    ck_assert_uint_eq(adi_other_threads(), others + 1);
    sem_post(&end);
    pthread_join(other, NULL);
    adi_helper_dismiss(&helper);
    sem_destroy(&end);
    ck_assert(array.release == NULL);
}
END_TEST

Suite *harness_fair_suite(void) {
    Suite *suite = suite_create("harness_fair");
    TCase *tests = tcase_create("fair");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, a_limit_is_of_a_step_and_not_of_a_case);
    tcase_add_test(tests, a_case_that_moves_on_for_long_is_cut);
    tcase_add_test(tests, a_slow_call_in_a_long_case_is_no_hang);
    tcase_add_test(tests, a_call_that_hangs_among_slow_ones_is_charged);
    tcase_add_test(tests, who_gets_no_processor_is_not_charged);
    tcase_add_test(tests, who_sleeps_for_ever_is_charged_on_a_busy_machine_too);
    tcase_add_loop_test(tests, who_is_ended_by_others_is_not_charged, 0,
                        (int)(sizeof ends / sizeof *ends));
    tcase_add_test(tests, nor_in_programs_that_are_made_up);
    tcase_add_test(tests, a_helper_is_none_of_the_others);
    suite_add_tcase(suite, tests);
    return suite;
}
