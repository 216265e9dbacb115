/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include <check.h>
#include <stdlib.h>

#include "report_sample.h"

Suite *harness_report_group_suite(void);

static struct adi_report *report;
static struct adi_digest digest;

static void set_up(void) {
    report = adi_sample_report();
}

static void tear_down(void) {
    adi_digest_free(&digest);
    adi_report_free(report);
}

/* Adds a row that breaks the first MUST, or a SHOULD. */
static void add(enum adi_verdict verdict, const char *message) {
    enum adi_level level = verdict == ADI_WARN ? ADI_SHOULD : ADI_MUST;
    adi_result_set(&adi_sample_row(report, verdict, adi_sample_rule(level, ADI_TEXT), "a")->message,
                   "%s", message);
}

static void gather(void) {
    ck_assert_int_eq(adi_digest_of(report, &digest), 0);
}

static void expect_group(size_t index, size_t count, const char *message) {
    ck_assert_uint_lt(index, digest.n_groups);
    ck_assert_uint_eq(digest.groups[index].count, count);
    ck_assert_str_eq(digest.rows[digest.groups[index].first]->message, message);
}

/* ---- the message of a cause ---- */

START_TEST(what_varies_is_taken_out_of_a_message)
{
    static const struct {
        const char *message, *wanted;
    } rows[] = {
        {"", ""},
        {"reserved is not zero", "reserved is not zero"},
        {"children[12].buffers[1] is -3", "buffers[#] is #"},
        {"array.children[0].ch....children[0] was moved", "array was moved"},
        {"array.dictionary.buffers[1] was written", "buffers[#] was written"},
        {"a buffer was written", "buffers[#] was written"},
        {"schema.children[0].name is NULL", "name is NULL"},
        {"schema.dictionary was moved", "schema was moved"},
        {"in step 3 (release): killed by SIGSEGV", "in step # (release): killed by SIGSEGV"},
        {"did not end within 0.25 s; killed", "did not end within # s; killed"},
        {"buffers[1] at 0x7fFe12, of int32", "buffers[#] at #, of int#"},
        {"children[0][5]: saw \"abc\", wanted null", ""},
        {"the field \"a\" is lost", "the field  is lost"},
        {"one quotation mark \"of 5", "one quotation mark \"of #"},
        {"length is 3 (and 2 more like it)", "length is #"},
        {"length is 3 (only after 2 other cases)", "length is #"},
        {"an event is left behind (beside 2 others)", "an event is left behind"},
        {"length is 3 (and 2 more) (seen once in 3 runs)",
         "length is # (and # more) (seen once in # runs)"},
        {"a-b - c", "a-b - c"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_result *row = adi_sample_row(report, ADI_FAIL, NULL, "a");
        adi_result_set(&row->message, "%s", rows[i].message);
        char *text = adi_group_message(row);
        ck_assert_str_eq(text, rows[i].wanted);
        free(text);
    }
}
END_TEST

/* ---- groups ---- */

START_TEST(one_cause_is_one_group_whatever_its_numbers)
{
    add(ADI_FAIL, "children[0].offset is -1");
    add(ADI_FAIL, "children[7].offset is -250");
    gather();
    ck_assert_uint_eq(digest.n_groups, 1);
    expect_group(0, 2, "children[0].offset is -1");
}
END_TEST

START_TEST(one_cause_in_many_places_of_the_tree_is_one_group)
{
    add(ADI_FAIL, "array was released twice");
    add(ADI_FAIL, "array.children[0] was released twice");
    add(ADI_FAIL, "array.children[0].dictionary was released twice (and 3 more like it)");
    gather();
    ck_assert_uint_eq(digest.n_groups, 1);
    expect_group(0, 3, "array was released twice");
}
END_TEST

START_TEST(another_member_or_structure_is_another_group)
{
    add(ADI_FAIL, "children[0].offset is -1");
    add(ADI_FAIL, "children[0].length is -1");
    add(ADI_FAIL, "array.children[0] was released twice");
    add(ADI_FAIL, "schema.children[0] was released twice");
    gather();
    ck_assert_uint_eq(digest.n_groups, 4);
}
END_TEST

START_TEST(two_causes_of_a_rule_are_two_groups_and_the_greater_comes_first)
{
    add(ADI_FAIL, "a pedantic example");
    for (int i = 0; i < 147; i++) add(ADI_FAIL, "what matters");
    gather();
    ck_assert_uint_eq(digest.n_groups, 2);
    expect_group(0, 147, "what matters");
    expect_group(1, 1, "a pedantic example");
}
END_TEST

START_TEST(a_crash_does_not_drown_in_what_fails_everywhere)
{
    for (int i = 0; i < 500; i++) add(ADI_FAIL, "reserved is not zero");
    add(ADI_CRASH, "killed by SIGSEGV");
    gather();
    ck_assert_uint_eq(digest.n_groups, 2);
    expect_group(0, 1, "killed by SIGSEGV");
    expect_group(1, 500, "reserved is not zero");
}
END_TEST

START_TEST(a_case_in_which_it_is_seen_once_is_shown_before_one_in_which_it_is_seen_often)
{
    add(ADI_FAIL, "offset is -1 (and 11 more like it)");
    add(ADI_FAIL, "offset is -2 (and 2 more like it)");
    add(ADI_FAIL, "offset is -3");
    gather();
    ck_assert_uint_eq(digest.n_groups, 1);
    expect_group(0, 3, "offset is -3");
    ck_assert_str_eq(digest.rows[1]->message, "offset is -1 (and 11 more like it)");
}
END_TEST

START_TEST(a_crash_of_many_comes_before_a_failure_of_one_and_both_before_what_is_not_red)
{
    for (int i = 0; i < 5; i++) add(ADI_WARN, "only advice");
    add(ADI_FAIL, "once");
    add(ADI_CRASH, "killed by SIGSEGV");
    add(ADI_CRASH, "killed by SIGSEGV");
    gather();
    ck_assert_uint_eq(digest.n_groups, 3);
    expect_group(0, 2, "killed by SIGSEGV");
    expect_group(1, 1, "once");
    expect_group(2, 5, "only advice");
}
END_TEST

START_TEST(what_is_known_comes_by_its_severity_too)
{
    const struct adi_rule *advice = adi_sample_rule(ADI_SHOULD, ADI_TEXT);
    for (int i = 0; i < 9; i++)
        adi_result_set(&adi_sample_row(report, ADI_XFAIL, advice, "a")->message, "advice");
    for (int i = 0; i < 5; i++) add(ADI_XFAIL, "reserved is not zero");
    adi_result_set(&adi_sample_row(report, ADI_XFAIL, adi_rule_named("life/crash"), "a")->message,
                   "killed");
    gather();
    ck_assert_uint_eq(digest.n_groups, 3);
    expect_group(0, 1, "killed");
    expect_group(1, 5, "reserved is not zero");
    expect_group(2, 9, "advice");
}
END_TEST

START_TEST(the_plainest_case_is_shown)
{
    static const char *const names[] = {"int32/many/consume-released-array",
                                        "list_utf8/nulls/consume", "int8/nulls/consume",
                                        "int16/many/consume"};
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    for (size_t i = 0; i < 4; i++) adi_sample_row(report, ADI_FAIL, rule, names[i]);
    gather();
    static const size_t wanted[] = {2, 3, 1, 0};
    for (size_t i = 0; i < 4; i++) ck_assert_str_eq(digest.rows[i]->case_name, names[wanted[i]]);
}
END_TEST

/* ---- standard error ---- */

#define PANIC                                                                                      \
    "thread %d panicked at src/export.rs:%d: index out of bounds: the len is %d but the index is " \
    "0x7f%04x\nnote: run with RUST_BACKTRACE=1 to see where it came from\n"

START_TEST(what_thousands_of_rows_wrote_is_kept_once)
{
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    for (int i = 0; i < 3000; i++) {
        char name[32];
        snprintf(name, sizeof name, "case/%d", i);
        struct adi_result *row = adi_sample_row(report, ADI_FAIL, rule, name);
        adi_result_set(&row->message, "wrong %d", i);
        adi_result_set(&row->stderr_text, PANIC, i, i + 1, i + 2, i);
        row->confirmed = i == 7; /* which is the one that is shown */
    }
    ck_assert_int_eq(adi_report_fold(report), 0);
    for (size_t i = 0; i < report->n_results; i++)
        if (i != 7) ck_assert_str_eq(report->results[i].stderr_text, "as in case/7 on cpu:-1\n");
    ck_assert_ptr_nonnull(strstr(report->results[7].stderr_text, "thread 7 panicked"));
    gather();
    ck_assert_ptr_eq(digest.rows[0], &report->results[7]);
}
END_TEST

/* Other words, another cause, a few words: nothing is lost. */
START_TEST(what_is_not_the_same_stays)
{
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    static const struct {
        const char *message, *before;
        enum adi_verdict verdict;
    } rows[] = {
        {"wrong 1", "a: ", ADI_FAIL}, {"wrong 2", "b: ", ADI_FAIL}, {"other", "a: ", ADI_FAIL},
        {"wrong 3", "a: ", ADI_WARN}, {"wrong 4", "a: ", ADI_PASS},
    };
    size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++) {
        struct adi_result *row = adi_sample_row(report, rows[i].verdict, rule, "a");
        adi_result_set(&row->message, "%s", rows[i].message);
        adi_result_set(&row->stderr_text, "%s" PANIC, rows[i].before, 1, 2, 3, 4);
    }
    for (int i = 0; i < 2; i++)
        adi_result_set(&adi_sample_row(report, ADI_FAIL, rule, "b")->stderr_text, "short %d\n", i);
    ck_assert_int_eq(adi_report_fold(report), 0);
    for (size_t i = 0; i < n; i++)
        ck_assert_ptr_nonnull(strstr(report->results[i].stderr_text, "thread 1 panicked"));
    for (size_t i = n; i < n + 2; i++)
        ck_assert_ptr_nonnull(strstr(report->results[i].stderr_text, "short "));
}
END_TEST

