/* SPDX-License-Identifier: Apache-2.0
 *
 * Another thread is waited for: on a busy machine until it had its time.
 */
#include "grace_period.h"

#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "busy.h"
#include "turns.h"

Suite *harness_grace_period_suite(void);

#define BUSY     10
#define WORK_MS  24
#define LIMIT_MS 200
#define SHORT_MS 100

static int64_t ms_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static atomic_bool done;

static void *work(void *unused) {
    int64_t begun = ms_of(CLOCK_THREAD_CPUTIME_ID);
    while (ms_of(CLOCK_THREAD_CPUTIME_ID) - begun < WORK_MS) continue;
    atomic_store(&done, true);
    return unused;
}

/* An eighth of its time is enough for it, but it has to share the processor. */
START_TEST(who_gets_no_processor_is_waited_for)
{
    pid_t busy[BUSY];
    pthread_t thread;
    struct adi_grace_period grace = adi_grace_period(LIMIT_MS);
    pin_to_one_processor();
    start_busy(busy, BUSY);
    int64_t begun = ms_of(CLOCK_MONOTONIC);
    ck_assert_int_eq(pthread_create(&thread, NULL, work, NULL), 0);
    while (!atomic_load(&done) && adi_grace_period_sleep(&grace)) continue;
    bool came = atomic_load(&done);
    int64_t took = ms_of(CLOCK_MONOTONIC) - begun;
    stop_busy(busy, BUSY);
    pthread_join(thread, NULL);
    ck_assert_msg(took > LIMIT_MS, "it took %lld ms: nobody was in its way", (long long)took);
    bool had_all = took >= ADI_STARVED_LIMITS * LIMIT_MS;
    ck_assert_msg(came || had_all, "given up after %lld ms", (long long)took);
    ck_assert_int_eq(grace.is_starved, !came);
}
END_TEST

static struct adi_turns turns;

static void *work_and_join(void *unused) {
    work(unused);
    adi_turns_join(&turns);
    adi_turns_leave(&turns);
    return NULL;
}

/* The same of who takes part in a schedule. */
START_TEST(a_schedule_waits_for_who_gets_no_processor)
{
    static const struct adi_turns_plan plan = {.points = 0};
    pid_t busy[BUSY];
    pthread_t thread;
    pin_to_one_processor();
    start_busy(busy, BUSY);
    int64_t begun = ms_of(CLOCK_MONOTONIC);
    adi_turns_begin(&turns, &plan);
    ck_assert_int_eq(pthread_create(&thread, NULL, work_and_join, NULL), 0);
    bool are_there = adi_turns_await(&turns, 2, SHORT_MS);
    int64_t took = ms_of(CLOCK_MONOTONIC) - begun;
    stop_busy(busy, BUSY);
    adi_turns_end(&turns);
    pthread_join(thread, NULL);
    ck_assert_msg(took > SHORT_MS, "it took %lld ms: nobody was in its way", (long long)took);
    ck_assert(are_there || took >= ADI_STARVED_LIMITS * SHORT_MS);
}
END_TEST

START_TEST(a_schedule_does_not_wait_for_nobody)
{
    static const struct adi_turns_plan plan = {.points = 0};
    adi_turns_begin(&turns, &plan);
    int64_t begun = ms_of(CLOCK_MONOTONIC);
    ck_assert(!adi_turns_await(&turns, 2, 0));
    ck_assert_int_lt(ms_of(CLOCK_MONOTONIC) - begun, SHORT_MS);
    ck_assert(!adi_turns_await(&turns, 2, SHORT_MS));
    ck_assert_int_ge(ms_of(CLOCK_MONOTONIC) - begun, SHORT_MS);
    adi_turns_end(&turns);
}
END_TEST

/* It wants so much that it cannot have had it. */
static atomic_bool enough;

static void *work_for_ever(void *unused) {
    while (!atomic_load(&enough)) continue;
    return unused;
}

START_TEST(who_had_a_twentieth_of_its_time_is_starved)
{
    pid_t busy[2 * BUSY];
    pthread_t thread;
    struct adi_grace_period grace = adi_grace_period(LIMIT_MS);
    pin_to_one_processor();
    start_busy(busy, 2 * BUSY);
    ck_assert_int_eq(pthread_create(&thread, NULL, work_for_ever, NULL), 0);
    while (adi_grace_period_sleep(&grace)) continue;
    bool is_starved = grace.is_starved;
    stop_busy(busy, 2 * BUSY);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
    ck_assert(is_starved);
}
END_TEST

/* A look reads much; most waits are over before it could say anything. */
START_TEST(the_first_look_comes_when_it_can_say_something)
{
    const int64_t due_ms = LIMIT_MS / ADI_WATCHDOG_LOOKS;
    struct adi_grace_period grace = adi_grace_period(LIMIT_MS);
    int64_t begun = ms_of(CLOCK_MONOTONIC);
    ck_assert(adi_grace_period_sleep(&grace));
    bool has_looked = grace.watchdog.since_ns != 0,
         is_due = ms_of(CLOCK_MONOTONIC) - begun >= due_ms - 2;
    ck_assert(is_due || !has_looked);
    while (ms_of(CLOCK_MONOTONIC) - begun <= due_ms) adi_grace_period_sleep(&grace);
    ck_assert_int_ne(grace.watchdog.since_ns, 0);
    struct adi_grace_period brief = adi_grace_period(SHORT_MS / 25);
    adi_grace_period_sleep(&brief); /* it may be over by then */
    ck_assert_int_ne(brief.watchdog.since_ns, 0);
}
END_TEST

static sem_t never;

static void *wait_for_ever(void *unused) {
    sem_wait(&never);
    return unused;
}

/* The twin: the machine may be busy, but it does not ask for a processor. */
START_TEST(who_sleeps_is_not_waited_for_any_longer)
{
    pid_t busy[BUSY];
    pthread_t thread;
    struct adi_grace_period grace = adi_grace_period(LIMIT_MS);
    sem_init(&never, 0, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_ever, NULL), 0);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* it has come to that */
    start_busy(busy, BUSY);
    int64_t begun = ms_of(CLOCK_MONOTONIC);
    while (adi_grace_period_sleep(&grace)) continue;
    int64_t took = ms_of(CLOCK_MONOTONIC) - begun;
    stop_busy(busy, BUSY);
    sem_post(&never);
    pthread_join(thread, NULL);
    ck_assert_int_ge(took, LIMIT_MS - 1);
    ck_assert(!grace.is_starved);
    ck_assert_msg(took < 2 * LIMIT_MS, "%lld ms", (long long)took);
}
END_TEST

Suite *harness_grace_period_suite(void) {
    Suite *suite = suite_create("harness_grace_period");
    TCase *grace = tcase_create("grace period");
    tcase_set_timeout(grace, 60);
    tcase_add_test(grace, who_gets_no_processor_is_waited_for);
    tcase_add_test(grace, a_schedule_waits_for_who_gets_no_processor);
    tcase_add_test(grace, a_schedule_does_not_wait_for_nobody);
    tcase_add_test(grace, who_had_a_twentieth_of_its_time_is_starved);
    tcase_add_test(grace, the_first_look_comes_when_it_can_say_something);
    tcase_add_test(grace, who_sleeps_is_not_waited_for_any_longer);
    suite_add_tcase(suite, grace);
    return suite;
}
