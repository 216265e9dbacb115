/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow arrays as tensors, on the CPU: which there are, by value, which are refused, and why.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "device_types.h"
#include "dlpack.h"
#include "export.h"
#include "literal.h"
#include "move.h"
#include "sample.h"
#include "tensor.h"
#include "value.h"

Suite *ref_dlpack_export_suite(void);

static struct adi_error error;

static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;
static const struct adi_dlpack_arguments oldest = {.copy = -1, .stream = ADI_DLPACK_NONE};

static const DLTensor *look(const struct adi_dlpack *tensor, uint64_t *flags) {
    const DLTensor *within;
    ck_assert_msg(adi_dlpack_look(tensor, &within, NULL, flags, &error) == 0, "%s", error.text);
    return within;
}

/* ---- every sample ---- */

/* Told from the types' names, apart from ref/. */
static bool has_tensor(const char *name) {
    static const char *const names[] = {"int8",
                                        "uint8",
                                        "int16",
                                        "uint16",
                                        "int32",
                                        "uint32",
                                        "int64",
                                        "uint64",
                                        "float16",
                                        "float32",
                                        "float64",
                                        "extension_unknown",
                                        "fixed_size_list_int32",
                                        "fixed_size_list_1",
                                        "fixed_size_list_0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool has_null(const struct adi_node *node, int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; i++) {
        if (adi_node_has_validity(node) && adi_node_is_null(node, i)) return true;
        if (node->type.layout != ADI_LAYOUT_FIXED_LIST) continue;
        struct adi_range range = adi_node_list(node, i);
        if (has_null(range.node, range.start, range.count)) return true;
    }
    return false;
}

/* Into a tensor and back: the same values. Every refusal has a sentence. */
static bool go_round(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                     const struct adi_dlpack_arguments *arguments) {
    struct ArrowSchema schema, schema_back;
    struct ArrowArray host, moved;
    struct ArrowDeviceArray array, back;
    struct adi_dlpack tensor;
    struct adi_node *node;
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &host, NULL), 0);
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema_back, &moved, NULL), 0);
    adi_schema_release(&schema_back);
    ck_assert_int_eq(adi_export_host(&moved, &array, NULL), 0);
    ck_assert_int_eq(adi_node_open(&schema, &host, &node, NULL), 0);
    bool is_deep = schema.n_children == 1 && schema.children[0]->n_children > 0;
    bool wanted = has_tensor(type->name) && !is_deep && !has_null(node, 0, host.length);
    free(node);

    error.text[0] = '\0';
    int code =
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_WRITABLE, arguments, &tensor, &error);
    ck_assert_msg(code == (wanted ? 0 : ENOTSUP), "%s/%s: %d, %s", type->name, shape->name, code,
                  error.text);
    if (code != 0) {
        ck_assert(array.array.release != NULL); /* untouched */
        ck_assert(error.text[0] != '\0');
        adi_device_array_release(&array);
    } else {
        ck_assert(array.array.release == NULL); /* moved */
        code = adi_dlpack_import(NULL, &tensor, arguments, &schema_back, &back, &error);
        ck_assert_msg(code == 0, "%s/%s: %s", type->name, shape->name, error.text);
        ck_assert(tensor.legacy == NULL && tensor.versioned == NULL);
        ck_assert_int_eq(back.device_type, ARROW_DEVICE_CPU);
        ck_assert_int_eq(back.device_id, -1);
        code = adi_array_compare(&schema_back, &back.array, &schema, &host, &error);
        ck_assert_msg(code == 0, "%s/%s: %s", type->name, shape->name, error.text);
        adi_schema_release(&schema_back);
        adi_device_array_release(&back);
    }
    adi_array_release(&host);
    adi_schema_release(&schema);
    return wanted;
}

START_TEST(every_sample_is_a_tensor_or_refused)
{
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    int tensors = 0, refused = 0;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t s = 0; (shape = adi_sample_shape(s)) != NULL; s++) {
            if (!adi_sample_exists(type, shape)) continue;
            if (go_round(type, shape, _i == 0 ? &newest : &oldest))
                tensors++;
            else
                refused++;
        }
    ck_assert_int_gt(tensors, 50);
    ck_assert_int_gt(refused, 500);
}
END_TEST