START_TEST(another_verdict_rule_or_party_is_another_group)
{
    add(ADI_TIMEOUT, "the same words");
    add(ADI_FAIL, "the same words");
    add(ADI_FAIL, "the same words");
    report->results[2].party = ADI_CONSUMER;
    add(ADI_FAIL, "the same words");
    report->results[3].rule = adi_sample_rule(ADI_MUST, ADI_IMPLIED);
    gather();
    ck_assert_uint_eq(digest.n_groups, 4);
    for (size_t i = 0; i < 4; i++) /* equal weights: in the order of the report */
        ck_assert_ptr_eq(digest.rows[digest.groups[i].first], &report->results[i]);
}
END_TEST

START_TEST(the_rows_of_a_group_keep_their_order)
{
    for (int i = 0; i < 6; i++) add(ADI_FAIL, i % 2 == 0 ? "even" : "odd");
    gather();
    ck_assert_uint_eq(digest.n_groups, 2);
    ck_assert_uint_eq(digest.n_rows, 6);
    for (size_t i = 0; i < 6; i++)
        ck_assert_ptr_eq(digest.rows[i], &report->results[i < 3 ? 2 * i : 2 * (i - 3) + 1]);
}
END_TEST

START_TEST(what_passes_or_was_not_judged_is_no_finding)
{
    add(ADI_PASS, "");
    add(ADI_SKIP, "not reached");
    add(ADI_UNSUPPORTED, "refused");
    gather();
    ck_assert_uint_eq(digest.n_rows, 0);
    ck_assert_uint_eq(digest.n_groups, 0);
}
END_TEST

