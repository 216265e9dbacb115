/* SPDX-License-Identifier: Apache-2.0
 *
 * A run ends in minutes whatever an implementation does, and nobody loses by it: what was not
 * played says so, what was found is told, and what fails in a few cases has all others played.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "devices.h"
#include "judged.h"
#include "run_internal.h"
#include "slow.h"

Suite *harness_bounded_suite(void);

#define TIMEOUT (IS_SANITIZED ? 1.5 : 0.5)

static struct adi_run_options options;

static void set_up(void) {
    options = (struct adi_run_options){.device = "cpu", .jobs = 2, .seed = 1, .timeout = TIMEOUT};
}

/* Rows of a device ("": of all), of a verdict, whose message holds a text. */
static size_t count(const struct adi_report *report, const char *device, enum adi_verdict verdict,
                    const char *text) {
    size_t n = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        n += row->verdict == verdict && strncmp(row->device, device, strlen(device)) == 0 &&
             strstr(row->message, text) != NULL;
    }
    return n;
}

static size_t count_unconfirmed(const struct adi_report *report) {
    size_t n = 0;
    for (size_t i = 0; i < report->n_results; i++) n += !report->results[i].confirmed;
    return n;
}

#define PLAYS (ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS) /* what the adapters here do */

/* Each case of a CPU that needs neither events nor --robustness, nor a stream, has a row. */
static void expect_a_row_each(const struct adi_report *report) {
    const struct adi_case *played;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++)
        if (!played->scenario->robustness && adi_case_goes_on(played, adi_device_cpu.type) &&
            (played->scenario->role & ~(unsigned)PLAYS) == 0)
            ck_assert_msg(row_of(report, played->name) != NULL, "no row for %s", played->name);
}

/* Of each operation more than a thousand cases were not played; `why` has a %s for its name. */
static void expect_most_left_out(const struct adi_report *report, const char *why) {
    static const char *const operations[] = {"produce", "consume", "relay"};
    for (size_t i = 0; i < 3; i++) {
        char words[96];
        snprintf(words, sizeof words, why, operations[i]);
        size_t skips = count(report, "", ADI_SKIP, words);
        ck_assert_msg(skips > 1000, "%zu: %s", skips, words);
    }
}

/* ---- what hangs ---- */

