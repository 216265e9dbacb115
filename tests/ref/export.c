/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "literal.h"
#include "move.h"

Suite *ref_export_suite(void);

static const int32_t values[] = {1, 2, 3, 4};
static const int32_t offsets[] = {0, 2, 3};
static const uint8_t bits[] = {0x0f};

static void count_release(void *state) {
    ++*(int *)state;
}

static struct adi_owner owner_of(int *released) {
    return (struct adi_owner){count_release, released};
}

/* struct<int32 of a dictionary of utf8, list<int32>> */
static void make(int *released, struct ArrowArray *out) {
    struct ArrowArray words = ARRAY(.length = 2, BUFFERS(NULL, offsets, "abc"));
    struct ArrowArray indices =
        ARRAY(.length = 2, .null_count = 1, BUFFERS(bits, values), .dictionary = &words);
    struct ArrowArray items = ARRAY(.length = 4, BUFFERS(NULL, values));
    struct ArrowArray lists = ARRAY(.length = 2, BUFFERS(bits, offsets), ARRAYS(&items));
    struct ArrowArray root =
        ARRAY(.length = 2, .null_count = -1, BUFFERS(NULL), ARRAYS(&indices, &lists));
    ck_assert_int_eq(adi_export(&root, owner_of(released), out, NULL), 0);
}

static const struct ArrowSchema *schema(void) {
    static struct ArrowSchema words = SCHEMA("u"), items = SCHEMA("i");
    static struct ArrowSchema indices = SCHEMA("i", .dictionary = &words);
    static struct ArrowSchema *of_lists[] = {&items};
    static struct ArrowSchema lists = SCHEMA("+l", .n_children = 1, .children = of_lists);
    static struct ArrowSchema *of_root[] = {&indices, &lists};
    static struct ArrowSchema root = SCHEMA("+s", .n_children = 2, .children = of_root);
    return &root;
}

START_TEST(an_export_takes_over_everything)
{
    int released = 0;
    struct ArrowArray out;
    make(&released, &out);
    ck_assert_int_eq(out.length, 2);
    ck_assert_int_eq(out.null_count, -1);
    ck_assert_int_eq(out.children[0]->null_count, 1);
    ck_assert_ptr_eq(out.children[0]->buffers[1], values);
    ck_assert_ptr_eq(out.children[0]->dictionary->buffers[1], offsets);
    ck_assert_ptr_eq(out.children[1]->children[0]->buffers[1], values);
    ck_assert_ptr_null(out.dictionary);
    adi_array_release(&out);
    ck_assert(out.release == NULL);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(children_and_dictionaries_outlive_their_parent)
{
    int released = 0;
    struct ArrowArray out, moved, lists, words;
    make(&released, &out);
    adi_array_move(&out, &moved);
    memset(&out, 0x5a, sizeof out);
    adi_array_move_child(&moved, 1, &lists);
    adi_array_move_dictionary(moved.children[0], &words);
    adi_array_release(&moved);
    ck_assert_int_eq(released, 0);
    ck_assert_ptr_eq(lists.children[0]->buffers[1], values);
    adi_array_release(&lists);
    ck_assert_int_eq(released, 0);
    ck_assert_ptr_eq(words.buffers[1], offsets);
    adi_array_release(&words);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(a_child_that_was_replaced_is_released_through_the_structure)
{
    int released = 0, other_released = 0;
    struct ArrowArray out, old, other = ARRAY(.length = 1, BUFFERS(NULL, values));
    make(&released, &out);
    adi_array_move_child(&out, 1, &old);
    ck_assert_int_eq(adi_export(&other, owner_of(&other_released), out.children[1], NULL), 0);
    adi_array_release(&out);
    ck_assert_int_eq(other_released, 1);
    adi_array_release(&old);
    ck_assert_int_eq(released, 1);
}
END_TEST

enum {
    THREADS = 4,
    EACH = 2000,
    ROUNDS = 200
};

static pthread_barrier_t start;

static void *release_some(void *arrays) {
    struct ArrowArray *array = arrays;
    pthread_barrier_wait(&start);
    for (int i = 0; i < EACH; i++) adi_array_release(&array[i]);
    return NULL;
}

START_TEST(the_last_of_many_threads_releases_the_owner_once)
{
    enum {
        WIDE = THREADS * EACH
    };
    static struct ArrowArray columns[WIDE], moved[WIDE], *across[WIDE];
    const void *buffers[] = {NULL, values};
    pthread_t threads[THREADS];
    struct ArrowArray out;
    for (int i = 0; i < WIDE; i++) {
        columns[i] = (struct ArrowArray)ARRAY(.length = 1, .n_buffers = 2, .buffers = buffers);
        across[i] = &columns[i];
    }
    struct ArrowArray root = ARRAY(.n_children = WIDE, .children = across, BUFFERS(NULL));
    pthread_barrier_init(&start, NULL, THREADS);
    for (int round = 0; round < ROUNDS; round++) {
        int released = 0;
        ck_assert_int_eq(adi_export(&root, owner_of(&released), &out, NULL), 0);
        for (int i = 0; i < WIDE; i++) adi_array_move_child(&out, i, &moved[i]);
        adi_array_release(&out);
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, release_some, &moved[i * EACH]), 0);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        ck_assert_int_eq(released, 1);
    }
    pthread_barrier_destroy(&start);
}
END_TEST