/* ---- what was not judged ---- */

START_TEST(refusals_are_gathered_by_their_words_across_rules)
{
    add(ADI_SKIP, "not reached: an earlier step left nothing to judge");
    add(ADI_UNSUPPORTED, "no \"+ud\" (Operation not supported)");
    for (int i = 0; i < 3; i++) {
        add(ADI_UNSUPPORTED, "no \"u\" of 8 bits (Operation not supported)");
        report->results[2 + i].rule = adi_rule((size_t)i);
        report->results[2 + i].party = i % 2 == 0 ? ADI_PRODUCER : ADI_CONSUMER;
    }
    add(ADI_FAIL, "no refusal");
    ck_assert_int_eq(adi_digest_unjudged(report, &digest), 0);
    ck_assert_uint_eq(digest.n_rows, 5);
    ck_assert_uint_eq(digest.n_groups, 3);
    expect_group(0, 3, "no \"u\" of 8 bits (Operation not supported)");
    expect_group(1, 1, "no \"+ud\" (Operation not supported)");
    expect_group(2, 1, "not reached: an earlier step left nothing to judge");
}
END_TEST

/* Some rules bind and others do not: a group in parts counted rows that were not there. */
START_TEST(what_was_not_played_is_one_group_whatever_its_rules_bind)
{
    const enum adi_level levels[] = {ADI_MUST, ADI_SHOULD, ADI_MUST, ADI_SHOULD, ADI_SHOULD};
    const size_t n = sizeof levels / sizeof *levels;
    for (size_t i = 0; i < n; i++) {
        add(ADI_SKIP, "not played: the time limit of the run was over");
        report->results[i].rule = adi_sample_rule(levels[i], ADI_TEXT);
        report->results[i].confirmed = i != 0; /* which row comes first */
    }
    ck_assert_int_eq(adi_digest_unjudged(report, &digest), 0);
    ck_assert_uint_eq(digest.n_groups, 1);
    expect_group(0, n, "not played: the time limit of the run was over");
    ck_assert_uint_eq(digest.groups[0].first, 0);
    ck_assert_uint_eq(digest.n_rows, n);
}
END_TEST

