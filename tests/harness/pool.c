/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workers there are at once, and for what.
 */
#include "run_pool.h"

#include <check.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "devices.h"
#include "pool_worker.h"
#include "process.h"

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

/* What `done` does. */
static void (*in_done)(struct adi_pool *pool);

static void count(void *unused, struct adi_task *task) {
    (void)unused;
    ck_assert_uint_eq(task->outcomes.n_begun, 1);
    done++;
    if (in_done != NULL) in_done(&pool);
}

static size_t find(const char *name) {
    size_t i = 0;
    while (strcmp(adi_case(i)->name, name) != 0) i++;
    return i;
}

static void open_pool(size_t jobs, size_t beside) {
    pool = (struct adi_pool){
        .limits = {10 * SECOND, 25 * SECOND, INT64_C(1) << 31}, .preload = "", .tick = look};
    most = done = 0;
    in_done = NULL;
    adi_pool_open(&pool, jobs, beside);
}

static struct adi_task *submit(const char *name) {
    const struct adi_job job = {.mode = ADI_JOB_PLAY, .type = adi_device_cpu.type, .id = -1};
    size_t index = find(name);
    struct adi_task *task = adi_task_new(&job, &index, 1);
    task->waits = adi_case_pace(adi_case(index)) == ADI_PACE_WAITS;
    task->done = count;
    adi_pool_submit(&pool, task);
    return task;
}

static void play(void) {
    struct adi_error error = {""};
    ck_assert_int_eq(adi_pool_run(&pool, &error), 0);
}

/* How many workers there are at once for these two cases. */
static size_t count_at_once(size_t jobs, size_t beside, const char *const names[2]) {
    open_pool(jobs, beside);
    for (size_t i = 0; i < 2; i++) submit(names[i]);
    play();
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

/* ---- early tasks ---- */

static const char brief[] = "int32/many/export", longer[] = "struct/many/program-export";

START_TEST(what_comes_of_an_early_task_is_kept_until_it_is_admitted)
{
    open_pool(2, 0);
    submit(longer);
    submit(brief)->early = true;
    play();
    ck_assert_uint_eq(done, 1);
    adi_pool_admit(&pool);
    play();
    ck_assert_uint_eq(done, 2);
    adi_pool_close(&pool);
}
END_TEST

START_TEST(nobody_waits_for_an_early_task)
{
    open_pool(2, 0);
    submit(brief);
    submit(longer)->early = true;
    play();
    ck_assert_uint_eq(done, 1);
    adi_pool_admit(&pool);
    play();
    ck_assert_uint_eq(done, 2);
    adi_pool_close(&pool);
}
END_TEST

static void check_that_one_waits(struct adi_pool *at) {
    ck_assert_ptr_nonnull(at->first);
}

START_TEST(an_early_task_gives_way)
{
    open_pool(1, 0);
    in_done = check_that_one_waits;
    submit(longer)->early = true;
    submit(brief);
    play();
    ck_assert_uint_eq(done, 1);
    adi_pool_close(&pool);
}
END_TEST

/* One has ended, one is under way, one waits. */
START_TEST(of_dropped_tasks_nothing_is_told)
{
    open_pool(2, 0);
    in_done = adi_pool_drop;
    submit(longer);
    submit(brief)->early = true;
    submit(longer)->early = true;
    submit(longer)->early = true;
    play();
    adi_pool_admit(&pool);
    play();
    ck_assert_uint_eq(done, 1);
    ck_assert_ptr_null(pool.first);
    adi_pool_close(&pool);
}
END_TEST

static size_t asked;

static void submit_early(void *unused) {
    (void)unused;
    if (asked++ == 0) submit(brief)->early = true;
}

START_TEST(a_pool_that_is_closed_leaves_no_early_worker)
{
    pid_t children[ADI_PROCESSES];
    open_pool(2, 0);
    submit(brief);
    submit(longer)->early = true;
    play();
    adi_pool_close(&pool);
    ck_assert_uint_eq(done, 1);
    ck_assert_uint_eq(adi_process_children(getpid(), children, ADI_PROCESSES), pool.n_before);
}
END_TEST

START_TEST(who_is_idle_asks_while_others_are_busy)
{
    asked = 0;
    open_pool(2, 0);
    pool.idles = submit_early;
    submit(longer);
    play();
    ck_assert_uint_eq(done, 1);
    ck_assert_uint_gt(asked, 0);
    adi_pool_admit(&pool);
    play();
    ck_assert_uint_eq(done, 2);
    adi_pool_close(&pool);
}
END_TEST

START_TEST(a_single_worker_does_not_ask)
{
    asked = 0;
    open_pool(1, 0);
    pool.idles = submit_early;
    submit(brief);
    play();
    ck_assert_uint_eq(asked, 0);
    adi_pool_close(&pool);
}
END_TEST

Suite *harness_pool_suite(void) {
    Suite *suite = suite_create("harness_pool");
    TCase *pools = tcase_create("pool");
    tcase_set_timeout(pools, 120);
    tcase_add_test(pools, what_waits_goes_on_beside_what_computes);
    tcase_add_test(pools, what_computes_has_the_workers_that_were_asked_for);
    tcase_add_test(pools, without_a_worker_beside_all_are_played_one_after_the_other);
    tcase_add_test(pools, what_comes_of_an_early_task_is_kept_until_it_is_admitted);
    tcase_add_test(pools, nobody_waits_for_an_early_task);
    tcase_add_test(pools, an_early_task_gives_way);
    tcase_add_test(pools, of_dropped_tasks_nothing_is_told);
    tcase_add_test(pools, a_pool_that_is_closed_leaves_no_early_worker);
    tcase_add_test(pools, who_is_idle_asks_while_others_are_busy);
    tcase_add_test(pools, a_single_worker_does_not_ask);
    suite_add_tcase(suite, pools);
    return suite;
}
