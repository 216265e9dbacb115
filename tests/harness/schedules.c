/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedules of asynchronous streams: the same text is the same run, all of them are walked, each
 * once, and all programs are what their page says.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "async_program.h"
#include "feed_program.h"
#include "shell.h"
#include "slow.h"

Suite *harness_schedules_suite(void);

#define WORDS       10
#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))

/* ---- one schedule ---- */

static char order[64];

static void note(struct adi_turns *turns, char letter) {
    adi_turns_point(turns, false);
    size_t at = strlen(order);
    order[at] = letter;
    order[at + 1] = '\0';
}

static void *play_second(void *turns) {
    adi_turns_join(turns);
    for (int i = 0; i < 3; i++) note(turns, 'b');
    adi_turns_leave(turns);
    return NULL;
}

/* Whoever is at its end only waits. */
static const struct adi_turns *play_two(const struct adi_turns_plan *plan) {
    static struct adi_turns turns;
    pthread_t second;
    order[0] = '\0';
    adi_turns_begin(&turns, plan);
    ck_assert_int_eq(pthread_create(&second, NULL, play_second, &turns), 0);
    ck_assert(adi_turns_await(&turns, 2, 10000));
    for (int i = 0; i < 3; i++) note(&turns, 'a');
    while (!adi_turns_are_let(&turns) && strlen(order) < 6) adi_turns_point(&turns, true);
    adi_turns_let(&turns);
    pthread_join(second, NULL);
    adi_turns_end(&turns);
    return &turns;
}

static const char *play_turns(const struct adi_turns_plan *plan) {
    play_two(plan);
    return order;
}

START_TEST(the_same_schedule_is_the_same_run)
{
    const struct adi_turns_plan none = {{{0, 0}}, 0, 0}, once = {{{2, 1}, {0, 0}}, 0, 0},
                                twice = {{{2, 1}, {4, 0}}, 0, 0};
    for (int i = 0; i < 20; i++) {
        char first[64];
        const struct adi_turns_plan drawn = {{{0, 0}}, (uint64_t)i + 1, 6};
        ck_assert_str_eq(play_turns(&none), "aaabbb");
        ck_assert_str_eq(play_turns(&once), "abbbaa");
        ck_assert_str_eq(play_turns(&twice), "abaabb");
        strcpy(first, play_turns(&drawn));
        ck_assert_str_eq(play_turns(&drawn), first);
    }
}
END_TEST

static const struct adi_turns *play_noted(void *seen, const struct adi_turns_plan *plan) {
    char(*orders)[8] = seen;
    const struct adi_turns *turns = play_two(plan);
    size_t i = 0;
    while (orders[i][0] != '\0' && strcmp(orders[i], order) != 0) i++;
    strcpy(orders[i], order);
    return turns;
}

/* Of an earlier schedule the point may have had a choice. */
START_TEST(where_nobody_can_go_on_there_is_no_choice)
{
    static struct adi_turns turns;
    const struct adi_turns_plan none = {{{0, 0}}, 0, 0};
    turns.noted[0] = (struct adi_turns_point){0, 0, 3};
    adi_turns_begin(&turns, &none);
    adi_turns_point(&turns, true);
    ck_assert(adi_turns_are_let(&turns));
    ck_assert_int_eq(turns.points, 1);
    ck_assert_uint_eq(turns.noted[0].could, 0);
    adi_turns_end(&turns);
}
END_TEST

/* How often who writes changes, behind the first letter. */
static int count_changes(const char *written) {
    int n = 0;
    for (const char *at = written + 1; *at != '\0'; at++) n += at[0] != at[-1];
    return n;
}

/* Of the twenty words of three a and three b, those that two turns make: each turn changes who
 * writes once, and so does the end of a thread. */
START_TEST(all_schedules_are_walked)
{
    static char orders[64][8];
    size_t n = 0, preempted[3] = {1, 0, 0};
    memset(orders, 0, sizeof orders);
    for (int most = 0; most <= ADI_TURNS_MOST; most++) {
        size_t played = adi_turns_explore(play_noted, orders, most);
        for (n = 0; orders[n][0] != '\0'; n++) continue;
        preempted[most] = n;
        ck_assert_uint_ge(played, n);
    }
    ck_assert_uint_eq(preempted[0], 1); /* aaabbb */
    ck_assert_uint_eq(preempted[1], 4); /* and bbbaaa, abbbaa, aabbba */
    for (size_t i = 0; i < n; i++) ck_assert_int_le(count_changes(orders[i]), 3);
    ck_assert_uint_eq(n, WORDS);
}
END_TEST

