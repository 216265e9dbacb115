/* SPDX-License-Identifier: Apache-2.0
 *
 * What hangs is told from what gets no processor.
 */
#include "watchdog.h"

#include <check.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "busy.h"
#include "log.h"

Suite *harness_watchdog_suite(void);

#define LIMIT INT64_C(1000)
#define LOOK  (LIMIT / ADI_WATCHDOG_LOOKS)

/* Looks at a worker each LOOK from 0 on; in each its threads run and wait for so long. Returns what
 * is said of it in the end, and when. */
static enum adi_lateness watch(int64_t runs, int64_t waits, bool ready, size_t processors,
                               int64_t *end) {
    struct adi_watchdog watchdog = {0};
    struct adi_process_time time = {.is_ready = ready};
    enum adi_lateness said = ADI_IN_TIME;
    int64_t now = 0;
    while (said == ADI_IN_TIME && now < 10 * LIMIT) {
        now += LOOK;
        time.ran_ns += runs;
        time.waited_ns += waits;
        said = adi_watchdog_look(&watchdog, 0, now, time, LIMIT, processors);
    }
    *end = now;
    return said;
}

START_TEST(what_hangs_is_told_from_what_starves)
{
    static const struct {
        const char *who;
        int64_t runs, waits; /* of a look */
        bool ready;
        size_t processors;
        enum adi_lateness said;
        int64_t end; /* in limits */
    } rows[] = {
        {"sleeps for ever", 0, 0, false, 1, ADI_HANGS, 1},
        {"turns in a circle", LOOK, 0, true, 1, ADI_HANGS, 1},
        {"turns, and has half a processor", LOOK / 2, LOOK / 2, true, 1, ADI_HANGS, 2},
        {"turns, and has a tenth of one", LOOK / 10, LOOK * 9 / 10, true, 1, ADI_STARVED, 5},
        {"never runs, and that is not counted yet", 0, 0, true, 1, ADI_STARVED, 5},
        {"polls now and then, on a busy machine", LOOK / 10, LOOK * 9 / 10, false, 1, ADI_STARVED,
         5},
        {"its threads wait for each other", LOOK / 10, 3 * LOOK, false, 2, ADI_STARVED, 5},
        {"four threads keep two processors busy", 2 * LOOK, 2 * LOOK, true, 2, ADI_HANGS, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t end;
        enum adi_lateness said =
            watch(rows[i].runs, rows[i].waits, rows[i].ready, rows[i].processors, &end);
        ck_assert_msg(said == rows[i].said, "%s: %d", rows[i].who, (int)said);
        ck_assert_msg(end >= rows[i].end * LIMIT && end <= rows[i].end * LIMIT + 3 * LOOK,
                      "%s: after %lld", rows[i].who, (long long)end);
    }
}
END_TEST

/* What several threads had at once is not taken from what they wait for later. */
START_TEST(what_has_worked_hard_may_starve)
{
    for (int threads = 1; threads <= 4; threads += 3) {
        struct adi_watchdog watchdog = {0};
        struct adi_process_time time = {.is_ready = true};
        enum adi_lateness said = ADI_IN_TIME;
        int64_t now = 1;
        for (; now < 4 * LIMIT / 10; now += LOOK, time.ran_ns += threads * LOOK)
            ck_assert_int_eq(adi_watchdog_look(&watchdog, 1, now, time, LIMIT, 4), ADI_IN_TIME);
        for (; said == ADI_IN_TIME && now < 10 * LIMIT; now += LOOK)
            said = adi_watchdog_look(&watchdog, 1, now, time, LIMIT, 4);
        ck_assert_msg(said == ADI_STARVED, "%d threads: %d", threads, (int)said);
    }
}
END_TEST

/* Threads beside the one that turns wait as well, each for a processor of its own: together as long
 * as it all takes. Whatever the worker waits for could have had what the busy one had. */
START_TEST(who_has_a_processor_is_not_starved)
{
    static const struct {
        const char *who;
        int64_t runs; /* the busiest thread, of a look */
        size_t busy;  /* threads that take turns at it */
        int64_t before;
        enum adi_lateness said;
        int64_t end; /* in tenths of a limit */
    } rows[] = {
        {"one thread turns in a circle", LOOK, 1, 0, ADI_HANGS, 10},
        {"it has half a processor", LOOK / 2, 1, 0, ADI_HANGS, 20},
        {"it has run before, as long as you like", LOOK / 2, 1, 100 * LIMIT, ADI_HANGS, 20},
        {"it has a tenth of one", LOOK / 10, 1, 0, ADI_STARVED, 50},
        {"it ran before, and has nothing now", 0, 1, 100 * LIMIT, ADI_STARVED, 50},
        {"eight threads share one", LOOK, 8, 0, ADI_STARVED, 50},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_watchdog watchdog = {0};
        struct adi_process_time time = {.is_ready = true, .n_threads = rows[i].busy};
        enum adi_lateness said = ADI_IN_TIME;
        int64_t now = 0;
        for (size_t k = 0; k < rows[i].busy; k++)
            time.threads[k] = (struct adi_thread_time){(pid_t)(k + 1), rows[i].before};
        for (size_t look = 0; said == ADI_IN_TIME && now < 10 * LIMIT; look++) {
            now += LOOK;
            time.ran_ns += rows[i].runs;
            time.waited_ns += 3 * LOOK;
            time.threads[look % rows[i].busy].ran_ns += rows[i].runs;
            said = adi_watchdog_look(&watchdog, 0, now, time, LIMIT, 16);
        }
        int64_t end = rows[i].end * LIMIT / 10;
        ck_assert_msg(said == rows[i].said, "%s: %d", rows[i].who, (int)said);
        ck_assert_msg(now >= end && now <= end + 3 * LOOK, "%s: after %lld", rows[i].who,
                      (long long)now);
    }
}
END_TEST

/* Of more threads than are told one by one it is not known when they began. */
START_TEST(a_thread_that_was_not_told_of_has_no_time)
{
    struct adi_watchdog watchdog = {0};
    struct adi_process_time time = {.is_ready = true, .n_threads = ADI_THREADS};
    for (size_t i = 0; i < ADI_THREADS; i++) time.threads[i].id = (pid_t)(i + 1);
    adi_watchdog_look(&watchdog, 0, LOOK, time, LIMIT, 16);
    time.threads[0] = (struct adi_thread_time){ADI_THREADS + 1, 100 * LIMIT};
    ck_assert_int_eq(adi_watchdog_look(&watchdog, 0, 2 * LOOK, time, LIMIT, 16), ADI_IN_TIME);
    time.threads[0] = (struct adi_thread_time){1, 2 * LIMIT};
    ck_assert_int_eq(adi_watchdog_look(&watchdog, 0, 3 * LOOK, time, LIMIT, 16), ADI_HANGS);
}
END_TEST

START_TEST(the_limit_begins_anew_when_it_moves_on)
{
    struct adi_watchdog watchdog = {0};
    struct adi_process_time none = {0};
    for (int64_t now = 1; now < 10 * LIMIT; now += LOOK)
        ck_assert_int_eq(adi_watchdog_look(&watchdog, now - LOOK, now, none, LIMIT, 1),
                         ADI_IN_TIME);
}
END_TEST

/* Whoever looks may be late himself: what nobody saw is nobody's time. */
START_TEST(a_late_first_look_is_nobodys_time)
{
    struct adi_watchdog watchdog = {0};
    struct adi_process_time none = {0};
    ck_assert_int_eq(adi_watchdog_look(&watchdog, 0, 8 * LIMIT, none, LIMIT, 1), ADI_IN_TIME);
    ck_assert_int_eq(adi_watchdog_look(&watchdog, 0, 8 * LIMIT + LIMIT / 2, none, LIMIT, 1),
                     ADI_IN_TIME);
    ck_assert_int_eq(adi_watchdog_look(&watchdog, 0, 9 * LIMIT + LOOK, none, LIMIT, 1), ADI_HANGS);
}
END_TEST

/* ---- what the kernel counts ---- */

START_TEST(a_process_that_shares_a_processor_waits_for_it)
{
    pid_t busy[5];
    pin_to_one_processor();
    start_busy(busy, 5);
    usleep(100000);
    struct adi_process_time before = adi_process_time(busy[0]), after;
    int64_t began = adi_now_ns(), ran, waited;
    /* What it waits is counted when it gets the processor again. */
    do {
        usleep(100000);
        after = adi_process_time(busy[0]);
        ran = after.ran_ns - before.ran_ns;
        waited = after.waited_ns - before.waited_ns;
    } while (waited < 300000000 && adi_now_ns() - began < 20000000000);
    stop_busy(busy, 5);
    ck_assert(after.is_ready);
    ck_assert_msg(ran > 0 && ran < waited && waited >= 300000000, "ran %lld, waited %lld",
                  (long long)ran, (long long)waited);
}
END_TEST

START_TEST(what_runs_below_a_process_is_counted_with_it)
{
    pid_t parent = fork(), pid = getpid();
    ck_assert_int_ge(parent, 0);
    if (parent == 0) {
        if (fork() == 0)
            while (getppid() != pid) continue;
        pause();
    }
    usleep(300000);
    pid_t child = 0;
    ck_assert_uint_eq(adi_process_children(parent, &child, 1), 1);
    struct adi_process_time both = adi_process_time(parent), one = adi_process_time(child);
    kill(child, SIGKILL);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    ck_assert_int_gt(one.ran_ns + one.waited_ns, 0);
    ck_assert_int_ge(both.ran_ns + both.waited_ns, one.ran_ns);
}
END_TEST

START_TEST(what_runs_below_this_process_is_counted_beside_it)
{
    pid_t pid = getpid(), child = fork();
    ck_assert_int_ge(child, 0);
    while (child == 0 && getppid() == pid) continue;
    if (child == 0) _exit(0);
    usleep(300000);
    struct adi_process_time both = adi_process_time_beside(), one = adi_process_time(child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    ck_assert_int_gt(both.ran_ns + both.waited_ns, 0);
    ck_assert_int_ge(one.ran_ns + one.waited_ns, both.ran_ns + both.waited_ns);
    ck_assert_uint_eq(one.n_threads, 1);
    ck_assert_int_eq(one.threads[0].id, child);
    ck_assert_int_eq(one.threads[0].ran_ns, one.ran_ns);
}
END_TEST

START_TEST(a_process_that_is_gone_had_no_time)
{
    struct adi_process_time time = adi_process_time(0x3ffffff);
    ck_assert_int_eq(time.ran_ns + time.waited_ns, 0);
}
END_TEST

Suite *harness_watchdog_suite(void) {
    Suite *suite = suite_create("harness_watchdog");
    TCase *tests = tcase_create("watchdog");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_hangs_is_told_from_what_starves);
    tcase_add_test(tests, what_has_worked_hard_may_starve);
    tcase_add_test(tests, who_has_a_processor_is_not_starved);
    tcase_add_test(tests, a_thread_that_was_not_told_of_has_no_time);
    tcase_add_test(tests, the_limit_begins_anew_when_it_moves_on);
    tcase_add_test(tests, a_late_first_look_is_nobodys_time);
    tcase_add_test(tests, a_process_that_shares_a_processor_waits_for_it);
    tcase_add_test(tests, what_runs_below_a_process_is_counted_with_it);
    tcase_add_test(tests, what_runs_below_this_process_is_counted_beside_it);
    tcase_add_test(tests, a_process_that_is_gone_had_no_time);
    suite_add_tcase(suite, tests);
    return suite;
}
