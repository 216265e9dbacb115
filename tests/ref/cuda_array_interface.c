/* SPDX-License-Identifier: Apache-2.0
 *
 * What a description says, and what is none. No memory of a device is looked at.
 */
#include "cuda_array_interface.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "description.h"

Suite *ref_cuda_array_interface_suite(void);

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
static struct adi_error error;

/* ---- what is accepted ---- */

static const struct {
    struct adi_cuda_array array;
    int64_t items, bytes, lowest, end;
    bool is_contiguous;
} sound[] = {
    {DESCRIPTION(2, "<f4", 0x1000, SHAPE(3)), 3, 12, 0, 12, true},
    {DESCRIPTION(3, "<f4", 0x1000, .n_dimensions = 0), 1, 4, 0, 4, true},
    {DESCRIPTION(3, "<f8", 0x1000, SHAPE(2, 3)), 6, 48, 0, 48, true},
    {DESCRIPTION(3, "<f8", 0x1000, SHAPE(2, 3), .has_strides = ADI_ENTRY_NONE), 6, 48, 0, 48, true},
    {DESCRIPTION(3, "<f8", 0x1000, SHAPE(2, 3), STRIDES(24, 8)), 6, 48, 0, 48, true},
    {DESCRIPTION(3, "<f8", 0x1000, SHAPE(2, 3), STRIDES(8, 16)), 6, 48, 0, 48, false},
    {DESCRIPTION(3, "<f8", 0x1000, SHAPE(1, 3), STRIDES(-999, 8)), 3, 24, 0, 24, true},
    {DESCRIPTION(3, "<i4", 0x1000, SHAPE(3), STRIDES(-4)), 3, 12, -8, 4, false},
    {DESCRIPTION(3, "<i4", 0x1000, SHAPE(3), STRIDES(0)), 3, 12, 0, 4, false},
    {DESCRIPTION(3, "<i4", 0x1000, SHAPE(2, 3), STRIDES(-100, 3)), 6, 24, -100, 10, false},
    {DESCRIPTION(3, "<i4", 8, SHAPE(3), STRIDES(-4)), 3, 12, -8, 4, false},
    /* zero size: whatever else is there */
    {DESCRIPTION(2, "<f4", 0, SHAPE(0)), 0, 0, 0, 0, true},
    {DESCRIPTION(2, "|V0", 0, SHAPE(5)), 5, 0, 0, 0, true},
    {DESCRIPTION(2, "<f4", 0xdead, SHAPE(0)), 0, 0, 0, 0, true},
    {DESCRIPTION(2, "<f4", 0, SHAPE(INT64_MAX, INT64_MAX, 0), STRIDES(INT64_MIN, 0, -1)), 0, 0, 0,
     0, true},
    /* keys that the version does not have are none of its entries */
    {DESCRIPTION(2, "<f4", 0x1000, SHAPE(3), .has_stream = G, .stream = 0), 3, 12, 0, 12, true},
    {DESCRIPTION(0, "<f4", 0x1000, SHAPE(3), .has_mask = G), 3, 12, 0, 12, true},
    {DESCRIPTION(1, "<f4", 0x1000, SHAPE(3), .has_mask = ADI_ENTRY_NONE), 3, 12, 0, 12, true},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_stream = ADI_ENTRY_NONE), 3, 12, 0, 12, true},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_stream = G, .stream = 2), 3, 12, 0, 12, true},
    {DESCRIPTION(3, "<c8", 0x1000, SHAPE(3)), 3, 24, 0, 24, true},
    {DESCRIPTION(3, "|V5", 0x1001, SHAPE(3), .has_descr = ADI_ENTRY_NONE), 3, 15, 0, 15, true},
};

START_TEST(a_description_has_an_extent)
{
    struct adi_cuda_array_extent out;
    memset(&out, 0x5a, sizeof out);
    ck_assert_msg(adi_cuda_array_check(&sound[_i].array, &out, &error) == 0, "%s", error.text);
    ck_assert_int_eq(out.items, sound[_i].items);
    ck_assert_int_eq(out.bytes, sound[_i].bytes);
    ck_assert_int_eq(out.lowest, sound[_i].lowest);
    ck_assert_int_eq(out.end, sound[_i].end);
    ck_assert_int_eq(out.is_contiguous, sound[_i].is_contiguous);
    ck_assert_int_eq(adi_cuda_array_check(&sound[_i].array, NULL, NULL), 0);
}
END_TEST

/* ---- what is refused ---- */

