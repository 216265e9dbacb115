/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine around the programs: settings, faults by request, what the log says.
 */
#include <check.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_engine_suite(void);

#define BYTES SCENE_BYTES

static const struct sim_way lazy = {"lazy", 1};

/* ---- what a runtime has of its own ---- */

static void references(void) {
    adi_sim_reference own, others;
    uint64_t label = 0;
    sim_scene_begin();
    size_t before = adi_sim_live(0);
    SIM_WANT(adi_sim_reference_create(7, &own) == 0);
    SIM_WANT(adi_sim_live(0) == before + 1);
    SIM_WANT(adi_sim_reference_label(own, &label) == 0 && label == 7);
    SIM_WANT(adi_sim_reference_destroy(own) == 0);
    SIM_WANT(adi_sim_live(0) == before && adi_sim_violations() == 0);
    SIM_WANT(adi_sim_reference_label(own, &label) == EBADF);
    SIM_WANT(adi_sim_reference_destroy(own) == EBADF);
    adi_sim_party(1);
    SIM_WANT(adi_sim_reference_create(8, &others) == 0);
    adi_sim_party(0);
    SIM_WANT(adi_sim_reference_label(others, &label) == 0 && label == 8);
    SIM_WANT(adi_sim_reference_destroy(others) == EPERM);
    adi_sim_party(1);
    SIM_WANT(adi_sim_reference_destroy(others) == 0);
    adi_sim_party(0);
    SIM_WANT(adi_sim_violations() == 3);
    sim_scene_end();
}

/* Who acts for another in the midst of a call makes what is the other's. */
static void act_for_another(void) {
    adi_sim_reference others, own;
    sim_scene_begin();
    size_t before = adi_sim_live(0), of_another = adi_sim_live(1);
    SIM_WANT(adi_sim_begin("both") == 0);
    adi_sim_party(1);
    SIM_WANT(adi_sim_reference_create(7, &others) == 0);
    adi_sim_party(0);
    SIM_WANT(adi_sim_reference_create(8, &own) == 0);
    adi_sim_end();
    SIM_WANT(adi_sim_live(0) == before + 1 && adi_sim_live(1) == of_another + 1);
    SIM_WANT(adi_sim_reference_destroy(own) == 0);
    adi_sim_party(1);
    SIM_WANT(adi_sim_reference_destroy(others) == 0);
    adi_sim_party(0);
    sim_scene_end();
}

START_TEST(a_call_may_be_of_two_parties)
{ sim_goes_well(act_for_another, 1); }
END_TEST

START_TEST(a_reference_is_its_makers_and_ends_once)
{
    sim_expect(references, "\"violation\":\"use-after-destroy\"",
               "\"violation\":\"double-destroy\"",
               "reference 2 is destroyed by another than who made it");
}
END_TEST

/* Where memory is known by the pointers that allocations gave. */
static void handles(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_whole(scene.a, false) == 0 && adi_sim_violations() == 0);
    SIM_WANT(adi_sim_whole(scene.a, true) == EFAULT);
    SIM_WANT(adi_sim_whole(scene.a + 4, false) == EFAULT);
    SIM_WANT(adi_sim_whole(&scene, false) == EFAULT);
    SIM_WANT(adi_sim_whole(NULL, false) == EFAULT);
    SIM_WANT(adi_sim_violations() == 4);
    sim_scene_end();
    SIM_WANT(adi_sim_whole(scene.a, false) == EFAULT);
}

START_TEST(what_an_allocation_gave_is_a_handle_and_nothing_near_it)
{
    sim_expect(handles,
               "the handle of device allocation 1 (4096 bytes, made by adi_sim_alloc in call 6), "
               "and 4 more, is used",
               "is used, which was given up", "freed by adi_sim_free in call 16) is used");
}
END_TEST

/* ---- what is said ---- */

static void race(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_phase("con\"sume") == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 7, 1, 64) == 0);
    SIM_WANT(adi_sim_copy(scene.r, scene.b, scene.a + 32, 64, 0) == 0);
    SIM_WANT(adi_sim_violations() == 1);
    sim_scene_end();
}

START_TEST(a_race_names_both_sides_and_what_is_missing)
{
    sim_expect(
        race,
        "copy of queue 2 (adi_sim_copy, call 11) reads bytes 32 to 64 of device allocation 1 "
        "(4096 bytes, made by adi_sim_alloc in call 6), which fill of queue 1 (adi_sim_fill, "
        "call 10) writes; nothing lets queue 2 wait for queue 1 in between",
        "\"phase\":\"con?sume\"", NULL);
}
END_TEST

