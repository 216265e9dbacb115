/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <string.h>

#include "case.h"
#include "run_internal.h"

Suite *harness_outcome_suite(void);

/* Two cases, which the worker was given, and a rule that follows from another. */
static const size_t given[] = {4, 9};
static struct adi_outcomes outcomes;
static struct adi_log_record record;

static void set_up(void) {
    outcomes = (struct adi_outcomes){.expected = given, .n_expected = 2, .crash_rule = -1};
}

static void tear_down(void) {
    adi_outcomes_clear(&outcomes);
}

static void take(enum adi_log_kind kind, int64_t index) {
    record = (struct adi_log_record){.kind = kind,
                                     .index = index,
                                     .party = ADI_PRODUCER,
                                     .time_ns = 1,
                                     .text = "",
                                     .message = "message",
                                     .seen = "",
                                     .wanted = ""};
    adi_outcomes_take(&outcomes, &record);
}

static int64_t index_of(const char *rule) {
    return (int64_t)adi_rule_index(adi_rule_named(rule));
}

static struct adi_outcome *played(void) {
    adi_outcome_settle(adi_outcomes_find(&outcomes, 4));
    return adi_outcomes_find(&outcomes, 4);
}

START_TEST(a_case_that_passes_has_one_row)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_PASS, 0);
    take(ADI_LOG_CASE_END, 4);
    ck_assert_uint_eq(played()->n_rows, 1);
    ck_assert_int_eq(played()->rows[0].verdict, ADI_PASS);
    ck_assert(played()->ended);
    ck_assert(!outcomes.damaged);
}
END_TEST

START_TEST(a_case_that_says_nothing_is_an_error)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_CASE_END, 4);
    ck_assert_int_eq(played()->rows[0].verdict, ADI_ERROR);
}
END_TEST

START_TEST(a_violation_that_shows_twice_is_one_row)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_VIOLATION, index_of("life/release-not-cleared"));
    take(ADI_LOG_VIOLATION, index_of("life/release-not-cleared"));
    ck_assert_uint_eq(played()->n_rows, 1);
    ck_assert_uint_eq(played()->rows[0].times, 2);
}
END_TEST

START_TEST(what_was_waited_for_is_dear_and_what_comes_next_is_not)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_WAITED, 0);
    take(ADI_LOG_VIOLATION, index_of("async/cancel-ignored"));
    take(ADI_LOG_VIOLATION, index_of("life/release-not-cleared"));
    ck_assert(played()->rows[0].at_limit);
    ck_assert(!played()->rows[1].at_limit);
}
END_TEST

static struct adi_outcome waited(const char *name) {
    struct adi_outcome made = {.index = 0};
    while (strcmp(adi_case((size_t)made.index)->name, name) != 0) made.index++;
    adi_outcome_add(&made, adi_rule_named("async/cancel-ignored"), ADI_PRODUCER, ADI_FAIL, "", NULL,
                    NULL)
        ->at_limit = true;
    return made;
}

START_TEST(what_was_waited_for_costs_its_scenario_alone_and_is_nothing_within_a_second)
{
    static const struct adi_probed cpu = {.name = "cpu:-1"};
    struct adi_run run = {.device = &cpu};
    struct adi_outcome all[] = {waited("int32/many/async"), waited("utf8/many/async"),
                                waited("int32/many/async-late")};
    adi_hung_begin_device(&run);
    ck_assert(adi_hung_suspect(&run, &all[0]));
    adi_hung_conclude(&run, &all[0]);
    ck_assert_int_eq(adi_hung_standing(&run, (size_t)all[1].index, NULL), ADI_STANDING_BRIEF);
    ck_assert_int_eq(adi_hung_standing(&run, (size_t)all[2].index, NULL), ADI_STANDING_PLAY);
    adi_hung_excuse(&run, &all[1]);
    ck_assert_int_eq(all[1].rows[0].verdict, ADI_SKIP);
    for (size_t i = 0; i < 3; i++) adi_outcome_clear(&all[i]);
    adi_hung_free(&run.hung);
}
END_TEST

