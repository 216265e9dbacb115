/* SPDX-License-Identifier: Apache-2.0
 *
 * Results that go to simulated memory, and arguments that lie there: their pages may be closed when
 * the engine touches them, and it is the program who does.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_handed_out_suite(void);

#define POLICIES 3

static void noop_kernel(const struct adi_sim_operand *operands, void *state) {
    (void)operands, (void)state;
}

static void call_nothing(const uintptr_t *data, int code) {
    (void)data, (void)code;
}

static char *beside; /* of a page whose first bytes queued work writes: the CPU may use it */

static void queue_work_beside(void) {
    SIM_WANT(adi_sim_fill(scene.r, scene.pinned, 1, 1, 64) == 0);
}

#define BESIDE(call) (queue_work_beside(), SIM_WANT((call) == 0))

static void hand_out_what_is_made(void) {
    void *out = beside;
    BESIDE(adi_sim_context_open("ext_dev", 1, out));
    SIM_WANT(adi_sim_context_close(*(adi_sim_context *)out) == 0);
    BESIDE(adi_sim_queue_create(scene.context, 0, out));
    SIM_WANT(adi_sim_queue_destroy(*(adi_sim_queue *)out) == 0);
    BESIDE(adi_sim_event_create(scene.context, out));
    SIM_WANT(adi_sim_event_destroy(*(adi_sim_event *)out) == 0);
    BESIDE(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64, out));
    SIM_WANT(adi_sim_free(*(void **)out) == 0);
    BESIDE(adi_sim_alloc_on(scene.q, 64, out));
    SIM_WANT(adi_sim_free_on(scene.q, *(void **)out) == 0);
}

static void hand_out_what_is_asked(void) {
    void *out = beside;
    BESIDE(adi_sim_event_record(scene.e, scene.q));
    BESIDE(adi_sim_event_sync(scene.e));
    BESIDE(adi_sim_memory_info(scene.context, out, out));
    BESIDE(adi_sim_memory_total(out));
    BESIDE(adi_sim_queue_info(scene.q, out, out));
    BESIDE(adi_sim_queue_ordinal(scene.q, out));
    BESIDE(adi_sim_queue_label(scene.q, out, out));
    BESIDE(adi_sim_event_label(scene.e, out, out));
    BESIDE(!adi_sim_is_live(scene.e, out));
    BESIDE(adi_sim_event_elapsed(scene.e, scene.e, out));
    BESIDE(adi_sim_find(scene.a, out));
}

static void take_what_lies_there(void) {
    struct adi_sim_operand *operands = (void *)beside;
    void *words = beside + 256;
    *operands = (struct adi_sim_operand){scene.a, 8, true};
    strcpy(beside + 512, "text");
    BESIDE(adi_sim_launch(scene.q, noop_kernel, NULL, operands, 1));
    BESIDE(adi_sim_callback(scene.q, call_nothing, words));
    BESIDE(adi_sim_remark(beside + 512, beside + 512));
    BESIDE(adi_sim_phase(beside + 512));
    queue_work_beside();
    SIM_WANT(adi_sim_set(beside + 512, beside + 512) == EBUSY);
}

static void pass_what_lies_in_pinned_memory(void) {
    sim_scene_begin();
    beside = scene.pinned + 1024;
    take_what_lies_there();
    hand_out_what_is_made();
    hand_out_what_is_asked();
    sim_scene_end();
}

START_TEST(results_may_go_beside_what_queued_work_writes)
{
    char *log = sim_play(pass_what_lies_in_pinned_memory, sim_way_at((size_t)_i), 0);
    ck_assert_msg(sim_count_errors(log) == 0, "%s", log);
    free(log);
}
END_TEST

/* What only a device may touch is reported, and the call is made all the same. */
static void hand_out_to_a_device(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_ordinal(scene.q, (void *)scene.a) == 0);
    sim_scene_end();
}

START_TEST(a_result_in_device_memory_is_a_touch)
{
    char *log = sim_play(hand_out_to_a_device, sim_way_at((size_t)_i), 0);
    ck_assert_uint_eq(sim_count(log, "device-memory-touched"), 1);
    ck_assert_uint_eq(sim_count_errors(log), 1);
    free(log);
}
END_TEST

Suite *sim_handed_out_suite(void) {
    Suite *suite = suite_create("sim_handed_out");
    TCase *tests = tcase_create("handed out");
    tcase_add_loop_test(tests, results_may_go_beside_what_queued_work_writes, 0, POLICIES);
    tcase_add_loop_test(tests, a_result_in_device_memory_is_a_touch, 0, POLICIES);
    suite_add_tcase(suite, tests);
    return suite;
}
