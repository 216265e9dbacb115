/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions turned into Arrow's arrays, on the simulated driver.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "description.h"
#include "import.h"
#include "literal.h"
#include "metadata.h"
#include "move.h"
#include "on_cuda.h"

Suite *ref_cuda_array_interface_import_suite(void);

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static int released;
static struct ArrowSchema schema;
static struct ArrowDeviceArray out;

static void count_release(struct adi_cuda_array *array) {
    released++;
    array->release = NULL;
}

static void take(struct adi_cuda_array *in, enum adi_copy copy) {
    in->release = count_release;
    int code = adi_cuda_array_to_arrow(&consumer, in, copy, true, &schema, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
}

/* What is in it, on the host, is `wanted` values of the format; and all is released once. */
static void want_values(const char *format, int64_t count, const void *wanted) {
    struct ArrowSchema items = SCHEMA(format);
    struct ArrowArray host, right = ARRAY(.length = count, BUFFERS(NULL, wanted));
    struct adi_error difference;
    int code = adi_copy_to_host(&consumer, &schema, &out, &host, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    const struct ArrowArray *values = host.n_children > 0 ? host.children[0] : &host;
    ck_assert_msg(adi_array_compare(&items, values, &items, &right, &difference) == 0, "%s",
                  difference.text);
    ck_assert_int_eq(released, out.array.release == NULL);
    adi_array_release(&host);
}

static void end(void) {
    adi_schema_release(&schema);
    adi_device_array_release(&out);
    ck_assert_int_eq(released, 1);
}

static const int32_t six[] = {1, 2, 3, 4, 5, 6};

/* ---- without a copy ---- */

START_TEST(memory_is_used_where_it_lies)
{
    static const struct {
        const char *typestr, *format;
    } types[] = {{"|i1", "c"}, {"<u2", "S"},        {"<i4", "i"},      {"<f4", "f"},
                 {"<u8", "L"}, {"<M8[ms]", "tsm:"}, {"<m8[s]", "tDs"}, {"|V3", "w:3"}};
    struct adi_type_string type;
    open_both();
    void *data = put(six, sizeof six);
    settle();
    ck_assert_int_eq(adi_type_string_parse(types[_i].typestr, &type, &error), 0);
    const int64_t count = (int64_t)sizeof six / type.bytes;
    struct adi_cuda_array in =
        DESCRIPTION(_i % 4, types[_i].typestr, (uintptr_t)data, SHAPE(count));
    take(&in, ADI_COPY_NEVER);
    ck_assert_str_eq(schema.format, types[_i].format);
    ck_assert_int_eq(schema.flags, 0);
    ck_assert_ptr_null(schema.metadata);
    ck_assert_int_eq(out.array.length, count);
    ck_assert_int_eq(out.array.null_count, 0);
    ck_assert_int_eq(out.device_type, ARROW_DEVICE_CUDA);
    ck_assert_int_eq(out.device_id, 0);
    ck_assert_ptr_null(out.sync_event);
    ck_assert_ptr_null(out.array.buffers[0]);
    ck_assert_ptr_eq(out.array.buffers[1], data);
    ck_assert_int_eq(in.has_shape, ADI_ENTRY_ABSENT); /* moved from */
    want_values(types[_i].format, count, six);
    end();
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

static const char *shape_of(const struct ArrowSchema *of) {
    static char text[64];
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    if (of->metadata == NULL) return "";
    ck_assert_int_eq(adi_metadata_open(of->metadata, SIZE_MAX, &reader, &error), 0);
    ck_assert_int_eq(adi_metadata_next(&reader, &pair, &error), 0);
    ck_assert_int_eq(strncmp(pair.value, "arrow.fixed_shape_tensor", 24), 0);
    ck_assert_int_eq(adi_metadata_next(&reader, &pair, &error), 0);
    snprintf(text, sizeof text, "%.*s", (int)pair.value_bytes, pair.value);
    return text;
}

START_TEST(dimensions_become_lists)
{
    static const struct {
        int32_t n;
        int64_t shape[4];
        const char *format, *metadata;
        int64_t length, items;
    } shapes[] = {
        {0, {0}, "i", "", 1, 1},
        {1, {6}, "i", "", 6, 6},
        {1, {0}, "i", "", 0, 0},
        {2, {2, 3}, "+w:3", "", 2, 6},
        {2, {6, 1}, "+w:1", "", 6, 6},
        {2, {0, 3}, "+w:3", "", 0, 0},
        {2, {3, 0}, "+w:0", "", 3, 0},
        {3, {1, 2, 3}, "+w:6", "{\"shape\":[2,3]}", 1, 6},
        {4, {3, 2, 1, 1}, "+w:2", "{\"shape\":[2,1,1]}", 3, 6},
        {3, {2, INT64_C(1) << 40, 0}, "+w:0", "{\"shape\":[1099511627776,0]}", 2, 0},
    };
    open_both();
    void *data = put(six, sizeof six);
    settle();
    struct adi_cuda_array in = DESCRIPTION(2, "<i4", shapes[_i].items > 0 ? (uintptr_t)data : 0,
                                           .shape = shapes[_i].shape);
    in.n_dimensions = shapes[_i].n;
    take(&in, ADI_COPY_NEVER);
    ck_assert_str_eq(schema.format, shapes[_i].format);
    ck_assert_str_eq(shape_of(&schema), shapes[_i].metadata);
    ck_assert_int_eq(out.array.length, shapes[_i].length);
    want_values("i", shapes[_i].items, six);
    end();
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* Nothing is asked about it, and nothing waited for. */
START_TEST(the_pointer_of_zero_size_is_not_looked_at)
{
    static const enum adi_copy copies[] = {ADI_COPY_NEVER, ADI_COPY_IF_NEEDED, ADI_COPY_ALWAYS};
    open_both();
    struct adi_cuda_array in =
        DESCRIPTION(3, "|b1", 0xdead, SHAPE(0), STRIDES(7), .has_stream = G, .stream = 1);
    take(&in, copies[_i]);
    ck_assert_int_eq(out.array.length, 0);
    ck_assert_ptr_null(out.array.buffers[1]);
    ck_assert_ptr_null(out.sync_event);
    ck_assert_int_eq(released, copies[_i] == ADI_COPY_ALWAYS);
    end();
    close_both();
}
END_TEST

/* ---- whose memory ---- */

/* Mapped memory of a machine where host and device know it by different pointers. */
static const void *theirs, *ours;

static int translate(struct adi_device *device, const void *pointer,
                     struct adi_pointer_attributes *attributes, struct adi_error *why) {
    (void)device, (void)why;
    ck_assert_ptr_eq(pointer, theirs);
    *attributes = (struct adi_pointer_attributes){.device_pointer = ours,
                                                  .host_pointer = theirs,
                                                  .start = ours,
                                                  .bytes = 24,
                                                  .is_host = true};
    return 0;
}

START_TEST(the_pointer_is_the_one_that_the_device_reaches_it_by)
{
    static const struct adi_device_ops *const kinds[] = {&adi_device_cuda, &adi_device_cuda_host};
    struct adi_device_ops ops = *kinds[_i];
    open_both();
    ops.pointer_attributes = translate;
    ops.accessible = NULL;
    consumer.ops = &ops;
    theirs = put(six, sizeof six);
    ours = put(six, sizeof six);
    struct adi_cuda_array in = DESCRIPTION(2, "<i4", (uintptr_t)theirs, SHAPE(6));
    take(&in, ADI_COPY_NEVER);
    ck_assert_ptr_eq(out.array.buffers[1], _i == 0 ? ours : theirs);
    end();
}
END_TEST

/* ---- refused ---- */

static const struct adi_array_field parts[] = {{.name = "a", .typestr = "<u2"},
                                               {.name = "b", .typestr = "<u2"}};
static const struct adi_array_field whole[] = {{.name = "", .typestr = "<i4"}};
static const struct adi_cuda_array mask = DESCRIPTION(3, "|b1", 8, SHAPE(6));

#define AT_DATA 0 /* stands for the pointer to the six */

static const struct {
    struct adi_cuda_array in;
    int code;
    const char *says;
} refused[] = {
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(6), .has_mask = G, .mask = &mask), ENOTSUP, "mask:"},
    {DESCRIPTION(0, "<i4", AT_DATA, SHAPE(6), .has_mask = G, .mask = &mask), ENOTSUP, "mask:"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(6), .has_descr = G, .descr = parts, .n_descr = 2),
     ENOTSUP, "descr: Arrow keeps the parts"},
    {DESCRIPTION(3, "<c8", AT_DATA, SHAPE(3)), ENOTSUP, "no complex numbers"},
    {DESCRIPTION(3, "|b1", AT_DATA, SHAPE(6)), ENOTSUP, "typestr: a bool of Arrow is a bit"},
    {DESCRIPTION(3, ">i4", AT_DATA, SHAPE(6)), ENOTSUP,
     "typestr: its bytes are in the other order"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(2, 3), STRIDES(4, 8)), ENOTSUP,
     "strides: they leave gaps"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(6), STRIDES(0)), ENOTSUP, "strides: they leave gaps"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(2), STRIDES(6)), ENOTSUP, "strides: they leave gaps"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(2, 2), STRIDES(8, 2)), ENOTSUP, "strides: they leave"},
    {DESCRIPTION(3, "|u1", AT_DATA, SHAPE(1, INT64_C(1) << 31)), ENOTSUP,
     "shape: a fixed-size list has at most 2147483647 values"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(7)), EFAULT,
     "data: item [6] lies in bytes 24 to 28 of an allocation of 24 bytes"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(2, 4)), EFAULT, "data: item [1, 3] lies in bytes 28"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(INT64_MAX / 8)), EFAULT, "of an allocation of 24"},
    {DESCRIPTION(3, "<i4", 1, SHAPE(6)), EFAULT, "is no memory that CUDA knows"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(6), .has_stream = G, .stream = 0), EINVAL, "stream: 0"},
    {DESCRIPTION(3, "<i4", AT_DATA, SHAPE(6), .has_stream = G, .stream = 4711), EINVAL,
     "cuStreamGetCtx"},
    {DESCRIPTION(4, "<i4", AT_DATA, SHAPE(6)), ENOTSUP, "version: 4"},
};

