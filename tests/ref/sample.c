/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "legal.h"
#include "metadata.h"
#include "move.h"
#include "sample_walk.h"

Suite *ref_sample_suite(void);

struct made {
    struct ArrowSchema schema;
    struct ArrowArray array;
};

static void make(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                 uint64_t seed, struct made *out) {
    struct adi_error error = {""};
    int code = adi_sample(type, shape, seed, &out->schema, &out->array, &error);
    ck_assert_msg(code == 0, "%s/%s: %s", type->name, shape->name, error.text);
}

static struct made make_named(const char *type, const char *shape) {
    struct made made;
    ck_assert_msg(adi_sample_type_named(type) != NULL, "no type %s", type);
    ck_assert_msg(adi_sample_shape_named(shape) != NULL, "no shape %s", shape);
    make(adi_sample_type_named(type), adi_sample_shape_named(shape), 1, &made);
    return made;
}

static void unmake(struct made *made) {
    adi_schema_release(&made->schema);
    adi_array_release(&made->array);
}

static struct sample_walk walk(const struct adi_sample_type *type,
                               const struct adi_sample_shape *shape, const struct made *made) {
    struct sample_walk walk = {.traits = shape->traits};
    int code = sample_walk(&made->schema, &made->array, &walk);
    ck_assert_msg(code == 0, "%s/%s: %s", type->name, shape->name, walk.wrong.text);
    return walk;
}

typedef void (*sample_visit)(const struct adi_sample_type *, const struct adi_sample_shape *);

static size_t for_each_sample(sample_visit visit) {
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    size_t count = 0;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t s = 0; (shape = adi_sample_shape(s)) != NULL; s++) {
            if (!adi_sample_exists(type, shape)) continue;
            visit(type, shape);
            count++;
        }
    return count;
}

static void check_legal(const struct adi_sample_type *type, const struct adi_sample_shape *shape) {
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct made made;
        make(type, shape, seed, &made);
        ck_assert_str_eq(made.schema.format, type->format);
        walk(type, shape, &made);
        unmake(&made);
    }
}

START_TEST(every_sample_is_legal)
{
    const size_t samples = for_each_sample(check_legal);
    ck_assert_uint_ge(samples, 900);
    ck_assert_uint_le(samples, 1500);
}
END_TEST

/* Equal seeds give equal bytes; other seeds change values, and nothing else. A bool or an index may
 * agree by chance: not with each of seven seeds. */
static void check_seeds(const struct adi_sample_type *type, const struct adi_sample_shape *shape) {
    struct made first, again;
    make(type, shape, 1, &first);
    make(type, shape, 1, &again);
    const struct sample_walk wanted = walk(type, shape, &first), same = walk(type, shape, &again);
    ck_assert_msg(wanted.structure == same.structure && wanted.values == same.values,
                  "%s/%s: seed 1 gave other bytes the second time", type->name, shape->name);
    unmake(&first);
    unmake(&again);
    bool differ = false;
    for (uint64_t seed = 2; seed < 9; seed++) {
        make(type, shape, seed, &again);
        const struct sample_walk other = walk(type, shape, &again);
        ck_assert_msg(wanted.structure == other.structure, "%s/%s: seed %d gave another shape",
                      type->name, shape->name, (int)seed);
        differ |= wanted.values != other.values;
        unmake(&again);
    }
    ck_assert_msg(differ == (wanted.value_bytes > 0), "%s/%s: %d bytes of values, differ: %d",
                  type->name, shape->name, (int)wanted.value_bytes, differ);
}

START_TEST(only_the_values_depend_on_the_seed)
{ for_each_sample(check_seeds); }
END_TEST

