/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workers there are at once, and for what.
 */
#include "run_pool.h"

#include <check.h>
#include <string.h>

#include "case.h"
#include "devices.h"
#include "pool_worker.h"

Suite *harness_pool_suite(void);

#define SECOND INT64_C(1000000000)

static struct adi_pool pool;
static size_t most, done;

static void look(void *unused) {
    size_t busy = 0;
    (void)unused;
    for (size_t i = 0; i < pool.n_workers; i++)
        busy += pool.workers[i].state != ADI_POOL_WORKER_FREE;
    if (busy > most) most = busy;
}

static void count(void *unused, struct adi_task *task) {
    (void)unused;
    ck_assert_uint_eq(task->outcomes.n_begun, 1);
    done++;
}

static size_t find(const char *name) {
    size_t i = 0;
    while (strcmp(adi_case(i)->name, name) != 0) i++;
    return i;
}

/* How many workers there are at once for these two cases. */
static size_t count_at_once(size_t jobs, size_t beside, const char *const names[2]) {
    const struct adi_job job = {.mode = ADI_JOB_PLAY, .type = adi_device_cpu.type, .id = -1};
    struct adi_error error = {""};
    pool = (struct adi_pool){
        .limits = {10 * SECOND, 25 * SECOND, INT64_C(1) << 31}, .preload = "", .tick = look};
    most = done = 0;
    adi_pool_open(&pool, jobs, beside);
    for (size_t i = 0; i < 2; i++) {
        size_t index = find(names[i]);
        struct adi_task *task = adi_task_new(&job, &index, 1);
        task->waits = adi_case_pace(adi_case(index)) == ADI_PACE_WAITS;
        task->done = count;
        adi_pool_submit(&pool, task);
    }
    ck_assert_int_eq(adi_pool_run(&pool, &error), 0);
    adi_pool_close(&pool);
    ck_assert_uint_eq(done, 2);
    return most;
}

static const char *const waits_and_not[] = {"int32/many/async-late", "struct/many/program-export"};
static const char *const both_wait[] = {"int32/many/async-late", "int32/many/consume-async-late"};
static const char *const neither_waits[] = {"struct/many/program-export",
                                            "struct/many/program-stream"};

START_TEST(what_waits_goes_on_beside_what_computes)
{
    ck_assert_uint_eq(count_at_once(1, 1, waits_and_not), 2);
    ck_assert_uint_eq(count_at_once(1, 1, both_wait), 2);
}
END_TEST

START_TEST(what_computes_has_the_workers_that_were_asked_for)
{
    ck_assert_uint_eq(count_at_once(1, 1, neither_waits), 1);
    ck_assert_uint_eq(count_at_once(2, 1, neither_waits), 2);
}
END_TEST

START_TEST(without_a_worker_beside_all_are_played_one_after_the_other)
{
    ck_assert_uint_eq(count_at_once(1, 0, waits_and_not), 1);
    ck_assert_uint_eq(count_at_once(1, 0, both_wait), 1);
}
END_TEST

Suite *harness_pool_suite(void) {
    Suite *suite = suite_create("harness_pool");
    TCase *pools = tcase_create("pool");
    tcase_set_timeout(pools, 120);
    tcase_add_test(pools, what_waits_goes_on_beside_what_computes);
    tcase_add_test(pools, what_computes_has_the_workers_that_were_asked_for);
    tcase_add_test(pools, without_a_worker_beside_all_are_played_one_after_the_other);
    suite_add_tcase(suite, pools);
    return suite;
}
