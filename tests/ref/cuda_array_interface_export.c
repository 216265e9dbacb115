/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow's arrays described by the CUDA Array Interface, on the simulated driver.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "described.h"
#include "literal.h"
#include "metadata.h"
#include "move.h"

Suite *ref_cuda_array_interface_export_suite(void);

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void want(const struct adi_cuda_array *as, const char *typestr, int32_t n_dimensions,
                 const int64_t *shape, const void *at) {
    ck_assert_str_eq(as->typestr, typestr);
    ck_assert_int_eq(as->n_dimensions, n_dimensions);
    for (int32_t i = 0; i < n_dimensions; i++) ck_assert_int_eq(as->shape[i], shape[i]);
    ck_assert_uint_eq(as->data, (uintptr_t)at);
}

/* ---- what is described ---- */

START_TEST(each_version_has_its_entries)
{
    struct ArrowSchema item = SCHEMA("i"), *items[] = {&item};
    struct ArrowSchema schema = SCHEMA("+w:3", .n_children = 1, .children = items);
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 12, BUFFERS(NULL, data)};
    struct ArrowArray lists = {.length = 4, BUFFERS(NULL), ARRAYS(&values)};
    memset(&as, 0x5a, sizeof as);
    ck_assert_msg(describe(&schema, &lists, ADI_COPY_NEVER, _i, &as) == 0, "%s", error.text);
    ck_assert_uint_eq(as.size, sizeof as);
    ck_assert_int_eq(as.version, _i);
    ck_assert(as.has_version == G && as.has_shape == G && as.has_typestr == G && as.has_data == G);
    ck_assert_int_eq(as.has_strides, _i < 2 ? G : ADI_ENTRY_NONE);
    if (_i < 2) ck_assert(as.strides[0] == 12 && as.strides[1] == 4);
    ck_assert_int_eq(as.has_descr, ADI_ENTRY_ABSENT);
    ck_assert_int_eq(as.has_mask, ADI_ENTRY_ABSENT);
    ck_assert_int_eq(as.has_stream, ADI_ENTRY_ABSENT);
    ck_assert(as.read_only);
    want(&as, "<i4", 2, (const int64_t[]){4, 3}, data);
    ck_assert_int_eq(released, 0);
    adi_cuda_array_release(&as);
    ck_assert_int_eq(released, 1);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(offsets_are_in_the_pointer)
{
    struct ArrowSchema item = SCHEMA("s"), *items[] = {&item};
    struct ArrowSchema inner = SCHEMA("+w:2", .n_children = 1, .children = items);
    struct ArrowSchema *inners[] = {&inner};
    struct ArrowSchema schema = SCHEMA("+w:3", .n_children = 1, .children = inners);
    struct adi_cuda_array as;
    open_both();
    char *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 21, .offset = 3, BUFFERS(NULL, data)};
    struct ArrowArray pairs = {.length = 9, .offset = 1, BUFFERS(NULL), ARRAYS(&values)};
    struct ArrowArray root = {.length = 1, .offset = 2, BUFFERS(NULL), ARRAYS(&pairs)};
    ck_assert_msg(describe(&schema, &root, ADI_COPY_NEVER, 3, &as) == 0, "%s", error.text);
    const int first = (2 * 3 + 1) * 2 + 3;
    want(&as, "<i2", 3, (const int64_t[]){1, 3, 2}, data + first * 2);
    adi_cuda_array_release(&as);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

static const struct {
    const char *format, *typestr;
    int64_t length;
} types[] = {{"c", "|i1", 48},   {"S", "<u2", 24},       {"e", "<f2", 24},
             {"g", "<f8", 6},    {"tsn:", "<M8[ns]", 6}, {"tDs", "<m8[s]", 6},
             {"w:3", "|V3", 16}, {"w:0", "|V0", 5},      {"i", "<i4", 0}};

