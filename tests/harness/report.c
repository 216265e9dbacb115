/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "report_sample.h"

Suite *harness_report_suite(void);

static void expect_exit(struct adi_report *report, int status, const char *sentence) {
    struct adi_error seen;
    adi_report_sentence(report, &seen);
    ck_assert_msg(adi_report_exit(report) == status, "%s: exit %d", seen.text,
                  adi_report_exit(report));
    ck_assert_msg(strncmp(seen.text, sentence, strlen(sentence)) == 0, "'%s', wanted '%s'",
                  seen.text, sentence);
    adi_report_free(report);
}

/* ---- verdicts and exit ---- */

START_TEST(a_violation_is_shown_by_level_and_basis)
{
    static const struct {
        enum adi_level level;
        enum adi_basis basis;
        enum adi_verdict verdict;
    } rows[] = {
        {ADI_MUST, ADI_TEXT, ADI_FAIL},       {ADI_MUST, ADI_IMPLIED, ADI_FAIL},
        {ADI_MUST, ADI_DECISION, ADI_NOTE},   {ADI_MUST, ADI_PRACTICE, ADI_NOTE},
        {ADI_SHOULD, ADI_TEXT, ADI_WARN},     {ADI_SHOULD, ADI_IMPLIED, ADI_WARN},
        {ADI_SHOULD, ADI_DECISION, ADI_NOTE}, {ADI_MAY, ADI_TEXT, ADI_NOTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_rule rule = {.level = rows[i].level, .basis = rows[i].basis};
        ck_assert_int_eq(adi_verdict_of_violation(&rule, false), rows[i].verdict);
        ck_assert_int_eq(adi_verdict_of_violation(&rule, true),
                         rule.level == ADI_MAY ? ADI_NOTE : ADI_FAIL);
    }
}
END_TEST

START_TEST(one_row_decides_the_exit)
{
    static const struct {
        enum adi_verdict verdict;
        int status;
        const char *sentence;
    } rows[] = {
        {ADI_PASS, 0, "conformant"},
        {ADI_FAIL, 1, "not conformant: 1 MUST broken ("},
        {ADI_WARN, 0, "conformant"},
        {ADI_NOTE, 0, "conformant"},
        {ADI_SKIP, 2, "undecided: nothing was judged"},
        {ADI_UNSUPPORTED, 2, "undecided: nothing was judged"},
        {ADI_CRASH, 1, "not conformant: 1 MUST broken ("},
        {ADI_TIMEOUT, 1, "not conformant: 1 MUST broken ("},
        {ADI_XFAIL, 0, "conformant but for what is known: 1 row"},
        {ADI_XPASS, 1, "the list of known deviations is out of date: 1 known deviation no"},
        {ADI_ERROR, 2, "undecided: the harness or the adapter failed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = adi_sample_report();
        adi_sample_row(report, rows[i].verdict, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
        expect_exit(report, rows[i].status, rows[i].sentence);
    }
}
END_TEST

START_TEST(an_empty_run_decides_nothing)
{ expect_exit(adi_sample_report(), 2, "undecided: nothing was judged"); }
END_TEST

START_TEST(what_is_undecided_stays_so_beside_what_passes)
{
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_PASS, rule, "a");
    report->interrupted = true;
    expect_exit(report, 2, "undecided: interrupted");
    report = adi_sample_report();
    adi_sample_row(report, ADI_PASS, rule, "a");
    adi_result_set(&report->missing, "opencl (opencl: no platform)");
    expect_exit(report, 2, "undecided: a required device is missing: opencl (opencl: no platform)");
    report = adi_sample_report();
    adi_sample_row(report, ADI_PASS, rule, "a");
    adi_sample_row(report, ADI_ERROR, NULL, "");
    expect_exit(report, 2, "undecided: the harness");
}
END_TEST

START_TEST(a_broken_must_outweighs_what_is_undecided)
{
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    adi_sample_row(report, ADI_ERROR, NULL, "");
    report->interrupted = true;
    expect_exit(report, 1, "not conformant: 1 MUST broken");
}
END_TEST

START_TEST(all_rules_that_are_broken_are_named_once)
{
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_FAIL, adi_rule_named("life/release-not-cleared"), "a");
    adi_sample_row(report, ADI_FAIL, adi_rule_named("life/children-not-released"), "a");
    adi_sample_row(report, ADI_FAIL, adi_rule_named("life/release-not-cleared"), "b");
    adi_sample_row(report, ADI_CRASH, adi_rule_named("life/crash"), "b");
    adi_sample_row(report, ADI_NOTE, adi_rule_named("life/release-throws"), "b");
    struct adi_error sentence;
    adi_report_sentence(report, &sentence);
    ck_assert_str_eq(sentence.text, "not conformant: 3 MUST broken (life/release-not-cleared, "
                                    "life/children-not-released, life/crash)");
    report->interrupted = true; /* there is an end to it */
    for (size_t i = 0; adi_rule(i) != NULL; i++) adi_sample_row(report, ADI_FAIL, adi_rule(i), "a");
    adi_report_sentence(report, &sentence);
    ck_assert_ptr_nonnull(strstr(sentence.text, ", ...); interrupted before the end"));
    adi_report_free(report);
}
END_TEST

START_TEST(a_crash_counts_only_where_the_rule_binds)
{
    static const struct adi_rule practice = {.id = "a/b", .level = ADI_MUST, .basis = ADI_PRACTICE};
    struct adi_report *report = adi_sample_report();
    struct adi_result *result = adi_sample_row(report, ADI_CRASH, &practice, "a");
    ck_assert(!adi_result_is_red(result, report));
    report->strict = true;
    ck_assert(adi_result_is_red(result, report));
    result->rule = NULL;
    report->strict = false;
    ck_assert(adi_result_is_red(result, report));
    adi_report_free(report);
}
END_TEST

START_TEST(a_permission_never_counts)
{
    static const struct adi_rule may = {.id = "a/b", .level = ADI_MAY, .basis = ADI_PRACTICE};
    struct adi_report *report = adi_sample_report();
    struct adi_result *result = adi_sample_row(report, ADI_CRASH, &may, "a");
    report->strict = true;
    ck_assert(!adi_result_is_red(result, report));
    ck_assert_int_eq(adi_verdict_of_violation(&may, true), ADI_NOTE);
    adi_report_free(report);
}
END_TEST

START_TEST(what_only_strict_counts_is_said_apart)
{
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "b");
    adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_SHOULD, ADI_TEXT), "b");
    expect_exit(report, 1, "not conformant: 1 MUST broken, 1 that only --strict counts (");
}
END_TEST

