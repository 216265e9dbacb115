/* SPDX-License-Identifier: Apache-2.0
 *
 * Which findings have one cause, so that a sample of them is confirmed.
 */
#include "run_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "judged.h"
#include "run_internal.h"

Suite *harness_sample_suite(void);

static struct adi_run run;
static const struct adi_rule *rule;

static void set_up(void) {
    run = (struct adi_run){0};
    rule = adi_rule_named("life/child-released-by-consumer");
}

static void tear_down(void) {
    for (size_t i = 0; i < run.samples.n_parked; i++) {
        adi_outcome_clear(&run.samples.parked[i].outcome);
        free(run.samples.parked[i].before);
    }
    adi_sample_free(&run.samples);
}

/* A finding in a case: is it to be confirmed? */
static bool takes_ms(int64_t ms, int64_t index, const char *message, bool at_limit) {
    struct adi_outcome outcome = {.index = index, .ms = ms};
    adi_outcome_add(&outcome, rule, ADI_CONSUMER, ADI_FAIL, message, NULL, NULL)->at_limit =
        at_limit;
    bool wanted = adi_sample_wants(&run, &outcome, NULL, 0);
    adi_outcome_clear(&outcome);
    return wanted;
}

static bool is_wanted(int64_t index, const char *message, bool at_limit) {
    return takes_ms(0, index, message, at_limit);
}

/* The first case of the role, or of another than that. */
static int64_t case_of(unsigned role, bool other) {
    size_t index = 0;
    while ((adi_case(index)->scenario->role == role) == other) index++;
    return (int64_t)index;
}

#define PLACES 5

static const char *const places[PLACES] = {
    "schema.children[0] was released in place by the consumer",
    "schema.children[12].children[3] was released in place by the consumer",
    "schema.dictionary was released in place by the consumer",
    "schema.children[0].dictionary was released in place by the consumer",
    "schema.children[0].c....children[1] was released in place by the consumer",
};

START_TEST(where_in_the_tree_it_was_found_is_no_cause)
{
    int64_t index = case_of(ADI_CONSUMES, false);
    for (size_t i = 0; i < ADI_SAMPLE_MOST; i++)
        ck_assert(is_wanted(index, places[i % PLACES], false));
    for (size_t i = 0; i < PLACES; i++)
        ck_assert_msg(!is_wanted(index, places[i], false), "%s", places[i]);
    ck_assert_uint_eq(run.samples.n_parked, PLACES);
}
END_TEST

/* The twin: what else was done, by another operation, or to another member. */
START_TEST(what_was_done_and_by_what_is_a_cause)
{
    int64_t index = case_of(ADI_CONSUMES, false), other = case_of(ADI_CONSUMES, true);
    for (size_t i = 0; i < ADI_SAMPLE_MOST; i++) ck_assert(is_wanted(index, places[0], false));
    ck_assert(!is_wanted(index, places[0], false));
    ck_assert(is_wanted(other, places[0], false));
    ck_assert(is_wanted(index, "schema.children[0].format was released in place", false));
    ck_assert(is_wanted(index, "schema.children[0] was written to by the consumer", false));
    ck_assert(is_wanted(index, places[0], true));
}
END_TEST

START_TEST(one_is_enough_of_what_is_waited_for_in_vain)
{
    int64_t index = case_of(ADI_CONSUMES, false);
    ck_assert(is_wanted(index, "on_error has not come", true));
    ck_assert(!is_wanted(index, "on_error has not come", true));
    ck_assert(is_wanted(index, "release has not come", true));
    ck_assert(is_wanted(index, "on_error has not come", false));
}
END_TEST

