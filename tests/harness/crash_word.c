/* SPDX-License-Identifier: Apache-2.0 */
#include "crash_word.h"

#include <check.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *harness_crash_word_suite(void);

static sigjmp_buf back;
static volatile sig_atomic_t said, n_said, handled;

static void say(int number) {
    said = number;
    n_said++;
}

static void handle(int number) {
    handled = number;
    siglongjmp(back, 1);
}

static void handle_with_info(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    handle(number);
}

static void raise_and_come_back(int number) {
    handled = 0;
    if (sigsetjmp(back, 1) == 0) raise(number);
    ck_assert_int_eq(handled, number);
}

START_TEST(the_handler_that_was_there_comes_behind_the_word)
{
    signal(SIGFPE, handle);
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    raise_and_come_back(SIGFPE);
    ck_assert_int_eq(said, SIGFPE);
    raise_and_come_back(SIGFPE);
    ck_assert_int_eq(n_said, 1);
}
END_TEST

START_TEST(so_does_one_that_wants_to_know_more)
{
    struct sigaction action = {.sa_sigaction = handle_with_info, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    raise_and_come_back(SIGILL);
    ck_assert_int_eq(said, SIGILL);
}
END_TEST

START_TEST(who_was_there_is_back_when_there_is_nothing_to_say)
{
    signal(SIGBUS, handle);
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    ck_assert_int_eq(adi_crash_word_by(NULL), 0);
    struct sigaction now;
    sigaction(SIGBUS, NULL, &now);
    ck_assert(now.sa_handler == handle);
    raise_and_come_back(SIGBUS);
    ck_assert_int_eq(n_said, 0);
}
END_TEST

START_TEST(one_that_stands_in_front_hands_it_on)
{
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    const struct sigaction before = {.sa_handler = handle}, none = {.sa_handler = SIG_DFL};
    handled = 0;
    if (sigsetjmp(back, 1) == 0) adi_crash_word_pass(&before, SIGSEGV, NULL, NULL);
    ck_assert_int_eq(handled, SIGSEGV);
    ck_assert_int_eq(said, SIGSEGV);
    ck_assert(!adi_crash_word_pass(&none, SIGSEGV, NULL, NULL));
}
END_TEST

/* Two that take each other for the one that was there before. */
static struct sigaction circle;

static void hand_back(int number) {
    handled++;
    if (!adi_crash_word_pass(&circle, number, NULL, NULL)) said = -1;
}

START_TEST(what_goes_in_a_circle_ends)
{
    circle.sa_handler = hand_back;
    hand_back(SIGSEGV);
    ck_assert_int_eq(said, -1);
    ck_assert_int_lt(handled, 10);
}
END_TEST

/* A sanitizer's handler would end it otherwise. */
START_TEST(a_process_ends_by_its_signal)
{
    signal(SIGFPE, SIG_DFL);
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    raise(SIGFPE);
}
END_TEST

START_TEST(what_is_ignored_is_ignored)
{
    signal(SIGFPE, SIG_IGN);
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    raise(SIGFPE);
    raise(SIGFPE);
}
END_TEST

static void shout(int number) {
    adi_crash_word_write((const char *const[]){"it was ", adi_crash_word_name(number), "\n", NULL});
}

START_TEST(what_is_said_is_written_as_it_is)
{
    int ends[2], before = dup(STDERR_FILENO);
    char text[32] = "";
    ck_assert_int_eq(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    shout(SIGBUS);
    shout(SIGHUP);
    dup2(before, STDERR_FILENO);
    ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "it was SIGBUS\nit was a signal\n");
    close(before), close(ends[0]), close(ends[1]);
}
END_TEST

START_TEST(what_was_forked_says_nothing)
{
    ck_assert_int_eq(adi_crash_word_by(say), 0);
    pid_t child = fork();
    if (child == 0) {
        const struct sigaction none = {.sa_handler = SIG_DFL};
        adi_crash_word_pass(&none, SIGSEGV, NULL, NULL);
        _exit(n_said);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

Suite *harness_crash_word_suite(void) {
    Suite *suite = suite_create("harness_crash_word");
    TCase *tests = tcase_create("crash_word");
    tcase_add_test(tests, the_handler_that_was_there_comes_behind_the_word);
    tcase_add_test(tests, so_does_one_that_wants_to_know_more);
    tcase_add_test(tests, who_was_there_is_back_when_there_is_nothing_to_say);
    tcase_add_test(tests, one_that_stands_in_front_hands_it_on);
    tcase_add_test(tests, what_goes_in_a_circle_ends);
    tcase_add_test_raise_signal(tests, a_process_ends_by_its_signal, SIGFPE);
    tcase_add_test(tests, what_is_ignored_is_ignored);
    tcase_add_test(tests, what_is_said_is_written_as_it_is);
    tcase_add_test(tests, what_was_forked_says_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
