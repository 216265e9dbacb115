/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "known_list.h"

Suite *harness_known_suite(void);

#define TODAY "2027-01-15"
#define RULE  "array/reserved-not-zero"

static struct adi_result *add(struct adi_report *report, enum adi_verdict verdict,
                              const char *device, const char *case_name) {
    struct adi_result *result = adi_report_add(report);
    result->rule = adi_rule_named(RULE);
    result->verdict = verdict;
    adi_result_set(&result->device, "%s", device);
    adi_result_set(&result->case_name, "%s", case_name);
    adi_result_set(&result->message, "reserved[3] is 1");
    return result;
}

static struct adi_report *report_of_version(const char *version) {
    struct adi_report *report = adi_report_new();
    adi_result_set(&report->implementation_version, "%s", version);
    return report;
}

static void apply(const char *list, struct adi_report *report, const struct adi_run_options *run) {
    struct adi_known *known = known_list_of(list);
    adi_known_apply(known, report, run, TODAY);
    adi_known_free(known);
}

#define ROW "# a comment\n\n" RULE " | int32/* | 19.* | not zeroed | https://a.b/1 | 2027-06-30\n"
#define OLD RULE " | int32/* | * | not zeroed | https://a.b/1 | 2027-01-14\n"

START_TEST(what_fails_as_listed_is_xfail_and_green)
{
    struct adi_report *report = report_of_version("19.0.1");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    add(report, ADI_PASS, "cpu:-1", "int32/many/export");
    apply(ROW, report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_XFAIL);
    ck_assert_ptr_nonnull(strstr(report->results[0].message, "not zeroed"));
    ck_assert_ptr_nonnull(strstr(report->results[0].message, "https://a.b/1"));
    ck_assert_uint_eq(report->n_results, 2);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(what_is_not_listed_stays_red)
{
    static const struct {
        const char *version, *case_name;
    } rows[] = {{"20.0.0", "int32/nulls/export"}, {"19.0.0", "int64/nulls/export"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = report_of_version(rows[i].version);
        add(report, ADI_FAIL, "cpu:-1", rows[i].case_name);
        apply(ROW, report, NULL);
        ck_assert_int_eq(report->results[0].verdict, ADI_FAIL);
        ck_assert_int_eq(adi_report_exit(report), 1);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(whatever_counts_as_a_violation_can_be_expected)
{
    static const enum adi_verdict breaches[] = {ADI_FAIL, ADI_WARN, ADI_NOTE, ADI_CRASH,
                                                ADI_TIMEOUT};
    struct adi_report *report = report_of_version("19.0");
    for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++)
        add(report, breaches[i], "cpu:-1", "int32/nulls/export");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export")->rule = NULL;
    apply(ROW, report, NULL);
    for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++)
        ck_assert_int_eq(report->results[i].verdict, ADI_XFAIL);
    ck_assert_int_eq(report->results[5].verdict, ADI_FAIL);
    ck_assert_uint_eq(report->n_results, 6);
    adi_report_free(report);
}
END_TEST

START_TEST(two_rows_for_one_deviation_cover_it_once)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    apply(ROW RULE " | * | * | again | https://a.b/2 | 2027-06-30\n", report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_XFAIL);
    ck_assert_uint_eq(report->n_results, 1);
    adi_report_free(report);
}
END_TEST

START_TEST(a_skip_and_an_error_are_never_expected)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_ERROR, "cpu:-1", "int32/nulls/export");
    add(report, ADI_SKIP, "cpu:-1", "int32/many/export");
    apply(ROW, report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_ERROR);
    ck_assert_int_eq(report->results[1].verdict, ADI_SKIP);
    ck_assert_uint_eq(adi_report_count(report, ADI_XFAIL), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(a_listed_deviation_that_holds_is_xpass_and_red)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_PASS, "cpu:-1", "int32/nulls/export");
    add(report, ADI_PASS, "cpu:-1", "int32/many/export");
    apply(ROW, report, NULL);
    ck_assert_uint_eq(report->n_results, 3);
    ck_assert_int_eq(report->results[2].verdict, ADI_XPASS);
    ck_assert_str_eq(report->results[2].case_name, "int32/*");
    ck_assert_ptr_eq(report->results[2].rule, adi_rule_named(RULE));
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(what_deviates_by_chance_is_red_neither_way)
{
    static const char list[] =
        RULE " | int32/* | 19.* | by chance: a race | https://a.b/1 | 2027-06-30\n";
    static const enum adi_verdict verdicts[][2] = {{ADI_PASS, ADI_SKIP}, {ADI_FAIL, ADI_XFAIL}};
    for (size_t i = 0; i < 2; i++) {
        struct adi_report *report = report_of_version("19.0");
        add(report, verdicts[i][0], "cpu:-1", "int32/nulls/export");
        apply(list, report, NULL);
        const struct adi_result *said = &report->results[report->n_results - 1];
        ck_assert_int_eq(said->verdict, verdicts[i][1]);
        ck_assert_ptr_nonnull(strstr(said->message, "by chance: a race"));
        ck_assert_int_eq(adi_report_exit(report), 0);
        adi_report_free(report);
    }
}
END_TEST