/* ---- what a tensor says ---- */

static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

START_TEST(an_offset_is_a_byte_offset)
{
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array = {.array =
                                         ARRAY(.length = 5, .offset = 3, BUFFERS(NULL, numbers)),
                                     .device_id = -1,
                                     .device_type = ARROW_DEVICE_CPU};
    struct adi_dlpack out;
    uint64_t flags;
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &newest, &out, &error), 0);
    const DLTensor *tensor = look(&out, &flags);
    ck_assert_ptr_eq(tensor->data, numbers);
    ck_assert_uint_eq(tensor->byte_offset, 12);
    ck_assert_int_eq(tensor->ndim, 1);
    ck_assert_int_eq(tensor->shape[0], 5);
    ck_assert_int_eq(tensor->strides[0], 1);
    ck_assert_int_eq((int)tensor->device.device_type, kDLCPU);
    ck_assert_int_eq(tensor->device.device_id, 0);
    ck_assert_int_eq(tensor->dtype.code, kDLInt);
    ck_assert_int_eq(tensor->dtype.bits, 32);
    ck_assert_int_eq(tensor->dtype.lanes, 1);
    ck_assert_uint_eq(flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    ck_assert_int_eq(out.versioned->version.major, 1);
    ck_assert_int_eq(out.versioned->version.minor, 3);
    adi_dlpack_delete(&out);
}
END_TEST

START_TEST(a_fixed_size_list_is_a_matrix)
{
    struct ArrowSchema item = SCHEMA("i"), schema = SCHEMA("+w:3", SCHEMAS(&item));
    struct ArrowArray child = ARRAY(.length = 14, .offset = 1, BUFFERS(NULL, numbers));
    struct ArrowDeviceArray array = {
        .array = ARRAY(.length = 3, .offset = 1, BUFFERS(NULL), ARRAYS(&child)),
        .device_id = 0,
        .device_type = ARROW_DEVICE_CPU};
    struct adi_dlpack out;
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_WRITABLE, &newest, &out, &error), 0);
    const DLTensor *tensor = look(&out, NULL);
    ck_assert_int_eq(tensor->ndim, 2);
    ck_assert_int_eq(tensor->shape[0], 3);
    ck_assert_int_eq(tensor->shape[1], 3);
    for (int64_t i = 0; i < 9; i++)
        ck_assert_int_eq(*(const int32_t *)tensor_at(tensor, LIST(i / 3, i % 3)), 1 + 3 + i);
    adi_dlpack_delete(&out);
}
END_TEST

/* Value 5 of the child is null: the second item has it, the first and the last have not. */
START_TEST(a_null_counts_where_the_tensor_has_it)
{
    static const uint8_t bitmap[] = {0xdf, 0xff};
    static const struct {
        int64_t offset, length, null_count;
        int code;
    } cases[] = {{0, 1, 1, 0},        {1, 1, 1, ENOTSUP}, {2, 1, 1, 0},
                 {0, 3, -1, ENOTSUP}, {2, 1, -1, 0},      {0, 3, 0, 0} /* the producer says so */};
    struct ArrowSchema item = SCHEMA("i"), schema = SCHEMA("+w:3", SCHEMAS(&item));
    struct ArrowArray child =
        ARRAY(.length = 10, .null_count = cases[_i].null_count, BUFFERS(bitmap, numbers));
    struct ArrowDeviceArray array = {.array = ARRAY(.length = cases[_i].length,
                                                    .offset = cases[_i].offset, BUFFERS(NULL),
                                                    ARRAYS(&child)),
                                     .device_id = -1,
                                     .device_type = ARROW_DEVICE_CPU};
    struct adi_dlpack out = {NULL, NULL};
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_WRITABLE, &newest, &out, &error),
        cases[_i].code);
    adi_dlpack_delete(&out);
}
END_TEST