static void check_compare(const struct adi_sample_type *type,
                          const struct adi_sample_shape *shape) {
    struct adi_error difference = {""};
    struct made one, same, other;
    make(type, shape, 1, &one);
    make(type, shape, 1, &same);
    make(type, shape, 2, &other);
    ck_assert_msg(
        adi_array_compare(&one.schema, &one.array, &same.schema, &same.array, &difference) == 0,
        "%s/%s: differs from itself: %s", type->name, shape->name, difference.text);
    int code = adi_array_compare(&one.schema, &one.array, &other.schema, &other.array, NULL);
    const bool has_values = walk(type, shape, &one).value_bytes > 0;
    if (strcmp(shape->name, "many") == 0 || strcmp(shape->name, "offset") == 0)
        ck_assert_msg(code == (has_values ? EILSEQ : 0), "%s/%s: compare says %d", type->name,
                      shape->name, code);
    unmake(&one);
    unmake(&same);
    unmake(&other);
}

START_TEST(compare_tells_seeds_apart)
{ for_each_sample(check_compare); }
END_TEST

START_TEST(names_are_found_and_unique)
{
    for (size_t i = 0; adi_sample_type(i) != NULL; i++)
        ck_assert_ptr_eq(adi_sample_type_named(adi_sample_type(i)->name), adi_sample_type(i));
    for (size_t i = 0; adi_sample_shape(i) != NULL; i++)
        ck_assert_ptr_eq(adi_sample_shape_named(adi_sample_shape(i)->name), adi_sample_shape(i));
    ck_assert_ptr_null(adi_sample_type_named("int"));
    ck_assert_ptr_null(adi_sample_shape_named(""));
    ck_assert_ptr_null(adi_sample_type(SIZE_MAX));
    ck_assert_ptr_null(adi_sample_shape(SIZE_MAX));
}
END_TEST

START_TEST(what_does_not_exist_is_refused)
{
    const struct adi_sample_type *type = adi_sample_type_named("int32");
    const struct adi_sample_shape *shape = adi_sample_shape_named("view-several");
    struct made made = {.schema.format = "untouched", .array.length = 42};
    struct adi_error error;
    ck_assert(!adi_sample_exists(type, shape));
    ck_assert_int_eq(adi_sample(type, shape, 1, &made.schema, &made.array, &error), EINVAL);
    ck_assert_str_eq(error.text, "there is no sample int32/view-several");
    ck_assert_str_eq(made.schema.format, "untouched");
    ck_assert_int_eq(made.array.length, 42);
}
END_TEST

START_TEST(no_shape_and_no_type_is_without_samples)
{
    for (size_t s = 0; adi_sample_shape(s) != NULL; s++) {
        size_t types = 0;
        for (size_t t = 0; adi_sample_type(t) != NULL; t++)
            types += adi_sample_exists(adi_sample_type(t), adi_sample_shape(s));
        ck_assert_msg(types > 0, "%s: of no type", adi_sample_shape(s)->name);
    }
    for (size_t t = 0; adi_sample_type(t) != NULL; t++)
        ck_assert(adi_sample_exists(adi_sample_type(t), adi_sample_shape_named("offset")));
}
END_TEST

START_TEST(the_shapes_of_a_type_are_those_it_has_a_sample_of)
{
    const struct adi_sample_type *type, unknown = {.name = "int33"};
    const struct adi_sample_shape *shape, *out[256];
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++) {
        size_t n = adi_sample_shapes(type, out, 256), found = 0;
        ck_assert_uint_le(n, 256);
        for (size_t s = 0; (shape = adi_sample_shape(s)) != NULL; s++)
            if (adi_sample_exists(type, shape)) ck_assert_ptr_eq(out[found++], shape);
        ck_assert_uint_eq(found, n);
    }
    out[1] = NULL;
    ck_assert_uint_gt(adi_sample_shapes(adi_sample_type(0), out, 1), 1);
    ck_assert_ptr_null(out[1]);
    ck_assert_uint_eq(adi_sample_shapes(&unknown, out, 256), 0);
}
END_TEST

