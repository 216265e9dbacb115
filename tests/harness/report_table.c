/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands below the findings: the table of the results, and what was not judged.
 */
#include "report.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "report_sample.h"

Suite *harness_report_table_suite(void);

static int plain_text(struct adi_report *const *reports, size_t n, FILE *out) {
    return adi_report_text(reports, n, out, false);
}

START_TEST(a_relay_has_a_line_of_the_table)
{
    const struct adi_rule *rule = adi_rule_named("array/misread");
    for (unsigned party = ADI_PRODUCER; party <= ADI_CONSUMER; party++) {
        struct adi_report *report = adi_sample_report();
        adi_sample_row(report, ADI_PASS, rule, "int32/nulls/export");
        char *text = adi_report_written(plain_text, &report, 1);
        ck_assert_ptr_null(strstr(text, "  relay "));
        free(text);
        adi_sample_row(report, ADI_FAIL, rule, "int32/nulls/relay")->party = (enum adi_party)party;
        adi_sample_row(report, ADI_PASS, rule, "int32/many/relay-chain");
        text = adi_report_written(plain_text, &report, 1);
        ck_assert_msg(strstr(text, "\n  producer    1 pass\n  consumer    -\n"
                                   "  relay       1/2 fail\na cell: ") != NULL,
                      "%s", text);
        free(text);
        adi_report_free(report);
    }
}
END_TEST

