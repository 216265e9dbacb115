/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors as Arrow arrays, on the CPU: by value, with any strides; what is refused; and whose the
 * deleter is.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dlpack.h"
#include "failing.h"
#include "metadata.h"
#include "move.h"
#include "tensor.h"

Suite *ref_dlpack_import_suite(void);

static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;
static const struct adi_dlpack_arguments no_copy = {
    .max_major = 1, .max_minor = 3, .copy = 0, .stream = ADI_DLPACK_NONE};

static int16_t numbers[64];

static void set_up(void) {
    for (int i = 0; i < 64; i++) numbers[i] = (int16_t)(1000 + i);
}

#define INT16                                                                                      \
    { kDLInt, 16, 1 }
#define TENSOR(...)                                                                                \
    { .data = numbers, .device = {kDLCPU, 0}, .dtype = INT16, __VA_ARGS__ }

#define TYPED(...)                                                                                 \
    {                                                                                              \
        .data = numbers, .device = {kDLCPU, 0}, .dtype = { __VA_ARGS__ }                           \
    }
#define ON(type, id)                                                                               \
    { .data = numbers, .device = {(DLDeviceType)(type), id}, .dtype = INT16 }
#define AT(address, ...)                                                                           \
    { .data = (void *)(address), .device = {kDLCPU, 0}, .dtype = INT16, __VA_ARGS__ }
#define WITHOUT_DATA                                                                               \
    { .device = {kDLCPU, 0}, .dtype = INT16 }

/* ---- by value ---- */

static const struct layout {
    int ndim;
    int64_t shape[4], strides[4];
    uint64_t byte_offset;
    bool is_copied;
    const char *format;
} layouts[] = {
    {0, {0}, {0}, 6, false, "s"},
    {1, {5}, {1}, 0, false, "s"},
    {1, {5}, {1}, 8, false, "s"},
    {1, {5}, {1}, 7, false, "s"}, /* not aligned to its type */
    {1, {5}, {3}, 4, true, "s"},
    {1, {5}, {-2}, 40, true, "s"},
    {1, {5}, {0}, 2, true, "s"},
    {1, {1}, {77}, 2, false, "s"}, /* the stride of one element says nothing */
    {1, {0}, {9}, 2, false, "s"},
    {2, {3, 4}, {4, 1}, 2, false, "+w:4"},
    {2, {3, 4}, {1, 3}, 2, true, "+w:4"},
    {2, {3, 4}, {8, 1}, 2, true, "+w:4"},
    {2, {3, 4}, {-4, -1}, 60, true, "+w:4"},
    {2, {3, 4}, {0, 1}, 0, true, "+w:4"},
    {2, {3, 1}, {1, -9}, 0, false, "+w:1"},
    {2, {1, 4}, {-9, 1}, 0, false, "+w:4"},
    {2, {3, 1}, {2, INT64_MAX}, 0, true, "+w:1"},
    {2, {0, 4}, {4, 1}, 0, false, "+w:4"},
    {2, {4, 0}, {4, 1}, 0, false, "+w:0"},
    {3, {2, 3, 4}, {12, 4, 1}, 2, false, "+w:12"},
    {3, {2, 3, 4}, {12, 1, 3}, 2, false, "+w:12"}, /* permuted: Arrow can say so */
    {3, {2, 3, 4}, {4, 8, 1}, 2, true, "+w:12"},   /* the items lie within each other */
    {3, {2, 3, 4}, {13, 4, 1}, 2, true, "+w:12"},
    {3, {2, 3, 4}, {12, -4, 1}, 40, true, "+w:12"},
    {4, {2, 2, 3, 2}, {12, 1, 4, 2}, 0, false, "+w:12"},
    {4, {2, 2, 1, 3}, {6, 3, 50, 1}, 0, false, "+w:6"},
    {3, {2, 0, 4}, {1, 1, 1}, 2, false, "+w:0"},
};

