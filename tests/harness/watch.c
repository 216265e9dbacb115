/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch and the monitor below it: each violation of the life cycle is one finding, and a
 * correct life is none.
 */
#include "watch.h"

#include <pthread.h>
#include <stdlib.h>

#include "harness/collector.h"
#include "move.h"
#include "sample.h"

struct life {
    struct collector collector;
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct adi_watch *watch;
};

static void begin(struct life *life, const char *type) {
    life->collector = collector_open();
    ck_assert_int_eq(adi_sample(adi_sample_type_named(type), adi_sample_shape_named("many"), 1,
                                &life->schema, &life->array, NULL),
                     0);
    life->watch = adi_watch_open(&adi_kind_array, &life->array, &life->collector.sink, true, true);
    ck_assert_ptr_nonnull(life->watch);
}

static void end(struct life *life) {
    adi_watch_close(life->watch);
    adi_schema_release(&life->schema);
}

START_TEST(a_plain_life_is_not_blamed)
{
    struct life life;
    begin(&life, "struct");
    ck_assert_uint_eq(adi_watch_live(life.watch), 4);
    adi_array_release(&life.array);
    ck_assert_uint_eq(adi_watch_live(life.watch), 0);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_moved_life_is_not_blamed)
{
    struct life life;
    struct ArrowArray moved, child;
    begin(&life, "struct");
    adi_array_move(&life.array, &moved);
    adi_array_move_child(&moved, 1, &child);
    adi_array_release(&moved);
    adi_array_release(&child);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

static void *release_here(void *array) {
    adi_array_release(array);
    return NULL;
}

START_TEST(a_release_on_another_thread_is_not_blamed)
{
    struct life life;
    pthread_t thread;
    begin(&life, "dictionary_int8_utf8");
    ck_assert_int_eq(pthread_create(&thread, NULL, release_here, &life.array), 0);
    pthread_join(thread, NULL);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(what_is_never_released_is_reported_once)
{
    struct life life;
    begin(&life, "struct");
    adi_watch_close(life.watch);
    expect_only(life.collector, "life/never-released", ADI_CONSUMER);
    adi_array_release(&life.array); /* it still works, and says nothing more */
    adi_schema_release(&life.schema);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_forgotten_moved_child_is_reported)
{
    struct life life;
    struct ArrowArray child;
    begin(&life, "struct");
    adi_array_move_child(&life.array, 0, &child);
    adi_array_release(&life.array);
    adi_watch_close(life.watch);
    expect_only(life.collector, "life/never-released", ADI_CONSUMER);
    adi_array_release(&child);
    adi_schema_release(&life.schema);
}
END_TEST

START_TEST(a_second_release_is_caught)
{
    struct life life;
    begin(&life, "int32");
    void (*release)(struct ArrowArray *) = life.array.release;
    release(&life.array);
    release(&life.array);
    expect_only(life.collector, "life/release-twice", ADI_CONSUMER);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_copy_whose_source_stays_live_is_caught)
{
    struct life life;
    begin(&life, "int32");
    struct ArrowArray copy = life.array;
    copy.release(&copy);
    life.array.release(&life.array);
    expect_only(life.collector, "life/move-source-not-released", ADI_CONSUMER);
    ck_assert(life.array.release == NULL);
    end(&life);
}
END_TEST

/* The first release has marked the source, so that it is not the source that is wrong. */
START_TEST(a_copy_that_is_released_after_its_source_is_released_twice)
{
    struct life life;
    begin(&life, "int32");
    struct ArrowArray copy = life.array;
    life.array.release(&life.array);
    copy.release(&copy);
    expect_only(life.collector, "life/release-twice", ADI_CONSUMER);
    ck_assert(life.array.release == NULL && copy.release == NULL);
    end(&life);
}
END_TEST

/* Its parent has released it, as the source said that it was there. */
START_TEST(a_child_that_was_copied_and_left_to_its_parent_was_not_marked)
{
    struct life life;
    begin(&life, "struct");
    struct ArrowArray copy = *life.array.children[0];
    adi_array_release(&life.array);
    copy.release(&copy);
    expect_only(life.collector, "life/move-source-not-released", ADI_CONSUMER);
    end(&life);
}
END_TEST

/* Somebody else cleans up what was taken and left live: that is the one mistake. */
START_TEST(what_was_taken_and_left_live_is_released_there_by_others)
{
    struct life life;
    begin(&life, "int32");
    struct ArrowArray copy = life.array;
    adi_watch_left(life.watch, &life.array);
    life.array.release(&life.array);
    copy.release(&copy);
    expect_only(life.collector, "life/move-source-not-released", ADI_CONSUMER);
    end(&life);
}
END_TEST

START_TEST(a_consumer_that_releases_a_child_is_caught)
{
    struct life life;
    begin(&life, "struct");
    adi_array_release(life.array.children[2]);
    expect_only(life.collector, "life/child-released-by-consumer", ADI_CONSUMER);
    adi_array_release(&life.array);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_parent_kept_after_a_child_was_moved_is_caught)
{
    struct life life;
    struct ArrowArray child;
    begin(&life, "struct");
    adi_array_move_child(&life.array, 0, &child);
    adi_array_release(&child);
    expect_only(life.collector, "life/parent-kept-after-child-move", ADI_CONSUMER);
    adi_array_release(&life.array);
    end(&life);
}
END_TEST

/* ---- a parent and a leaf of our own making ---- */

static void release_without_clearing(struct ArrowArray *array) {
    array->private_data = NULL;
}

static void release_without_children(struct ArrowArray *array) {
    array->release = NULL;
}

static void release_leaf(struct ArrowArray *array) {
    array->release = NULL;
}

static struct ArrowArray leaf, *leaves[1], parent;

static void plant(void (*release)(struct ArrowArray *)) {
    leaf = (struct ArrowArray){.release = release_leaf};
    leaves[0] = &leaf;
    parent = (struct ArrowArray){.n_children = 1, .children = leaves, .release = release};
}

START_TEST(changed_members_are_caught)
{
    struct life life;
    begin(&life, "struct");
    life.array.n_buffers++;
    adi_array_release(&life.array);
    expect_only(life.collector, "life/structure-changed", ADI_CONSUMER);
    ck_assert_str_eq(life.collector.seen[0], "2"); /* a count, and no address */
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(changed_private_data_is_caught)
{
    struct collector collector = collector_open();
    plant(release_leaf);
    parent.n_children = 0;
    struct adi_watch *watch = adi_watch_open(&adi_kind_array, &parent, &collector.sink, true, true);
    parent.private_data = &collector;
    parent.release(&parent);
    expect_only(collector, "life/private-data-touched", ADI_CONSUMER);
    adi_watch_close(watch);
}
END_TEST

START_TEST(a_release_that_does_not_clear_is_caught)
{
    struct collector collector = collector_open();
    plant(release_without_clearing);
    parent.n_children = 0;
    struct adi_watch *watch = adi_watch_open(&adi_kind_array, &parent, &collector.sink, true, true);
    parent.release(&parent);
    expect_only(collector, "life/release-not-cleared", ADI_PRODUCER);
    ck_assert(parent.release == NULL);
    adi_watch_close(watch);
    expect_nothing(collector);
}
END_TEST

/* Releases its child by a callback that it looked up before, twice. */
static void release_child_twice(struct ArrowArray *array) {
    struct ArrowArray *child = array->children[0];
    void (*release)(struct ArrowArray *) = child->release;
    release(child);
    release(child);
    array->release = NULL;
}

START_TEST(a_release_that_releases_a_child_twice_is_the_producers)
{
    struct collector collector = collector_open();
    plant(release_child_twice);
    struct adi_watch *watch = adi_watch_open(&adi_kind_array, &parent, &collector.sink, true, true);
    parent.release(&parent);
    expect_only(collector, "life/release-twice", ADI_PRODUCER);
    adi_watch_close(watch);
}
END_TEST

START_TEST(a_release_that_forgets_the_children_is_caught)
{
    struct collector collector = collector_open();
    plant(release_without_children);
    struct adi_watch *watch = adi_watch_open(&adi_kind_array, &parent, &collector.sink, true, true);
    parent.release(&parent);
    expect_only(collector, "life/children-not-released", ADI_PRODUCER);
    adi_watch_close(watch);
    expect_nothing(collector);
}
END_TEST

static void (*hidden_release)(struct ArrowArray *);
static struct ArrowArray hidden;

/* Goes by a copy of the child that it kept for itself. */
static void release_kept_copy(struct ArrowArray *array) {
    hidden.release = hidden_release;
    hidden.release(&hidden);
    array->release = NULL;
}

START_TEST(a_parent_that_releases_a_moved_child_is_caught)
{
    struct collector collector = collector_open();
    struct ArrowArray moved;
    plant(release_kept_copy);
    leaf.buffers = (const void **)(void *)&leaf; /* something to know it by */
    struct adi_watch *watch = adi_watch_open(&adi_kind_array, &parent, &collector.sink, true, true);
    hidden = leaf;
    hidden_release = leaf.release;
    adi_array_move_child(&parent, 0, &moved);
    parent.release(&parent);
    moved.release(&moved);
    adi_watch_close(watch);
    ck_assert_int_ge(collector.n, 1);
    ck_assert_int_eq(collector.party[0], ADI_PRODUCER);
    ck_assert_str_eq(collector.rule[0], "life/moved-child-released");
}
END_TEST

START_TEST(watches_lie_over_one_another)
{
    struct life life;
    struct collector above = collector_open();
    begin(&life, "struct");
    struct adi_watch *second =
        adi_watch_open(&adi_kind_array, &life.array, &above.sink, true, true);
    adi_array_release(&life.array);
    ck_assert_uint_eq(adi_watch_live(second), 0);
    ck_assert_uint_eq(adi_watch_live(life.watch), 0);
    adi_watch_close(second);
    end(&life);
    expect_nothing(above);
    expect_nothing(life.collector);
}
END_TEST

/* Two exports that hold the same, their private_data NULL: what tells them apart is where they are.
 */
static void release_anything(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) array->children[i]->release(array->children[i]);
    array->release = NULL;
}

START_TEST(exports_without_private_data_are_told_apart)
{
    struct collector collector = collector_open();
    struct ArrowArray tips[2], root[2], *children[2] = {&tips[0], &tips[1]}, moved;
    struct adi_watch *watches[2];
    for (int i = 0; i < 2; i++) {
        tips[i] = (struct ArrowArray){.length = 1, .release = release_anything};
        root[i] = (struct ArrowArray){
            .n_children = 1, .children = &children[i], .release = release_anything};
        watches[i] = adi_watch_open(&adi_kind_array, &root[i], &collector.sink, true, true);
    }
    moved = root[0];
    root[0].release = NULL;
    adi_watch_moved(watches[0], &root[0], &moved);
    moved.release(&moved);
    ck_assert_uint_eq(adi_watch_live(watches[0]), 0);
    ck_assert_uint_eq(adi_watch_live(watches[1]), 2);
    root[1].release(&root[1]);
    for (int i = 0; i < 2; i++) adi_watch_close(watches[i]);
    expect_nothing(collector);
}
END_TEST

START_TEST(a_wide_tree_is_watched_in_linear_time)
{
    struct life life;
    life.collector = collector_open();
    ck_assert_int_eq(adi_sample(adi_sample_type_named("struct"),
                                adi_sample_shape_named("wide-1000"), 1, &life.schema, &life.array,
                                NULL),
                     0);
    life.watch = adi_watch_open(&adi_kind_array, &life.array, &life.collector.sink, true, true);
    ck_assert_uint_ge(adi_watch_live(life.watch), 1000);
    adi_array_release(&life.array);
    end(&life);
    expect_nothing(life.collector);
}
END_TEST

Suite *harness_watch_suite(void) {
    Suite *suite = suite_create("harness_watch");
    TCase *tests = tcase_create("watch");
    tcase_add_test(tests, a_plain_life_is_not_blamed);
    tcase_add_test(tests, a_moved_life_is_not_blamed);
    tcase_add_test(tests, a_release_on_another_thread_is_not_blamed);
    tcase_add_test(tests, what_is_never_released_is_reported_once);
    tcase_add_test(tests, a_forgotten_moved_child_is_reported);
    tcase_add_test(tests, a_second_release_is_caught);
    tcase_add_test(tests, a_copy_whose_source_stays_live_is_caught);
    tcase_add_test(tests, a_copy_that_is_released_after_its_source_is_released_twice);
    tcase_add_test(tests, a_child_that_was_copied_and_left_to_its_parent_was_not_marked);
    tcase_add_test(tests, what_was_taken_and_left_live_is_released_there_by_others);
    tcase_add_test(tests, a_consumer_that_releases_a_child_is_caught);
    tcase_add_test(tests, a_parent_kept_after_a_child_was_moved_is_caught);
    tcase_add_test(tests, changed_members_are_caught);
    tcase_add_test(tests, changed_private_data_is_caught);
    tcase_add_test(tests, a_release_that_does_not_clear_is_caught);
    tcase_add_test(tests, a_release_that_releases_a_child_twice_is_the_producers);
    tcase_add_test(tests, a_release_that_forgets_the_children_is_caught);
    tcase_add_test(tests, a_parent_that_releases_a_moved_child_is_caught);
    tcase_add_test(tests, watches_lie_over_one_another);
    tcase_add_test(tests, exports_without_private_data_are_told_apart);
    tcase_add_test(tests, a_wide_tree_is_watched_in_linear_time);
    suite_add_tcase(suite, tests);
    return suite;
}
