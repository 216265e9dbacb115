/* SPDX-License-Identifier: Apache-2.0
 *
 * What the engine has for runtimes that are built on it, and programs on EXT_DEV rarely need.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/played.h"

Suite *sim_runtime_suite(void);

#define BYTES SCENE_BYTES

static const struct sim_way lazy = {"lazy", 1};
static char host[BYTES];

/* ---- what is kept with handles ---- */

static void keep_labels(void) {
    uint64_t label;
    adi_sim_context context;
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_label(scene.q, &context, &label) == 0);
    SIM_WANT(context == scene.context && label == 0);
    SIM_WANT(adi_sim_queue_set_label(scene.q, UINT64_MAX) == 0);
    SIM_WANT(adi_sim_queue_label(scene.q, NULL, &label) == 0 && label == UINT64_MAX);
    SIM_WANT(adi_sim_event_set_label(scene.e, 7) == 0);
    SIM_WANT(adi_sim_event_label(scene.e, &context, NULL) == 0 && context == scene.context);
    SIM_WANT(adi_sim_is_live(scene.e, &label) && label == 7);
    SIM_WANT(adi_sim_is_live(scene.r, &label) && label == 0);
    SIM_WANT(adi_sim_is_live(scene.context, NULL));
    SIM_WANT(!adi_sim_is_live(NULL, &label) && !adi_sim_is_live(host, &label));
    SIM_WANT(!adi_sim_is_live((char *)(void *)scene.e + 1, &label));
    sim_scene_end();
    SIM_WANT(!adi_sim_is_live(scene.e, &label));
}

START_TEST(a_label_stays_with_its_object)
{ sim_goes_well(keep_labels, 3); }
END_TEST

static void label_what_is_gone(void) {
    uint64_t label;
    sim_scene_begin();
    sim_scene_end();
    SIM_WANT(adi_sim_queue_label(scene.q, NULL, &label) == EBADF);
    SIM_WANT(adi_sim_event_set_label((adi_sim_event)(void *)scene.q, 1) == EBADF);
}

START_TEST(what_is_gone_has_none)
{
    char *log = sim_play(label_what_is_gone, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "use-after-destroy"), 1);
    ck_assert_uint_eq(sim_count(log, "bad-handle"), 1);
    free(log);
}
END_TEST

/* ---- leaks ---- */

/* Two queues and an allocation are left in a context, one of them the runtime's. */
static void leave_in_a_context(bool discard, bool own) {
    adi_sim_context context;
    adi_sim_queue queue;
    void *memory;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &context) == 0);
    SIM_WANT(adi_sim_queue_create(context, own ? ADI_SIM_OWN_QUEUE : 0, &queue) == 0);
    if (!own) SIM_WANT(adi_sim_alloc(context, ADI_SIM_DEVICE, 64, &memory) == 0);
    SIM_WANT((discard ? adi_sim_context_discard : adi_sim_context_close)(context) == 0);
    /* As a runtime does at the end of a thread that did not know of that. */
    if (own) SIM_WANT(adi_sim_queue_destroy(queue) == EBADF);
}

static void close_with_what_is_there(void) {
    leave_in_a_context(false, false);
}

static void discard_with_what_is_there(void) {
    leave_in_a_context(true, false);
}

static void close_with_an_own_queue(void) {
    leave_in_a_context(false, true);
}

static void keep_an_own_context(void) {
    adi_sim_context context;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &context) == 0);
    SIM_WANT(adi_sim_context_own(context) == 0);
}

static void expect_leaks(void (*program)(void), const char *setting, size_t n) {
    sim_play_with("ADI_SIM_LEAKS", setting);
    char *log = sim_play(program, lazy, 0);
    ck_assert_msg(sim_count(log, "leak") == n && sim_count_errors(log) == n, "%s", log);
    free(log);
}

START_TEST(what_a_runtime_has_of_its_own_is_no_leak)
{
    expect_leaks(close_with_what_is_there, "0", 2);
    expect_leaks(discard_with_what_is_there, "0", 0);
    expect_leaks(discard_with_what_is_there, "1", 2);
    expect_leaks(close_with_an_own_queue, "1", 0);
    expect_leaks(keep_an_own_context, "1", 0);
}
END_TEST

