/* SPDX-License-Identifier: Apache-2.0
 *
 * What is held longer and longer is lost; what was taken once, or comes back late, is not.
 */
#include "weigh.h"

#include <check.h>

#include "beside.h"
#include "busy.h"
#include "devices.h"

Suite *harness_weigh_suite(void);

#define BUSY  20
#define TIMES 32

/* What is held after so many times: the last number stays. */
static const int64_t *held;
static int n_held, played;

static int64_t bytes_allocated(struct adi_adapter *adapter) {
    (void)adapter;
    return held[played < n_held ? played : n_held - 1];
}

static struct adi_adapter adapter = {.size = sizeof adapter, .bytes_allocated = bytes_allocated};

static void again(void *unused) {
    (void)unused;
    played++;
}

static struct adi_weight weigh(const int64_t *numbers, int n) {
    struct adi_device cpu;
    held = numbers;
    n_held = n;
    played = 0;
    ck_assert_int_eq(adi_device_cpu.open(-1, &cpu, NULL), 0);
    struct adi_weight before = adi_weigh(&adapter);
    again(NULL);
    struct adi_weight lost = adi_weigh_loss(&adapter, &cpu, before, &(int){0}, again, NULL);
    adi_device_cpu.close(&cpu);
    return lost;
}

/* ---- a thread that may give something back ---- */

/* Each time is dear where devices and threads may be late: a cache costs three, and not eight. */
START_TEST(what_was_taken_once_is_known_by_two_more_times)
{
    static const int64_t cache[] = {0, 4224};
    begin_thread(sleep_on);
    struct adi_weight lost = weigh(cache, 2);
    end_thread();
    ck_assert_int_eq(lost.own, 0);
    ck_assert_int_eq(played, 3);
}
END_TEST

/* The twins. A cache that gives back as it is lost from shows once what is lost. */
START_TEST(what_grows_each_time_is_lost)
{
    static const struct {
        int64_t held[TIMES], lost;
    } rows[] = {{{0, 1}, 1}, {{0, 4224}, 1}, {{0, 4224, 4224}, 1}, {{0, 9, 8}, 1}, {{0, 3}, 3}};
    int64_t numbers[TIMES];
    begin_thread(sleep_on);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (int i = 0; i < TIMES; i++)
            numbers[i] = i > 0 && rows[row].held[i] == 0 ? numbers[i - 1] + rows[row].lost
                                                         : rows[row].held[i];
        struct adi_weight lost = weigh(numbers, TIMES);
        ck_assert_msg(lost.own == rows[row].lost, "row %zu: %lld", row, (long long)lost.own);
        ck_assert(!lost.is_starved);
    }
    end_thread();
}
END_TEST

static struct adi_weight weigh_on_busy_machine(void *(*run)(void *)) {
    static int64_t numbers[TIMES];
    pid_t busy[BUSY];
    for (int i = 0; i < TIMES; i++) numbers[i] = 10 * i;
    pin_to_one_processor();
    begin_thread(run);
    start_busy(busy, BUSY);
    struct adi_weight lost = weigh(numbers, TIMES);
    stop_busy(busy, BUSY);
    end_thread();
    return lost;
}

/* It may be about to give it back, if it only came to it. */
START_TEST(what_a_starved_thread_may_give_back_is_not_lost)
{
    struct adi_weight lost = weigh_on_busy_machine(work_on);
    ck_assert(lost.is_starved);
    ck_assert_int_eq(lost.own, 0);
}
END_TEST

/* The twin: it does not ask for a processor. */
START_TEST(what_a_sleeping_thread_keeps_is_lost_on_a_busy_machine_too)
{
    struct adi_weight lost = weigh_on_busy_machine(sleep_on);
    ck_assert(!lost.is_starved);
    ck_assert_int_eq(lost.own, 10);
}
END_TEST

Suite *harness_weigh_suite(void) {
    Suite *suite = suite_create("harness_weigh");
    TCase *weighed = tcase_create("weigh");
    tcase_set_timeout(weighed, 120);
    tcase_add_test(weighed, what_was_taken_once_is_known_by_two_more_times);
    tcase_add_test(weighed, what_grows_each_time_is_lost);
    tcase_add_test(weighed, what_a_starved_thread_may_give_back_is_not_lost);
    tcase_add_test(weighed, what_a_sleeping_thread_keeps_is_lost_on_a_busy_machine_too);
    suite_add_tcase(suite, weighed);
    return suite;
}