START_TEST(types_of_fixed_size_are_described)
{
    struct ArrowSchema schema = SCHEMA(types[_i].format);
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = types[_i].length, BUFFERS(NULL, data)};
    ck_assert_msg(describe(&schema, &values, ADI_COPY_NEVER, 2, &as) == 0, "%s", error.text);
    bool is_empty = types[_i].length == 0 || strcmp(types[_i].format, "w:0") == 0;
    want(&as, types[_i].typestr, 1, &types[_i].length, is_empty ? NULL : data);
    adi_cuda_array_release(&as);
    ck_assert_int_eq(released, 1);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

static const char *tensor(const char *shape) {
    static char metadata[256];
    const char *const texts[] = {"ARROW:extension:name", "arrow.fixed_shape_tensor",
                                 "ARROW:extension:metadata", shape};
    struct adi_pair pairs[2];
    for (int i = 0; i < 2; i++)
        pairs[i] = (struct adi_pair){texts[2 * i], texts[2 * i + 1], (int32_t)strlen(texts[2 * i]),
                                     (int32_t)strlen(texts[2 * i + 1])};
    adi_metadata_write(pairs, 2, metadata);
    return metadata;
}

START_TEST(tensors_of_a_fixed_shape_have_their_dimensions)
{
    static const struct {
        const char *shape;
        int code;
        int64_t wanted[3], strides[3];
        uint8_t has_strides;
    } rows[] = {{"{\"shape\":[2,3]}", 0, {2, 2, 3}, {0}, ADI_ENTRY_NONE},
                {"{\"shape\":[2,3],\"permutation\":[1,0]}", 0, {2, 3, 2}, {24, 4, 12}, G},
                {"{\"shape\":[6,1],\"permutation\":[0,1]}", 0, {2, 6, 1}, {0}, ADI_ENTRY_NONE},
                {"{\"shape\":[2,4]}", EINVAL, {0}, {0}, 0}};
    struct ArrowSchema item = SCHEMA("i"), *items[] = {&item};
    struct ArrowSchema schema = SCHEMA("+w:6", .n_children = 1, .children = items);
    struct adi_cuda_array as;
    open_both();
    schema.metadata = tensor(rows[_i].shape);
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 12, BUFFERS(NULL, data)};
    struct ArrowArray root = {.length = 2, BUFFERS(NULL), ARRAYS(&values)};
    ck_assert_int_eq(describe(&schema, &root, ADI_COPY_NEVER, 3, &as), rows[_i].code);
    if (rows[_i].code == 0) {
        want(&as, "<i4", 3, rows[_i].wanted, data);
        ck_assert_int_eq(as.has_strides, rows[_i].has_strides);
        for (int i = 0; i < 3 && as.has_strides == G; i++)
            ck_assert_int_eq(as.strides[i], rows[_i].strides[i]);
        adi_cuda_array_release(&as);
    }
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* It would have to say which values are null: only a mask could. */
START_TEST(nulls_are_looked_for_where_they_may_be)
{
    static const uint8_t all[] = {0xff, 0xff}, but_the_ninth[] = {0xff, 0xfe};
    static const struct {
        int64_t null_count, offset, length;
        const uint8_t *bitmap;
        int64_t nulls;
    } rows[] = {
        {0, 0, 12, but_the_ninth, 0},  {-1, 0, 12, NULL, 0},         {-1, 0, 12, all, 0},
        {-1, 0, 12, but_the_ninth, 1}, {1, 0, 12, but_the_ninth, 1}, {-1, 0, 8, but_the_ninth, 0},
        {-1, 9, 3, but_the_ninth, 0},  {-1, 8, 1, but_the_ninth, 1}, {-1, 7, 1, but_the_ninth, 0},
        {-1, 8, 0, but_the_ninth, 0},  {2, 0, 12, NULL, -1}};
    struct ArrowSchema schema = SCHEMA("i");
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    void *bitmap = rows[_i].bitmap == NULL ? NULL : put(rows[_i].bitmap, 2);
    settle();
    struct ArrowArray values = {.length = rows[_i].length,
                                .offset = rows[_i].offset,
                                .null_count = rows[_i].null_count,
                                BUFFERS(bitmap, data)};
    int code = describe(&schema, &values, ADI_COPY_IF_NEEDED, 2, &as);
    ck_assert_int_eq(code, rows[_i].nulls == 0 ? 0 : rows[_i].nulls < 0 ? EINVAL : ENOTSUP);
    if (code == 0) adi_cuda_array_release(&as);
    if (rows[_i].nulls > 0)
        ck_assert_str_eq(error.text, "the array has 1 null, and masks are not made");
    if (bitmap != NULL) producer.ops->free(&producer, bitmap);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* A list that is not null has a null in it; one that is null is a null itself. */
START_TEST(nulls_in_lists_are_nulls)
{
    static const uint8_t but_the_fourth[] = {0xf7, 0xff};
    struct ArrowSchema item = SCHEMA("i"), *items[] = {&item};
    struct ArrowSchema schema = SCHEMA("+w:3", .n_children = 1, .children = items);
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers), *bitmap = put(but_the_fourth, 2);
    settle();
    bool of_lists = _i == 2;
    struct ArrowArray values = {
        .length = 12, .null_count = of_lists ? 0 : -1, BUFFERS(of_lists ? NULL : bitmap, data)};
    struct ArrowArray lists = {.length = 2,
                               .offset = _i == 0 ? 2 : 1, /* 0: the fourth is outside of it */
                               .null_count = of_lists ? -1 : 0,
                               BUFFERS(of_lists ? bitmap : NULL),
                               ARRAYS(&values)};
    if (of_lists) lists.offset = 2;
    int code = describe(&schema, &lists, ADI_COPY_NEVER, 2, &as);
    ck_assert_int_eq(code, _i == 0 ? 0 : ENOTSUP);
    if (code == 0) adi_cuda_array_release(&as);
    producer.ops->free(&producer, bitmap);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* ---- copied ---- */

START_TEST(bools_are_a_byte_each_in_a_copy)
{
    static const uint8_t bits[] = {0xb4, 0x02};
    static const struct {
        int64_t offset, length;
        char wanted[6];
    } rows[] = {{4, 6, {1, 1, 0, 1, 0, 1}}, {5, 5, {1, 0, 1, 0, 1}}, {9, 3, {1, 0, 0}}};
    struct ArrowSchema schema = SCHEMA("b");
    struct adi_cuda_array as;
    char seen[6] = "";
    open_both();
    void *data = put(bits, sizeof bits);
    settle();
    struct ArrowArray values = {
        .length = rows[_i].length, .offset = rows[_i].offset, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_IF_NEEDED, 3, &as), 0);
    ck_assert_int_eq(released, 1); /* it was read */
    ck_assert(!as.read_only);
    want(&as, "|b1", 1, &values.length, (void *)(uintptr_t)as.data);
    ck_assert_uint_ne(as.data, (uintptr_t)data);
    ck_assert_int_eq(
        consumer.ops->read(&consumer, (void *)(uintptr_t)as.data, 0, seen, values.length, &error),
        0);
    ck_assert_int_eq(memcmp(seen, rows[_i].wanted, (size_t)values.length), 0);
    adi_cuda_array_release(&as);
    ck_assert_int_eq(released, 1);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(a_copy_begins_at_the_offset)
{
    struct ArrowSchema schema = SCHEMA("i");
    struct adi_cuda_array as;
    int32_t seen[3];
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 3, .offset = 7, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_ALWAYS, 3, &as), 0);
    ck_assert_int_eq(
        consumer.ops->read(&consumer, (void *)(uintptr_t)as.data, 0, seen, sizeof seen, &error), 0);
    ck_assert_int_eq(memcmp(seen, numbers + 7, sizeof seen), 0);
    adi_cuda_array_release(&as);
    values.length = 0;
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_ALWAYS, 3, &as), 0);
    ck_assert_uint_eq(as.data, 0);
    adi_cuda_array_release(&as);
    ck_assert_int_eq(released, 2);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* ---- and back ---- */