/* ---- copies and frees ---- */

static void copy_staged(void) {
    char out[BYTES];
    sim_scene_begin();
    memset(host, 5, BYTES);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, ADI_SIM_STAGED) == 0);
    memset(host, 6, BYTES);
    SIM_WANT(adi_sim_copy(scene.q, out, scene.a, BYTES, 0) == 0);
    SIM_WANT(out[0] == 5 && out[BYTES - 1] == 5);
    sim_scene_end();
}

/* What was there before it has been waited for, and it has not. */
static void rely_on_what_was_before(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.b, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, ADI_SIM_STAGED) == 0);
    SIM_WANT(adi_sim_fill(scene.r, scene.b, 2, 1, BYTES) == 0);
    sim_scene_end();
}

static void rely_on_a_staged_copy(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, ADI_SIM_STAGED) == 0);
    SIM_WANT(adi_sim_fill(scene.r, scene.a, 2, 1, BYTES) == 0);
    sim_scene_end();
}

static void copy_what_is_no_allocation(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, ADI_SIM_FROM_ALLOCATION) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, host, scene.a, BYTES, ADI_SIM_TO_ALLOCATION) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, scene.b, scene.a, BYTES,
                          ADI_SIM_TO_ALLOCATION | ADI_SIM_FROM_ALLOCATION) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, (void *)(uintptr_t)64, 8, 0) == EFAULT);
    SIM_WANT(!adi_sim_readable((void *)(uintptr_t)64, 8) && adi_sim_readable(host, BYTES));
    sim_scene_end();
}

START_TEST(a_staged_copy_has_read_and_is_not_waited_for)
{
    sim_goes_well(copy_staged, 3);
    sim_goes_well(rely_on_what_was_before, 3);
    char *log = sim_play(rely_on_a_staged_copy, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "race"), 1);
    free(log);
}
END_TEST

START_TEST(a_copy_may_insist_on_allocations)
{
    char *log = sim_play(copy_what_is_no_allocation, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 3);
    ck_assert_uint_eq(sim_count_errors(log), 3);
    free(log);
}
END_TEST

/* It waits for those who use what is freed, a queue that is no more among them. */
static void free_behind(void) {
    void *memory;
    adi_sim_queue queue;
    sim_scene_begin();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_fill(queue, memory, 3, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, queue) == 0);
    SIM_WANT(adi_sim_event_wait(scene.q, scene.e) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, memory, BYTES, 0) == 0);
    SIM_WANT(adi_sim_free_behind(memory) == 0);
    SIM_WANT(adi_sim_copy(scene.q, host, scene.a, BYTES, 0) == 0);
    SIM_WANT(host[BYTES - 1] == 3);
    SIM_WANT(adi_sim_free_behind(NULL) == 0);
    sim_scene_end();
}

/* And for no other. */
static void rely_on_a_free(void) {
    void *memory;
    sim_scene_begin();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_fill(scene.q, memory, 3, 1, BYTES) == 0);
    SIM_WANT(adi_sim_fill(scene.r, scene.managed, 3, 1, BYTES) == 0);
    SIM_WANT(adi_sim_free_behind(memory) == 0);
    SIM_WANT(adi_sim_free_behind(memory) == EFAULT);
    host[0] = *at(scene.managed, 0);
    sim_scene_end();
}

/* The only user is a queue that was destroyed, and that `random` may run dry on the way. */
static void free_behind_what_is_destroyed(void) {
    void *memory;
    adi_sim_queue queue;
    sim_scene_begin();
    for (size_t i = 0; i < 400; i++) {
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64, &memory) == 0);
        SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
        SIM_WANT(adi_sim_fill(queue, memory, 3, 1, 64) == 0);
        SIM_WANT(adi_sim_queue_destroy(queue) == 0);
        SIM_WANT(adi_sim_free_behind(memory) == 0);
    }
    sim_scene_end();
}