static const struct adi_array_field eight_bytes[] = {{.name = "a", .typestr = "<f8"}};
static const struct adi_cuda_array mask_of_two = DESCRIPTION(3, "|b1", 0x2000, SHAPE(2)),
                                   no_mask = DESCRIPTION(3, "|b", 0x2000, SHAPE(3)),
                                   masked_mask = DESCRIPTION(3, "|b1", 0x2000, SHAPE(3),
                                                             .has_mask = G, .mask = &masked_mask);
static const struct adi_cuda_array wide_mask = DESCRIPTION(3, "|b1", 0x2000, SHAPE(1, 3));

static const struct {
    struct adi_cuda_array array;
    int code;
    const char *says;
} refused[] = {
    {{.size = 0}, EINVAL, "version: not there, and it is mandatory"},
    {{.has_version = G, .has_shape = ADI_ENTRY_NONE}, EINVAL, "shape: None, and it is mandatory"},
    {{.has_version = G, .has_shape = G}, EINVAL, "typestr: not there, and it is mandatory"},
    {{.has_version = G, .has_shape = G, .has_typestr = G, .typestr = "<f4"},
     EINVAL,
     "data: not there, and it is mandatory"},
    {{MANDATORY, .version = 3}, EINVAL, "shape, typestr or strides: given, and NULL"},
    {DESCRIPTION(3, "<f4", 0x1000, .n_dimensions = 1), EINVAL, "given, and NULL"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(1), .has_strides = G), EINVAL, "given, and NULL"},
    {DESCRIPTION(-1, "<f4", 0x1000, SHAPE(3)), EINVAL, "version: -1"},
    {DESCRIPTION(4, "<f4", 0x1000, SHAPE(3)), ENOTSUP, "version: 4 is newer than 3"},
    {DESCRIPTION(3, "f4", 0x1000, SHAPE(3)), EINVAL, "typestr \"f4\": wanted <, > or | at byte 0"},
    {DESCRIPTION(3, "|f4", 0x1000, SHAPE(3)), EINVAL, "typestr \"|f4\": | leaves the order"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3, -1)), EINVAL, "shape[1]: -1 is negative"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(0, -1)), EINVAL, "shape[1]: -1 is negative"},
    {DESCRIPTION(3, "<f4", 0x1000, .n_dimensions = -1), EINVAL, "shape: -1 dimensions"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(INT64_MAX, 2)), EINVAL,
     "shape: more items than can be counted"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(INT64_MAX / 2)), EINVAL, "items of 4 bytes are more"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), STRIDES(INT64_MAX)), EINVAL,
     "strides[0]: 9223372036854775807 goes beyond what can be addressed"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(2), STRIDES(INT64_MAX)), EINVAL, "strides[0]: 9223"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3, 2), STRIDES(INT64_MIN / 2, -1)), EINVAL,
     "strides[0]: -4611686018427387904 goes beyond"},
    {DESCRIPTION(3, "<f4", 7, SHAPE(3), STRIDES(-4)), EINVAL,
     "strides: items lie beyond what can be addressed"},
    {DESCRIPTION(3, "<f4", UINT64_MAX - 11, SHAPE(4)), EINVAL, "beyond what can be addressed"},
    {DESCRIPTION(3, "<f4", 0, SHAPE(3)), EINVAL, "data: 0, but there are 12 bytes"},
    {DESCRIPTION(3, "<f4", 0, .n_dimensions = 0), EINVAL, "data: 0, but there are 4 bytes"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_descr = G, .descr = eight_bytes, .n_descr = 1),
     EINVAL, "descr: 8 bytes in all, but typestr says 4"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_descr = G, .n_descr = 1), EINVAL,
     "descr: no parts"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_stream = G), EINVAL, "stream: 0 could be None"},
    {DESCRIPTION(3, "<f4", 0, SHAPE(0), .has_stream = G), EINVAL, "stream: 0 could be None"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_stream = G, .stream = -1), EINVAL,
     "stream: -1 is the handle of none"},
    {DESCRIPTION(1, "<f4", 0x1000, SHAPE(3), .has_mask = G), EINVAL, "mask: given, and NULL"},
    {DESCRIPTION(1, "<f4", 0x1000, SHAPE(3), .has_mask = G, .mask = &no_mask), EINVAL,
     "mask: typestr \"|b\": wanted a number of bytes"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_mask = G, .mask = &mask_of_two), EINVAL,
     "mask: its shape does not fit the array's"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_mask = G, .mask = &wide_mask), EINVAL,
     "mask: its shape does not fit the array's"},
    {DESCRIPTION(3, "<f4", 0x1000, SHAPE(3), .has_mask = G, .mask = &masked_mask), ENOTSUP,
     "masks of masks"},
};