/* Who waits by himself, and not until he is ended, has to know how long he may. */
START_TEST(a_worker_is_told_the_limit_of_its_task)
{
    struct adi_pool pool = {.limits = {.step_ns = 10 * ADI_BRIEF_NS}};
    const struct adi_job job = {.mode = ADI_JOB_PLAY};
    adi_pool_open(&pool, 1, 0);
    for (size_t i = 0; i < 2; i++) {
        struct adi_task *task = adi_task_new(&job, NULL, 0);
        task->step_ns = i == 0 ? 0 : ADI_BRIEF_NS;
        adi_pool_submit(&pool, task);
        ck_assert_int_eq(task->job.step_ns, i == 0 ? 10 * ADI_BRIEF_NS : ADI_BRIEF_NS);
    }
    adi_pool_close(&pool);
}
END_TEST

START_TEST(a_consequence_is_not_shown_beside_its_cause)
{
    const struct adi_rule *cause = adi_rule_named("life/children-not-released");
    const struct adi_rule *other = adi_rule_named("life/memory-leaked");
    ck_assert(adi_rule_implies(cause, other));
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_VIOLATION, (int64_t)adi_rule_index(other));
    take(ADI_LOG_VIOLATION, (int64_t)adi_rule_index(cause));
    ck_assert_uint_eq(played()->n_rows, 1);
    ck_assert_ptr_eq(played()->rows[0].rule, cause);
}
END_TEST

START_TEST(what_does_not_follow_is_shown_too)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_VIOLATION, index_of("array/reserved-not-zero"));
    take(ADI_LOG_VIOLATION, index_of("life/release-not-cleared"));
    ck_assert_uint_eq(played()->n_rows, 2);
}
END_TEST

START_TEST(a_pass_gives_way_to_a_violation_of_the_same_rule_only)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_PASS, 0);
    const struct adi_rule *rule = played()->rows[0].rule;
    ck_assert_str_ne(rule->id, "life/release-twice");
    take(ADI_LOG_VIOLATION, index_of("life/release-twice"));
    ck_assert_uint_eq(played()->n_rows, 2);
    take(ADI_LOG_VIOLATION, (int64_t)adi_rule_index(rule));
    ck_assert_uint_eq(played()->n_rows, 2);
    for (size_t i = 0; i < 2; i++) ck_assert_int_ne(played()->rows[i].verdict, ADI_PASS);
}
END_TEST

START_TEST(nothing_passes_beside_a_death)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_PASS, 0);
    adi_outcome_add(adi_outcomes_now(&outcomes), adi_rule_named("life/crash"), ADI_PRODUCER,
                    ADI_CRASH, "killed", "", "");
    ck_assert_uint_eq(played()->n_rows, 1);
    ck_assert_int_eq(played()->rows[0].verdict, ADI_CRASH);
}
END_TEST

/* What no worker of ours would say. */
static const struct {
    enum adi_log_kind kind;
    int64_t index;
} impossible[] = {
    {ADI_LOG_CASE_BEGIN, 9},     {ADI_LOG_CASE_BEGIN, 4},     {ADI_LOG_CASE_END, 9},
    {ADI_LOG_VIOLATION, -1},     {ADI_LOG_VIOLATION, 100000}, {ADI_LOG_SATISFIED, -1},
    {ADI_LOG_SATISFIED, 100000},
};

START_TEST(what_cannot_be_is_damage)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    ck_assert(!outcomes.damaged);
    take(impossible[_i].kind, impossible[_i].index);
    ck_assert(outcomes.damaged);
}
END_TEST

START_TEST(the_party_is_always_one_of_two)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    record.kind = ADI_LOG_VIOLATION;
    record.index = index_of("life/memory-leaked");
    record.party = ADI_BOTH;
    adi_outcomes_take(&outcomes, &record);
    ck_assert_int_ne(played()->rows[0].party, ADI_BOTH);
}
END_TEST

START_TEST(words_after_the_end_are_nobodys)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_PASS, 0);
    take(ADI_LOG_CASE_END, 4);
    take(ADI_LOG_END, 0);
    take(ADI_LOG_VIOLATION, 0);
    ck_assert(outcomes.finished);
    ck_assert(!outcomes.damaged);
    ck_assert_uint_eq(played()->n_rows, 1);
    ck_assert_uint_eq(adi_outcomes_now(&outcomes)->n_rows, 0);
}
END_TEST