static void runtime(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_begin("cuMemcpyDtoH_v2") == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_begin("cuMemFree_v2") == 0);
    SIM_WANT(adi_sim_free(scene.a + 1) == EFAULT);
    adi_sim_end();
    adi_sim_end();
    SIM_WANT(adi_sim_free(NULL) == 0);
    SIM_WANT(adi_sim_free(scene.a + 1) == EFAULT);
    sim_scene_end();
}

START_TEST(calls_of_a_runtime_are_one_call_under_its_name)
{
    sim_expect(runtime, "\"level\":\"error\",\"call\":10,\"in\":\"cuMemcpyDtoH_v2\"",
               "\"level\":\"error\",\"call\":12,\"in\":\"adi_sim_free\"", NULL);
}
END_TEST

static void killed(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_free(scene.a + 1) == EFAULT);
    raise(SIGKILL);
}

START_TEST(what_happened_is_in_the_log_of_one_who_was_killed)
{
    char *log = sim_play(killed, lazy, SIGKILL);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 1);
    ck_assert_int_eq(log[strlen(log) - 1], '\n');
    free(log);
}
END_TEST

static void leave_all(void) {
    sim_scene_begin();
}

static void leave_all_and_say_so(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_leaks() == 0);
    SIM_WANT(adi_sim_leaks() == 0);
}

START_TEST(leaks_are_reported_on_request_and_once)
{
    char *log = sim_play(leave_all, lazy, 0), *asked = sim_play(leave_all_and_say_so, lazy, 0);
    sim_play_with("ADI_SIM_LEAKS", "1");
    char *set = sim_play(leave_all_and_say_so, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "leak"), 0);
    ck_assert_uint_eq(sim_count(asked, "leak"), 9); /* context, 2 queues, 2 events, 4 allocations */
    ck_assert_uint_eq(sim_count(set, "leak"), 9);
    free(log);
    free(asked);
    log = sim_play(leave_all, lazy, 0);
    ck_assert_uint_eq(sim_count(log, "leak"), 9);
    ck_assert_uint_eq(
        sim_count_text(log, "pinned allocation 3 (4096 bytes, made by adi_sim_alloc in call 8) was "
                            "never freed"),
        1);
    free(log);
    free(set);
}
END_TEST

/* ---- faults by request ---- */

static void count_failures(void) {
    adi_sim_context context;
    void *memory;
    int wanted = adi_sim_context_open("ext_dev", 0, &context);
    SIM_WANT(wanted == 0);
    SIM_WANT(adi_sim_alloc(context, ADI_SIM_DEVICE, 8, &memory) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(adi_sim_alloc(context, ADI_SIM_DEVICE, 8, &memory) == EIO);
    SIM_WANT(adi_sim_alloc(context, ADI_SIM_DEVICE, 8, &memory) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    SIM_WANT(adi_sim_context_close(context) == 0);
}

START_TEST(the_nth_call_fails)
{
    sim_play_with("ADI_SIM_FAIL", "adi_sim_alloc:2");
    sim_expect(count_failures, "{\"fault\":\"call\",\"call\":4,\"in\":\"adi_sim_alloc\"}", NULL,
               NULL);
    sim_play_with("ADI_SIM_FAIL", "");
    sim_play_with("ADI_SIM_FAIL", "3"); /* a free is not counted: it must not fail */
    sim_expect(count_failures, "{\"fault\":\"call\",\"call\":4,\"in\":\"adi_sim_alloc\"}", NULL,
               NULL);
}
END_TEST

static void fill_up(void) {
    void *memory[4];
    size_t available, total;
    sim_scene_begin();
    SIM_WANT(adi_sim_memory_info(scene.context, &available, &total) == 0);
    SIM_WANT(total == 100000 && available == 100000 - 4 * BYTES);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, available, &memory[0]) == 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 1, &memory[1]) == ENOMEM);
    SIM_WANT(adi_sim_free(memory[0]) == 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, SIZE_MAX, &memory[1]) == ENOMEM);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 0, &memory[1]) == EINVAL);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, available, &memory[0]) == 0);
    SIM_WANT(adi_sim_free(memory[0]) == 0);
    sim_scene_end();
}

START_TEST(memory_runs_out)
{
    sim_play_with("ADI_SIM_MEMORY", "100000");
    sim_expect(
        fill_up,
        "{\"fault\":\"memory\",\"call\":12,\"in\":\"adi_sim_alloc\",\"used\":100000,\"wanted\":1}",
        NULL, NULL);
}
END_TEST

static void ignore(void *unused) {
    (void)unused;
}

static void lose(void) {
    void *memory;
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 2, 1, BYTES) == 0);
    SIM_WANT(adi_sim_host(scene.r, ignore, NULL) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == EOWNERDEAD);
    SIM_WANT(adi_sim_fill(scene.r, scene.b, 2, 1, BYTES) == EOWNERDEAD);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_PINNED, 1, &memory) == EOWNERDEAD);
    SIM_WANT(adi_sim_queue_query(scene.q) == EOWNERDEAD);
    SIM_WANT(adi_sim_queue_destroy(scene.r) == 0);
    SIM_WANT(adi_sim_context_close(scene.context) == 0);
}

