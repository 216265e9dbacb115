/* SPDX-License-Identifier: Apache-2.0
 *
 * ROCm, and pinned memory, on the simulated runtime.
 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"

#define MAKER    "HIP"
#define VARIABLE "ADI_ROCM"
#define LIBRARY  "libamdhip64.so.7"
#define FAMILY   "rocm"
#define CALLS    "hip"
#define BACKENDS 2
#define KINDS    3
#include "like_cuda.h"

Suite *devices_rocm_suite(void);

/* Pinned memory is filled by way of the device. */
static const struct backend backends[BACKENDS] = {{&adi_device_rocm, "rocm", 2, 8},
                                                  {&adi_device_rocm_host, "rocm_host", 1, 11}};
static const struct kind kinds[KINDS] = {{&adi_device_rocm, 0, false, false, false},
                                         {&adi_device_rocm, 1, false, false, false},
                                         {&adi_device_rocm_host, 0, true, false, true}};

START_TEST(what_is_current_is_left_alone)
{
    void *before, *outer, *buffer, *event;
    struct adi_device other;
    int current = -1;
    set_up(_i);
    ck_assert_int_eq(adi_device_rocm.open(1, &other, &error), 0);
    adi_device_rocm.push_context(&other, &outer);
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    ck_assert_int_eq(RUNTIME(hipGetDevice, int *)(&current), 0);
    ck_assert_int_eq(current, 1);
    ops->push_context(&device, &before);
    ck_assert(ops->restore_context(&device, before));
    ops->push_context(&device, &before);
    ck_assert_int_eq(RUNTIME(hipSetDevice, int)(1), 0); /* it turns away, and stays there */
    ck_assert(!ops->restore_context(&device, before));
    ck_assert(adi_device_rocm.restore_context(&other, outer));
    ck_assert_int_eq(RUNTIME(hipGetDevice, int *)(&current), 0);
    ck_assert_int_eq(current, 0);
    adi_device_rocm.close(&other);
    ops->close(&device);
}
END_TEST

/* ---- pointers and streams of somebody else ---- */

START_TEST(memory_that_others_made_is_known_for_what_it_is)
{
    static char own[4096];
    struct adi_pointer_attributes found;
    void *managed;
    set_up(_i);
    ck_assert_int_eq(RUNTIME(hipHostRegister, void *, size_t, unsigned)(own, sizeof own, 0), 0);
    ck_assert_int_eq(ops->pointer_attributes(&device, own + 5, &found, &error), 0);
    ck_assert(found.is_host && !found.is_managed);
    ck_assert_ptr_eq(found.start, own);
    ck_assert_int_eq(RUNTIME(hipHostUnregister, void *)(own), 0);
    ck_assert_int_eq(RUNTIME(hipMallocManaged, void **, size_t, unsigned)(&managed, 64, 1), 0);
    ck_assert_int_eq(ops->pointer_attributes(&device, managed, &found, &error), 0);
    ck_assert(found.is_managed && !found.is_host);
    ck_assert(ops->accessible(&device, managed, &error));
    ck_assert_int_eq(RUNTIME(hipFree, void *)(managed), 0);
    ops->close(&device);
}
END_TEST

/* Whichever device is current. */
START_TEST(the_default_stream_is_that_of_the_device)
{
    struct adi_device other;
    void *buffer, *event, *outer;
    char out[6] = "";
    set_up(0);
    ck_assert_int_eq(adi_device_rocm.open(1, &other, &error), 0);
    ck_assert_int_eq(ops->alloc(&device, 6, &buffer, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->wait_on(&device, NULL, event, &error), 0);
    ops->event_free(&device, event);
    ck_assert_int_eq(RUNTIME(hipMemcpyAsync, void *, const void *, size_t, int,
                             void *)(buffer, "abcde", 6, 4, NULL),
                     0);
    adi_device_rocm.push_context(&other, &outer);
    ck_assert_msg(ops->record_on(&device, NULL, &event, &error) == 0, "%s", error.text);
    ck_assert(adi_device_rocm.restore_context(&other, outer));
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 6, &error), 0);
    ck_assert_str_eq(out, "abcde");
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    adi_device_rocm.close(&other);
    ops->close(&device);
}
END_TEST

Suite *devices_rocm_suite(void) {
    Suite *suite = suite_create("devices_rocm");
    TCase *tests = tcase_create("rocm");
    tcase_add_loop_test(tests, what_is_current_is_left_alone, 0, 2);
    tcase_add_loop_test(tests, memory_that_others_made_is_known_for_what_it_is, 0, 2);
    tcase_add_test(tests, the_default_stream_is_that_of_the_device);
    add_tests_like_cuda(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