static bool is_untouched(const void *at, size_t bytes) {
    const unsigned char *byte = at;
    while (bytes > 0 && byte[bytes - 1] == 0xa5) bytes--;
    return bytes == 0;
}

START_TEST(what_is_refused_leaves_everything_as_it_was)
{
    open_both();
    void *data = put(six, sizeof six);
    struct adi_cuda_array in = refused[_i].in, before;
    if (in.data == AT_DATA) in.data = (uintptr_t)data;
    in.release = count_release;
    memcpy(&before, &in, sizeof in);
    memset(&schema, 0xa5, sizeof schema);
    memset(&out, 0xa5, sizeof out);
    int code = adi_cuda_array_to_arrow(&consumer, &in, ADI_COPY_NEVER, true, &schema, &out, &error);
    ck_assert_int_eq(code, refused[_i].code);
    ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "%s", error.text);
    ck_assert(is_untouched(&schema, sizeof schema) && is_untouched(&out, sizeof out));
    ck_assert_int_eq(memcmp(&before, &in, sizeof in), 0);
    ck_assert_int_eq(released, 0);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(a_description_that_says_nothing_new_is_no_structure)
{
    open_both();
    void *data = put(six, sizeof six);
    settle();
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(6), .has_descr = G,
                                           .descr = whole, .n_descr = 1);
    take(&in, ADI_COPY_NEVER);
    want_values("i", 6, six);
    end();
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