/* Written by hand: the same elements, one after the other. */
static void check_values(const DLTensor *tensor, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *array) {
    int64_t count = 1, at[4];
    const struct ArrowArray *values = tensor->ndim < 2 ? &array->array : array->array.children[0];
    for (int i = 0; i < tensor->ndim; i++) count *= tensor->shape[i];
    ck_assert_int_eq(array->array.length, tensor->ndim == 0 ? 1 : tensor->shape[0]);
    ck_assert_int_eq(array->array.null_count, 0);
    ck_assert_int_eq(values->length, count);
    ck_assert_str_eq(tensor->ndim < 2 ? schema->format : schema->children[0]->format, "s");
    ck_assert(tensor->ndim < 3 || schema->metadata != NULL);
    ck_assert_int_eq(schema->flags, 0); /* there are no nulls, and arrow-rs wants that said */
    ck_assert(tensor->ndim < 2 || schema->children[0]->flags == 0);
    /* Of a permuted one the memory is compared; its metadata are in the suite of exports. */
    for (int64_t i = 0; i < count && (schema->metadata == NULL); i++) {
        tensor_indices(tensor, i, at);
        int16_t wanted, seen;
        memcpy(&wanted, tensor_at(tensor, at), sizeof wanted);
        memcpy(&seen, (const char *)values->buffers[1] + 2 * (values->offset + i), sizeof seen);
        ck_assert_msg(seen == wanted, "[%d]: %d, wanted %d", (int)i, seen, wanted);
    }
}

/* A tensor of the array again, through its own metadata: whatever way the shape is said, the
 * elements are the same. */
static void check_again(const DLTensor *tensor, const struct ArrowSchema *schema,
                        struct ArrowDeviceArray *array) {
    struct adi_dlpack again;
    const DLTensor *within;
    int64_t count = 1, at[4];
    ck_assert_msg(
        adi_dlpack_export(NULL, schema, array, ADI_DLPACK_WRITABLE, &no_copy, &again, &error) == 0,
        "%s", error.text);
    ck_assert_int_eq(adi_dlpack_look(&again, &within, NULL, NULL, NULL), 0);
    ck_assert_int_eq(within->ndim, tensor->ndim == 0 ? 1 : tensor->ndim);
    for (int i = 0; i < tensor->ndim; i++) {
        ck_assert_int_eq(within->shape[i], tensor->shape[i]);
        count *= tensor->shape[i];
    }
    for (int64_t i = 0; i < count; i++) {
        tensor_indices(tensor, i, at);
        if (tensor->ndim == 0) at[0] = 0;
        ck_assert_mem_eq(tensor_at(within, at), tensor_at(tensor, at), 2);
    }
    adi_dlpack_delete(&again);
}

static void import_layout(const struct layout *layout, bool is_versioned) {
    int64_t shape[4], strides[4];
    memcpy(shape, layout->shape, sizeof shape);
    memcpy(strides, layout->strides, sizeof strides);
    DLTensor tensor = TENSOR(.ndim = layout->ndim, .shape = shape, .strides = strides,
                             .byte_offset = layout->byte_offset);
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    tensor_make(&tensor, 3, 0, &made);
    struct adi_dlpack in = tensor_of(&made, is_versioned);
    tensor_deleted = 0;
    int code = adi_dlpack_import(NULL, &in, &no_copy, &schema, &array, &error);
    ck_assert_int_eq(code, layout->is_copied ? ENOTSUP : 0);
    if (layout->is_copied) {
        ck_assert_ptr_nonnull(strstr(error.text, "without a copy: Arrow's arrays have no strides"));
        ck_assert_int_eq(tensor_deleted, 0);
        ck_assert_msg(adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error) == 0, "%s",
                      error.text);
    }
    ck_assert(in.legacy == NULL && in.versioned == NULL);
    ck_assert_int_eq(tensor_deleted, layout->is_copied ? 1 : 0); /* a copy needs it no more */
    ck_assert_str_eq(schema.format, layout->format);
    check_values(&tensor, &schema, &array);
    check_again(&tensor, &schema, &array);
    ck_assert_int_eq(tensor_deleted, 1);
    adi_schema_release(&schema);
}

START_TEST(any_layout_is_the_same_values)
{
    import_layout(&layouts[_i], false);
    import_layout(&layouts[_i], true);
}
END_TEST