static int plain_text(struct adi_report *const *reports, size_t n, FILE *out) {
    return adi_report_text(reports, n, out, false);
}

static int coloured_text(struct adi_report *const *reports, size_t n, FILE *out) {
    return adi_report_text(reports, n, out, true);
}

/* ---- the text ---- */

START_TEST(a_long_value_is_broken_between_two_words)
{
    static const char value[] =
        "copy of queue 3 (cuMemcpyDtoHAsync_v2, call 39) reads bytes 0 to 268 of device allocation "
        "1 (268 bytes, made by cuMemAllocAsync in call 10), which copy of queue 2 writes; nothing "
        "lets queue 3 wait for queue 2 in between, \xc3\xa9 and so on";
    struct adi_report *report = adi_sample_report();
    struct adi_result *result =
        adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    adi_result_set(&result->seen, "%s", value);
    adi_result_set(&result->wanted, "a wait");
    char *text = adi_report_written(plain_text, &report, 1);
    char *saw = strstr(text, "      saw "), *wanted = strstr(text, "\n      wanted a wait\n");
    ck_assert_msg(saw != NULL && wanted != NULL, "%s", text);
    *wanted = '\0';
    char joined[512] = "";
    for (char *line = strtok(saw, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_msg(strlen(line) <= 102, "%zu: %s", strlen(line), line); /* an e has two bytes */
        if (joined[0] != '\0') strcat(joined, " ");
        strcat(joined, line + 10);
    }
    ck_assert_str_eq(joined, value);
    free(text);
    adi_report_free(report);
}
END_TEST

/* What has no blanks, such as bytes in hexadecimal, stays what it is. */
START_TEST(a_long_word_stays_whole)
{
    char word[301] = "";
    struct adi_report *report = adi_sample_report();
    struct adi_result *result =
        adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    memset(word, 'a', 300);
    adi_result_set(&result->seen, "%s", word);
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, word));
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(five_hundred_findings_of_a_rule_are_told_once)
{
    struct adi_report *report = adi_sample_report();
    for (int i = 0; i < 500; i++) {
        char name[32];
        snprintf(name, sizeof name, "case/%d", i);
        adi_result_set(
            &adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), name)->message,
            "wrong %d", i);
    }
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_uint_eq(adi_occurrences(text, "fail  "), 1);
    ck_assert_ptr_nonnull(strstr(text, "wrong 0\n"));
    ck_assert_ptr_null(strstr(text, "wrong 1\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "and 499 more cases: case/1, case/2, case/3, case/4, ...\n"));
    ck_assert_uint_lt(adi_occurrences(text, "\n"), 25);
    free(text);
    adi_report_free(report);
}
END_TEST

START_TEST(a_finding_has_the_form_of_the_template)
{
    struct adi_report *report = adi_sample_report();
    const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
    struct adi_result *result = adi_sample_row(report, ADI_FAIL, rule, "int32/nulls/export");
    adi_result_set(&result->message, "reserved[3] is 1");
    adi_result_step(result, "export");
    adi_result_set(&result->seen, "01");
    adi_result_set(&result->wanted, "00");
    adi_result_set(&result->replay, "adicheck run");
    char *text = adi_report_written(plain_text, &report, 1), *wanted = NULL;
    adi_result_set(&wanted,
                   "fail  %s  MUST  producer  cpu:-1  int32/nulls/export\n"
                   "      reserved[3] is 1\n"
                   "      step 1  export\n"
                   "      saw 01   wanted 00\n"
                   "      %s, \"%s\"\n"
                   "      mend: %s\n"
                   "      replay: adicheck run\n\n",
                   rule->id, rule->document, rule->section, rule->mend);
    ck_assert_msg(strncmp(text, wanted, strlen(wanted)) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "opencl        not judged: no platform\n"));
    ck_assert_ptr_nonnull(strstr(text, "  producer    1 fail"));
    ck_assert_ptr_nonnull(strstr(text, "\nmine 1.0: not conformant: 1 MUST broken ("));
    free(wanted);
    free(text);
    adi_report_free(report);
}
END_TEST