/* As many words as there can be, each of the longest: more than a record's text would hold. */
START_TEST(a_program_comes_whole_and_takes_the_place_of_steps)
{
    struct adi_program program = {.n = ADI_PROGRAM_STEPS};
    char packed[ADI_PROGRAM_PACKED], text[ADI_OUTCOME_TEXT], words[ADI_PROGRAM_TEXT];
    for (size_t i = 0; i < program.n; i++)
        program.steps[i] = (struct adi_step){
            .operation = ADI_DO_move_child, .slot = (int)i % 4, .child = (int)i / 4 % 4, .to = 2};
    adi_program_pack(&program, packed);
    take(ADI_LOG_CASE_BEGIN, 4);
    take(ADI_LOG_STEP, 0);
    record.message = packed;
    record.kind = ADI_LOG_PROGRAM;
    adi_outcomes_take(&outcomes, &record);
    take(ADI_LOG_STEP, 0);
    ck_assert_uint_eq(played()->n_steps, 2);
    ck_assert_mem_eq(played()->program->steps, program.steps, sizeof program.steps);
    ck_assert_uint_eq(played()->program->n, program.n);
    adi_outcome_program_text(played(), text, sizeof text);
    adi_program_text(&program, words, sizeof words);
    ck_assert_uint_gt(strlen(words), ADI_LOG_TEXT);
    ck_assert_str_eq(strchr(text, ' ') + 1, words);
    ck_assert_ptr_nonnull(strstr(played()->steps[0], words));
}
END_TEST

/* A thread of the implementation may write there. */
START_TEST(any_text_is_a_program)
{
    take(ADI_LOG_PROGRAM, 0); /* of no case */
    take(ADI_LOG_CASE_BEGIN, 4);
    for (int bytes = 0x101; bytes < 0x10000; bytes += 0x101) {
        const char text[] = {(char)(bytes & 0xff), (char)(bytes >> 8), '\0'};
        record.message = text;
        record.kind = ADI_LOG_PROGRAM;
        adi_outcomes_take(&outcomes, &record);
        ck_assert_uint_eq(played()->program->n, 1);
        record.message = text + 1; /* half a word */
        adi_outcomes_take(&outcomes, &record);
        ck_assert_uint_eq(played()->program->n, 0);
    }
}
END_TEST

START_TEST(steps_are_bounded)
{
    take(ADI_LOG_CASE_BEGIN, 4);
    for (int i = 0; i < 10000; i++) take(ADI_LOG_STEP, 0);
    ck_assert_uint_eq(played()->n_steps, ADI_STEPS);
}
END_TEST

Suite *harness_outcome_suite(void) {
    Suite *suite = suite_create("harness_outcome");
    TCase *outcome = tcase_create("outcome");
    tcase_add_checked_fixture(outcome, set_up, tear_down);
    tcase_add_test(outcome, a_case_that_passes_has_one_row);
    tcase_add_test(outcome, a_case_that_says_nothing_is_an_error);
    tcase_add_test(outcome, a_violation_that_shows_twice_is_one_row);
    tcase_add_test(outcome, what_was_waited_for_is_dear_and_what_comes_next_is_not);
    tcase_add_test(outcome,
                   what_was_waited_for_costs_its_scenario_alone_and_is_nothing_within_a_second);
    tcase_add_test(outcome, a_worker_is_told_the_limit_of_its_task);
    tcase_add_test(outcome, a_consequence_is_not_shown_beside_its_cause);
    tcase_add_test(outcome, what_does_not_follow_is_shown_too);
    tcase_add_test(outcome, a_pass_gives_way_to_a_violation_of_the_same_rule_only);
    tcase_add_test(outcome, nothing_passes_beside_a_death);
    tcase_add_loop_test(outcome, what_cannot_be_is_damage, 0,
                        (int)(sizeof impossible / sizeof *impossible));
    tcase_add_test(outcome, the_party_is_always_one_of_two);
    tcase_add_test(outcome, words_after_the_end_are_nobodys);
    tcase_add_test(outcome, a_program_comes_whole_and_takes_the_place_of_steps);
    tcase_add_test(outcome, any_text_is_a_program);
    tcase_add_test(outcome, steps_are_bounded);
    suite_add_tcase(suite, outcome);
    return suite;
}