static const struct adi_turns *play_none(void *times, const struct adi_turns_plan *plan) {
    (void)plan;
    ++*(int *)times;
    return NULL;
}

START_TEST(who_has_seen_enough_is_not_asked_again)
{
    int times = 0;
    ck_assert_uint_eq(adi_turns_explore(play_none, &times, ADI_TURNS_MOST), 0);
    ck_assert_int_eq(times, 1);
}
END_TEST

/* ---- programs ---- */

START_TEST(a_program_is_what_is_written_of_it)
{
    static const char *const good[] = {"r|", "|c", "rx|c 5>2", "rx|c 5>2 9>1", "rrr|xxx ~17"};
    static const char *const bad[] = {
        "",       "r",      "|",     "q|",       "rrrr|rrr",      "r| 5",
        "r| 5>9", "r| 0>1", "r| ~0", "r| 1>1 x", "r| 1>1 2>1 3>1"};
    struct adi_async_program program;
    char text[ADI_ASYNC_PROGRAM];
    for (int i = 0; i < COUNT(good); i++) {
        ck_assert_msg(adi_async_program_read(good[i], &program) == 0, "%s", good[i]);
        ck_assert_str_eq(adi_async_program_write(&program, text), good[i]);
    }
    for (int i = 0; i < COUNT(bad); i++)
        ck_assert_msg(adi_async_program_read(bad[i], &program) == EINVAL, "%s", bad[i]);
    for (size_t i = 0; adi_async_program_at(i) != NULL; i++)
        ck_assert_msg(adi_async_program_read(adi_async_program_at(i), &program) == 0, "%s",
                      adi_async_program_at(i));
}
END_TEST

static bool is_sampled(const struct adi_async_program *program, const char *sampled) {
    char text[ADI_ASYNC_PROGRAM], other[ADI_ASYNC_PROGRAM];
    snprintf(text, sizeof text, "%s|%s", program->first, program->second);
    snprintf(other, sizeof other, "%s|%s", program->second, program->first);
    return strcmp(text, sampled) == 0 || strcmp(other, sampled) == 0;
}

/* Those of the sample are among them, with their threads as they are or the other way round, each
 * of them is read as it was written, and none comes twice. */
START_TEST(all_programs_are_walked)
{
    struct adi_async_program program = {.first = ""}, read;
    char text[ADI_ASYNC_PROGRAM], before[ADI_ASYNC_PROGRAM] = "";
    size_t n[ADI_ASYNC_OPERATIONS + 1] = {0}, sampled = 0, sample = 0;
    while (adi_async_program_next(&program)) {
        size_t letters = strlen(program.first) + strlen(program.second);
        adi_async_program_write(&program, text);
        ck_assert_str_ne(text, before);
        strcpy(before, text);
        ck_assert_int_eq(adi_async_program_read(text, &read), 0);
        ck_assert_int_eq(read.plan.points, program.plan.points);
        ck_assert_str_eq(read.first, program.first);
        n[letters]++;
        for (size_t i = 0; adi_async_program_at(i) != NULL; i++)
            sampled += is_sampled(&program, adi_async_program_at(i));
    }
    while (adi_async_program_at(sample) != NULL) sample++;
    ck_assert_uint_eq(sampled, sample);
    static const size_t wanted[] = {0, 3, 17, 62, 192, 406, 566};
    for (int i = 0; i < COUNT(wanted); i++) ck_assert_uint_eq(n[i], wanted[i]);
}
END_TEST

