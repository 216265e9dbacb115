/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA, pinned and managed memory, on the simulated driver.
 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"

#define MAKER    "CUDA"
#define VARIABLE "ADI_CUDA"
#define LIBRARY  "libcuda.so.1"
#define FAMILY   "cuda"
#define CALLS    "cu"
#define BACKENDS 3
#define KINDS    4
#include "like_cuda.h"

Suite *devices_cuda_suite(void);

/* The context is made current around each call. Pinned memory is filled by way of the device. */
static const struct backend backends[BACKENDS] = {
    {&adi_device_cuda, "cuda", 2, 17},
    {&adi_device_cuda_host, "cuda_host", 1, 21},
    {&adi_device_cuda_managed, "cuda_managed", 1, 18}};
static const struct kind kinds[KINDS] = {{&adi_device_cuda, 0, false, false, false},
                                         {&adi_device_cuda, 1, false, false, false},
                                         {&adi_device_cuda_host, 0, true, false, true},
                                         {&adi_device_cuda_managed, 0, true, true, false}};

START_TEST(what_is_current_is_left_alone)
{
    void *before, *outer, *buffer, *event;
    struct adi_device other;
    set_up(_i);
    ck_assert_int_eq(adi_device_cuda.open(1, &other, &error), 0);
    adi_device_cuda.push_context(&other, &outer);
    ops->push_context(&device, &before);
    ck_assert_ptr_nonnull(before);
    ck_assert_ptr_eq(before, adi_device_cuda.native_handle(&other, "cuda.context"));
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    ck_assert(ops->restore_context(&device, before));
    ops->push_context(&device, &before);
    adi_device_cuda.push_context(&other, &buffer); /* one more, and not taken back */
    ck_assert(!ops->restore_context(&device, before));
    ck_assert(adi_device_cuda.restore_context(&other, outer));
    adi_device_cuda.close(&other);
    ops->close(&device);
}
END_TEST

/* ---- pointers and streams of somebody else ---- */

START_TEST(registered_memory_is_host_memory)
{
    static char own[4096];
    struct adi_pointer_attributes found;
    void *before;
    set_up(_i);
    ops->push_context(&device, &before);
    ck_assert_int_eq(RUNTIME(cuMemHostRegister_v2, void *, size_t, unsigned)(own, sizeof own, 0),
                     0);
    ck_assert(ops->restore_context(&device, before));
    ck_assert_int_eq(ops->pointer_attributes(&device, own + 5, &found, &error), 0);
    ck_assert(found.is_host && !found.is_managed);
    ck_assert_ptr_eq(found.host_pointer, own + 5);
    ck_assert_ptr_nonnull(found.device_pointer);
    ck_assert_ptr_eq(found.start, own);
    ops->push_context(&device, &before);
    ck_assert_int_eq(RUNTIME(cuMemHostUnregister, void *)(own), 0);
    ck_assert(ops->restore_context(&device, before));
    ops->close(&device);
}
END_TEST

/* Nothing is current, then a context of the program's own: it stays so, and what is in it is used
 * from outside. */
START_TEST(a_context_that_is_not_current_is_asked_and_waited_for)
{
    struct adi_pointer_attributes found;
    void *own = NULL, *stream = NULL, *event = NULL, *current = NULL;
    unsigned long long memory = 0;
    char out[6] = "";
    set_up(_i);
    ck_assert_int_eq(RUNTIME(cuCtxCreate_v2, void **, unsigned, int)(&own, 0, 0), 0);
    ck_assert_int_eq(RUNTIME(cuStreamCreate, void **, unsigned)(&stream, 1), 0);
    ck_assert_int_eq(
        RUNTIME(cuMemAllocManaged, unsigned long long *, size_t, unsigned)(&memory, 6, 1), 0);
    void *pointer = (void *)(uintptr_t)memory;
    ck_assert_int_eq(ops->pointer_attributes(&device, pointer, &found, &error), 0);
    ck_assert_ptr_eq(found.context, own);
    ck_assert_int_eq(RUNTIME(cuMemcpyHtoDAsync_v2, unsigned long long, const void *, size_t,
                             void *)(memory, "abcde", 6, stream),
                     0);
    ck_assert_int_eq(RUNTIME(cuCtxGetCurrent, void **)(&current), 0);
    ck_assert_ptr_eq(current, own);
    ck_assert_int_eq(RUNTIME(cuCtxPopCurrent_v2, void **)(&current), 0);
    ck_assert_int_eq(ops->pointer_attributes(&device, pointer, &found, &error), 0);
    ck_assert_msg(ops->record_on(&device, stream, &event, &error) == 0, "%s", error.text);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->read(&device, pointer, 0, out, 6, &error), 0);
    ck_assert_str_eq(out, "abcde");
    ck_assert_int_eq(RUNTIME(cuCtxGetCurrent, void **)(&current), 0);
    ck_assert_ptr_null(current);
    ops->event_free(&device, event);
    ck_assert_int_eq(RUNTIME(cuCtxDestroy_v2, void *)(own), 0);
    ops->close(&device);
}
END_TEST

Suite *devices_cuda_suite(void) {
    Suite *suite = suite_create("devices_cuda");
    TCase *tests = tcase_create("cuda");
    tcase_add_loop_test(tests, what_is_current_is_left_alone, 0, 3);
    tcase_add_loop_test(tests, registered_memory_is_host_memory, 0, 3);
    tcase_add_loop_test(tests, a_context_that_is_not_current_is_asked_and_waited_for, 0, 3);
    add_tests_like_cuda(tests);
    suite_add_tcase(suite, tests);
    return suite;
}