START_TEST(strides_may_be_null_as_the_version_says)
{
    static const struct {
        bool is_versioned;
        uint32_t minor;
        int ndim, code;
    } cases[] = {{false, 0, 2, 0},     {true, 0, 2, 0},      {true, 1, 2, 0}, {true, 2, 2, EINVAL},
                 {true, 3, 1, EINVAL}, {true, 9, 2, EINVAL}, {true, 3, 0, 0}, {false, 0, 0, 0}};
    DLTensor tensor = TENSOR(.ndim = cases[_i].ndim, .shape = LIST(3, 2));
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    if (tensor.ndim == 0) tensor.shape = NULL;
    tensor_make(&tensor, cases[_i].minor, 0, &made);
    struct adi_dlpack in = tensor_of(&made, cases[_i].is_versioned);
    ck_assert_int_eq(adi_dlpack_import(NULL, &in, &no_copy, &schema, &array, &error),
                     cases[_i].code);
    if (cases[_i].code != 0) {
        ck_assert_ptr_nonnull(strstr(error.text, "strides are NULL, which version 1."));
        return;
    }
    check_values(&tensor, &schema, &array);
    adi_device_array_release(&array);
    adi_schema_release(&schema);
}
END_TEST

/* ---- refusals ---- */

#define BIG ((int64_t)1 << 62)
static const struct {
    DLTensor tensor;
    int code;
    const char *why;
} bad[] = {
    {TENSOR(.ndim = -1), EINVAL, "ndim is -1"},
    {TENSOR(.ndim = 65), ENOTSUP, "ndim is 65, 64 at most"},
    {TENSOR(.ndim = INT32_MAX), ENOTSUP, "64 at most"},
    {TENSOR(.ndim = 1), EINVAL, "shape is NULL"},
    {TENSOR(.ndim = 2, .shape = LIST(2, -1), .strides = LIST(1, 1)), EINVAL, "shape[1] is -1"},
    {TENSOR(.ndim = 2, .shape = LIST(BIG, 4), .strides = LIST(4, 1)), EINVAL, "64 bits"},
    {TENSOR(.ndim = 1, .shape = LIST(BIG), .strides = LIST(1)), EINVAL, "64 bits"},
    {TENSOR(.ndim = 1, .shape = LIST(3), .strides = LIST(BIG)), EINVAL, "64 bits"},
    {TENSOR(.ndim = 1, .shape = LIST(3), .strides = LIST(INT64_MIN)), EINVAL, "64 bits"},
    {TENSOR(.ndim = 2, .shape = LIST(3, 3), .strides = LIST(BIG / 4, -BIG / 4)), EINVAL, "64 bits"},
    {TENSOR(.ndim = 2, .shape = LIST(1, BIG >> 20), .strides = LIST(1, 1)), ENOTSUP,
     "2147483647 values"},
    {WITHOUT_DATA, EINVAL, "data is NULL, and there are 1 elements"},
    {TENSOR(.ndim = 0, .byte_offset = UINT64_MAX), EINVAL, "byte_offset is 18446744073709551615"},
    {AT(UINTPTR_MAX - 1, .byte_offset = 4), EINVAL, "beyond the address space"},
    {AT(UINTPTR_MAX - 1, .ndim = 0), EINVAL, "beyond the address space"},
    {AT(2, .ndim = 1, .shape = LIST(3), .strides = LIST(-1)), EINVAL, "beyond the address space"},
    {{.data = numbers, .device = {kDLMetal, 0}, .dtype = INT16, .byte_offset = BIG},
     EINVAL,
     "byte_offset is 4611686018427387904"},
    {TYPED(kDLBool, 8, 1), ENOTSUP, "Arrow has bits for bool"},
    {TYPED(kDLBool, 1, 1), EINVAL, "dtype.bits is 1 of kDLBool"},
    {TYPED(kDLComplex, 64, 1), ENOTSUP, "Arrow has no type for kDLComplex of 64 bits"},
    {TYPED(kDLBfloat, 16, 1), ENOTSUP, "Arrow has no type for kDLBfloat"},
    {TYPED(kDLFloat8_e5m2, 8, 1), ENOTSUP, "no type for kDLFloat8_e5m2"},
    {TYPED(kDLFloat8_e5m2, 4, 1), EINVAL, "dtype.bits is 4"},
    {TYPED(kDLFloat6_e2m3fn, 8, 1), EINVAL, "dtype.bits is 8 of kDLFloat6_e2m3fn"},
    {TYPED(kDLFloat4_e2m1fn, 4, 1), ENOTSUP, "no type for kDLFloat4_e2m1fn"},
    {TYPED(kDLInt, 4, 1), ENOTSUP, "no type for kDLInt of 4 bits"},
    {TYPED(kDLInt, 0, 1), EINVAL, "dtype.bits is 0"},
    {TYPED(kDLInt, 16, 0), EINVAL, "dtype.lanes is 0"},
    {TYPED(kDLFloat, 32, 4), ENOTSUP, "and 4 lanes"},
    {TYPED(kDLOpaqueHandle, 64, 1), ENOTSUP, "both sides have to agree"},
    {TYPED(18, 8, 1), ENOTSUP, "dtype.code is 18"},
    {TYPED(255, 8, 1), ENOTSUP, "dtype.code is 255"},
    {ON(17, 0), ENOTSUP, "device_type 17 (kDLMAIA): Arrow has no"},
    {ON(18, 0), ENOTSUP, "device_type 18 (kDLTrn): Arrow has no"},
    {ON(19, 0), ENOTSUP, "device_type 19 is none of DLPack's"},
    {ON(0, 0), ENOTSUP, "device_type 0 is none of DLPack's"},
    {ON(257, 0), ENOTSUP, "device_type 257 is none of DLPack's"},
    {ON(kDLCUDA, -1), EINVAL, "device_id -1 of cuda"},
    {ON(kDLCUDA, 0), ENOTSUP, "no device"},
};

