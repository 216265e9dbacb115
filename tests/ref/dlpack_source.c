/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources that are asked for tensors, as __dlpack__ is: versions, flags, copies; and how long their
 * memory lives.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "dlpack.h"
#include "literal.h"
#include "move.h"
#include "tensor.h"

Suite *ref_dlpack_source_suite(void);

static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;

static const DLTensor *look(const struct adi_dlpack *tensor, uint64_t *flags) {
    const DLTensor *within;
    ck_assert_msg(adi_dlpack_look(tensor, &within, NULL, flags, &error) == 0, "%s", error.text);
    return within;
}

static int32_t numbers[] = {1, 2, 3, 4};
static int released;

static void release_counted(struct ArrowArray *array) {
    array->release = NULL;
    released++;
}

static struct adi_dlpack_source *open_source(enum adi_dlpack_access access) {
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowArray host = ARRAY(.length = 4, BUFFERS(NULL, numbers));
    static const void *buffers[] = {NULL, numbers};
    struct ArrowDeviceArray array = adi_device_array_of_cpu(&host);
    struct adi_dlpack_source *source;
    array.array.buffers = buffers;
    array.array.release = release_counted;
    released = 0;
    ck_assert_int_eq(adi_dlpack_open(NULL, &schema, &array, access, &source, &error), 0);
    ck_assert(array.array.release == NULL);
    ck_assert_int_eq((int)adi_dlpack_device(source).device_type, kDLCPU);
    ck_assert_int_eq(adi_dlpack_device(source).device_id, 0);
    return source;
}