/* ---- refusals ---- */

START_TEST(what_is_no_tensor_is_refused_with_a_sentence)
{
    static const struct {
        const char *type, *shape, *why;
    } cases[] = {
        {"int32", "nulls", "there are nulls, which DLPack does not have"},
        {"int32", "null-count-unknown", "there are nulls"},
        {"fixed_size_list_int32", "nulls", "there are nulls"},
        {"bool", "many", "bool has a bit for each value; kDLBool has 8"},
        {"null", "many", "null has nulls only"},
        {"utf8", "many", "utf8 has values of any size"},
        {"utf8_view", "many", "utf8_view has values of any size"},
        {"decimal128", "many", "decimal128 is no type that DLPack has"},
        {"timestamp_us", "many", "timestamp is no type that DLPack has"},
        {"fixed_size_binary", "many", "fixed_size_binary is no type that DLPack has"},
        {"struct", "many", "struct is nested"},
        {"list_int32", "many", "list is nested"},
        {"fixed_size_list_bool", "many", "children[0]: bool has a bit"},
        {"fixed_size_list_struct", "many", "children[0]: struct is nested"},
        {"dictionary_int32_utf8", "many", "the array is dictionary-encoded"},
        {"ree_int32_float64", "many", "run_end_encoded is nested"},
    };
    struct ArrowSchema schema;
    struct ArrowArray host;
    struct ArrowDeviceArray array;
    struct adi_dlpack out = {NULL, NULL};
    ck_assert_int_eq(adi_sample(adi_sample_type_named(cases[_i].type),
                                adi_sample_shape_named(cases[_i].shape), 1, &schema, &host, NULL),
                     0);
    ck_assert_int_eq(adi_export_host(&host, &array, NULL), 0);
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &newest, &out, &error),
        ENOTSUP);
    ck_assert_msg(strstr(error.text, cases[_i].why) != NULL, "%s: %s", cases[_i].type, error.text);
    ck_assert(array.array.release != NULL);
    ck_assert(out.legacy == NULL && out.versioned == NULL);
    adi_device_array_release(&array);
    adi_schema_release(&schema);
}
END_TEST

START_TEST(what_is_malformed_is_refused)
{
    struct ArrowSchema schema = SCHEMA("i"), no_format = SCHEMA("Q");
    struct ArrowArray released = {.length = 1};
    struct ArrowArray short_of = ARRAY(.length = 1, BUFFERS(NULL));
    struct ArrowArray without = ARRAY(.length = 1, BUFFERS(NULL, NULL));
    struct ArrowArray no_bitmap = ARRAY(.length = 1, .null_count = 1, BUFFERS(NULL, numbers));
    struct ArrowArray far = ARRAY(.length = 1, .offset = INT64_MAX - 1, BUFFERS(NULL, numbers));
    struct ArrowArray *const arrays[] = {&released, &short_of, &without, &no_bitmap, &far};
    struct adi_dlpack out;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        struct ArrowDeviceArray array = adi_device_array_of_cpu(arrays[i]);
        error.text[0] = '\0';
        ck_assert_int_eq(
            adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &newest, &out, &error),
            EINVAL);
        ck_assert(error.text[0] != '\0');
    }
    struct ArrowArray good = ARRAY(.length = 1, BUFFERS(NULL, numbers));
    struct ArrowDeviceArray array = adi_device_array_of_cpu(&good);
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &no_format, &array, ADI_DLPACK_READ_ONLY, &newest, &out, &error),
        EINVAL);
}
END_TEST

/* ---- devices ---- */