START_TEST(what_is_no_array_is_refused_with_a_sentence)
{
    struct tensor made;
    struct ArrowSchema schema = {.format = "untouched"};
    struct ArrowDeviceArray array = {.device_id = 77};
    tensor_deleted = 0;
    tensor_make(&bad[_i].tensor, 3, 0, &made);
    for (int is_versioned = 0; is_versioned < 2; is_versioned++) {
        struct adi_dlpack in = tensor_of(&made, is_versioned);
        int code = adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error);
        ck_assert_msg(code == bad[_i].code && strstr(error.text, bad[_i].why) != NULL, "%d, %s",
                      code, error.text);
        ck_assert(in.legacy != NULL || in.versioned != NULL);
        ck_assert_int_eq(tensor_deleted, is_versioned);
        adi_dlpack_delete(&in);
        ck_assert_int_eq(tensor_deleted, is_versioned + 1);
    }
    ck_assert_str_eq(schema.format, "untouched");
    ck_assert_int_eq(array.device_id, 77);
}
END_TEST

/* Of another major version what is behind `flags` may be anything: here it is no memory. */
START_TEST(another_major_version_is_only_deleted)
{
    static const uint32_t majors[] = {0, 2, UINT32_MAX};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    size_t known = offsetof(struct DLManagedTensorVersioned, dl_tensor);
    DLTensor none = {.data = NULL};
    struct tensor made;
    tensor_make(&none, 0, 0, &made);
    made.versioned.version.major = majors[_i];
    memcpy(pages + page - known, &made.versioned, known);
    struct adi_dlpack in = {NULL, (void *)(pages + page - known)};
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    tensor_deleted = 0;
    ck_assert_int_eq(adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error), ENOTSUP);
    ck_assert_ptr_nonnull(strstr(error.text, "its layout is unknown"));
    adi_dlpack_delete(&in);
    ck_assert_int_eq(tensor_deleted, 1);
    ck_assert_int_eq(adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error), EINVAL);
    munmap(pages, 2 * page);
}
END_TEST

