/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found is looked at again before it is reported (run_confirm.c).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/judged.h"

Suite *harness_confirm_suite(void);

#define CASE "int32/many/export"

static struct adi_run_options options;

static void set_up(void) {
    options = (struct adi_run_options){
        .device = "cpu", .case_name = "int32/many/*", .jobs = 2, .seed = 1};
}

START_TEST(what_needs_another_case_is_reported_with_it)
{
    options.case_name = "*int*/many/export";
    struct adi_report *report = judge_hostile("after_other", &options);
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert(found != NULL && found->flaky);
    ck_assert_msg(strstr(found->message, "(only after 1 other case)") != NULL, "%s",
                  found->message);
    ck_assert_msg(strstr(found->replay, "--jobs 1 --case '@(uint8/many/export|int32/many/export)'"),
                  "%s", found->replay);
    adi_report_free(report);
}
END_TEST

/* Its twin: alone it ends the process before it could tell that, which is no matter of others. */
START_TEST(what_a_death_keeps_from_being_told_is_not_looked_for_behind_other_cases)
{
    bool seen = false;
    options.case_name = "*int*/many/export";
    struct adi_report *report = judge_hostile("dies_alone", &options);
    for (size_t i = 0; i < report->n_results; i++)
        seen = seen || strstr(report->results[i].message, "output array (seen once in 3") != NULL;
    ck_assert(seen && adi_report_count(report, ADI_CRASH) > 0);
    adi_report_free(report);
}
END_TEST

START_TEST(what_is_shown_of_standard_error_is_of_that_case)
{
    options.case_name = "*int*/many/export";
    struct adi_report *report = judge_hostile("after_other", &options);
    const char *text = finding_of(report, CASE)->stderr_text;
    ck_assert_msg(strncmp(text, "asked for i", 11) == 0, "%s", text);
    ck_assert_ptr_null(strstr(text, "asked for C"));
    adi_report_free(report);
}
END_TEST

START_TEST(a_case_that_was_silent_has_nothing_of_the_others)
{
    options.case_name = "*int*/many/export";
    struct adi_report *report = judge_hostile("talks", &options);
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(found->verdict, ADI_CRASH);
    ck_assert_str_eq(found->stderr_text, "");
    adi_report_free(report);
}
END_TEST

START_TEST(such_a_replay_shows_it_again)
{
    options.jobs = 1;
    options.case_name = "@(uint8/many/export|" CASE ")";
    struct adi_report *report = judge_hostile("after_other", &options);
    ck_assert_ptr_nonnull(finding_of(report, CASE));
    adi_report_free(report);
}
END_TEST

START_TEST(what_never_shows_again_is_reported_as_seen_once)
{
    static const char path[] = "/tmp/adicheck-test-once";
    unlink(path);
    setenv("ADI_HOSTILE_FILE", path, 1);
    options.case_name = "int*/many/export";
    struct adi_report *report = judge_hostile("once", &options);
    unlink(path);
    const struct adi_result *found = finding_of(report, CASE);
    ck_assert(found != NULL && found->flaky);
    ck_assert_int_eq(found->verdict, ADI_CRASH);
    ck_assert_msg(strstr(found->message, "(seen once in 3 runs)") != NULL, "%s", found->message);
    expect_no_result_lost(report, options.case_name);
    adi_report_free(report);
}
END_TEST

/* Whether an event is complete in time is a matter of the machine, too. */
START_TEST(an_event_that_is_late_once_is_a_note)
{
    static const char path[] = "/tmp/adicheck-test-late-once";
    unlink(path);
    setenv("ADI_TEST_FILE", path, 1);
    setenv("ADI_WAIT_MS", "100", 1);
    options.device = "metal:0";
    options.case_name = "int32/nulls/export";
    struct adi_report *report = judge(adapter_path("tests/adapters", "late_once"), &options);
    unlink(path);
    const struct adi_result *found = finding_of(report, options.case_name);
    ck_assert(found != NULL && found->flaky);
    ck_assert_str_eq(adi_result_rule(found), "sync/event-never-completes");
    ck_assert_int_eq(found->verdict, ADI_NOTE);
    ck_assert_msg(strstr(found->message, "(seen once in 3 runs)") != NULL, "%s", found->message);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

Suite *harness_confirm_suite(void) {
    Suite *suite = suite_create("harness_confirm");
    TCase *tests = tcase_create("confirm");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, what_needs_another_case_is_reported_with_it);
    tcase_add_test(tests, what_a_death_keeps_from_being_told_is_not_looked_for_behind_other_cases);
    tcase_add_test(tests, what_is_shown_of_standard_error_is_of_that_case);
    tcase_add_test(tests, a_case_that_was_silent_has_nothing_of_the_others);
    tcase_add_test(tests, such_a_replay_shows_it_again);
    tcase_add_test(tests, what_never_shows_again_is_reported_as_seen_once);
    tcase_add_test(tests, an_event_that_is_late_once_is_a_note);
    suite_add_tcase(suite, tests);
    return suite;
}