START_TEST(an_operation_that_hangs_is_named_once_and_not_played_on)
{
    static const enum adi_party parties[] = {ADI_PRODUCER, ADI_CONSUMER};
    struct adi_report *report = judge_hostile("hangs_everywhere", &options);
    expect_a_row_each(report);
    size_t hangs = count(report, "", ADI_TIMEOUT, "did not end within");
    ck_assert_msg(hangs == 3, "%zu hangs are told, of produce, consume and relay", hangs);
    ck_assert_uint_eq(count_unconfirmed(report), 0);
    for (size_t i = 0; i < 2; i++) {
        bool told = false;
        for (size_t k = 0; k < report->n_results; k++)
            told = told || (report->results[k].verdict == ADI_TIMEOUT &&
                            report->results[k].party == parties[i]);
        ck_assert(told);
    }
    expect_most_left_out(report, "not played: %s hung (");
    ck_assert_uint_le(count(report, "", ADI_SKIP, "did not end within a second"), 20);
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(what_hung_before_is_no_violation_on_a_further_device)
{
    options.device = "@(cpu|ext_dev)";
    options.case_name = "*/nulls/*export*";
    struct adi_report *report = judge_hostile("hangs_everywhere", &options);
    ck_assert_uint_eq(count(report, "cpu", ADI_TIMEOUT, ""), 1);
    ck_assert_uint_eq(count(report, "ext_dev", ADI_TIMEOUT, ""), 0);
    ck_assert_uint_gt(count(report, "ext_dev:0", ADI_SKIP, "hung ("), 50);
    ck_assert_uint_gt(count(report, "ext_dev:1", ADI_SKIP, "hung ("), 50);
    ck_assert_uint_eq(count(report, "ext_dev:0", ADI_SKIP, "did not end within a second"), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(a_type_that_hangs_costs_no_other_type_its_cases)
{
    options.case_name = "int*/*/@(export|consume|relay)";
    struct adi_report *report = judge_hostile("hangs_on_int64", &options);
    const struct adi_case *played;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        const struct adi_result *row = row_of(report, played->name);
        if (row == NULL) continue;
        bool hangs = strcmp(played->type->name, "int64") == 0;
        ck_assert_msg((row->verdict == ADI_UNSUPPORTED) == !hangs, "%s: %s", played->name,
                      row->message);
    }
    ck_assert_uint_ge(count(report, "", ADI_TIMEOUT, ""), 1);
    ck_assert_uint_le(count(report, "", ADI_TIMEOUT, ""), 3);
    adi_report_free(report);
}
END_TEST

START_TEST(a_hang_in_open_is_told_of_the_load)
{
    struct adi_report *report = judge_hostile("open_hangs", &options);
    const struct adi_result *load = finding_of(report, "load");
    ck_assert_ptr_nonnull(load);
    ck_assert_int_eq(load->verdict, ADI_TIMEOUT);
    ck_assert_uint_eq(report->n_results, 1);
    adi_report_free(report);
}
END_TEST

START_TEST(a_hang_in_close_is_told_once)
{
    options.device = "@(cpu|ext_dev)";
    options.case_name = "int32/nulls/*";
    struct adi_report *report = judge_hostile("close_hangs", &options);
    const struct adi_result *close = finding_of(report, "close");
    ck_assert_ptr_nonnull(close);
    ck_assert_int_eq(close->verdict, ADI_TIMEOUT);
    ck_assert_str_eq(close->device, "cpu:-1");
    ck_assert_uint_eq(count(report, "ext_dev", ADI_SKIP, "not judged: it hung on cpu:-1"), 2);
    adi_report_free(report);
}
END_TEST

/* ---- whatever is met first ---- */

static struct adi_outcome ended_by(enum adi_verdict verdict, const char *name,
                                   struct adi_program *program) {
    struct adi_outcome made = {.index = 0, .program = program};
    while (strcmp(adi_case((size_t)made.index)->name, name) != 0) made.index++;
    adi_outcome_add(&made, adi_rule_named(verdict == ADI_CRASH ? "life/crash" : "life/hang"),
                    ADI_CONSUMER, verdict, "", NULL, NULL)
        ->at_limit = true;
    return made;
}

static struct adi_outcome late(const char *name, struct adi_program *program) {
    return ended_by(ADI_TIMEOUT, name, program);
}

START_TEST(a_program_that_hangs_is_told_apart_once_its_role_has_ended_a_case)
{
    static const struct adi_probed cpu = {.name = "cpu:-1"};
    struct adi_run run = {.device = &cpu};
    struct adi_program *program = calloc(1, sizeof *program);
    ck_assert_ptr_nonnull(program);
    struct adi_outcome late_program = late("int32/many/program-consume", program),
                       first = late("utf8/nulls/consume", NULL), ended = {.index = first.index};
    adi_hung_begin_device(&run);
    if (_i == 1) adi_hung_count(&run, &ended);
    ck_assert(adi_hung_suspect(&run, &late_program));
    ck_assert_int_eq(adi_hung_suspect(&run, &first), _i == 1);
    adi_hung_conclude(&run, &late_program);
    ck_assert(!adi_hung_suspect(&run, &first));
    adi_outcome_clear(&late_program);
    adi_outcome_clear(&first);
    adi_hung_free(&run.hung);
}
END_TEST

/* ---- what uses too much memory ---- */

START_TEST(what_takes_memory_is_called_so_where_it_first_was_late)
{
    static const struct adi_probed cpu = {.name = "cpu:-1"};
    static const char *const names[] = {"int32/many/consume", "utf8/nulls/consume",
                                        "bool/empty/consume"};
    struct adi_run run = {.device = &cpu};
    struct adi_outcome first = late(names[0], NULL), left = late("int64/many/consume", NULL);
    struct adi_error why = {0};
    adi_hung_begin_device(&run);
    adi_hung_excuse(&run, &first);
    for (size_t i = 1; i < 3; i++) {
        struct adi_outcome ate = ended_by(ADI_CRASH, names[i], NULL);
        adi_hung_conclude(&run, &ate);
        adi_outcome_clear(&ate);
    }
    ck_assert_int_eq(adi_hung_standing(&run, (size_t)left.index, &why), ADI_STANDING_SKIP);
    ck_assert_msg(strstr(why.text, "used too much memory (utf8/nulls/consume on") != NULL, "%s",
                  why.text);
    adi_outcome_clear(&first);
    adi_outcome_clear(&left);
    adi_hung_free(&run.hung);
}
END_TEST

#define MEMORY_MB   600
#define MEMORY_TOOK "MB of memory; killed"

START_TEST(an_operation_that_uses_too_much_memory_is_named_once_and_not_played_on)
{
    options.timeout = 20;
    options.memory_mb = MEMORY_MB;
    struct adi_report *report = judge_hostile("eats_everywhere", &options);
    expect_a_row_each(report);
    size_t deaths = count(report, "", ADI_CRASH, MEMORY_TOOK);
    ck_assert_msg(deaths == 3, "%zu deaths are told, in produce, consume and relay", deaths);
    ck_assert_uint_eq(count_unconfirmed(report), 0);
    expect_most_left_out(report, "not played: %s used too much memory (");
    ck_assert_uint_le(count(report, "", ADI_SKIP, "not played to its end"), 20);
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(what_used_too_much_memory_before_is_no_violation_on_a_further_device)
{
    options.timeout = 20;
    options.memory_mb = MEMORY_MB;
    options.device = "@(cpu|ext_dev)";
    options.case_name = "*/nulls/*export*";
    struct adi_report *report = judge_hostile("eats_everywhere", &options);
    ck_assert_uint_eq(count(report, "cpu", ADI_CRASH, MEMORY_TOOK), 1);
    ck_assert_uint_eq(count(report, "ext_dev", ADI_CRASH, ""), 0);
    ck_assert_uint_gt(count(report, "ext_dev:0", ADI_SKIP, "used too much memory ("), 50);
    ck_assert_uint_eq(count(report, "ext_dev:0", ADI_SKIP, "not played to its end"), 1);
    adi_report_free(report);
}
END_TEST

/* The twin: much, and less than may be used. */
START_TEST(what_uses_much_memory_and_gives_it_back_is_played_to_its_end)
{
    options.timeout = 20;
    options.memory_mb = 4 * MEMORY_MB;
    options.case_name = "int*/nulls/@(export|consume|relay)";
    struct adi_report *report = judge_hostile("uses_much", &options);
    ck_assert_uint_gt(report->n_results, 10);
    ck_assert_uint_eq(count(report, "", ADI_UNSUPPORTED, ""), report->n_results);
    adi_report_free(report);
}
END_TEST

/* ---- what crashes, what leaks ---- */

START_TEST(an_operation_that_always_crashes_is_not_played_on)
{
    options.timeout = 20;
    struct adi_report *report = judge_hostile("crashes_everywhere", &options);
    expect_a_row_each(report);
    size_t crashes =
        count(report, "", ADI_CRASH, "SIG") + count(report, "", ADI_CRASH, "AddressSanitizer");
    ck_assert_msg(crashes >= 3 * 64 && crashes < 1000, "%zu crashes", crashes);
    expect_most_left_out(report,
                         "not played: all cases with %s that were played ended in a crash (");
    ck_assert_uint_eq(count(report, "", ADI_ERROR, ""), 0);
    adi_report_free(report);
}
END_TEST

/* The twin: one in many does not. */
START_TEST(one_that_crashes_in_all_but_a_few_cases_is_played_to_its_end)
{
    options.timeout = 20;
    options.case_name = "*/*/export";
    struct adi_report *report = judge_hostile("crashes_mostly", &options);
    ck_assert_uint_gt(count(report, "", ADI_CRASH, ""), 200);
    ck_assert_uint_eq(count(report, "", ADI_SKIP, "not played"), 0);
    adi_report_free(report);
}
END_TEST

/* However many crashes of these words are known: this one is another case's doing. */
START_TEST(a_crash_that_needs_another_case_is_never_charged_on_sight)
{
    options.timeout = 20;
    options.jobs = 1;
    options.case_name = "@(*int*|float*|date*|binary|utf8)/*/export";
    struct adi_report *report = judge_hostile("crashes_mostly", &options);
    size_t after = 0, unconfirmed = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (row->verdict != ADI_CRASH) continue;
        unconfirmed += !row->confirmed;
        bool utf8 = strncmp(row->case_name, "utf8/", 5) == 0;
        ck_assert_msg(!utf8 || strstr(row->message, "(only after ") != NULL, "%s: %s",
                      row->case_name, row->message);
        after += utf8;
    }
    ck_assert_uint_ge(after, 1);
    ck_assert_uint_gt(unconfirmed, after); /* the others are so many that a sample was confirmed */
    adi_report_free(report);
}
END_TEST

START_TEST(of_many_findings_with_one_cause_a_sample_is_confirmed)
{
    options.timeout = 20;
    options.case_name = "*/*/export";
    struct adi_report *report = judge_hostile("leaks_everywhere", &options);
    size_t leaks = 0, unconfirmed = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (row->rule == NULL || strcmp(row->rule->id, "life/memory-leaked") != 0) continue;
        leaks++;
        unconfirmed += !row->confirmed;
        ck_assert_int_eq(row->verdict, ADI_FAIL);
        ck_assert(!row->flaky); /* nobody has looked again whether it shows */
        ck_assert_str_ne(row->replay, "");
    }
    /* Each case is told, and has the row of its own verdict besides. */
    ck_assert_uint_eq(leaks, count(report, "", ADI_UNSUPPORTED, ""));
    ck_assert_uint_ge(leaks - unconfirmed, ADI_SAMPLE_MOST);
    ck_assert_uint_lt(leaks - unconfirmed, 100);
    ck_assert_uint_gt(unconfirmed, 500);
    adi_report_free(report);
}
END_TEST

/* The twin: what is one of a few is confirmed, each. */
START_TEST(few_findings_are_all_confirmed)
{
    options.timeout = 20;
    options.case_name = "int32/*/export";
    struct adi_report *report = judge_hostile("leaks_everywhere", &options);
    ck_assert_uint_gt(count(report, "", ADI_FAIL, ""), 5);
    /* What LeakSanitizer says when the process ends shows only after other cases. */
    ck_assert_uint_le(count_unconfirmed(report), IS_SANITIZED);
    adi_report_free(report);
}
END_TEST

START_TEST(what_needs_another_case_is_not_charged_to_where_it_shows)
{
    options.timeout = 20;
    options.case_name = "*int*/many/export";
    struct adi_report *report = judge_hostile("after_other", &options);
    const struct adi_result *found = finding_of(report, "int32/many/export");
    ck_assert_ptr_nonnull(found);
    ck_assert(!found->confirmed); /* not alone */
    adi_report_free(report);
}
END_TEST

/* ---- the time limit of a run ---- */

START_TEST(what_was_not_played_in_time_says_so_and_the_run_is_undecided)
{
    options.device = "@(cpu|ext_dev)";
    options.case_name = "*/nulls/export";
    options.timeout = 60;
    options.time_limit = IS_SANITIZED ? 12 : 4;
    struct adi_report *report = judge_hostile("hangs_everywhere", &options);
    struct adi_error sentence;
    ck_assert(report->out_of_time);
    ck_assert_uint_gt(count(report, "cpu", ADI_SKIP, "the time limit of the run was over"), 30);
    ck_assert_uint_gt(count(report, "ext_dev:1", ADI_SKIP, "the time limit of the run was over"),
                      30);
    ck_assert_uint_eq(count(report, "", ADI_TIMEOUT, ""), 0);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_sentence(report, &sentence);
    ck_assert_ptr_nonnull(strstr(sentence.text, "time limit"));
    adi_report_free(report);
}
END_TEST

START_TEST(what_is_worse_than_out_of_time_decides)
{
    options.timeout = IS_SANITIZED ? 2 : 1;
    options.time_limit = IS_SANITIZED ? 40 : 15;
    options.case_name = "@(int8/nulls/export|int32/many/export)";
    struct adi_report *report = judge_hostile("crash", &options);
    ck_assert(!report->out_of_time);
    ck_assert_int_eq(adi_report_exit(report), 1);
    report->out_of_time = true;
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(the_profile_of_the_cpu_has_every_scenario_and_every_type)
{
    options.profile = "cpu";
    options.timeout = 20;
    struct adi_report *report = judge(NULL, &options);
    const struct adi_case *played;
    size_t cases = 0, left = 0;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        if (played->scenario->robustness || !adi_case_goes_on(played, adi_device_cpu.type))
            continue;
        bool found = row_of(report, played->name) != NULL;
        cases += found;
        left += !found;
        bool common = strcmp(played->type->name, "int32") == 0;
        bool nulls = strcmp(played->shape->name, "nulls") == 0;
        ck_assert_msg(found || !(common || nulls), "%s is left out", played->name);
    }
    ck_assert_uint_gt(left, cases);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

Suite *harness_bounded_suite(void) {
    Suite *suite = suite_create("harness_bounded");
    TCase *bounded = tcase_create("bounded");
    tcase_add_checked_fixture(bounded, set_up, NULL);
    tcase_set_timeout(bounded, 600);
    tcase_add_test(bounded, an_operation_that_hangs_is_named_once_and_not_played_on);
    tcase_add_test(bounded, what_hung_before_is_no_violation_on_a_further_device);
    tcase_add_test(bounded, a_type_that_hangs_costs_no_other_type_its_cases);
    tcase_add_test(bounded, a_hang_in_open_is_told_of_the_load);
    tcase_add_test(bounded, a_hang_in_close_is_told_once);
    tcase_add_loop_test(bounded, a_program_that_hangs_is_told_apart_once_its_role_has_ended_a_case,
                        0, 2);
    tcase_add_test(bounded, what_takes_memory_is_called_so_where_it_first_was_late);
    tcase_add_test(bounded, an_operation_that_uses_too_much_memory_is_named_once_and_not_played_on);
    tcase_add_test(bounded, what_used_too_much_memory_before_is_no_violation_on_a_further_device);
    tcase_add_test(bounded, what_uses_much_memory_and_gives_it_back_is_played_to_its_end);
    tcase_add_test(bounded, an_operation_that_always_crashes_is_not_played_on);
    tcase_add_test(bounded, one_that_crashes_in_all_but_a_few_cases_is_played_to_its_end);
    tcase_add_test(bounded, a_crash_that_needs_another_case_is_never_charged_on_sight);
    tcase_add_test(bounded, of_many_findings_with_one_cause_a_sample_is_confirmed);
    tcase_add_test(bounded, few_findings_are_all_confirmed);
    tcase_add_test(bounded, what_needs_another_case_is_not_charged_to_where_it_shows);
    tcase_add_test(bounded, what_was_not_played_in_time_says_so_and_the_run_is_undecided);
    tcase_add_test(bounded, what_is_worse_than_out_of_time_decides);
    tcase_add_test(bounded, the_profile_of_the_cpu_has_every_scenario_and_every_type);
    suite_add_tcase(suite, bounded);
    return suite;
}