START_TEST(a_minor_version_from_the_future_is_read)
{
    DLTensor tensor = TENSOR(.ndim = 1, .shape = LIST(3), .strides = LIST(1));
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    tensor_make(&tensor, 99, (uint64_t)1 << 40, &made);
    struct adi_dlpack in = tensor_of(&made, true);
    ck_assert_int_eq(adi_dlpack_import(NULL, &in, &no_copy, &schema, &array, &error), 0);
    check_values(&tensor, &schema, &array);
    adi_device_array_release(&array);
    adi_schema_release(&schema);
}
END_TEST

/* ---- the deleter ---- */

static void *release_it(void *array) {
    adi_array_release(array);
    return NULL;
}

/* The child moves out, its parent goes, and the last release is on another thread. */
START_TEST(the_tensor_lives_as_long_as_any_structure)
{
    DLTensor tensor = TENSOR(.ndim = 2, .shape = LIST(3, 2), .strides = LIST(2, 1));
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    struct ArrowArray child;
    pthread_t thread;
    tensor_make(&tensor, 3, DLPACK_FLAG_BITMASK_READ_ONLY, &made);
    struct adi_dlpack in = tensor_of(&made, _i);
    tensor_deleted = 0;
    ck_assert_int_eq(adi_dlpack_import(NULL, &in, &no_copy, &schema, &array, &error), 0);
    adi_array_move_child(&array.array, 0, &child);
    adi_device_array_release(&array);
    ck_assert_int_eq(tensor_deleted, 0);
    ck_assert_ptr_eq(child.buffers[1], numbers);
    ck_assert_int_eq(pthread_create(&thread, NULL, release_it, &child), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(tensor_deleted, 1);
    adi_schema_release(&schema);
}
END_TEST

START_TEST(a_null_deleter_is_not_called)
{
    DLTensor tensor = TENSOR(.ndim = 1, .shape = LIST(3), .strides = LIST(_i + 1));
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    tensor_make(&tensor, 3, 0, &made);
    made.legacy.deleter = NULL;
    made.versioned.deleter = NULL;
    for (int is_versioned = 0; is_versioned < 2; is_versioned++) {
        struct adi_dlpack in = tensor_of(&made, is_versioned);
        ck_assert_int_eq(adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error), 0);
        adi_device_array_release(&array);
        adi_schema_release(&schema);
    }
}
END_TEST

/* Each allocation fails once: the tensor is still the caller's, and nothing is lost. */
START_TEST(memory_may_run_out)
{
    DLTensor tensor = TENSOR(.ndim = 3, .shape = LIST(2, 3, 2), .strides = LIST(6 + _i, 1, 3));
    struct tensor made;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    tensor_make(&tensor, 3, 0, &made);
    int failed = 0, code = ENOMEM;
    for (int n = 1; code == ENOMEM; n++) {
        struct adi_dlpack in = tensor_of(&made, true);
        tensor_deleted = 0;
        failing_open();
        failing_at(n);
        code = adi_dlpack_import(NULL, &in, &newest, &schema, &array, &error);
        if (code == 0) {
            adi_device_array_release(&array);
            adi_schema_release(&schema);
        }
        struct failing left = failing_close();
        ck_assert_int_eq(left.live, 0);
        ck_assert_int_eq(tensor_deleted, code == 0 ? 1 : 0);
        failed += code == ENOMEM;
    }
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(failed, _i == 0 ? 2 : 4); /* schema and array; what is read, and its copy */
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

Suite *ref_dlpack_import_suite(void) {
    Suite *suite = suite_create("ref_dlpack_import");
    TCase *tests = tcase_create("arrays");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_loop_test(tests, any_layout_is_the_same_values, 0, COUNT(layouts));
    tcase_add_loop_test(tests, strides_may_be_null_as_the_version_says, 0, 8);
    tcase_add_loop_test(tests, what_is_no_array_is_refused_with_a_sentence, 0, COUNT(bad));
    tcase_add_loop_test(tests, another_major_version_is_only_deleted, 0, 3);
    tcase_add_test(tests, a_minor_version_from_the_future_is_read);
    tcase_add_loop_test(tests, the_tensor_lives_as_long_as_any_structure, 0, 2);
    tcase_add_loop_test(tests, a_null_deleter_is_not_called, 0, 2);
    tcase_add_loop_test(tests, memory_may_run_out, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
