/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that a device type says the kind of, beside what a runtime says of it.
 */
#include <check.h>
#include <errno.h>

#include "devices.h"
#include "dlpack_extent.h"

Suite *ref_dlpack_memory_suite(void);

static int32_t numbers[] = {1, 2, 3};
static struct adi_pointer_attributes known; /* what the runtime says */
static int answer;                          /* or why it does not */
static const void *asked;

static int pointer_attributes(struct adi_device *device, const void *pointer,
                              struct adi_pointer_attributes *out, struct adi_error *error) {
    (void)device;
    (void)error;
    asked = pointer;
    *out = known;
    return answer;
}

static struct adi_device_ops ops;
static struct adi_device device = {.ops = &ops};

static int check(DLDeviceType type, int64_t length, struct adi_error *error) {
    DLTensor tensor = {.data = numbers,
                       .device = {type, 0},
                       .ndim = 1,
                       .dtype = {kDLInt, 32, 1},
                       .shape = &length,
                       .byte_offset = 4};
    return adi_dlpack_memory_check(&device, &tensor, error);
}

static void set_up(void) {
    ops = adi_device_cpu;
    ops.size = sizeof ops;
    ops.pointer_attributes = pointer_attributes;
    known = (struct adi_pointer_attributes){.is_host = false};
    answer = 0;
    asked = NULL;
}

START_TEST(the_kind_is_what_the_runtime_says)
{
    static const struct {
        DLDeviceType type;
        bool is_host, is_managed;
        const char *why; /* NULL: it is right */
    } cases[] = {
        {kDLCUDAHost, true, false, NULL},
        {kDLROCMHost, true, false, NULL},
        {kDLCUDAManaged, false, true, NULL},
        {kDLCUDA, false, false, NULL}, /* whatever a device reaches */
        {kDLCUDA, true, false, NULL},
        {kDLCPU, false, true, NULL},
        {kDLCUDAHost, false, true, "it is managed memory"},
        {kDLROCMHost, false, false, "it is memory of the device"},
        {kDLCUDAManaged, true, false, "it is host memory"},
    };
    struct adi_error error = {""};
    known.is_host = cases[_i].is_host;
    known.is_managed = cases[_i].is_managed;
    ck_assert_int_eq(check(cases[_i].type, 2, &error), cases[_i].why == NULL ? 0 : EFAULT);
    if (cases[_i].why != NULL) ck_assert_str_eq(error.text, cases[_i].why);
}
END_TEST

START_TEST(memory_that_the_runtime_does_not_know_is_not_of_its_kinds)
{
    struct adi_error error = {""};
    answer = EFAULT;
    ck_assert_int_eq(check(kDLCUDAHost, 2, &error), EFAULT);
    ck_assert_str_eq(error.text, "the runtime does not know the memory");
    ck_assert_ptr_eq(asked, &numbers[1]);
}
END_TEST

START_TEST(nobody_is_asked_about_nothing)
{
    struct adi_error error = {""};
    answer = EFAULT;
    ck_assert_int_eq(check(kDLCUDAHost, 0, &error), 0);
    ops.pointer_attributes = NULL; /* nor who cannot tell */
    ck_assert_int_eq(check(kDLCUDAHost, 2, &error), 0);
    ck_assert_ptr_null(asked);
}
END_TEST

Suite *ref_dlpack_memory_suite(void) {
    Suite *suite = suite_create("ref_dlpack_memory");
    TCase *tests = tcase_create("memory");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_loop_test(tests, the_kind_is_what_the_runtime_says, 0, 9);
    tcase_add_test(tests, memory_that_the_runtime_does_not_know_is_not_of_its_kinds);
    tcase_add_test(tests, nobody_is_asked_about_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