/* Those of the C data interface's tables, up to their parameters. */
static const char *const roots[] = {
    "n",   "b",   "c",   "C",    "s",    "S",    "i",    "I",   "l",   "L",    "e",    "f",
    "g",   "z",   "Z",   "vz",   "u",    "U",    "vu",   "d:",  "w:",  "tdD",  "tdm",  "tts",
    "ttm", "ttu", "ttn", "tss:", "tsm:", "tsu:", "tsn:", "tDs", "tDm", "tDu",  "tDn",  "tiM",
    "tiD", "tin", "+l",  "+L",   "+vl",  "+vL",  "+w:",  "+s",  "+m",  "+ud:", "+us:", "+r",
};

START_TEST(every_format_is_a_root)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        size_t t = 0;
        while (adi_sample_type(t) != NULL &&
               strncmp(adi_sample_type(t)->format, roots[i], strlen(roots[i])) != 0)
            t++;
        ck_assert_msg(adi_sample_type(t) != NULL, "no type has the format %s", roots[i]);
    }
}
END_TEST

static int depth(const struct ArrowArray *array) {
    int deepest = 0;
    for (int64_t i = 0; i < array->n_children; i++) {
        const int below = depth(array->children[i]);
        if (below > deepest) deepest = below;
    }
    return deepest + 1;
}

START_TEST(nested_60_is_60_deep_and_has_values_at_the_bottom)
{
    static const struct {
        const char *type;
        int levels; /* arrays a level */
    } nests[] = {
        {"list_utf8", 1}, {"struct", 1}, {"dense_union", 1}, {"list_view_utf8", 1}, {"map", 2}};
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        struct made made = make_named(nests[i].type, "nested-60");
        ck_assert_int_eq(depth(&made.array), 60 * nests[i].levels + 1);
        const struct ArrowArray *at = &made.array;
        while (at->n_children > 0) at = at->children[at->n_children == 2 && i == 4 ? 1 : 0];
        ck_assert_int_gt(at->length, 0);
        unmake(&made);
    }
    struct made three = make_named("fixed_size_list_int32", "nested-3");
    ck_assert_int_eq(depth(&three.array), 4);
    unmake(&three);
}
END_TEST

START_TEST(wide_1000_has_a_thousand_columns)
{
    struct made made = make_named("struct", "wide-1000");
    ck_assert_int_eq(made.array.n_children, 1000);
    ck_assert_int_eq(made.schema.n_children, 1000);
    ck_assert_str_eq(made.schema.children[999]->name, "f999");
    unmake(&made);
}
END_TEST

static void expect_variadic(const char *shape, int64_t count, int64_t empty) {
    struct made made = make_named("utf8_view", shape);
    const int64_t n_buffers = made.array.n_buffers;
    int64_t seen = 0;
    ck_assert_int_eq(n_buffers, 3 + count);
    for (int64_t i = 0; i < count; i++) {
        const int64_t bytes = legal_read(made.array.buffers[n_buffers - 1], i, 64);
        ck_assert((made.array.buffers[2 + i] == NULL) == (bytes == 0));
        seen += bytes == 0;
    }
    ck_assert_int_eq(seen, empty);
    unmake(&made);
}

START_TEST(views_have_the_variadic_buffers_they_promise)
{
    expect_variadic("view-no-variadic", 0, 0);
    expect_variadic("view-one", 1, 0);
    expect_variadic("view-several", 3, 0);
    expect_variadic("view-empty-variadic", 2, 1);
}
END_TEST

START_TEST(empties_have_the_offsets_they_promise)
{
    struct made empty = make_named("utf8", "empty"),
                null = make_named("utf8", "empty-null-buffers");
    struct made at_5 = make_named("utf8", "empty-at-offset");
    struct made kept = make_named("utf8", "empty-with-buffers");
    ck_assert_ptr_nonnull(empty.array.buffers[1]);
    ck_assert_ptr_null(empty.array.buffers[2]);
    ck_assert_ptr_null(null.array.buffers[1]);
    ck_assert_int_eq(at_5.array.length, 0);
    ck_assert_int_eq(at_5.array.offset, 5);
    ck_assert_int_gt(legal_read(at_5.array.buffers[1], 5, 32), 0);
    for (int64_t i = 0; i < 3; i++) ck_assert_ptr_nonnull(kept.array.buffers[i]);
    unmake(&empty);
    unmake(&null);
    unmake(&at_5);
    unmake(&kept);
}
END_TEST