Suite *harness_report_group_suite(void) {
    Suite *suite = suite_create("harness_report_group");
    TCase *groups = tcase_create("groups");
    tcase_add_checked_fixture(groups, set_up, tear_down);
    tcase_add_test(groups, what_varies_is_taken_out_of_a_message);
    tcase_add_test(groups, one_cause_is_one_group_whatever_its_numbers);
    tcase_add_test(groups, a_crash_does_not_drown_in_what_fails_everywhere);
    tcase_add_test(groups,
                   a_case_in_which_it_is_seen_once_is_shown_before_one_in_which_it_is_seen_often);
    tcase_add_test(groups, one_cause_in_many_places_of_the_tree_is_one_group);
    tcase_add_test(groups, another_member_or_structure_is_another_group);
    tcase_add_test(groups, two_causes_of_a_rule_are_two_groups_and_the_greater_comes_first);
    tcase_add_test(groups, what_is_known_comes_by_its_severity_too);
    tcase_add_test(groups, the_plainest_case_is_shown);
    tcase_add_test(groups,
                   a_crash_of_many_comes_before_a_failure_of_one_and_both_before_what_is_not_red);
    tcase_add_test(groups, what_thousands_of_rows_wrote_is_kept_once);
    tcase_add_test(groups, what_is_not_the_same_stays);
    tcase_add_test(groups, another_verdict_rule_or_party_is_another_group);
    tcase_add_test(groups, the_rows_of_a_group_keep_their_order);
    tcase_add_test(groups, what_passes_or_was_not_judged_is_no_finding);
    tcase_add_test(groups, refusals_are_gathered_by_their_words_across_rules);
    tcase_add_test(groups, what_was_not_played_is_one_group_whatever_its_rules_bind);
    suite_add_tcase(suite, groups);
    return suite;
}
