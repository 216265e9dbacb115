/* SPDX-License-Identifier: Apache-2.0
 *
 * arrow.fixed_shape_tensor as tensors and back: shapes and permutations, and metadata that make no
 * sense.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "dlpack.h"
#include "literal.h"
#include "metadata.h"
#include "move.h"
#include "tensor.h"

Suite *ref_fixed_shape_suite(void);

static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;
static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static const DLTensor *look(const struct adi_dlpack *tensor) {
    const DLTensor *within;
    ck_assert_msg(adi_dlpack_look(tensor, &within, NULL, NULL, &error) == 0, "%s", error.text);
    return within;
}

/* The metadata of an arrow.fixed_shape_tensor, encoded. */
static const char *extension(const char *json) {
    static char metadata[512];
    struct adi_pair pairs[] = {{"ARROW:extension:name", "arrow.fixed_shape_tensor", 20, 24},
                               {"ARROW:extension:metadata", json, 24, (int32_t)strlen(json)}};
    adi_metadata_write(pairs, 2, metadata);
    return metadata;
}

static int export_fixed_shape(const char *json, struct adi_dlpack *out) {
    struct ArrowSchema item = SCHEMA("i"),
                       schema = SCHEMA("+w:6", SCHEMAS(&item), .metadata = extension(json));
    struct ArrowArray child = ARRAY(.length = 12, BUFFERS(NULL, numbers));
    struct ArrowDeviceArray array = {.array = ARRAY(.length = 2, BUFFERS(NULL), ARRAYS(&child)),
                                     .device_id = -1,
                                     .device_type = ARROW_DEVICE_CPU};
    return adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_WRITABLE, &newest, out, &error);
}

START_TEST(a_fixed_shape_tensor_has_its_shape_and_permutation)
{
    static const struct {
        const char *json;
        int ndim;
        int64_t shape[4], strides[4];
    } cases[] = {
        {"{\"shape\":[2,3]}", 3, {2, 2, 3}, {6, 3, 1}},
        {" { \"shape\" : [ 2 , 3 ] } ", 3, {2, 2, 3}, {6, 3, 1}},
        {"{\"dim_names\":[\"a,]\\\"\",\"b\"],\"shape\":[3,2]}", 3, {2, 3, 2}, {6, 2, 1}},
        {"{\"shape\":[2,3],\"permutation\":[1,0]}", 3, {2, 3, 2}, {6, 1, 3}},
        {"{\"shape\":[1,2,3],\"permutation\":[2,0,1]}", 4, {2, 3, 1, 2}, {6, 1, 6, 3}},
        {"{\"of\":{\"others\":[1,{\"x\":null}],\"y\":{}},\"shape\":[6],\"z\":-1.5e3}",
         2,
         {2, 6},
         {6, 1}},
        /* arrow-rs writes null for what is not there */
        {"{\"shape\":[2,3],\"dim_names\":null,\"permutation\": null }", 3, {2, 2, 3}, {6, 3, 1}},
    };
    struct adi_dlpack out, again;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    ck_assert_msg(export_fixed_shape(cases[_i].json, &out) == 0, "%s", error.text);
    const DLTensor *tensor = look(&out);
    ck_assert_int_eq(tensor->ndim, cases[_i].ndim);
    ck_assert_mem_eq(tensor->shape, cases[_i].shape, (size_t)tensor->ndim * sizeof(int64_t));
    ck_assert_mem_eq(tensor->strides, cases[_i].strides, (size_t)tensor->ndim * sizeof(int64_t));

    /* There and back again, without a copy: the same tensor. */
    struct adi_dlpack_arguments no_copy = newest;
    no_copy.copy = 0;
    ck_assert_msg(adi_dlpack_import(NULL, &out, &no_copy, &schema, &array, &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(
        adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_WRITABLE, &no_copy, &again, &error), 0);
    tensor = look(&again);
    ck_assert_ptr_eq(tensor->data, numbers);
    ck_assert_int_eq(tensor->ndim, cases[_i].ndim);
    ck_assert_mem_eq(tensor->shape, cases[_i].shape, (size_t)tensor->ndim * sizeof(int64_t));
    for (int64_t i = 0; i < 12; i++) {
        int64_t at[4], strided = 0;
        tensor_indices(tensor, i, at);
        for (int d = 0; d < tensor->ndim; d++) strided += at[d] * cases[_i].strides[d];
        ck_assert_int_eq(*(const int32_t *)tensor_at(tensor, at), strided);
    }
    adi_dlpack_delete(&again);
    adi_schema_release(&schema);
}
END_TEST

START_TEST(metadata_that_make_no_sense_are_refused)
{
    static const char *const cases[][2] = {
        {"", "are no object of JSON"},
        {"{", "are no object of JSON"},
        {"{\"shape\":[2,3]", "are no object of JSON"},
        {"{\"shape\":[2,3]}}", "are no object of JSON"},
        {"{\"shape\":[2,-3]}", "are no object of JSON"},
        {"{\"shape\":[2,3.5]}", "are no object of JSON"},
        {"{\"shape\":\"2,3\"}", "are no object of JSON"},
        {"{\"shape\":[2,99999999999999999999]}", "are no object of JSON"},
        {"{\"shape\":[2,3],}", "are no object of JSON"},
        {"{\"x\":\"\\", "are no object of JSON"},
        {"{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "are no object of JSON"},
        {"{}", "there is no shape"},
        {"{\"shape\":null}", "there is no shape"},
        {"{\"shape\":nul}", "are no object of JSON"},
        {"{\"shape\":nullify}", "are no object of JSON"},
        {"{\"shape\":null", "are no object of JSON"},
        {"{\"shape\":[2,4]}", "has not the 6 values"},
        {"{\"shape\":[0,6]}", "has not the 6 values"},
        {"{\"shape\":[4294967296,4294967296]}", "has not the 6 values"},
        {"{\"shape\":[2,3],\"permutation\":[0]}", "an element for each of the 2"},
        {"{\"shape\":[2,3],\"dim_names\":[\"a\"]}", "an element for each of the 2"},
        {"{\"shape\":[2,3],\"permutation\":[0,0]}", "permutation[1] is 0"},
        {"{\"shape\":[2,3],\"permutation\":[0,2]}", "permutation[1] is 2"},
    };
    struct adi_dlpack out;
    ck_assert_int_eq(export_fixed_shape(cases[_i][0], &out), EINVAL);
    ck_assert_msg(strstr(error.text, cases[_i][1]) != NULL, "%s: %s", cases[_i][0], error.text);
}
END_TEST

Suite *ref_fixed_shape_suite(void) {
    Suite *suite = suite_create("ref_fixed_shape");
    TCase *tests = tcase_create("metadata");
    tcase_add_loop_test(tests, a_fixed_shape_tensor_has_its_shape_and_permutation, 0, 7);
    tcase_add_loop_test(tests, metadata_that_make_no_sense_are_refused, 0, 23);
    suite_add_tcase(suite, tests);
    return suite;
}