/* The last one was not seen again: another is confirmed in its place. */
START_TEST(what_takes_long_is_confirmed_less_often)
{
    int64_t index = case_of(ADI_CONSUMES, false);
    unsigned most = ADI_SAMPLE_MOST / ADI_SAMPLE_DEAR;
    for (unsigned i = 0; i < most; i++)
        ck_assert(takes_ms(ADI_SAMPLE_DEAR_MS, index, places[0], false));
    ck_assert(!takes_ms(ADI_SAMPLE_DEAR_MS, index, places[0], false));
    struct adi_outcome last = {.index = index, .ms = ADI_SAMPLE_DEAR_MS};
    adi_outcome_add(&last, rule, ADI_CONSUMER, ADI_FAIL, places[0], NULL, NULL);
    adi_sample_conclude(&run, &last, &last.rows[0], false);
    ck_assert(!adi_sample_is_enough(&run, &last));
    ck_assert(takes_ms(ADI_SAMPLE_DEAR_MS, index, places[0], false));
    for (unsigned i = 0; i < most; i++) adi_sample_conclude(&run, &last, &last.rows[0], true);
    ck_assert(adi_sample_is_enough(&run, &last));
    adi_outcome_clear(&last);
}
END_TEST

/* What is waited for in vain in several scenarios, and is one cause, is waited for once more, and
 * not once more in each. */
START_TEST(of_what_is_waited_for_in_vain_one_is_confirmed)
{
    static const struct {
        const char *cases;
        size_t told;
    } rows[] = {{"struct/many/async-request-*", 3}, {"struct/many/async-request-0", 1}};
    struct adi_run_options options = {.device = "cpu", .jobs = 2, .seed = 1, .timeout = 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        options.case_name = rows[i].cases;
        struct adi_report *report =
            judge(adapter_path("tests/mutants", "async_request_zero_ignored"), &options);
        size_t told = 0, confirmed = 0;
        for (size_t k = 0; k < report->n_results; k++) {
            const struct adi_result *row = &report->results[k];
            if (!adi_result_is_finding(row)) continue;
            told++;
            confirmed += row->confirmed;
            ck_assert_str_eq(row->rule->id, "async/bad-request-accepted");
            ck_assert(!row->flaky);
        }
        ck_assert_uint_eq(told, rows[i].told);
        ck_assert_uint_eq(confirmed, 1);
        adi_report_free(report);
    }
}
END_TEST

/* Other types have a second each: not one is left out, and none is a reason to decide nothing. */
START_TEST(a_recommendation_that_is_waited_for_leaves_nothing_undecided)
{
    struct adi_run_options options = {
        .case_name = "*/many/async-request-0", .device = "cpu", .jobs = 2, .seed = 1, .timeout = 2};
    for (int strict = 0; strict < 2; strict++) {
        options.strict = strict == 1;
        struct adi_report *report =
            judge(adapter_path("tests/mutants", "async_request_zero_ignored"), &options);
        size_t findings = 0;
        ck_assert_uint_eq(report->n_results, 4);
        for (size_t i = 0; i < report->n_results; i++) {
            const struct adi_result *row = &report->results[i];
            findings += row->verdict == (strict ? ADI_FAIL : ADI_WARN);
            ck_assert(row->verdict != ADI_SKIP ||
                      strstr(row->message, "on_error was waited for in vain (") != NULL);
        }
        ck_assert_uint_ge(findings, 1);
        ck_assert_int_eq(adi_report_exit(report), strict);
        adi_report_free(report);
    }
}
END_TEST

Suite *harness_sample_suite(void) {
    Suite *suite = suite_create("harness_sample");
    TCase *sample = tcase_create("sample");
    tcase_add_checked_fixture(sample, set_up, tear_down);
    tcase_add_test(sample, where_in_the_tree_it_was_found_is_no_cause);
    tcase_add_test(sample, what_was_done_and_by_what_is_a_cause);
    tcase_add_test(sample, one_is_enough_of_what_is_waited_for_in_vain);
    tcase_add_test(sample, what_takes_long_is_confirmed_less_often);
    tcase_add_test(sample, of_what_is_waited_for_in_vain_one_is_confirmed);
    tcase_add_test(sample, a_recommendation_that_is_waited_for_leaves_nothing_undecided);
    tcase_set_timeout(sample, 120);
    suite_add_tcase(suite, sample);
    return suite;
}