/* A rule that holds for every tree has one row without a case. */
START_TEST(a_row_that_counts_every_tree_shows_that_a_listed_deviation_holds)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_PASS, "cpu:-1", "");
    add(report, ADI_PASS, "cpu:-1", "int32/nulls/export")->rule = adi_rule(0);
    apply(ROW, report, NULL);
    ck_assert_uint_eq(adi_report_count(report, ADI_XPASS), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(a_row_that_counts_other_trees_shows_nothing)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_PASS, "cpu:-1", "");
    add(report, ADI_PASS, "cpu:-1", "int64/nulls/export")->rule = adi_rule(0);
    add(report, ADI_UNSUPPORTED, "cpu:-1", "int32/nulls/export")->rule = adi_rule(0);
    apply(ROW, report, NULL);
    ck_assert_uint_eq(adi_report_count(report, ADI_XPASS), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(a_run_that_left_cases_out_calls_nothing_outdated)
{
    struct adi_run_options narrow = {.case_name = "int32/nulls/*"}, whole = {.case_name = "int*"},
                           other_rule = {.rule = "life/*"};
    const struct adi_run_options *runs[] = {&narrow, &other_rule, &whole};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct adi_report *report = report_of_version("19.0");
        add(report, ADI_PASS, "cpu:-1", "int32/nulls/export");
        apply(ROW, report, runs[i]);
        ck_assert_uint_eq(adi_report_count(report, ADI_XPASS), runs[i] == &whole ? 1 : 0);
        adi_report_free(report);
    }
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_PASS, "cpu:-1", "int32/nulls/export");
    report->interrupted = true;
    apply(ROW, report, NULL);
    ck_assert_uint_eq(adi_report_count(report, ADI_XPASS), 0);
    adi_report_free(report);
}
END_TEST

