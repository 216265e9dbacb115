/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources over tensors of somebody else: what they pass on, how long the tensor lives, and what is
 * refused untouched.
 */
#include <check.h>
#include <errno.h>

#include "dlpack.h"

Suite *ref_dlpack_relay_suite(void);

static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;
static const struct adi_dlpack_arguments oldest = {.copy = -1, .stream = ADI_DLPACK_NONE};

static int32_t numbers[] = {1, 2, 3, 4, 5, 6};
static int deleted;

static void count(void *state) {
    (void)state;
    deleted++;
}

/* The last two columns of two rows of three, from right to left. */
static struct adi_dlpack somebodys(DLPackVersion version, uint64_t flags) {
    static int64_t shape[] = {2, 2}, strides[] = {3, -1};
    struct adi_dlpack out = {NULL, NULL};
    DLTensor tensor = {.data = numbers,
                       .device = {kDLCPU, 0},
                       .ndim = 2,
                       .dtype = {kDLUInt, 32, 1},
                       .shape = shape,
                       .strides = strides,
                       .byte_offset = 8};
    deleted = 0;
    ck_assert_int_eq(
        adi_dlpack_wrap(&tensor, version, flags, (struct adi_owner){count, NULL}, &out, &error), 0);
    return out;
}

START_TEST(a_tensor_is_passed_on_as_it_is)
{
    struct adi_dlpack in = somebodys((DLPackVersion){1, 1}, DLPACK_FLAG_BITMASK_READ_ONLY), out;
    struct adi_dlpack_source *source;
    const DLTensor *tensor;
    DLPackVersion version;
    uint64_t flags;
    ck_assert_int_eq(adi_dlpack_relay(NULL, &in, &newest, &source, &error), 0);
    ck_assert(in.legacy == NULL && in.versioned == NULL);
    tensor = adi_dlpack_describe(source, &flags);
    ck_assert(tensor->data == numbers);
    ck_assert_int_eq(tensor->shape[1], 2);
    ck_assert_uint_eq(flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    ck_assert_int_eq(adi_dlpack_ask(source, &newest, &out, &error), 0);
    ck_assert_int_eq(adi_dlpack_look(&out, &tensor, &version, &flags, &error), 0);
    ck_assert(tensor->data == numbers);
    ck_assert_uint_eq(tensor->byte_offset, 8);
    ck_assert_int_eq(tensor->ndim, 2);
    ck_assert_int_eq(tensor->strides[0], 3);
    ck_assert_int_eq(tensor->strides[1], -1);
    ck_assert_uint_eq(flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    adi_dlpack_close(source);
    ck_assert_int_eq(deleted, 0);
    adi_dlpack_delete(&out);
    ck_assert_int_eq(deleted, 1);
}
END_TEST

START_TEST(what_has_no_flags_may_be_written_to)
{
    struct adi_dlpack in = somebodys((DLPackVersion){0, 0}, 0), out;
    struct adi_dlpack_source *source;
    const DLTensor *tensor;
    ck_assert_int_eq(adi_dlpack_relay(NULL, &in, &oldest, &source, &error), 0);
    ck_assert_int_eq(adi_dlpack_ask(source, &oldest, &out, &error), 0);
    ck_assert_int_eq(adi_dlpack_look(&out, &tensor, NULL, NULL, &error), 0);
    ck_assert(tensor->data == numbers); /* it would be a copy, were it read-only */
    adi_dlpack_delete(&out);
    adi_dlpack_close(source);
    ck_assert_int_eq(deleted, 1);
}
END_TEST

START_TEST(what_is_refused_stays_the_callers)
{
    struct adi_dlpack in = somebodys((DLPackVersion){1, 3}, 0);
    struct adi_dlpack_source *source = NULL;
    struct adi_dlpack_arguments with_stream = newest;
    with_stream.stream = 7;
    ck_assert_int_eq(adi_dlpack_relay(NULL, &in, &with_stream, &source, &error), EINVAL);
    in.versioned->dl_tensor.shape[0] = -1;
    ck_assert_int_eq(adi_dlpack_relay(NULL, &in, &newest, &source, &error), EINVAL);
    in.versioned->version.major = 2;
    ck_assert_int_eq(adi_dlpack_relay(NULL, &in, &newest, &source, &error), ENOTSUP);
    ck_assert_ptr_null(source);
    ck_assert_int_eq(deleted, 0);
    adi_dlpack_delete(&in);
    ck_assert_int_eq(deleted, 1);
}
END_TEST

Suite *ref_dlpack_relay_suite(void) {
    Suite *suite = suite_create("ref_dlpack_relay");
    TCase *tests = tcase_create("relay");
    tcase_add_test(tests, a_tensor_is_passed_on_as_it_is);
    tcase_add_test(tests, what_has_no_flags_may_be_written_to);
    tcase_add_test(tests, what_is_refused_stays_the_callers);
    suite_add_tcase(suite, tests);
    return suite;
}