/* ---- copied ---- */

static const struct {
    const char *typestr;
    int32_t n;
    int64_t shape[3], strides[3];
    int64_t first; /* the byte that `data` points to */
    const char *format;
    int64_t count;
    const void *wanted;
} copied[] = {
    {"<i4", 2, {3, 2}, {4, 12}, 0, "i", 6, (const int32_t[]){1, 4, 2, 5, 3, 6}},
    {"<i4", 1, {6}, {-4}, 20, "i", 6, (const int32_t[]){6, 5, 4, 3, 2, 1}},
    {"<i4", 2, {2, 3}, {0, 4}, 4, "i", 6, (const int32_t[]){2, 3, 4, 2, 3, 4}},
    {"<i4", 2, {2, 2}, {-12, 8}, 12, "i", 4, (const int32_t[]){4, 6, 1, 3}},
    /* no multiple of an item */
    {"<i4", 1, {3}, {6}, 0, "i", 3, (const int32_t[]){1, 3 << 16, 4}},
    {">i4",
     1,
     {6},
     {4},
     0,
     "i",
     6,
     (const int32_t[]){1 << 24, 2 << 24, 3 << 24, 4 << 24, 5 << 24, 6 << 24}},
    {">u2", 1, {3}, {8}, 0, "S", 3, (const uint16_t[]){0x100, 0x300, 0x500}},
    {"|b1", 1, {21}, {1}, 0, "b", 21, (const uint8_t[]){0x11, 0x11, 0x11}},
    {"|b1", 1, {6}, {4}, 0, "b", 6, (const uint8_t[]){0x3f}},
    /* without need */
    {"<i4", 1, {6}, {4}, 0, "i", 6, six},
    {"<i4", 3, {1, 2, 2}, {999, 8, 4}, 0, "i", 4, (const int32_t[]){1, 2, 3, 4}},
};