START_TEST(dimensions_come_back_as_they_were)
{
    struct ArrowSchema schema;
    struct ArrowDeviceArray out;
    const struct adi_cuda_array_options options = {.version = 3};
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct adi_cuda_array as, in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(2, 1, 3, 2));
    ck_assert_int_eq(
        adi_cuda_array_to_arrow(&producer, &in, ADI_COPY_NEVER, true, &schema, &out, &error), 0);
    int code = adi_cuda_array_from_arrow(&producer, &schema, &out, &options, &as, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    want(&as, "<i4", 4, (const int64_t[]){2, 1, 3, 2}, data);
    adi_cuda_array_release(&as);
    adi_schema_release(&schema);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* In any order of the dimensions that leaves no gaps, and items one behind the other. */
START_TEST(permuted_dimensions_come_back_without_a_copy)
{
    static const struct {
        int64_t shape[4], strides[4];
        const char *metadata; /* NULL: it would have to be copied */
    } rows[] = {
        {{2, 3, 2, 1}, {24, 4, 12, 99}, "{\"shape\":[1,2,3],\"permutation\":[2,1,0]}"},
        {{1, 3, 2, 2}, {-7, 4, 24, 12}, "{\"shape\":[2,2,3],\"permutation\":[2,0,1]}"},
        {{2, 3, 2, 1}, {4, 8, 24, 4}, NULL},   /* items within each other */
        {{2, 3, 2, 1}, {24, 4, 14, 4}, NULL},  /* no whole values */
        {{2, 3, 2, 1}, {24, -4, 12, 4}, NULL}, /* backwards */
    };
    struct ArrowSchema schema;
    struct ArrowDeviceArray out;
    const struct adi_cuda_array_options options = {.version = 3};
    open_both();
    char *data = put(numbers, sizeof numbers);
    bool is_backwards = _i == 4;
    struct adi_cuda_array as,
        in = DESCRIPTION(3, "<i4", (uintptr_t)data + (is_backwards ? 8 : 0), .n_dimensions = 4,
                         .shape = rows[_i].shape, .has_strides = G, .strides = rows[_i].strides);
    int code = adi_cuda_array_to_arrow(&producer, &in, ADI_COPY_NEVER, true, &schema, &out, &error);
    ck_assert_msg(code == (rows[_i].metadata != NULL ? 0 : ENOTSUP), "%s", error.text);
    if (code == 0) {
        ck_assert_ptr_eq(out.array.children[0]->buffers[1], data);
        ck_assert(adi_metadata_bytes(schema.metadata) > strlen(rows[_i].metadata));
        const char *end = schema.metadata + adi_metadata_bytes(schema.metadata);
        size_t bytes = strlen(rows[_i].metadata);
        ck_assert_mem_eq(end - bytes, rows[_i].metadata, bytes);
        ck_assert_int_eq(adi_cuda_array_from_arrow(&producer, &schema, &out, &options, &as, &error),
                         0);
        want(&as, "<i4", 4, rows[_i].shape, data);
        for (int i = 0; i < 4; i++)
            if (rows[_i].shape[i] > 1) ck_assert_int_eq(as.strides[i], rows[_i].strides[i]);
        adi_cuda_array_release(&as);
        adi_schema_release(&schema);
    }
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(an_array_comes_back_as_it_was)
{
    struct ArrowSchema item = SCHEMA("i", .name = "item"), *items[] = {&item}, schema_out;
    struct ArrowSchema schema = SCHEMA("+w:3", .n_children = 1, .children = items);
    struct ArrowDeviceArray out;
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 12, BUFFERS(NULL, data)};
    struct ArrowArray lists = {.length = 4, BUFFERS(NULL), ARRAYS(&values)};
    ck_assert_int_eq(describe(&schema, &lists, ADI_COPY_NEVER, _i, &as), 0);
    int code =
        adi_cuda_array_to_arrow(&consumer, &as, ADI_COPY_NEVER, true, &schema_out, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert_str_eq(schema_out.format, "+w:3");
    ck_assert_int_eq(out.array.length, 4);
    ck_assert_ptr_eq(out.array.children[0]->buffers[1], data);
    struct ArrowArray child;
    adi_array_move_child(&out.array, 0, &child);
    adi_device_array_release(&out);
    ck_assert_int_eq(released, 0); /* the child holds the description, and that the array */
    adi_array_release(&child);
    ck_assert_int_eq(released, 1);
    adi_schema_release(&schema_out);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* Each behind the stream of a device of its kind. */
START_TEST(every_kind_of_memory_goes_there_and_back)
{
    static const struct adi_device_ops *const kinds[] = {&adi_device_cuda, &adi_device_cuda_host,
                                                         &adi_device_cuda_managed};
    const struct adi_device_ops *ops = kinds[_i];
    struct adi_device device;
    struct ArrowSchema schema;
    struct ArrowDeviceArray out;
    void *data;
    int32_t seen[12];
    open_both();
    ck_assert_int_eq(ops->open(0, &device, &error), 0);
    ck_assert_int_eq(ops->alloc(&device, sizeof numbers, &data, &error), 0);
    ck_assert_int_eq(ops->write(&device, data, 0, numbers, sizeof numbers, &error), 0);
    struct adi_cuda_array as, in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(12),
                                               .has_stream = G, .stream = stream_of(&device));
    const struct adi_cuda_array_options options = {
        .version = 3, .has_stream = G, .stream = stream_of(&consumer)};
    int code = adi_cuda_array_to_arrow(&device, &in, ADI_COPY_NEVER, true, &schema, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert_int_eq(out.device_type, ops->type);
    ck_assert_ptr_eq(out.array.buffers[1], data);
    code = adi_cuda_array_from_arrow(&device, &schema, &out, &options, &as, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    want(&as, "<i4", 1, (const int64_t[]){12}, data);
    ck_assert_int_eq(consumer.ops->read(&consumer, data, 0, seen, sizeof seen, &error), 0);
    ck_assert_int_eq(memcmp(seen, numbers, sizeof seen), 0);
    adi_cuda_array_release(&as);
    adi_schema_release(&schema);
    ops->free(&device, data);
    ops->close(&device);
    close_both();
}
END_TEST

Suite *ref_cuda_array_interface_export_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_export");
    TCase *tests = tcase_create("export");
    tcase_add_loop_test(tests, each_version_has_its_entries, 0, 4);
    tcase_add_test(tests, offsets_are_in_the_pointer);
    tcase_add_loop_test(tests, types_of_fixed_size_are_described, 0, COUNT(types));
    tcase_add_loop_test(tests, tensors_of_a_fixed_shape_have_their_dimensions, 0, 4);
    tcase_add_loop_test(tests, nulls_are_looked_for_where_they_may_be, 0, 11);
    tcase_add_loop_test(tests, nulls_in_lists_are_nulls, 0, 3);
    tcase_add_loop_test(tests, bools_are_a_byte_each_in_a_copy, 0, 3);
    tcase_add_test(tests, a_copy_begins_at_the_offset);
    tcase_add_test(tests, dimensions_come_back_as_they_were);
    tcase_add_loop_test(tests, permuted_dimensions_come_back_without_a_copy, 0, 5);
    tcase_add_loop_test(tests, every_kind_of_memory_goes_there_and_back, 0, 3);
    tcase_add_loop_test(tests, an_array_comes_back_as_it_was, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
