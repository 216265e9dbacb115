/* SPDX-License-Identifier: Apache-2.0 */
#include "check_tensor.h"

#include <check.h>
#include <string.h>

Suite *harness_check_tensor_suite(void);

/* A tensor as it should be: two rows of three int32, version 1.3. */
static struct {
    _Alignas(256) int32_t elements[6];
    int64_t shape[2], strides[2];
    struct DLManagedTensorVersioned versioned;
    struct DLManagedTensor legacy;
    struct adi_tensor_asked asked;
    bool is_legacy;
} p;

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    (void)self;
}

static void set_up(void) {
    memset(&p, 0, sizeof p);
    p.shape[0] = 2;
    p.shape[1] = p.strides[0] = 3;
    p.strides[1] = 1;
    p.versioned = (struct DLManagedTensorVersioned){
        {1, 3},
        NULL,
        delete_versioned,
        0,
        {p.elements, {kDLCPU, 0}, 2, {kDLInt, 32, 1}, p.shape, p.strides, 0}};
    p.asked = (struct adi_tensor_asked){1, 3, kDLCPU, 0, -1};
}

/* The rule that is broken; "": none, and "several". */
static struct observer {
    struct adi_sink sink;
    const char *rule;
    size_t satisfied;
} seen;

static void on_violation(struct adi_sink *sink, const struct adi_found *found) {
    (void)sink;
    ck_assert_int_eq(found->party, ADI_PRODUCER);
    seen.rule = *seen.rule == '\0' ? found->rule->id : "several";
}

static void on_satisfied(struct adi_sink *sink, const struct adi_rule *rule) {
    (void)sink, (void)rule;
    seen.satisfied++;
}

static enum adi_tensor_is look(struct adi_tensor *out) {
    struct adi_dlpack tensor = {NULL, &p.versioned};
    if (p.is_legacy) {
        p.legacy.dl_tensor = p.versioned.dl_tensor;
        tensor = (struct adi_dlpack){&p.legacy, NULL};
    }
    seen = (struct observer){{.violated = on_violation, .satisfied = on_satisfied}, "", 0};
    return adi_check_tensor(&tensor, &p.asked, out, &seen.sink);
}

#define NOWHERE ((void *)64)

/* What is right by the documents, however odd. */
static void as_it_is(void) {}
static void zero_dimensions(void) {
    p.versioned.dl_tensor.ndim = 0;
    p.versioned.dl_tensor.shape = p.versioned.dl_tensor.strides = NULL;
}
static void no_strides_before_1_2(void) {
    p.versioned.version.minor = 1;
    p.versioned.dl_tensor.strides = NULL;
}
static void no_strides_in_legacy(void) {
    p.is_legacy = true;
    p.asked.max_major = p.asked.max_minor = 0;
    p.versioned.dl_tensor.strides = NULL;
}
static void no_deleter(void) {
    p.versioned.deleter = NULL;
}
static void empty(void) {
    p.shape[0] = 0;
    p.versioned.dl_tensor.data = NULL;
}
static void empty_and_huge(void) {
    p.shape[0] = 0;
    p.shape[1] = INT64_MAX;
    p.versioned.dl_tensor.data = NULL;
}
static void of_float4_padded(void) {
    p.versioned.dl_tensor.dtype = (DLDataType){kDLFloat4_e2m1fn, 4, 1};
    p.versioned.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
}
static void newer_flag_and_code(void) {
    p.versioned.version.minor = 7;
    p.versioned.flags = 1 << 6;
    p.versioned.dl_tensor.dtype.code = 40;
}
static void of_vectors(void) {
    p.versioned.dl_tensor.dtype = (DLDataType){kDLFloat, 32, 4};
}
static void a_copy_unasked(void) {
    p.versioned.flags = DLPACK_FLAG_BITMASK_IS_COPIED;
}
static void pinned_with_an_id(void) {
    p.versioned.dl_tensor.device = (DLDevice){kDLCUDAHost, 1};
    p.asked.device_type = kDLCUDAHost;
}
static void handle_unaligned(void) {
    p.versioned.dl_tensor.device = (DLDevice){kDLOpenCL, 0};
    p.versioned.dl_tensor.data = NOWHERE;
    p.asked.device_type = kDLOpenCL;
}

static void (*const legal[])(void) = {
    as_it_is,       zero_dimensions,   no_strides_before_1_2, no_strides_in_legacy, no_deleter,
    empty,          empty_and_huge,    of_float4_padded,      newer_flag_and_code,  of_vectors,
    a_copy_unasked, pinned_with_an_id, handle_unaligned};