/* 467 broken MUSTs that are known were hidden behind 82 notes. */
START_TEST(what_is_known_outranks_advice_and_nothing_else)
{
    static const struct {
        enum adi_verdict other;
        const char *cell;
    } rows[] = {{ADI_NOTE, "2/3 xfail"}, {ADI_WARN, "2/3 xfail"},  {ADI_PASS, "2/3 xfail"},
                {ADI_FAIL, "1/3 fail"},  {ADI_XPASS, "1/3 xpass"}, {ADI_ERROR, "1/3 error"}};
    const struct adi_rule *rule = adi_rule_named("array/buffer-null");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = adi_sample_report();
        adi_sample_row(report, rows[i].other, rule, "a");
        for (int k = 0; k < 2; k++) adi_sample_row(report, ADI_XFAIL, rule, "b");
        char *text = adi_report_written(plain_text, &report, 1);
        ck_assert_msg(strstr(text, rows[i].cell) != NULL, "%s: %s", rows[i].cell, text);
        free(text);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(who_may_read_past_an_end_is_told_what_shows_it)
{
    static const struct {
        const char *rule;
        enum adi_verdict verdict;
        bool confirmed, flaky, told;
    } rows[] = {{"array/offsets-decreasing", ADI_FAIL, false, true, true},
                {"array/offsets-decreasing", ADI_FAIL, true, false, false},
                {"array/offsets-decreasing", ADI_FAIL, false, false, false}, /* one of many */
                {"array/offsets-decreasing", ADI_XFAIL, false, true, false},
                {"life/never-released", ADI_FAIL, false, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = adi_sample_report();
        adi_result_set(&report->adapter, "./libmine.so");
        struct adi_result *row =
            adi_sample_row(report, rows[i].verdict, adi_rule_named(rows[i].rule), "a");
        row->confirmed = rows[i].confirmed;
        row->flaky = rows[i].flaky;
        char *text = adi_report_written(plain_text, &report, 1);
        ck_assert_msg((strstr(text, "-fsanitize=address") != NULL) == rows[i].told, "%s", text);
        free(text);
        adi_report_free(report);
    }
}
END_TEST

/* An adapter that refused every string by mistake: the table said "pass". */
START_TEST(what_was_refused_is_told_with_its_words_a_count_and_a_case)
{
    struct adi_report *report = adi_sample_report();
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    for (int i = 0; i < 3; i++) adi_sample_row(report, ADI_PASS, rule, "int32/nulls/export");
    for (int i = 0; i < 3; i++) {
        struct adi_result *row =
            adi_sample_row(report, ADI_UNSUPPORTED, rule, i == 0 ? "utf8/many/export" : "b");
        adi_result_set(&row->message, "no strings here (Operation not supported)");
        if (i == 1) adi_result_set(&row->device, "cuda:0");
    }
    adi_result_set(&adi_sample_row(report, ADI_SKIP, rule, "a")->message, "not played: it hung");
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_msg(strstr(text, "  producer    3 pass+2") != NULL, "%s", text);
    ck_assert_msg(strstr(text,
                         "\nunsupported  3 results: no strings here (Operation not supported)\n"
                         "             on 2 devices, such as cpu:-1 utf8/many/export\n"
                         "skip         1 result: not played: it hung\n"
                         "             cpu:-1 a\n\n"
                         "3 pass, 1 skip, 3 unsupported in ") != NULL,
                  "%s", text);
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(of_many_reasons_the_most_frequent_are_told)
{
    struct adi_report *report = adi_sample_report();
    for (int i = 0; i < 16; i++) {
        struct adi_result *row = adi_sample_row(report, ADI_UNSUPPORTED, NULL, "a");
        adi_result_set(&row->message, "no %c", 'a' + (i < 15 ? i : 14));
    }
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_msg(strstr(text, "\nunsupported  2 results: no o\n") != NULL, "%s", text);
    ck_assert_uint_eq(adi_occurrences(text, "\nunsupported  "), 12);
    ck_assert_ptr_nonnull(strstr(text, "\nand 3 results for 3 more reasons\n"));
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(devices_without_any_row_are_one_line)
{
    struct adi_report *report = adi_sample_report();
    struct adi_report_device *other = adi_report_add_device(report);
    snprintf(other->name, sizeof other->name, "cuda:1");
    snprintf(other->runtime, sizeof other->runtime, "simulated");
    other->available = true;
    adi_sample_row(report, ADI_PASS, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, "\ncpu:-1  (native)\n  producer    1 pass"));
    ck_assert_ptr_nonnull(strstr(text, "\nno case on:   cuda:1\n"));
    ck_assert_uint_eq(adi_occurrences(text, "cuda:"), 1);
    free(text);
    snprintf(other->why, sizeof other->why, "it hung");
    text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, "\ncuda:1  (simulated)\n  not judged: it hung\n"));
    ck_assert_ptr_null(strstr(text, "no case on"));
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(devices_without_any_role_are_one_line)
{
    struct adi_report *report = adi_sample_report();
    for (size_t i = 0; i < 2; i++) {
        struct adi_report_device *idle = adi_report_add_device(report);
        snprintf(idle->name, sizeof idle->name, "vpi:%zu", i);
        snprintf(idle->runtime, sizeof idle->runtime, "simulated");
        idle->available = true;
        idle->idle = true;
    }
    adi_sample_row(report, ADI_PASS, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, "\ncpu:-1  (native)\n  producer    1 pass"));
    ck_assert_ptr_nonnull(strstr(text, "\nno role on:   vpi:0, vpi:1\n"));
    ck_assert_uint_eq(adi_occurrences(text, "vpi:"), 2);
    free(text);
    report->n_devices -= 2;
    text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_null(strstr(text, "no role on"));
    free(text);
    adi_report_free(report);
}
END_TEST

Suite *harness_report_table_suite(void) {
    Suite *suite = suite_create("harness_report_table");
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, a_relay_has_a_line_of_the_table);
    tcase_add_test(tests, what_is_known_outranks_advice_and_nothing_else);
    tcase_add_test(tests, who_may_read_past_an_end_is_told_what_shows_it);
    tcase_add_test(tests, what_was_refused_is_told_with_its_words_a_count_and_a_case);
    tcase_add_test(tests, of_many_reasons_the_most_frequent_are_told);
    tcase_add_test(tests, devices_without_any_row_are_one_line);
    tcase_add_test(tests, devices_without_any_role_are_one_line);
    suite_add_tcase(suite, tests);
    return suite;
}