/* Every type that Arrow has, without a device: nothing is looked at. */
START_TEST(every_device_type_has_tensors)
{
    static int memory;
    struct ArrowSchema schema = SCHEMA("i"), schema_back;
    const struct adi_device_type *type;
    struct adi_dlpack_arguments asked = newest;
    asked.stream = -1;
    for (size_t i = 0; (type = adi_device_type_at(i)) != NULL; i++) {
        bool is_host = type->ids != ADI_IDS_EXACT;
        struct ArrowDeviceArray back,
            array = {.array = ARRAY(.length = 2, .offset = 3, BUFFERS(NULL, &memory)),
                     .device_id = is_host ? -1 : 3,
                     .device_type = type->type};
        struct adi_dlpack out;
        asked.stream = type->event == ADI_EVENT_NONE ? ADI_DLPACK_NONE : -1;
        ck_assert_msg(adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &asked, &out,
                                        &error) == 0,
                      "%s: %s", type->name, error.text);
        const DLTensor *tensor = look(&out, NULL);
        ck_assert_ptr_eq(tensor->data, &memory); /* which may be a handle */
        ck_assert_uint_eq(tensor->byte_offset, 12);
        ck_assert_int_eq((int)tensor->device.device_type, type->type);
        ck_assert_int_eq(tensor->device.device_id, is_host ? 0 : 3);
        ck_assert_msg(adi_dlpack_import(NULL, &out, &asked, &schema_back, &back, &error) == 0,
                      "%s: %s", type->name, error.text);
        ck_assert_int_eq(back.device_type, type->type);
        ck_assert_int_eq(back.device_id, type->ids == ADI_IDS_NONE ? -1 : is_host ? 0 : 3);
        ck_assert_ptr_eq((const char *)back.array.buffers[1] + 4 * back.array.offset,
                         (const char *)&memory + 12);
        ck_assert_ptr_null(back.sync_event);
        adi_schema_release(&schema_back);
        adi_device_array_release(&back);
    }
}
END_TEST

START_TEST(ids_have_31_bits)
{
    static const struct {
        int64_t id;
        int code;
    } cases[] = {{0, 0},        {INT32_MAX, 0},       {(int64_t)INT32_MAX + 1, ENOTSUP},
                 {-1, ENOTSUP}, {INT64_MIN, ENOTSUP}, {(int64_t)1 << 32, ENOTSUP}};
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array = {.array = ARRAY(.length = 2, BUFFERS(NULL, numbers)),
                                     .device_id = cases[_i].id,
                                     .device_type = ARROW_DEVICE_CUDA};
    struct adi_dlpack_arguments asked = newest;
    struct adi_dlpack out;
    asked.stream = -1;
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &asked, &out, &error),
        cases[_i].code);
    if (cases[_i].code == 0)
        adi_dlpack_delete(&out);
    else
        ck_assert_ptr_nonnull(strstr(error.text, "of cuda: DLPack has 0 to 2147483647"));
}
END_TEST

START_TEST(a_type_that_arrow_has_not_is_refused)
{
    struct ArrowSchema schema = SCHEMA("i");
    struct adi_dlpack out;
    for (ArrowDeviceType type = -1; type < 300; type++) {
        if (adi_device_type_find(type) != NULL) continue;
        struct ArrowDeviceArray array = {.array = ARRAY(.length = 2, BUFFERS(NULL, numbers)),
                                         .device_type = type};
        ck_assert_int_eq(
            adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &newest, &out, &error),
            ENOTSUP);
    }
}
END_TEST

Suite *ref_dlpack_export_suite(void) {
    Suite *suite = suite_create("ref_dlpack_export");
    TCase *samples = tcase_create("samples"), *tests = tcase_create("tensors");
    tcase_set_timeout(samples, 60);
    tcase_add_loop_test(samples, every_sample_is_a_tensor_or_refused, 0, 2);
    suite_add_tcase(suite, samples);
    tcase_add_test(tests, an_offset_is_a_byte_offset);
    tcase_add_test(tests, a_fixed_size_list_is_a_matrix);
    tcase_add_loop_test(tests, a_null_counts_where_the_tensor_has_it, 0, 6);
    tcase_add_loop_test(tests, what_is_no_tensor_is_refused_with_a_sentence, 0, 16);
    tcase_add_test(tests, what_is_malformed_is_refused);
    tcase_add_test(tests, every_device_type_has_tensors);
    tcase_add_loop_test(tests, ids_have_31_bits, 0, 6);
    tcase_add_test(tests, a_type_that_arrow_has_not_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
