/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as opaque commands: each program that leaves one out of order with something else has a
 * twin that does not; and what needs no order is not blamed.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_launches_suite(void);

#define BYTES SCENE_BYTES

static volatile char sink;

static void launch(adi_sim_queue queue, void *one, void *other) {
    void *const pointers[] = {one, other};
    SIM_WANT(adi_sim_opaque(queue, pointers, 2) == 0);
}

static void order(void) {
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
}

static void before_a_read(bool wrong) {
    launch(scene.q, scene.a, NULL);
    if (!wrong) order();
    SIM_WANT(adi_sim_copy(scene.r, scene.pinned, scene.a + 8, 8, 0) == 0);
}

static void before_a_write(bool wrong) {
    launch(scene.q, scene.a + 100, scene.b);
    if (!wrong) order();
    SIM_WANT(adi_sim_fill(scene.r, scene.b, 1, 1, 8) == 0);
}

static void behind_a_write(bool wrong) {
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, 8) == 0);
    if (!wrong) order();
    launch(scene.r, scene.a, NULL);
}

static void behind_a_read(bool wrong) {
    SIM_WANT(adi_sim_copy(scene.q, scene.b, scene.a, BYTES, 0) == 0);
    if (!wrong) order();
    launch(scene.r, scene.a, NULL);
}

/* That one more comes behind the same queue's copy does not make the copy known to others. */
static void behind_a_read_and_a_launch(bool wrong) {
    SIM_WANT(adi_sim_copy(scene.q, scene.b, scene.a, BYTES, 0) == 0);
    launch(scene.q, scene.a, NULL);
    if (!wrong) order();
    launch(scene.r, scene.a, NULL);
}

static void before_a_launch_and_a_read(bool wrong) {
    launch(scene.q, scene.a, NULL);
    SIM_WANT(adi_sim_copy(scene.q, scene.b, scene.a, BYTES, 0) == 0);
    if (!wrong) order();
    SIM_WANT(adi_sim_copy(scene.r, scene.pinned, scene.a, BYTES, 0) == 0);
}

static void before_a_free(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    launch(scene.q, memory, NULL);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
}

static void before_a_free_on_a_queue(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    launch(scene.q, memory, NULL);
    SIM_WANT(adi_sim_free_on(wrong ? scene.r : scene.q, memory) == 0);
}

static void behind_a_free(bool wrong) {
    void *memory;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, BYTES, &memory) == 0);
    SIM_WANT(adi_sim_free(memory) == 0);
    launch(scene.q, wrong ? memory : scene.a, NULL);
}

static void before_the_cpu_reads(bool wrong) {
    launch(scene.q, scene.managed, NULL);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    sink = *at(scene.managed, BYTES - 1);
}

static void before_the_cpu_writes(bool wrong) {
    launch(scene.q, scene.pinned, NULL);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    *at(scene.pinned, 0) = 1;
}

static const struct sim_pair pairs[] = {
    {before_a_read, "launch-unordered"},
    {before_a_write, "launch-unordered"},
    {behind_a_write, "launch-unordered"},
    {behind_a_read, "launch-unordered"},
    {behind_a_read_and_a_launch, "launch-unordered"},
    {before_a_launch_and_a_read, "launch-unordered"},
    {before_a_free, "launch-unordered"},
    {before_a_free_on_a_queue, "launch-unordered"},
    {behind_a_free, "launch-unordered"},
    {before_the_cpu_reads, "launch-unordered"},
    {before_the_cpu_writes, "launch-unordered"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], sim_scene_begin, sim_scene_end, 1); }
END_TEST

/* Each other, what lies beside, and what is no pointer to an allocation. */
static void need_no_order(void) {
    sim_scene_begin();
    launch(scene.q, scene.a, scene.pinned);
    launch(scene.r, scene.pinned, scene.a);
    SIM_WANT(adi_sim_fill(scene.q, scene.b, 1, 1, BYTES) == 0);
    launch(scene.r, scene.b + BYTES, (void *)5);
    SIM_WANT(adi_sim_opaque(scene.r, NULL, 0) == 0);
    sim_scene_end();
}

START_TEST(launches_need_no_order_with_each_other)
{ sim_goes_well(need_no_order, sim_ways()); }
END_TEST

static struct adi_sim_report told;

static void keep_report(void *unused, const struct adi_sim_report *report) {
    (void)unused;
    told = *report;
}

/* Whether a kernel writes what another has made nobody knows. That the memory was freed is said
 * with who had made it, and whether the CPU may touch its like. */
static void launch_with_anothers(void) {
    static const enum adi_sim_memory kinds[] = {ADI_SIM_DEVICE, ADI_SIM_PINNED};
    sim_scene_begin();
    SIM_WANT(adi_sim_listen(keep_report, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        void *memory;
        adi_sim_party(1);
        SIM_WANT(adi_sim_alloc(scene.context, kinds[i], BYTES, &memory) == 0);
        adi_sim_party(0);
        launch(scene.q, memory, NULL);
        SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
        SIM_WANT(told.violation == NULL);
        adi_sim_party(1);
        SIM_WANT(adi_sim_free(memory) == 0);
        adi_sim_party(0);
        launch(scene.q, memory, NULL);
        SIM_WANT(told.violation != NULL && strcmp(told.violation, "launch-unordered") == 0);
        SIM_WANT(told.party == 0 && told.other == 1 && told.is_open == (i == 1));
        told.violation = NULL;
    }
    sim_scene_end();
}

START_TEST(what_another_has_made_may_be_given_as_long_as_it_is_there)
{ sim_is_named(launch_with_anothers, "launch-unordered", 2); }
END_TEST

/* It computes nothing, and is in its queue until something waits for it. */
static void compute_nothing(void) {
    sim_scene_begin();
    SIM_WANT(!adi_sim_kernels_are_opaque());
    SIM_WANT(adi_sim_fill(scene.q, scene.managed, 7, 1, BYTES) == 0);
    launch(scene.q, scene.managed, NULL);
    SIM_WANT(adi_sim_free_behind(NULL) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(*at(scene.managed, 9) == 7);
    sim_scene_end();
}

START_TEST(a_launch_computes_nothing)
{ sim_goes_well(compute_nothing, sim_ways()); }
END_TEST

static void begin_alone(void) {
    SIM_WANT(adi_sim_kernels_are_opaque());
    sim_scene_begin();
    launch(scene.q, scene.a, NULL);
    sim_scene_end();
}

START_TEST(the_log_says_that_kernels_are_opaque)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_expect(begin_alone, "\"policy\":\"lazy\",\"seed\":1,\"kernels\":\"opaque\"",
               "\"access\":\"launch\",\"may_use\":\"allocation 1\",\"byte\":0,\"bytes\":4096",
               NULL);
}
END_TEST

Suite *sim_launches_suite(void) {
    Suite *suite = suite_create("sim_launches");
    TCase *tests = tcase_create("launches");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, launches_need_no_order_with_each_other);
    tcase_add_test(tests, what_another_has_made_may_be_given_as_long_as_it_is_there);
    tcase_add_test(tests, a_launch_computes_nothing);
    tcase_add_test(tests, the_log_says_that_kernels_are_opaque);
    suite_add_tcase(suite, tests);
    return suite;
}