static void expect_steps_of(enum adi_verdict verdict, const char *first, bool wanted) {
    struct adi_report *report = adi_sample_report();
    const struct adi_rule *rule = adi_sample_rule(ADI_SHOULD, ADI_TEXT);
    struct adi_result *result = adi_sample_row(report, verdict, rule, "int32/nulls/export");
    adi_result_step(result, "export");
    adi_result_set(&result->replay, "adicheck run");
    char *text = adi_report_written(plain_text, &report, 1);
    const char *const parts[] = {"      step 1  export\n", rule->section, "replay: adicheck run\n"};
    ck_assert_ptr_nonnull(strstr(text, first));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) /* by the last it can be seen again */
        ck_assert_msg((strstr(text, parts[i]) != NULL) == (wanted || i == 2), "%s: %s", parts[i],
                      text);
    free(text);
    adi_report_free(report);
}

START_TEST(advice_is_told_with_its_steps_and_what_is_known_without)
{
    expect_steps_of(ADI_WARN, "warn  ", true);
    expect_steps_of(ADI_NOTE, "note  ", true);
    expect_steps_of(ADI_XFAIL, "xfail  ", false);
}
END_TEST

START_TEST(of_standard_error_the_first_and_the_last_lines_are_shown)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"", ""},
        {"panicked at 'index 5'\nnote: a backtrace\n",
         "stderr | panicked at 'index 5'\n      stderr | note: a backtrace\n      mend"},
        {"1\n2\n3\n4\n5\n6\n7\n8", "stderr | 4\n      stderr | 5\n"},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n",
         "stderr | 1\n      stderr | 2\n      stderr | 3\n      stderr | 4\n"
         "      stderr | ... 1 more line\n"
         "      stderr | 6\n      stderr | 7\n      stderr | 8\n      stderr | 9\n      mend"},
        {"a\n\nb", "stderr | a\n      stderr | \n      stderr | b\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = adi_sample_report();
        const struct adi_rule *rule = adi_sample_rule(ADI_MUST, ADI_TEXT);
        adi_result_set(&adi_sample_row(report, ADI_CRASH, rule, "a")->stderr_text, "%s",
                       rows[i].text);
        char *text = adi_report_written(plain_text, &report, 1);
        ck_assert_msg(strstr(text, rows[i].wanted) != NULL, "%s", text);
        if (rows[i].text[0] == '\0') ck_assert_ptr_null(strstr(text, "stderr |"));
        free(text);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(colour_is_there_only_when_it_is_asked_for)
{
    struct adi_report *report = adi_sample_full_report();
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_ptr_null(strchr(text, '\033')); /* not even the one in a message */
    free(text);
    text = adi_report_written(coloured_text, &report, 1);
    ck_assert_ptr_nonnull(strstr(text, "\033[1;31mfail\033[0m"));
    free(text);
    adi_report_free(report);
}
END_TEST

static size_t place_of(const char *word, const char *text) {
    const char *at = strstr(text, word);
    ck_assert_ptr_nonnull(at);
    return (size_t)(at - text);
}

START_TEST(the_worst_comes_first)
{
    struct adi_report *report = adi_sample_report();
    adi_sample_row(report, ADI_NOTE, adi_sample_rule(ADI_MUST, ADI_TEXT), "a");
    adi_sample_row(report, ADI_ERROR, NULL, "b");
    adi_sample_row(report, ADI_FAIL, adi_sample_rule(ADI_MUST, ADI_TEXT), "c");
    char *text = adi_report_written(plain_text, &report, 1);
    ck_assert_uint_lt(place_of("fail  ", text), place_of("error  ", text));
    ck_assert_uint_lt(place_of("error  ", text), place_of("note  ", text));
    free(text);
    adi_report_free(report);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *harness_report_suite(void) {
    Suite *suite = suite_create("harness_report");
    TCase *verdicts = add_case(suite, "verdicts");
    tcase_add_test(verdicts, a_violation_is_shown_by_level_and_basis);
    tcase_add_test(verdicts, one_row_decides_the_exit);
    tcase_add_test(verdicts, an_empty_run_decides_nothing);
    tcase_add_test(verdicts, what_is_undecided_stays_so_beside_what_passes);
    tcase_add_test(verdicts, a_broken_must_outweighs_what_is_undecided);
    tcase_add_test(verdicts, all_rules_that_are_broken_are_named_once);
    tcase_add_test(verdicts, a_crash_counts_only_where_the_rule_binds);
    tcase_add_test(verdicts, a_permission_never_counts);
    tcase_add_test(verdicts, what_only_strict_counts_is_said_apart);
    TCase *text = add_case(suite, "text");
    tcase_add_test(text, five_hundred_findings_of_a_rule_are_told_once);
    tcase_add_test(text, a_long_value_is_broken_between_two_words);
    tcase_add_test(text, a_long_word_stays_whole);
    tcase_add_test(text, a_finding_has_the_form_of_the_template);
    tcase_add_test(text, advice_is_told_with_its_steps_and_what_is_known_without);
    tcase_add_test(text, of_standard_error_the_first_and_the_last_lines_are_shown);
    tcase_add_test(text, colour_is_there_only_when_it_is_asked_for);
    tcase_add_test(text, the_worst_comes_first);
    return suite;
}