/* What a source answers: code, layout, flags, and whether the memory is its own. */
START_TEST(arguments_are_answered)
{
    enum {
        RO = 1,
        COPY = 2
    };
    static const struct {
        struct adi_dlpack_arguments asked;
        enum adi_dlpack_access access;
        int code, minor; /* -1: the layout from before 1.0 */
        uint64_t flags;
        const char *why;
    } cases[] = {
        {{1, 3, 0, 0, -1, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 3, RO, ""},
        {{1, 3, 0, 0, -1, ADI_DLPACK_NONE}, ADI_DLPACK_WRITABLE, 0, 3, 0, ""},
        {{1, 0, 0, 0, -1, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 0, RO, ""},
        {{1, 9, 0, 0, 0, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 3, RO, ""},
        {{2, 0, 0, 0, 0, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 3, RO, ""},
        {{1, 3, 0, 0, 1, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 3, COPY, ""},
        {{1, 3, 1, 0, 0, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, 3, RO, ""},
        {{0, 0, 0, 0, -1, ADI_DLPACK_NONE}, ADI_DLPACK_READ_ONLY, 0, -1, COPY, ""},
        {{0, 0, 0, 0, -1, ADI_DLPACK_NONE}, ADI_DLPACK_WRITABLE, 0, -1, 0, ""},
        {{0, 8, 0, 0, 1, ADI_DLPACK_NONE}, ADI_DLPACK_WRITABLE, 0, -1, COPY, ""},
        {{0, 0, 0, 0, 0, ADI_DLPACK_NONE},
         ADI_DLPACK_READ_ONLY,
         ENOTSUP,
         0,
         0,
         "the layout from before 1.0 cannot say that the memory is read-only"},
        {{1, 3, 2, 0, -1, ADI_DLPACK_NONE},
         ADI_DLPACK_READ_ONLY,
         ENOTSUP,
         0,
         0,
         "device 2:0 was asked for"},
        {{1, 3, 1, 1, -1, ADI_DLPACK_NONE},
         ADI_DLPACK_READ_ONLY,
         ENOTSUP,
         0,
         0,
         "device 1:1 was asked for"},
        {{1, 3, 0, 0, -1, -1}, ADI_DLPACK_READ_ONLY, EINVAL, 0, 0, "only None is accepted"},
        {{1, 3, 0, 0, -1, 0}, ADI_DLPACK_READ_ONLY, EINVAL, 0, 0, "only None is accepted"},
    };
    struct adi_dlpack out = {NULL, NULL};
    struct adi_dlpack_source *source = open_source(cases[_i].access);
    int code = adi_dlpack_ask(source, &cases[_i].asked, &out, &error);
    ck_assert_msg(code == cases[_i].code, "%d: %s", code, error.text);
    if (code != 0) {
        ck_assert_msg(strstr(error.text, cases[_i].why) != NULL, "%s", error.text);
        ck_assert(out.legacy == NULL && out.versioned == NULL);
    } else {
        uint64_t flags;
        const DLTensor *tensor = look(&out, &flags);
        bool is_copied = (cases[_i].flags & COPY) != 0;
        ck_assert_int_eq(out.legacy != NULL, cases[_i].minor < 0);
        if (out.versioned != NULL) {
            ck_assert_uint_eq(out.versioned->version.major, 1);
            ck_assert_uint_eq(out.versioned->version.minor, (uint32_t)cases[_i].minor);
            ck_assert_uint_eq(flags, cases[_i].flags);
        }
        ck_assert_int_eq(tensor->data != numbers, is_copied);
        ck_assert_mem_eq((char *)tensor->data + tensor->byte_offset, numbers, sizeof numbers);
        if (is_copied) {
            ((int32_t *)tensor->data)[0] = 77; /* who has a copy may write */
            ck_assert_int_eq(numbers[0], 1);
        }
    }
    adi_dlpack_close(source);
    ck_assert_int_eq(released, code == 0 && (cases[_i].flags & COPY) == 0 ? 0 : 1);
    adi_dlpack_delete(&out);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(what_has_no_elements_lies_nowhere)
{
    DLTensor tensor = {.data = numbers,
                       .device = {kDLCPU, 0},
                       .ndim = 2,
                       .dtype = {kDLInt, 32, 1},
                       .shape = LIST(3, 0),
                       .byte_offset = 8};
    struct adi_owner nobody = {NULL, NULL};
    struct adi_dlpack out;
    for (uint32_t major = 0; major < 2; major++) {
        ck_assert_int_eq(
            adi_dlpack_wrap(&tensor, (DLPackVersion){major, 0}, 0, nobody, &out, &error), 0);
        const DLTensor *within = look(&out, NULL);
        ck_assert_ptr_null(within->data);
        ck_assert_uint_eq(within->byte_offset, 0);
        ck_assert_ptr_nonnull(within->strides);
        adi_dlpack_delete(&out);
    }
}
END_TEST

static void *delete_it(void *tensor) {
    adi_dlpack_delete(tensor);
    return NULL;
}

/* Many threads delete; the array goes once, with the last. */
START_TEST(the_array_lives_as_long_as_a_tensor)
{
    enum {
        TENSORS = 16
    };
    struct adi_dlpack tensors[TENSORS];
    pthread_t threads[TENSORS];
    struct adi_dlpack_source *source = open_source(ADI_DLPACK_READ_ONLY);
    for (int i = 0; i < TENSORS; i++)
        ck_assert_int_eq(adi_dlpack_ask(source, &newest, &tensors[i], &error), 0);
    adi_dlpack_close(source);
    for (int i = 1; i < TENSORS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, delete_it, &tensors[i]), 0);
    for (int i = 1; i < TENSORS; i++) pthread_join(threads[i], NULL);
    ck_assert_int_eq(released, 0);
    ck_assert_mem_eq(look(&tensors[0], NULL)->data, numbers, sizeof numbers);
    adi_dlpack_delete(&tensors[0]);
    ck_assert_int_eq(released, 1);
    adi_dlpack_delete(&tensors[0]); /* it is forgotten: nothing */
    adi_dlpack_close(NULL);
    ck_assert_int_eq(released, 1);
}
END_TEST

START_TEST(a_host_tensor_is_looked_at)
{
    struct tensor host;
    struct adi_dlpack_source *source;
    DLTensor tensor = {.data = numbers, .device = {kDLCUDA, 0}, .dtype = {kDLInt, 8, 1}};
    tensor_make(&tensor, 3, 0, &host);
    struct adi_dlpack in = tensor_of(&host, true), none = {NULL, NULL};
    ck_assert_int_eq(adi_dlpack_produce(NULL, &in, ADI_DLPACK_WRITABLE, &source, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "the tensor to be copied is not on the CPU");
    ck_assert_int_eq(adi_dlpack_produce(NULL, &none, ADI_DLPACK_WRITABLE, &source, &error), EINVAL);
    ck_assert_str_eq(error.text, "there is no tensor, or there are two");
}
END_TEST

/* The layout from before 1.0 does not say how old it is; what needs a flag it does not have. */
static const struct {
    DLPackVersion version;
    DLDeviceType device;
    DLDataType type;
    uint64_t flags;
    const char *why; /* NULL: it has all of that */
} versions[] = {
#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
    {{1, 0}, kDLCPU, {kDLFloat8_e4m3, 8, 1}, 0, "dtype.code 8 came with version 1.1"},
    {{1, 1}, kDLCPU, {kDLFloat8_e4m3, 8, 1}, 0, NULL},
    {{0, 0}, kDLCPU, {kDLFloat8_e4m3, 8, 1}, 0, NULL},
    {{1, 1}, kDLTrn, {kDLInt, 32, 1}, 0, "device_type 18 came with version 1.2"},
    {{1, 2}, kDLTrn, {kDLInt, 32, 1}, 0, NULL},
    {{0, 0}, kDLTrn, {kDLInt, 32, 1}, 0, NULL},
    {{1, 0}, kDLCPU, {kDLInt, 4, 1}, PADDED, "the flag for padded elements came with version 1.1"},
    {{0, 0}, kDLCPU, {kDLInt, 4, 1}, PADDED, "the flag for padded elements came with version 1.1"},
    {{1, 1}, kDLCPU, {kDLInt, 4, 1}, PADDED, NULL},
    {{0, 0}, kDLCPU, {kDLInt, 4, 2}, PADDED, NULL}, /* a byte each, and nothing to pad */
    {{2, 0}, kDLCPU, {kDLInt, 32, 1}, 0, "version 2.0 is none of ours"},
};
#define VERSIONS ((int)(sizeof versions / sizeof *versions))

START_TEST(a_version_has_its_own_codes_and_flags)
{
    DLTensor tensor = {
        .data = numbers, .device = {versions[_i].device, 0}, .dtype = versions[_i].type};
    struct adi_owner nobody = {NULL, NULL};
    struct adi_dlpack out = {NULL, NULL};
    int code =
        adi_dlpack_wrap(&tensor, versions[_i].version, versions[_i].flags, nobody, &out, &error);
    ck_assert_int_eq(code, versions[_i].why == NULL ? 0 : ENOTSUP);
    if (code != 0) ck_assert_str_eq(error.text, versions[_i].why);
    adi_dlpack_delete(&out);
}
END_TEST

/* All of it is the source's. */
START_TEST(a_tensor_is_lent_as_it_lies)
{
    struct adi_dlpack_source *source = open_source(ADI_DLPACK_WRITABLE);
    DLTensor lent, again;
    ck_assert_int_eq(adi_dlpack_borrow(source, ADI_DLPACK_NONE, &lent, &error), 0);
    ck_assert_ptr_eq(lent.data, numbers);
    ck_assert_int_eq(lent.shape[0], 4);
    ck_assert_int_eq(lent.strides[0], 1);
    ck_assert_int_eq(adi_dlpack_borrow(source, ADI_DLPACK_NONE, &again, &error), 0);
    ck_assert_ptr_eq(again.shape, lent.shape);
    ck_assert_int_eq(adi_dlpack_borrow(source, 1, &again, &error), EINVAL);
    adi_dlpack_close(source);
    ck_assert_int_eq(released, 1);
    source = open_source(ADI_DLPACK_READ_ONLY);
    ck_assert_int_eq(adi_dlpack_borrow(source, ADI_DLPACK_NONE, &again, &error), ENOTSUP);
    adi_dlpack_close(source);
}
END_TEST

Suite *ref_dlpack_source_suite(void) {
    Suite *suite = suite_create("ref_dlpack_source");
    TCase *tests = tcase_create("sources");
    tcase_add_loop_test(tests, arguments_are_answered, 0, 15);
    tcase_add_test(tests, what_has_no_elements_lies_nowhere);
    tcase_add_test(tests, the_array_lives_as_long_as_a_tensor);
    tcase_add_test(tests, a_host_tensor_is_looked_at);
    tcase_add_test(tests, a_tensor_is_lent_as_it_lies);
    tcase_add_loop_test(tests, a_version_has_its_own_codes_and_flags, 0, VERSIONS);
    suite_add_tcase(suite, tests);
    return suite;
}
