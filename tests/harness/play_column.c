/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns: chunks that were cut anew hold the same values, and what was lost or added is noticed.
 */
#include <check.h>
#include <string.h>

#include "compare.h"
#include "move.h"
#include "play_stream.h"

Suite *harness_play_column_suite(void);

static const struct adi_stream_design design = {
    .chunks = {{NULL, 0, false}, {"empty", 1, false}, {"offset", 2, false}, {"one", 3, false}},
    .n = 4};

struct scene {
    struct adi_case now;
    struct adi_test test;
    struct adi_column given, wanted;
};

static void open_scene(struct scene *scene, const char *type) {
    memset(scene, 0, sizeof *scene);
    scene->now.type = adi_sample_type_named(type);
    scene->now.shape = adi_sample_shape_named("many");
    scene->test.now = &scene->now;
    scene->test.seed = 1;
    ck_assert_int_eq(adi_column_make(&scene->test, &design, &scene->given, NULL), 0);
    ck_assert_int_eq(adi_column_make(&scene->test, &design, &scene->wanted, NULL), 0);
    ck_assert_int_eq(adi_column_rows(&scene->wanted), 67 + 67 + 1);
}

static void close_scene(struct scene *scene) {
    adi_column_free(&scene->given);
    adi_column_free(&scene->wanted);
}

/* Rows `from` to `to` of a chunk that was given: how many are as wanted? */
static int64_t compare(struct scene *scene, size_t chunk, int64_t from, int64_t to) {
    struct ArrowArray part = scene->given.chunks[chunk], slice, wanted;
    int64_t done = 0;
    part.offset += from;
    part.length = to - from;
    part.null_count = part.null_count == 0 ? 0 : -1;
    while (adi_column_next(&scene->wanted, &scene->given.schema, &part, &done, &slice, &wanted)) {
        ck_assert_int_eq(slice.length, wanted.length);
        ck_assert_int_eq(
            adi_array_compare(&scene->given.schema, &slice, &scene->wanted.schema, &wanted, NULL),
            0);
        if (done == part.length) break;
    }
    return done;
}

static const char *const types[] = {"int32", "utf8", "struct", "list_int32", "dictionary_int8_utf8",
                                    "null"};

START_TEST(chunks_that_were_cut_anew_are_the_same_values)
{
    struct scene scene;
    open_scene(&scene, types[_i]);
    ck_assert_int_eq(compare(&scene, 0, 0, 20), 20);
    ck_assert_int_eq(compare(&scene, 0, 20, 20), 0);
    ck_assert_int_eq(compare(&scene, 0, 20, 67), 47);
    ck_assert_int_eq(compare(&scene, 2, 0, 60), 60);
    ck_assert_int_eq(adi_column_seen(&scene.wanted), 127);
    ck_assert_int_eq(compare(&scene, 2, 60, 67), 7);
    ck_assert_int_eq(compare(&scene, 3, 0, 1), 1);
    ck_assert_int_eq(adi_column_seen(&scene.wanted), adi_column_rows(&scene.wanted));
    close_scene(&scene);
}
END_TEST

/* A library that has streams of record batches only has no place for nulls of the struct itself. */
START_TEST(no_chunk_of_record_batches_has_nulls_at_its_root)
{
    static const struct adi_stream_design shapes = {
        .chunks = {{NULL, 0, false}, {"nulls", 1, false}, {"offset", 2, false}, {"one", 3, false}},
        .n = 4};
    struct scene scene = {.test = {.now = &scene.now, .seed = 1}};
    scene.now.type = adi_sample_type_named("struct");
    scene.now.shape = adi_sample_shape_named("batch");
    ck_assert_int_eq(adi_column_make(&scene.test, &shapes, &scene.wanted, NULL), 0);
    ck_assert_int_eq(scene.wanted.schema.flags & ARROW_FLAG_NULLABLE, 0);
    for (size_t i = 0; i < scene.wanted.n; i++)
        ck_assert_int_eq(scene.wanted.chunks[i].null_count, 0);
    ck_assert_int_eq(scene.wanted.chunks[2].offset, 0);
    ck_assert_int_gt(scene.wanted.chunks[1].children[0]->null_count, 0);
    adi_column_free(&scene.wanted);
}
END_TEST

START_TEST(there_are_no_more_rows_than_there_are)
{
    struct scene scene;
    open_scene(&scene, types[_i]);
    ck_assert_int_eq(compare(&scene, 0, 0, 67), 67);
    ck_assert_int_eq(compare(&scene, 2, 0, 67), 67);
    ck_assert_int_eq(compare(&scene, 3, 0, 1), 1);
    ck_assert_int_eq(compare(&scene, 3, 0, 1), 0);
    ck_assert_int_eq(compare(&scene, 1, 0, 0), 0);
    close_scene(&scene);
}
END_TEST

Suite *harness_play_column_suite(void) {
    Suite *suite = suite_create("harness_play_column");
    TCase *tests = tcase_create("column");
    int n = sizeof types / sizeof *types;
    tcase_add_test(tests, no_chunk_of_record_batches_has_nulls_at_its_root);
    tcase_add_loop_test(tests, chunks_that_were_cut_anew_are_the_same_values, 0, n);
    tcase_add_loop_test(tests, there_are_no_more_rows_than_there_are, 0, n);
    suite_add_tcase(suite, tests);
    return suite;
}