START_TEST(a_device_is_lost_and_stays_lost)
{
    sim_play_with("ADI_SIM_LOSE", "2");
    sim_expect(lose, "{\"fault\":\"lost\",\"call\":14,\"device\":\"ext_dev:0\",\"step\":2}", NULL,
               NULL);
}
END_TEST

static sem_t done;

static void post(void *unused) {
    (void)unused;
    sem_post(&done);
}

/* A host function is a step also if nobody demanded it. */
static void lose_behind_what_idled(void) {
    sim_scene_begin();
    sem_init(&done, 0, 0);
    SIM_WANT(adi_sim_host(scene.q, post, NULL) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 2, 1, BYTES) == 0);
    sem_wait(&done);
    SIM_WANT(adi_sim_queue_sync(scene.q) == EOWNERDEAD);
    SIM_WANT(adi_sim_context_close(scene.context) == 0);
}

START_TEST(what_runs_while_the_program_idles_is_counted)
{
    sim_play_with("ADI_SIM_LOSE", "2");
    sim_expect(lose_behind_what_idled, "\"step\":2}", "{\"idle\":true,\"queue\":1,\"seq\":1}",
               NULL);
}
END_TEST

START_TEST(settings_are_looked_at)
{
    static const struct {
        const char *name, *value;
        int code;
    } cases[] = {
        {"ADI_SIM_POLICY", "eager", 0},
        {"ADI_SIM_POLICY", "hasty", EINVAL},
        {"ADI_SIM_SEED", "12", 0},
        {"ADI_SIM_SEED", "-1", EINVAL},
        {"ADI_SIM_SEED", "", EINVAL},
        {"ADI_SIM_SEED", "1x", EINVAL},
        {"ADI_SIM_TOUCH", "stop", 0},
        {"ADI_SIM_TOUCH", "2", EINVAL},
        {"ADI_SIM_LEAKS", "1", 0},
        {"ADI_SIM_LEAKS", "yes", EINVAL},
        {"ADI_SIM_LEAKS", "0", 0},
        {"ADI_SIM_MEMORY", "65536", 0},
        {"ADI_SIM_MEMORY", "64k", EINVAL},
        {"ADI_SIM_FAIL", "cuInit:2", 0},
        {"ADI_SIM_FAIL", "cuInit:", EINVAL},
        {"ADI_SIM_LOSE", "7", 0},
        {"ADI_SIM_LOSE", "soon", EINVAL},
        {"ADI_SIM_ABACUS", "1", EINVAL},
        {"ADI_SIM_LOG", "/tmp/adisim.none/log", 0},
    };
    adi_sim_context context;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(adi_sim_set(cases[i].name, cases[i].value), cases[i].code);
    ck_assert_int_eq(adi_sim_set(NULL, "1"), EINVAL);
    ck_assert_int_eq(adi_sim_context_open("ext_dev", 0, &context), ENOENT);
    ck_assert_int_eq(adi_sim_set("ADI_SIM_LOG", ""), 0);
    ck_assert_int_eq(adi_sim_context_open("ext_dev", 0, &context), 0);
    ck_assert_int_eq(adi_sim_set("ADI_SIM_SEED", "1"), EBUSY);
    ck_assert_int_eq(adi_sim_context_open("ext_dev", 2, &context), ENODEV);
    ck_assert_int_eq(adi_sim_context_open("Ext", 0, &context), EINVAL);
}
END_TEST

Suite *sim_engine_suite(void) {
    Suite *suite = suite_create("sim_engine");
    TCase *tests = tcase_create("engine");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_call_may_be_of_two_parties);
    tcase_add_test(tests, a_reference_is_its_makers_and_ends_once);
    tcase_add_test(tests, what_an_allocation_gave_is_a_handle_and_nothing_near_it);
    tcase_add_test(tests, a_race_names_both_sides_and_what_is_missing);
    tcase_add_test(tests, calls_of_a_runtime_are_one_call_under_its_name);
    tcase_add_test(tests, what_happened_is_in_the_log_of_one_who_was_killed);
    tcase_add_test(tests, leaks_are_reported_on_request_and_once);
    tcase_add_test(tests, the_nth_call_fails);
    tcase_add_test(tests, memory_runs_out);
    tcase_add_test(tests, a_device_is_lost_and_stays_lost);
    tcase_add_test(tests, what_runs_while_the_program_idles_is_counted);
    tcase_add_test(tests, settings_are_looked_at);
    suite_add_tcase(suite, tests);
    return suite;
}