/* Red it is not: on another machine the device may be there. */
START_TEST(a_row_of_which_nothing_was_judged_is_said)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_PASS, "cpu:-1", "int64/nulls/export");
    add(report, ADI_UNSUPPORTED, "cpu:-1", "int32/nulls/export");
    apply(ROW, report, NULL);
    ck_assert_uint_eq(report->n_results, 3);
    const struct adi_result *said = &report->results[2];
    ck_assert_int_eq(said->verdict, ADI_SKIP);
    ck_assert_ptr_eq(said->rule, adi_rule_named(RULE));
    ck_assert_str_eq(said->case_name, "int32/*");
    ck_assert_msg(strstr(said->message, "nothing that the row names was judged; not zeroed") !=
                      NULL,
                  "%s", said->message);
    ck_assert_ptr_nonnull(strstr(said->message, ":3, until 2027-06-30)"));
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(of_a_row_that_was_judged_or_not_asked_for_that_is_not_said)
{
    static const struct {
        const char *list;
        enum adi_verdict verdict;
        struct adi_run_options options;
        size_t skips;
    } rows[] = {
        {ROW, ADI_FAIL, {0}, 0},
        {ROW, ADI_PASS, {0}, 0},
        {OLD, ADI_SKIP, {0}, 1},         /* its own, past its day */
        {ROW, ADI_SKIP, {0}, 2},         /* its own, and the row's */
        {ROW, ADI_SKIP, {.fuzz = 1}, 1}, /* other cases were played */
        {ROW, ADI_SKIP, {.case_name = "int64/*"}, 1},
        {ROW, ADI_SKIP, {.rule = "life/*"}, 1},
        {ROW, ADI_SKIP, {.device = "cpu"}, 1}, /* the row names every device */
        {RULE " | cuda * | * | r | l | 2027-06-30", ADI_SKIP, {.device = "cpu"}, 1},
        {RULE " | cpu * | * | r | l | 2027-06-30", ADI_SKIP, {.device = "cpu"}, 2},
        {RULE " | cuda * | * | r | l | 2027-06-30", ADI_PASS, {0}, 1},
        {RULE " | * | 20.* | r | l | 2027-06-30", ADI_SKIP, {.fuzz = 1}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = report_of_version("19.0");
        *adi_report_add_device(report) =
            (struct adi_report_device){.name = "cpu:-1", .type = 1, .available = true};
        add(report, rows[i].verdict, "cpu:-1", "int32/nulls/export");
        apply(rows[i].list, report, &rows[i].options);
        ck_assert_msg(adi_report_count(report, ADI_SKIP) == rows[i].skips, "row %zu: %zu skips", i,
                      adi_report_count(report, ADI_SKIP));
        adi_report_free(report);
    }
}
END_TEST

START_TEST(a_row_that_could_not_be_judged_says_why_and_is_no_error)
{
    static const char profile[] = "--profile plays some or none of what the row names; r (l, ";
    static const struct {
        const char *list, *words; /* NULL: nothing is said */
        struct adi_run_options options;
    } rows[] = {
        {RULE " | * | 20.* | r | l | 2027-06-30",
         "the row is for version '20.*', and this is '19.0'; r (l, ",
         {0}},
        {RULE " | cuda * | 20.* | r | l | 2027-06-30",
         "the row is for version '20.*', and this is '19.0'; r (l, ",
         {0}},
        {RULE " | * | 20.* | r | l | 2027-01-14", NULL, {0}}, /* past its day */
        /* That a run plays some of its cases is no matter where it is about something else. */
        {RULE " | int32/* | 20.* | r | l | 2027-06-30",
         "the row is for version '20.*', and this is '19.0'; r (l, ",
         {.case_name = "int32/nulls/*"}},
        {RULE " | cuda * | 19.* | r | l | 2027-06-30",
         "nothing that the row names was judged; r (l, ",
         {.case_name = "int32/nulls/*"}},
        {RULE " | int32/* | 20.* | r | l | 2027-06-30", NULL, {.case_name = "int64/nulls/*"}},
        {RULE " | cpu * | 19.* | r | l | 2027-06-30", NULL, {.case_name = "int32/nulls/*"}},
        {RULE " | cuda * | 19.* | r | l | 2027-06-30",
         NULL,
         {.device = "cpu", .case_name = "int32/nulls/*"}},
        {RULE " | cuda * | 19.* | r | l | 2027-06-30",
         profile,
         {.profile = "cpu", .device = "cpu"}},
        {RULE " | int32/* | 19.* | r | l | 2027-06-30",
         profile,
         {.profile = "cpu", .device = "cpu"}},
        {RULE " | cpu * | 19.* | r | l | 2027-06-30",
         profile,
         {.profile = "cpu", .device = "cpu"}}, /* some shapes are left out */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = report_of_version("19.0");
        *adi_report_add_device(report) =
            (struct adi_report_device){.name = "cpu:-1", .type = 1, .available = true};
        add(report, ADI_PASS, "cpu:-1", "int32/nulls/export");
        apply(rows[i].list, report, &rows[i].options);
        ck_assert_uint_eq(report->n_results, rows[i].words == NULL ? 1 : 2);
        const struct adi_result *said = &report->results[report->n_results - 1];
        ck_assert_msg(rows[i].words == NULL || strstr(said->message, rows[i].words) != NULL,
                      "row %zu: %s", i, said->message);
        ck_assert_int_eq(said->verdict, rows[i].words == NULL ? ADI_PASS : ADI_SKIP);
        ck_assert_int_eq(adi_report_exit(report), 0);
        adi_report_free(report);
    }
}
END_TEST

/* ... and what a profile plays all of is judged as ever. */
START_TEST(a_profile_that_plays_all_that_a_row_names_judges_it)
{
    const struct adi_run_options cpu = {.profile = "cpu", .device = "cpu"};
    static const enum adi_verdict verdicts[][2] = {{ADI_PASS, ADI_XPASS}, {ADI_FAIL, ADI_XFAIL}};
    for (size_t i = 0; i < 2; i++) {
        struct adi_report *report = report_of_version("19.0");
        add(report, verdicts[i][0], "cpu:-1", "int32/nulls/export");
        apply(RULE " | cpu int32/nulls/export | 19.* | r | l | 2027-06-30", report, &cpu);
        ck_assert_int_eq(report->results[report->n_results - 1].verdict, verdicts[i][1]);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(a_row_past_its_day_covers_nothing_and_says_so)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    apply(OLD, report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_FAIL);
    ck_assert_ptr_nonnull(strstr(report->results[0].message, "past its day"));
    ck_assert_ptr_nonnull(strstr(report->results[0].message, "until 2027-01-14"));
    adi_report_free(report);

    report = report_of_version("19.0"); /* and a pass needs no row */
    add(report, ADI_PASS, "cpu:-1", "int32/nulls/export");
    apply(OLD, report, NULL);
    ck_assert_uint_eq(report->n_results, 1);
    adi_report_free(report);
}
END_TEST

/* ... there, where it fails, and not in a line of its own. */
START_TEST(a_row_for_another_version_says_so_in_what_fails)
{
    static const char row[] = RULE " | int32/* | 20.* | r | l | 2027-06-30";
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    add(report, ADI_FAIL, "cpu:-1", "int64/nulls/export");
    apply(row, report, NULL);
    ck_assert_uint_eq(report->n_results, 2);
    ck_assert_int_eq(report->results[0].verdict, ADI_FAIL);
    ck_assert_msg(strstr(report->results[0].message,
                         "; known, but the row is for version '20.*', and this is '19.0' (l, ") !=
                      NULL,
                  "%s", report->results[0].message);
    ck_assert_str_eq(report->results[1].message, "reserved[3] is 1");
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(what_another_row_covers_is_not_told_of_by_one_that_does_not)
{
    static const char *const rows[] = {OLD, RULE " | * | 20.* | r | l | 2027-06-30"};
    for (size_t i = 0; i < 2; i++) {
        char list[400];
        snprintf(list, sizeof list, "%s\n" RULE " | int32/* | 19.* | now | l | 2027-06-30\n",
                 rows[i]);
        struct adi_report *report = report_of_version("19.0");
        add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
        apply(list, report, NULL);
        ck_assert_int_eq(report->results[0].verdict, ADI_XFAIL);
        ck_assert_msg(strncmp(report->results[0].message, "reserved[3] is 1; now (l, ", 26) == 0,
                      "%s", report->results[0].message);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(a_bar_within_parentheses_is_the_globs)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    add(report, ADI_FAIL, "cpu:-1", "utf8/nulls/relay");
    add(report, ADI_FAIL, "cpu:-1", "int64/nulls/export");
    apply(RULE " | @(cpu|cuda) @(int32|utf8)/nulls/@(export|relay) | @(19|20).* | r (a | l | "
               "2027-06-30",
          report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_XFAIL);
    ck_assert_int_eq(report->results[1].verdict, ADI_XFAIL);
    ck_assert_int_eq(report->results[2].verdict, ADI_FAIL);
    adi_report_free(report);
}
END_TEST

START_TEST(the_last_day_still_covers)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    apply(RULE " | * | * | r | l | " TODAY, report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_XFAIL);
    adi_report_free(report);
}
END_TEST

START_TEST(a_device_glob_restricts_a_row)
{
    struct adi_report *report = report_of_version("19.0");
    add(report, ADI_FAIL, "cpu:-1", "int32/nulls/export");
    add(report, ADI_FAIL, "opencl:0", "int32/nulls/export");
    apply(RULE " | opencl int32/* | * | r | l | 2027-06-30", report, NULL);
    ck_assert_int_eq(report->results[0].verdict, ADI_FAIL);
    ck_assert_int_eq(report->results[1].verdict, ADI_XFAIL);
    adi_report_free(report);
}
END_TEST

Suite *harness_known_suite(void) {
    Suite *suite = suite_create("harness_known");
    TCase *known = tcase_create("known");
    tcase_add_test(known, what_fails_as_listed_is_xfail_and_green);
    tcase_add_test(known, what_is_not_listed_stays_red);
    tcase_add_test(known, whatever_counts_as_a_violation_can_be_expected);
    tcase_add_test(known, two_rows_for_one_deviation_cover_it_once);
    tcase_add_test(known, a_skip_and_an_error_are_never_expected);
    tcase_add_test(known, a_listed_deviation_that_holds_is_xpass_and_red);
    tcase_add_test(known, what_deviates_by_chance_is_red_neither_way);
    tcase_add_test(known, a_row_that_counts_every_tree_shows_that_a_listed_deviation_holds);
    tcase_add_test(known, a_row_that_counts_other_trees_shows_nothing);
    tcase_add_test(known, a_run_that_left_cases_out_calls_nothing_outdated);
    tcase_add_test(known, a_row_of_which_nothing_was_judged_is_said);
    tcase_add_test(known, of_a_row_that_was_judged_or_not_asked_for_that_is_not_said);
    tcase_add_test(known, a_row_that_could_not_be_judged_says_why_and_is_no_error);
    tcase_add_test(known, a_profile_that_plays_all_that_a_row_names_judges_it);
    tcase_add_test(known, a_row_past_its_day_covers_nothing_and_says_so);
    tcase_add_test(known, a_row_for_another_version_says_so_in_what_fails);
    tcase_add_test(known, what_another_row_covers_is_not_told_of_by_one_that_does_not);
    tcase_add_test(known, a_bar_within_parentheses_is_the_globs);
    tcase_add_test(known, the_last_day_still_covers);
    tcase_add_test(known, a_device_glob_restricts_a_row);
    suite_add_tcase(suite, known);
    return suite;
}