START_TEST(nothing_is_said_of_what_is_legal)
{
    struct adi_tensor out;
    legal[_i]();
    ck_assert_int_eq(look(&out), ADI_TENSOR_SOUND);
    ck_assert_str_eq(seen.rule, "");
    ck_assert_uint_gt(seen.satisfied, 10);
}
END_TEST

/* ---- defects ---- */

static void of_bool_bits(void) {
    p.versioned.dl_tensor.dtype = (DLDataType){kDLBool, 1, 1};
}
static void of_float6_with_8(void) {
    p.versioned.dl_tensor.dtype = (DLDataType){kDLFloat6_e3m2fn, 8, 1};
}
static void float8_before_1_1(void) {
    p.versioned.version.minor = 0;
    p.versioned.dl_tensor.dtype = (DLDataType){kDLFloat8_e5m2, 8, 1};
}
static void without_bits(void) {
    p.versioned.dl_tensor.dtype.bits = 0;
}
static void padded_whole_bytes(void) {
    p.versioned.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
}
static void too_many_elements(void) {
    p.shape[0] = p.shape[1] = INT64_MAX / 2;
}
static void shape_null(void) {
    p.versioned.dl_tensor.shape = NULL;
}
static void strides_nowhere(void) {
    p.versioned.dl_tensor.strides = NOWHERE;
}
static void strides_null(void) {
    p.versioned.dl_tensor.strides = NULL;
}
static void other_id(void) {
    p.versioned.dl_tensor.device = (DLDevice){kDLCUDA, 1};
    p.asked.device_type = kDLCUDA;
}
static void misaligned(void) {
    p.versioned.dl_tensor.data = p.elements + 1;
}
static void copy_without_flag(void) {
    p.asked.copy = 1;
}
static void copy_forbidden(void) {
    p.asked.copy = 0;
    p.versioned.flags = DLPACK_FLAG_BITMASK_IS_COPIED;
}
/* As it is where the layout from before 1.0 is read so. */
static void pointer_for_a_version(void) {
    p.versioned.version = (DLPackVersion){0x55d0a300, 0x7f3a};
}

static const struct {
    const char *rule;
    enum adi_tensor_is is;
    void (*plant)(void);
} defects[] = {
    {"dlpack/type-malformed", ADI_TENSOR_UNSOUND, of_bool_bits},
    {"dlpack/type-malformed", ADI_TENSOR_UNSOUND, of_float6_with_8},
    {"dlpack/type-malformed", ADI_TENSOR_UNSOUND, float8_before_1_1},
    {"dlpack/type-malformed", ADI_TENSOR_UNSOUND, without_bits},
    {"dlpack/flags-unknown", ADI_TENSOR_SOUND, padded_whole_bytes},
    {"dlpack/shape-invalid", ADI_TENSOR_UNSOUND, too_many_elements},
    {"dlpack/shape-invalid", ADI_TENSOR_UNSOUND, shape_null},
    {"dlpack/tensor-unreadable", ADI_TENSOR_UNSOUND, strides_nowhere},
    {"dlpack/strides-null", ADI_TENSOR_SOUND, strides_null},
    {"dlpack/device-differs", ADI_TENSOR_SOUND, other_id},
    {"dlpack/data-misaligned", ADI_TENSOR_SOUND, misaligned},
    {"dlpack/copied-flag-missing", ADI_TENSOR_SOUND, copy_without_flag},
    {"dlpack/copied-unasked", ADI_TENSOR_SOUND, copy_forbidden},
    {"dlpack/version-impossible", ADI_TENSOR_NONE, pointer_for_a_version},
};

START_TEST(a_defect_is_found_as_its_rule)
{
    struct adi_tensor out;
    defects[_i].plant();
    ck_assert_int_eq(look(&out), defects[_i].is);
    ck_assert_str_eq(seen.rule, defects[_i].rule);
}
END_TEST

/* Where a local variable of a function was that has returned. */
__attribute__((noinline)) static void *gone(void) {
    return (char *)__builtin_frame_address(0) - 4096;
}

static void shape_gone(void) {
    p.versioned.dl_tensor.shape = gone();
}
static void strides_gone(void) {
    p.versioned.dl_tensor.strides = gone();
}
static void shape_of_none_gone(void) {
    zero_dimensions();
    p.versioned.dl_tensor.shape = p.versioned.dl_tensor.strides = gone();
}