START_TEST(deep_and_wide_trees_are_exported)
{
    enum {
        DEEP = 100,
        WIDE = 1000
    };
    int released = 0;
    struct ArrowArray nodes[DEEP], columns[WIDE], out;
    struct ArrowArray *down[DEEP], *across[WIDE];
    const void *buffers[] = {NULL, values};
    for (int i = 0; i < DEEP; i++) {
        down[i] = &nodes[i + 1 < DEEP ? i + 1 : i];
        nodes[i] = (struct ArrowArray)ARRAY(.n_children = i + 1 < DEEP, .children = &down[i],
                                            .n_buffers = 2, .buffers = buffers);
    }
    for (int i = 0; i < WIDE; i++) {
        columns[i] = (struct ArrowArray)ARRAY(.length = i, .n_buffers = 2, .buffers = buffers);
        across[i] = i == 500 ? &nodes[0] : &columns[i];
    }
    struct ArrowArray root = ARRAY(.n_children = WIDE, .children = across, BUFFERS(NULL));
    ck_assert_int_eq(adi_export(&root, owner_of(&released), &out, NULL), 0);
    ck_assert_int_eq(out.children[999]->length, 999);
    const struct ArrowArray *at = out.children[500];
    for (int i = 1; i < DEEP; i++) at = at->children[0];
    ck_assert_int_eq(at->n_children, 0);
    ck_assert_ptr_null(at->children);
    adi_array_release(&out);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(host_data_is_exported_without_a_copy)
{
    int released = 0;
    struct ArrowArray host;
    struct ArrowDeviceArray out;
    make(&released, &host);
    memset(&out, 0x5a, sizeof out);
    ck_assert_int_eq(adi_export_host(&host, &out, NULL), 0);
    ck_assert(host.release == NULL);
    ck_assert_int_eq(out.device_type, ARROW_DEVICE_CPU);
    ck_assert_int_eq(out.device_id, -1);
    ck_assert_ptr_null(out.sync_event);
    ck_assert(out.reserved[0] == 0 && out.reserved[1] == 0 && out.reserved[2] == 0);
    ck_assert_ptr_eq(out.array.children[0]->buffers[1], values);
    struct ArrowArray child;
    adi_array_move_child(&out.array, 0, &child);
    adi_device_array_release(&out);
    ck_assert_int_eq(released, 0);
    adi_array_release(&child);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(a_produced_tree_lives_on_the_device_until_its_last_structure_is_released)
{
    int released = 0;
    struct counting counting;
    struct ArrowArray host, child;
    struct ArrowDeviceArray out;
    struct adi_error error;
    counting_open(&counting);
    make(&released, &host);
    memset(&out, 0x5a, sizeof out);
    ck_assert_msg(adi_produce(&counting.device, schema(), &host, &out, &error) == 0, "%s",
                  error.text);
    ck_assert(host.release == NULL);
    ck_assert_int_eq(released, 1);
    ck_assert_int_eq(counting.buffers, 7);
    ck_assert_int_eq(counting.events, 1);
    ck_assert_int_eq(out.device_type, ARROW_DEVICE_EXT_DEV);
    ck_assert_int_eq(out.device_id, 3);
    ck_assert_ptr_nonnull(out.sync_event);
    ck_assert(out.reserved[0] == 0 && out.reserved[1] == 0 && out.reserved[2] == 0);
    ck_assert_ptr_null(out.array.buffers[0]);
    ck_assert_mem_eq(out.array.children[0]->dictionary->buffers[2], "abc", 3);
    ck_assert_ptr_ne(out.array.children[0]->buffers[1], values);
    adi_array_move_child(&out.array, 1, &child);
    adi_device_array_release(&out);
    ck_assert_int_eq(counting.buffers, 7);
    ck_assert_mem_eq(child.children[0]->buffers[1], values, 3 * sizeof *values);
    adi_array_release(&child);
    ck_assert_int_eq(counting.buffers, 0);
    ck_assert_int_eq(counting.events, 0);
}
END_TEST

START_TEST(a_failing_device_leaves_nothing_behind)
{
    int released = 0, code = EIO;
    struct counting counting;
    struct ArrowArray host;
    struct ArrowDeviceArray out, before;
    make(&released, &host);
    memset(&out, 0x5a, sizeof out);
    before = out;
    for (int fail_at = 1; code != 0; fail_at++) {
        struct adi_error error;
        counting_open(&counting);
        counting.fail_at = fail_at;
        code = adi_produce(&counting.device, schema(), &host, &out, &error);
        if (code == 0) break;
        ck_assert_int_eq(code, EIO);
        if (fail_at == 2) ck_assert_str_eq(error.text, "children[0].buffers[0]: call 2 fails");
        ck_assert_int_eq(counting.buffers, 0);
        ck_assert_int_eq(counting.batches, 0);
        ck_assert_int_eq(counting.events, 0);
        ck_assert(host.release != NULL && released == 0);
        ck_assert_mem_eq(&out, &before, sizeof out);
    }
    ck_assert_int_eq(counting.calls, 2 * 7 + 3);
    ck_assert_int_eq(counting.batches, 0);
    adi_device_array_release(&out);
}
END_TEST

START_TEST(buffers_without_bytes_become_null)
{
    struct counting counting;
    struct ArrowSchema of = SCHEMA("z");
    struct ArrowArray host = ARRAY(.length = 0, BUFFERS(bits, offsets, "unused"));
    struct ArrowDeviceArray out;
    counting_open(&counting);
    ck_assert_int_eq(adi_produce(&counting.device, &of, &host, &out, NULL), 0);
    ck_assert_int_eq(counting.buffers, 1);
    ck_assert_ptr_null(out.array.buffers[0]);
    ck_assert_ptr_nonnull(out.array.buffers[1]);
    ck_assert_ptr_null(out.array.buffers[2]);
    adi_device_array_release(&out);
}
END_TEST

Suite *ref_export_suite(void) {
    Suite *suite = suite_create("ref_export");
    TCase *export = tcase_create("export"), *produce = tcase_create("produce");
    tcase_add_test(export, an_export_takes_over_everything);
    tcase_add_test(export, children_and_dictionaries_outlive_their_parent);
    tcase_add_test(export, a_child_that_was_replaced_is_released_through_the_structure);
    tcase_set_timeout(export, 120);
    tcase_add_test(export, the_last_of_many_threads_releases_the_owner_once);
    tcase_add_test(export, deep_and_wide_trees_are_exported);
    tcase_add_test(export, host_data_is_exported_without_a_copy);
    suite_add_tcase(suite, export);
    tcase_add_test(produce,
                   a_produced_tree_lives_on_the_device_until_its_last_structure_is_released);
    tcase_add_test(produce, a_failing_device_leaves_nothing_behind);
    tcase_add_test(produce, buffers_without_bytes_become_null);
    suite_add_tcase(suite, produce);
    return suite;
}