START_TEST(a_free_may_wait_for_those_who_use_it)
{
    sim_goes_well(free_behind_what_is_destroyed, 3);
    sim_goes_well(free_behind, 3);
    char *log = sim_play(rely_on_a_free, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "double-free"), 1);
    ck_assert_uint_eq(sim_count(log, "touched-before-wait"), 1);
    ck_assert_uint_eq(sim_count_errors(log), 2);
    free(log);
}
END_TEST

/* ---- calls ---- */

static void call_surely(void) {
    size_t total;
    SIM_WANT(adi_sim_begin_surely("aQuestion") == 0);
    SIM_WANT(adi_sim_memory_total(&total) == 0 && total == 8388608);
    SIM_WANT(adi_sim_remark("topic", "text") == 0);
    adi_sim_end();
    SIM_WANT(adi_sim_begin("aCall") == EIO);
    SIM_WANT(adi_sim_begin("aCall") == 0);
    adi_sim_end();
}

START_TEST(a_question_never_fails_by_request)
{
    sim_play_with("ADI_SIM_MEMORY", "8388608");
    sim_play_with("ADI_SIM_FAIL", "1");
    sim_expect(call_surely, "\"in\":\"aQuestion\",\"remark\":\"topic\",\"text\":\"text\"",
               "\"fault\":\"call\",\"call\":2,\"in\":\"aCall\"", NULL);
}
END_TEST

/* ---- a call that is alone ---- */

static sem_t came;
static atomic_bool has_called;

static void *call_too(void *unused) {
    size_t total;
    (void)unused;
    SIM_WANT(adi_sim_memory_total(&total) == 0);
    atomic_store(&has_called, true);
    sem_post(&came);
    return NULL;
}

static void wait_until_it_came(void *unused) {
    (void)unused;
    sem_wait(&came);
}

static bool does_come_in(pthread_t *other) {
    atomic_store(&has_called, false);
    SIM_WANT(pthread_create(other, NULL, call_too, NULL) == 0);
    usleep(50000);
    return atomic_load(&has_called);
}

/* Within another that is not, and with one within it: others come in where it waits, and neither
 * before nor behind that. */
static void call_alone(void) {
    pthread_t other, later;
    sim_scene_begin();
    sem_init(&came, 0, 0);
    SIM_WANT(adi_sim_host(scene.q, wait_until_it_came, NULL) == 0);
    uint64_t before = adi_sim_locks();
    SIM_WANT(adi_sim_begin("outer") == 0);
    SIM_WANT(adi_sim_begin_alone("alone", true) == 0);
    SIM_WANT(adi_sim_begin_alone("within", true) == 0);
    SIM_WANT(!does_come_in(&other));
    adi_sim_end();
    usleep(50000);
    SIM_WANT(!atomic_load(&has_called) && adi_sim_locks() - before == 2);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(atomic_load(&has_called));
    SIM_WANT(!does_come_in(&later));
    adi_sim_end();
    adi_sim_end();
    SIM_WANT(pthread_join(other, NULL) == 0 && pthread_join(later, NULL) == 0);
    sim_scene_end();
}

START_TEST(others_come_in_where_a_call_that_is_alone_waits)
{ sim_goes_well(call_alone, 3); }
END_TEST

Suite *sim_runtime_suite(void) {
    Suite *suite = suite_create("sim_runtime");
    TCase *tests = tcase_create("runtime");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_label_stays_with_its_object);
    tcase_add_test(tests, what_is_gone_has_none);
    tcase_add_test(tests, what_a_runtime_has_of_its_own_is_no_leak);
    tcase_add_test(tests, a_staged_copy_has_read_and_is_not_waited_for);
    tcase_add_test(tests, a_copy_may_insist_on_allocations);
    tcase_add_test(tests, a_free_may_wait_for_those_who_use_it);
    tcase_add_test(tests, a_question_never_fails_by_request);
    tcase_add_test(tests, others_come_in_where_a_call_that_is_alone_waits);
    suite_add_tcase(suite, tests);
    return suite;
}
