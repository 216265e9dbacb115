/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues that end while others are ordered with them: what is known of their work is the same under
 * every policy, whether that has run or not. Each correct program has a wrong twin.
 */
#include <check.h>
#include <stdlib.h>

#include "sim/played.h"

Suite *sim_orders_suite(void);

#define BYTES SCENE_BYTES

static volatile char sink;
static adi_sim_queue first, blocking;

static void create(unsigned flags, adi_sim_queue *queue) {
    SIM_WANT(adi_sim_queue_create(scene.context, flags, queue) == 0);
}

static void fill(adi_sim_queue queue, char *to) {
    SIM_WANT(adi_sim_fill(queue, to, 1, 1, BYTES) == 0);
}

/* A wait for the default queue is one for what is in it, and that a blocking queue has gone is no
 * command of it. */
static void blocking_queue_ends(bool wrong) {
    fill(first, scene.a);
    fill(blocking, scene.managed);
    SIM_WANT(adi_sim_queue_destroy(blocking) == 0);
    if (!wrong) SIM_WANT(adi_sim_event_record(scene.e, first) == 0);
    SIM_WANT(adi_sim_queue_sync(first) == 0);
    sink = *at(scene.managed, 3);
    SIM_WANT(adi_sim_queue_destroy(first) == 0);
}

/* The default queue's work is before that of the blocking ones also when it has been destroyed; one
 * that is made later has nothing to do with it. */
static void default_queue_ends(bool wrong) {
    adi_sim_queue later = blocking;
    fill(first, scene.a);
    SIM_WANT(adi_sim_queue_destroy(first) == 0);
    if (wrong) create(ADI_SIM_BLOCKING_QUEUE, &later);
    SIM_WANT(adi_sim_copy(later, scene.b, scene.a, BYTES, 0) == 0);
    if (wrong) SIM_WANT(adi_sim_queue_destroy(later) == 0);
    SIM_WANT(adi_sim_queue_destroy(blocking) == 0);
}

/* The next one may be made at once, and is ordered with the blocking queues, not with the last. */
static void another_default_queue(bool wrong) {
    adi_sim_queue next;
    fill(first, scene.b);
    SIM_WANT(adi_sim_queue_destroy(first) == 0);
    create(ADI_SIM_DEFAULT_QUEUE, &next);
    if (!wrong) fill(blocking, scene.a);
    fill(next, scene.b);
    SIM_WANT(adi_sim_queue_destroy(next) == 0);
    SIM_WANT(adi_sim_queue_destroy(blocking) == 0);
}

static const struct sim_pair pairs[] = {
    {blocking_queue_ends, "touched-before-wait"},
    {default_queue_ends, "race"},
    {another_default_queue, "race"},
};

#define PAIRS (sizeof pairs / sizeof *pairs)

static void begin(void) {
    sim_scene_begin();
    create(ADI_SIM_DEFAULT_QUEUE, &first);
    create(ADI_SIM_BLOCKING_QUEUE, &blocking);
}

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, sim_scene_end, 1); }
END_TEST

Suite *sim_orders_suite(void) {
    Suite *suite = suite_create("sim_orders");
    TCase *tests = tcase_create("orders");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0, (int)PAIRS);
    suite_add_tcase(suite, tests);
    return suite;
}