START_TEST(nulls_are_counted_or_not)
{
    static const struct {
        const char *shape;
        int64_t least, most;
        bool bitmap;
    } shapes[] = {
        {"many", 0, 0, false},
        {"full-bitmap", 0, 0, true},
        {"nulls", 1, 66, true},
        {"all-null", 67, 67, true},
        {"null-count-unknown", -1, -1, true},
        {"null-count-unknown-no-bitmap", -1, -1, false},
        {"offset-and-null-count-unknown", -1, -1, true},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct made made = make_named("int32", shapes[i].shape);
        ck_assert_int_ge(made.array.null_count, shapes[i].least);
        ck_assert_int_le(made.array.null_count, shapes[i].most);
        ck_assert((made.array.buffers[0] != NULL) == shapes[i].bitmap);
        unmake(&made);
    }
}
END_TEST

START_TEST(offsets_lie_where_the_shape_says)
{
    struct made both = make_named("list_struct_list_utf8", "sliced-child-of-sliced-parent");
    struct made child = make_named("struct", "offset-on-child");
    struct made dictionary = make_named("dictionary_int8_utf8", "sliced-dictionary");
    struct made first = make_named("large_list_large_utf8", "first-offset-not-zero");
    ck_assert_int_eq(both.array.offset, 3);
    ck_assert_int_eq(both.array.children[0]->offset, 5);
    ck_assert_int_eq(both.array.children[0]->children[1]->offset, 5);
    ck_assert_int_eq(child.array.offset, 0);
    ck_assert_int_eq(child.array.children[2]->offset, 5);
    ck_assert_int_eq(dictionary.array.offset, 0);
    ck_assert_int_eq(dictionary.array.dictionary->offset, 3);
    ck_assert_int_eq(legal_read(first.array.buffers[1], 0, 64), 7);
    ck_assert_int_eq(legal_read(first.array.children[0]->buffers[1], 0, 64), 7);
    unmake(&both);
    unmake(&child);
    unmake(&dictionary);
    unmake(&first);
}
END_TEST

START_TEST(a_batch_may_have_a_length_and_no_columns)
{
    struct made made = make_named("struct_empty", "batch-zero-columns");
    ck_assert_int_eq(made.array.n_children, 0);
    ck_assert_int_eq(made.array.length, 67);
    ck_assert_int_eq(made.array.null_count, 0);
    unmake(&made);
    made = make_named("struct", "batch-root-metadata");
    ck_assert_ptr_nonnull(made.schema.metadata);
    ck_assert_ptr_null(made.schema.children[0]->metadata);
    ck_assert_int_eq(made.array.null_count, 0);
    ck_assert_int_gt(made.array.children[0]->null_count, 0);
    unmake(&made);
}
END_TEST

static bool has_pair(const char *metadata, const char *key, const void *value, int32_t bytes) {
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    ck_assert_int_eq(adi_metadata_open(metadata, SIZE_MAX, &reader, NULL), 0);
    while (adi_metadata_next(&reader, &pair, NULL) == 0)
        if ((size_t)pair.key_bytes == strlen(key) && memcmp(pair.key, key, strlen(key)) == 0 &&
            pair.value_bytes == bytes && memcmp(pair.value, value, (size_t)bytes) == 0)
            return true;
    return false;
}