START_TEST(a_producers_program_is_what_is_written_of_it)
{
    static const char *const bad[] = {"",     "1",        "sel",   "1se",    "2sel",   "1setl",
                                      "1stl", "1sttttel", "4stel", "1sTTfl", "1sel 1", "1sel ~0"};
    struct adi_feed_program program;
    char text[ADI_FEED_PROGRAM];
    size_t n = 0;
    for (; adi_feed_program_at(n) != NULL; n++) {
        const char *one = adi_feed_program_at(n);
        ck_assert_int_eq(adi_feed_program_read(one, &program), 0);
        ck_assert_str_eq(adi_feed_program_write(&program, text), one);
        ck_assert_uint_eq(program.batches, strlen(one) - 3 - !program.fails_first);
        for (size_t i = 0; i < n; i++) ck_assert_str_ne(one, adi_feed_program_at(i));
    }
    ck_assert_uint_eq(n, 29);
    for (int i = 0; i < COUNT(bad); i++)
        ck_assert_msg(adi_feed_program_read(bad[i], &program) == EINVAL, "%s", bad[i]);
    ck_assert_int_eq(adi_feed_program_read("2stTfl 5>1 9>0", &program), 0);
    ck_assert_uint_eq(program.fails_at, 2);
    ck_assert_str_eq(adi_feed_program_write(&program, text), "2stTfl 5>1 9>0");
}
END_TEST

/* ---- by the command ---- */

START_TEST(a_replay_line_has_the_schedule)
{
    expect("$A run $B/tests/mutants/async_requests_overwrite.so --device cpu:-1 "
           "--case struct/many/async-scheduled",
           1, "async/request-ignored|--schedule 'r");
}
END_TEST

START_TEST(a_consumer_goes_when_it_is_its_turn)
{
    expect("$A run $B/tests/mutants/async_consumer_takes_both.so --device cpu:-1 "
           "--case struct/many/consume-async-scheduled",
           1, "async/extracted-twice|--schedule '1");
    expect("$A run $B/tests/mutants/async_consumer_takes_both.so --device cpu:-1 "
           "--case struct/many/consume-async-scheduled --schedule 1stel",
           0, "conformant");
    expect("$A run $B/tests/mutants/odd_async_consumer_on_its_own.so --device cpu:-1 "
           "--case struct/many/consume-async-scheduled",
           0, "conformant");
}
END_TEST

/* What was not tried has not passed, though nothing is wrong with it. */
START_TEST(a_producer_whose_threads_block_elsewhere_has_not_passed)
{
    expect("$A run $B/tests/mutants/odd_async_blocks_elsewhere.so --device cpu:-1 "
           "--case struct/many/async-scheduled",
           0, "skip|threads block elsewhere than at points of the schedule|conformant");
}
END_TEST

/* Alone, as a replay line plays it, a case has no further import. */
START_TEST(a_consumer_that_gives_up_late_is_judged_in_one_case_alone)
{
    expect("$A run $B/tests/mutants/odd_async_consumer_gives_up_late.so --device cpu:-1 "
           "--case struct/many/consume-async-scheduled",
           0, "conformant");
    ck_assert_ptr_null(strstr(said, "skip"));
}
END_TEST

START_TEST(what_is_no_schedule_is_said_to_be_none)
{
    expect("$A run --device cpu:-1 --case struct/many/async-scheduled --schedule 'all 3/2'", 2,
           "skip|neither `all` nor a program");
}
END_TEST

Suite *harness_schedules_suite(void) {
    Suite *suite = suite_create("harness_schedules");
    TCase *walks = tcase_create("walks"), *command = tcase_create("command");
    tcase_add_test(walks, the_same_schedule_is_the_same_run);
    tcase_add_test(walks, all_schedules_are_walked);
    tcase_add_test(walks, where_nobody_can_go_on_there_is_no_choice);
    tcase_add_test(walks, who_has_seen_enough_is_not_asked_again);
    tcase_add_test(walks, a_program_is_what_is_written_of_it);
    tcase_add_test(walks, all_programs_are_walked);
    tcase_add_test(walks, a_producers_program_is_what_is_written_of_it);
    suite_add_tcase(suite, walks);
    if (IS_THREAD_SANITIZED) return suite; /* there are no adapters then */
    tcase_add_checked_fixture(command, shell_open, shell_close);
    tcase_set_timeout(command, 120);
    tcase_add_test(command, a_replay_line_has_the_schedule);
    tcase_add_test(command, a_consumer_goes_when_it_is_its_turn);
    tcase_add_test(command, a_producer_whose_threads_block_elsewhere_has_not_passed);
    tcase_add_test(command, a_consumer_that_gives_up_late_is_judged_in_one_case_alone);
    tcase_add_test(command, what_is_no_schedule_is_said_to_be_none);
    suite_add_tcase(suite, command);
    return suite;
}