START_TEST(what_cannot_be_used_where_it_lies_is_copied)
{
    open_both();
    void *data = put(six, sizeof six);
    settle();
    bool needed = _i < COUNT(copied) - 2;
    struct adi_cuda_array in =
        DESCRIPTION(3, copied[_i].typestr, (uintptr_t)data + (uintptr_t)copied[_i].first,
                    .shape = copied[_i].shape, .has_strides = G, .strides = copied[_i].strides);
    in.n_dimensions = copied[_i].n;
    take(&in, needed ? ADI_COPY_IF_NEEDED : ADI_COPY_ALWAYS);
    ck_assert_int_eq(released, 1); /* nothing of it is needed any more */
    producer.ops->write(&producer, data, 0, (const int32_t[6]){0}, 24, &error);
    settle();
    ck_assert_ptr_nonnull(out.sync_event);
    struct ArrowSchema items = SCHEMA(copied[_i].format);
    struct ArrowArray host,
        right = ARRAY(.length = copied[_i].count, BUFFERS(NULL, copied[_i].wanted));
    ck_assert_int_eq(adi_copy_to_host(&consumer, &schema, &out, &host, &error), 0);
    int code = adi_array_compare(&items, host.n_children > 0 ? host.children[0] : &host, &items,
                                 &right, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    adi_array_release(&host);
    end();
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(what_can_be_used_is_not_copied_without_need)
{
    open_both();
    void *data = put(six, sizeof six);
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(6), STRIDES(4));
    take(&in, ADI_COPY_IF_NEEDED);
    ck_assert_ptr_eq(out.array.buffers[1], data);
    ck_assert_int_eq(released, 0);
    end();
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

Suite *ref_cuda_array_interface_import_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_import");
    TCase *tests = tcase_create("import");
    tcase_add_loop_test(tests, memory_is_used_where_it_lies, 0, 8);
    tcase_add_loop_test(tests, dimensions_become_lists, 0, 10);
    tcase_add_loop_test(tests, the_pointer_of_zero_size_is_not_looked_at, 0, 3);
    tcase_add_loop_test(tests, the_pointer_is_the_one_that_the_device_reaches_it_by, 0, 2);
    tcase_add_loop_test(tests, what_is_refused_leaves_everything_as_it_was, 0, COUNT(refused));
    tcase_add_test(tests, a_description_that_says_nothing_new_is_no_structure);
    tcase_add_loop_test(tests, what_cannot_be_used_where_it_lies_is_copied, 0, COUNT(copied));
    tcase_add_test(tests, what_can_be_used_is_not_copied_without_need);
    suite_add_tcase(suite, tests);
    return suite;
}