START_TEST(what_is_no_description_is_refused_with_its_entry)
{
    struct adi_cuda_array_extent out;
    const struct adi_cuda_array *array = &refused[_i].array;
    ck_assert_int_eq(adi_cuda_array_check(array, &out, &error), refused[_i].code);
    ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "%s", error.text);
    ck_assert_int_eq(adi_cuda_array_check_producer(array, NULL), refused[_i].code);
}
END_TEST

START_TEST(dimensions_have_a_limit)
{
    static int64_t ones[ADI_CUDA_ARRAY_DIMENSIONS + 1];
    for (int i = 0; i < COUNT(ones); i++) ones[i] = 1;
    struct adi_cuda_array array = DESCRIPTION(3, "|u1", 8, .shape = ones);
    array.n_dimensions = ADI_CUDA_ARRAY_DIMENSIONS;
    ck_assert_int_eq(adi_cuda_array_check(&array, NULL, &error), 0);
    array.n_dimensions++;
    ck_assert_int_eq(adi_cuda_array_check(&array, NULL, &error), ENOTSUP);
}
END_TEST

START_TEST(a_mask_may_be_broadcast)
{
    const struct adi_cuda_array row = DESCRIPTION(1, "|b1", 0x2000, SHAPE(1, 3)),
                                scalar = DESCRIPTION(3, "<i4", 8, .n_dimensions = 0);
    struct adi_cuda_array array = DESCRIPTION(3, "<f4", 0x1000, SHAPE(2, 3), .has_mask = G);
    array.mask = &row;
    ck_assert_msg(adi_cuda_array_check(&array, NULL, &error) == 0, "%s", error.text);
    array.mask = &scalar;
    ck_assert_msg(adi_cuda_array_check(&array, NULL, &error) == 0, "%s", error.text);
}
END_TEST

/* Versions 0 and 1 say nothing of zero size; a consumer does not look at the pointer in any. */
START_TEST(from_version_2_on_there_is_no_pointer_to_nothing)
{
    struct adi_cuda_array array = DESCRIPTION(_i, "<f4", 0x1000, SHAPE(0));
    ck_assert_int_eq(adi_cuda_array_check(&array, NULL, &error), 0);
    ck_assert_int_eq(adi_cuda_array_check_producer(&array, &error), _i < 2 ? 0 : EINVAL);
    if (_i >= 2) ck_assert_ptr_nonnull(strstr(error.text, "data: 0x1000, but from version 2 on"));
    array.data = 0;
    ck_assert_int_eq(adi_cuda_array_check_producer(&array, &error), 0);
}
END_TEST

/* ---- owners ---- */

static int released;

static void count_release(struct adi_cuda_array *array) {
    released++;
    array->release = NULL;
}

START_TEST(an_owner_is_released_once_wherever_the_structure_went)
{
    struct adi_cuda_array to, from = DESCRIPTION(3, "<f4", 8, SHAPE(1), .release = count_release);
    adi_cuda_array_move(&from, &to);
    adi_cuda_array_release(&from);
    ck_assert_int_eq(released, 0);
    ck_assert_int_eq(adi_cuda_array_check(&from, NULL, &error), EINVAL); /* no entries are left */
    ck_assert_int_eq(adi_cuda_array_check(&to, NULL, &error), 0);
    adi_cuda_array_release(&to);
    adi_cuda_array_release(&to);
    ck_assert_int_eq(released, 1);
    ck_assert_int_eq(adi_cuda_array_check(&to, NULL, &error), EINVAL);
}
END_TEST

Suite *ref_cuda_array_interface_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface");
    TCase *tests = tcase_create("description");
    tcase_add_loop_test(tests, a_description_has_an_extent, 0, COUNT(sound));
    tcase_add_loop_test(tests, what_is_no_description_is_refused_with_its_entry, 0, COUNT(refused));
    tcase_add_test(tests, dimensions_have_a_limit);
    tcase_add_test(tests, a_mask_may_be_broadcast);
    tcase_add_loop_test(tests, from_version_2_on_there_is_no_pointer_to_nothing, 0, 4);
    tcase_add_test(tests, an_owner_is_released_once_wherever_the_structure_went);
    suite_add_tcase(suite, tests);
    return suite;
}
