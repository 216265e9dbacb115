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

#define MAKER     "CUDA"
#define FAMILY    "cuda"
#define CALLS     "cu"
#define IN_DEVICE adi_device_cuda
#include "like_cuda.h"

Suite *devices_cuda_suite(void);

static const struct adi_device_ops *const backends[] = {&adi_device_cuda, &adi_device_cuda_host,
                                                        &adi_device_cuda_managed};
static void set_up(int which) {
    ops = backends[which];
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

START_TEST(what_there_is)
{
    static const int counts[] = {2, 1, 1};
    static const char *const names[] = {"cuda", "cuda_host", "cuda_managed"};
    struct adi_device_probe found;
    struct adi_device none;
    set_up(_i);
    ops->probe(&found);
    ck_assert_int_eq(found.count, counts[_i]);
    ck_assert_str_eq(found.runtime, "simulated");
    ck_assert_str_eq(ops->name, names[_i]);
    ck_assert_int_eq(ops->open(2, &none, &error), ENODEV);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no cuda"));
    ck_assert_int_eq(ops->open(-1, &none, &error), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(the_driver_is_looked_for)
{
    static const struct {
        const char *setting, *why;
    } settings[] = {{"off", "ADI_CUDA is off"},
                    {"./no/libcuda.so.1", "./no/libcuda.so.1"},
                    {"libm.so.6", "libm.so.6 has no cuInit"}};
    struct adi_device_probe found;
    ck_assert_int_eq(setenv("ADI_CUDA", settings[_i].setting, 1), 0);
    adi_device_cuda.probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_msg(strstr(found.why.text, settings[_i].why) != NULL, "%s", found.why.text);
    ck_assert_ptr_null(adi_device_cuda.interceptor());
    ck_assert_int_eq(adi_device_cuda.open(0, &device, &error), ENODEV);
}
END_TEST

/* Rows reach for columns: memory of device 0, of device 1, pinned, managed. */
START_TEST(reach_is_asked_not_kind)
{
    static const bool reached[][4] = {
        {true, false, true, true}, {false, false, true, true}, {false, false, true, true}};
    struct adi_device made[4];
    void *buffers[4];
    set_up(_i);
    ck_assert_int_eq(adi_device_cuda.open(0, &made[0], &error), 0);
    ck_assert_int_eq(adi_device_cuda.open(1, &made[1], &error), 0);
    ck_assert_int_eq(adi_device_cuda_host.open(0, &made[2], &error), 0);
    ck_assert_int_eq(adi_device_cuda_managed.open(0, &made[3], &error), 0);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(made[i].ops->alloc(&made[i], 8, &buffers[i], &error), 0);
        ck_assert_msg(ops->accessible(&device, buffers[i], &error) == reached[_i][i], "%d", i);
        made[i].ops->free(&made[i], buffers[i]);
        made[i].ops->close(&made[i]);
    }
    ops->close(&device);
}
END_TEST

START_TEST(what_is_current_is_left_alone)
{
    void *before, *outer, *buffer, *event;
    struct adi_device other;
    set_up(_i);
    ck_assert_int_eq(adi_device_cuda.open(1, &other, &error), 0);
    adi_device_cuda.push_context(&other, &outer);
    ops->push_context(&device, &before);
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

/* Memory of device 0, of device 1, pinned, managed. */
START_TEST(attributes_of_a_pointer)
{
    static const struct {
        const struct adi_device_ops *ops;
        int64_t id;
        bool on_host, is_managed, is_host;
    } kinds[] = {{&adi_device_cuda, 0, false, false, false},
                 {&adi_device_cuda, 1, false, false, false},
                 {&adi_device_cuda_host, 0, true, false, true},
                 {&adi_device_cuda_managed, 0, true, true, false}};
    struct adi_device owner;
    struct adi_pointer_attributes found;
    void *buffer;
    set_up(_i / 4);
    ck_assert_int_eq(kinds[_i % 4].ops->open(kinds[_i % 4].id, &owner, &error), 0);
    ck_assert_int_eq(owner.ops->alloc(&owner, 1000, &buffer, &error), 0);
    const char *inside = (const char *)buffer + 999;
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), 0);
    ck_assert_ptr_eq(found.device_pointer, inside);
    ck_assert_ptr_eq(found.host_pointer, kinds[_i % 4].on_host ? inside : NULL);
    ck_assert_ptr_eq(found.start, buffer);
    ck_assert_uint_eq(found.bytes, 1000);
    ck_assert_ptr_eq(found.context, owner.ops->native_handle(&owner, "cuda.context"));
    ck_assert_int_eq(found.device_id, kinds[_i % 4].id);
    ck_assert_int_eq(found.is_managed, kinds[_i % 4].is_managed);
    ck_assert_int_eq(found.is_host, kinds[_i % 4].is_host);
    owner.ops->free(&owner, buffer);
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), EFAULT);
    owner.ops->close(&owner);
    ops->close(&device);
}
END_TEST

START_TEST(a_pointer_that_cuda_does_not_know_has_no_attributes)
{
    static char own[64];
    struct adi_pointer_attributes found;
    set_up(_i);
    const void *const wild[] = {NULL, own, (void *)8, (void *)UINTPTR_MAX};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->pointer_attributes(&device, wild[i], &found, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is no memory that CUDA knows"));
    ops->close(&device);
}
END_TEST

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

/* ---- what it costs ---- */

/* The context is made current around each. Pinned memory is filled by way of the device. */
START_TEST(an_export_asks_for_nothing_that_is_known)
{
    static const unsigned long counts[] = {17, 21, 18};
    set_up(_i);
    ck_assert_uint_eq(calls_of_an_export(&device), counts[_i]);
    ops->close(&device);
}
END_TEST

START_TEST(native_handles)
{
    set_up(_i);
    ck_assert_ptr_nonnull(ops->native_handle(&device, "cuda.context"));
    ck_assert_ptr_nonnull(ops->native_handle(&device, "cuda.stream"));
    ck_assert_ptr_nonnull(strstr(ops->native_handle(&device, "cuda.library"), "/sim/libcuda.so.1"));
    ck_assert_ptr_null(ops->native_handle(&device, "cuda.abacus"));
    ops->close(&device);
}
END_TEST

Suite *devices_cuda_suite(void) {
    Suite *suite = suite_create("devices_cuda");
    TCase *tests = tcase_create("cuda");
    tcase_add_loop_test(tests, what_there_is, 0, 3);
    tcase_add_loop_test(tests, the_driver_is_looked_for, 0, 3);
    tcase_add_loop_test(tests, reach_is_asked_not_kind, 0, 3);
    tcase_add_loop_test(tests, what_is_current_is_left_alone, 0, 3);
    tcase_add_loop_test(tests, attributes_of_a_pointer, 0, 12);
    tcase_add_loop_test(tests, a_pointer_that_cuda_does_not_know_has_no_attributes, 0, 3);
    tcase_add_loop_test(tests, registered_memory_is_host_memory, 0, 3);
    tcase_add_loop_test(tests, a_context_that_is_not_current_is_asked_and_waited_for, 0, 3);
    tcase_add_loop_test(tests, an_export_asks_for_nothing_that_is_known, 0, 3);
    tcase_add_loop_test(tests, native_handles, 0, 3);
    add_tests_like_cuda(tests, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