START_TEST(what_lies_on_a_stack_is_there_as_long_as_its_function)
{
    static const struct {
        const char *rule;
        enum adi_tensor_is is;
        void (*plant)(void);
    } cases[] = {{"dlpack/tensor-unreadable", ADI_TENSOR_UNSOUND, shape_gone},
                 {"dlpack/tensor-unreadable", ADI_TENSOR_UNSOUND, strides_gone},
                 {"", ADI_TENSOR_SOUND, shape_of_none_gone}};
    struct adi_tensor out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up();
        cases[i].plant();
        ck_assert_int_eq(look(&out), cases[i].is);
        ck_assert_str_eq(seen.rule, cases[i].rule);
    }
    /* Of who is still there it is as good as any. */
    set_up();
    int64_t shape[2] = {2, 3};
    struct DLManagedTensorVersioned versioned = p.versioned;
    versioned.dl_tensor.shape = shape;
    const struct adi_dlpack here = {NULL, &versioned}, away = {NULL, gone()};
    seen.rule = "";
    ck_assert_int_eq(adi_check_tensor(&here, &p.asked, &out, &seen.sink), ADI_TENSOR_SOUND);
    ck_assert_str_eq(seen.rule, "");
    ck_assert_int_eq(adi_check_tensor(&away, &p.asked, &out, &seen.sink), ADI_TENSOR_NONE);
    ck_assert_str_eq(seen.rule, "dlpack/tensor-unreadable");
}
END_TEST

/* dlpack.h, "DLPackVersion": of another major version only what precedes the flags may be read. */
START_TEST(of_another_major_version_nothing_is_judged)
{
    struct adi_tensor out;
    p.versioned.version.major = 2;
    p.versioned.dl_tensor.shape = NOWHERE;
    p.versioned.dl_tensor.ndim = -1;
    ck_assert_int_eq(look(&out), ADI_TENSOR_OTHER);
    ck_assert_str_eq(seen.rule, "");
    ck_assert(out.has_deleter);
    p.versioned.version.major = 65535;
    ck_assert_int_eq(look(&out), ADI_TENSOR_OTHER);
    ck_assert(adi_tensor_has_version(&p.versioned));
    p.versioned.version.major++;
    ck_assert(!adi_tensor_has_version(&p.versioned));
    ck_assert(!adi_tensor_has_version(NOWHERE));
}
END_TEST

START_TEST(what_is_copied_does_not_point_to_where_it_was)
{
    struct adi_tensor out;
    ck_assert_int_eq(look(&out), ADI_TENSOR_SOUND);
    p.shape[0] = p.strides[1] = 77;
    ck_assert_int_eq(out.tensor.shape[0], 2);
    ck_assert_int_eq(out.tensor.strides[1], 1);
    ck_assert_ptr_eq(out.handed_out.versioned, &p.versioned);
}
END_TEST

START_TEST(neither_and_both_are_no_tensor)
{
    struct adi_tensor out;
    const struct adi_dlpack none = {NULL, NULL}, both = {&p.legacy, &p.versioned},
                            nowhere = {NULL, NOWHERE};
    look(&out);
    ck_assert_int_eq(adi_check_tensor(&none, &p.asked, &out, &seen.sink), ADI_TENSOR_NONE);
    ck_assert_str_eq(seen.rule, "dlpack/not-one-tensor");
    seen.rule = "";
    ck_assert_int_eq(adi_check_tensor(&both, &p.asked, &out, &seen.sink), ADI_TENSOR_NONE);
    ck_assert_str_eq(seen.rule, "dlpack/not-one-tensor");
    seen.rule = "";
    ck_assert_int_eq(adi_check_tensor(&nowhere, &p.asked, &out, &seen.sink), ADI_TENSOR_NONE);
    ck_assert_str_eq(seen.rule, "dlpack/tensor-unreadable");
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

Suite *harness_check_tensor_suite(void) {
    Suite *suite = suite_create("harness_check_tensor");
    TCase *tests = tcase_create("tensors");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_loop_test(tests, nothing_is_said_of_what_is_legal, 0, COUNT(legal));
    tcase_add_loop_test(tests, a_defect_is_found_as_its_rule, 0, COUNT(defects));
    tcase_add_test(tests, what_lies_on_a_stack_is_there_as_long_as_its_function);
    tcase_add_test(tests, of_another_major_version_nothing_is_judged);
    tcase_add_test(tests, what_is_copied_does_not_point_to_where_it_was);
    tcase_add_test(tests, neither_and_both_are_no_tensor);
    suite_add_tcase(suite, tests);
    return suite;
}