START_TEST(fields_are_as_odd_as_promised)
{
    struct made binary = make_named("extension_json", "metadata-binary");
    ck_assert(has_pair(binary.schema.metadata, "bytes", "\0\x01\xff\xfe\0zero\0", 11));
    ck_assert(has_pair(binary.schema.metadata, "ARROW:extension:name", "arrow.json", 10));
    struct made none = make_named("map", "names-null");
    ck_assert_ptr_null(none.schema.name);
    ck_assert_ptr_null(none.schema.children[0]->children[1]->name);
    struct made empty = make_named("struct", "metadata-empty");
    ck_assert(has_pair(empty.schema.children[1]->metadata, "", "", 0));
    struct made same = make_named("struct", "names-duplicate");
    ck_assert_str_eq(same.schema.children[0]->name, same.schema.children[2]->name);
    struct made strict = make_named("list_utf8", "not-nullable");
    ck_assert_int_eq(strict.schema.flags | strict.schema.children[0]->flags, 0);
    struct made sorted = make_named("map_sorted", "many");
    ck_assert_int_eq(sorted.schema.flags, ARROW_FLAG_NULLABLE | ARROW_FLAG_MAP_KEYS_SORTED);
    struct made ordered = make_named("dictionary_ordered", "many");
    ck_assert_int_eq(ordered.schema.flags, ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED);
    struct made *all[] = {&binary, &none, &empty, &same, &strict, &sorted, &ordered};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) unmake(all[i]);
}
END_TEST

START_TEST(extremes_are_among_the_many)
{
    struct made floats = make_named("float64", "many"), integers = make_named("int32", "many");
    const double *values = floats.array.buffers[1];
    bool nan = false, minus_zero = false, infinite = false, least = false, greatest = false;
    for (int64_t i = 0; i < floats.array.length; i++) {
        nan |= isnan(values[i]);
        minus_zero |= values[i] == 0 && signbit(values[i]);
        infinite |= isinf(values[i]) && values[i] < 0;
        least |= legal_read(integers.array.buffers[1], i, 32) == INT32_MIN;
        greatest |= legal_read(integers.array.buffers[1], i, 32) == INT32_MAX;
    }
    ck_assert(nan && minus_zero && infinite && least && greatest);
    struct made decimals = make_named("decimal256", "many");
    int digits = 0;
    for (int64_t i = 0; i < decimals.array.length; i++) {
        const int seen = legal_digits((const uint8_t *)decimals.array.buffers[1] + i * 32, 32);
        if (seen > digits) digits = seen;
    }
    ck_assert_int_eq(digits, 76);
    unmake(&floats);
    unmake(&integers);
    unmake(&decimals);
}
END_TEST

Suite *ref_sample_suite(void) {
    Suite *suite = suite_create("ref_sample");
    TCase *all = tcase_create("all samples");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, every_sample_is_legal);
    tcase_add_test(all, only_the_values_depend_on_the_seed);
    tcase_add_test(all, compare_tells_seeds_apart);
    TCase *registry = tcase_create("registry");
    tcase_add_test(registry, names_are_found_and_unique);
    tcase_add_test(registry, what_does_not_exist_is_refused);
    tcase_add_test(registry, no_shape_and_no_type_is_without_samples);
    tcase_add_test(registry, the_shapes_of_a_type_are_those_it_has_a_sample_of);
    tcase_add_test(registry, every_format_is_a_root);
    TCase *shapes = tcase_create("shapes");
    tcase_add_test(shapes, nested_60_is_60_deep_and_has_values_at_the_bottom);
    tcase_add_test(shapes, wide_1000_has_a_thousand_columns);
    tcase_add_test(shapes, views_have_the_variadic_buffers_they_promise);
    tcase_add_test(shapes, empties_have_the_offsets_they_promise);
    tcase_add_test(shapes, nulls_are_counted_or_not);
    tcase_add_test(shapes, offsets_lie_where_the_shape_says);
    tcase_add_test(shapes, a_batch_may_have_a_length_and_no_columns);
    tcase_add_test(shapes, fields_are_as_odd_as_promised);
    tcase_add_test(shapes, extremes_are_among_the_many);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, registry);
    suite_add_tcase(suite, shapes);
    return suite;
}
