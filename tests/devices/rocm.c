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

#define MAKER     "HIP"
#define FAMILY    "rocm"
#define CALLS     "hip"
#define IN_DEVICE adi_device_rocm
#include "like_cuda.h"

Suite *devices_rocm_suite(void);

static const struct adi_device_ops *const backends[] = {&adi_device_rocm, &adi_device_rocm_host};
static void set_up(int which) {
    ops = backends[which];
    ck_assert_int_eq(setenv("ADI_ROCM", "sim", 1), 0);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

START_TEST(what_there_is)
{
    static const int counts[] = {2, 1};
    static const char *const names[] = {"rocm", "rocm_host"};
    struct adi_device_probe found;
    struct adi_device none;
    set_up(_i);
    ops->probe(&found);
    ck_assert_int_eq(found.count, counts[_i]);
    ck_assert_str_eq(found.runtime, "simulated");
    ck_assert_str_eq(ops->name, names[_i]);
    ck_assert_int_eq(ops->open(2, &none, &error), ENODEV);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no rocm"));
    ck_assert_int_eq(ops->open(-1, &none, &error), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(the_runtime_is_looked_for)
{
    static const struct {
        const char *setting, *why;
    } settings[] = {{"off", "ADI_ROCM is off"},
                    {"./no/libamdhip64.so", "./no/libamdhip64.so"},
                    {"libm.so.6", "libm.so.6 has no hipInit"}};
    struct adi_device_probe found;
    ck_assert_int_eq(setenv("ADI_ROCM", settings[_i].setting, 1), 0);
    adi_device_rocm.probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_msg(strstr(found.why.text, settings[_i].why) != NULL, "%s", found.why.text);
    ck_assert_ptr_null(adi_device_rocm.interceptor());
    ck_assert_int_eq(adi_device_rocm.open(0, &device, &error), ENODEV);
}
END_TEST

/* Rows reach for columns: memory of device 0, of device 1, pinned. */
START_TEST(reach_is_asked_not_kind)
{
    static const bool reached[][3] = {{true, false, true}, {false, false, true}};
    struct adi_device made[3];
    void *buffers[3];
    set_up(_i);
    ck_assert_int_eq(adi_device_rocm.open(0, &made[0], &error), 0);
    ck_assert_int_eq(adi_device_rocm.open(1, &made[1], &error), 0);
    ck_assert_int_eq(adi_device_rocm_host.open(0, &made[2], &error), 0);
    for (int i = 0; i < 3; i++) {
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

/* Memory of device 0, of device 1, pinned. */
START_TEST(attributes_of_a_pointer)
{
    static const struct {
        const struct adi_device_ops *ops;
        int64_t id;
        bool is_host;
    } kinds[] = {{&adi_device_rocm, 0, false},
                 {&adi_device_rocm, 1, false},
                 {&adi_device_rocm_host, 0, true}};
    struct adi_device owner;
    struct adi_pointer_attributes found;
    void *buffer;
    set_up(_i / 3);
    ck_assert_int_eq(kinds[_i % 3].ops->open(kinds[_i % 3].id, &owner, &error), 0);
    ck_assert_int_eq(owner.ops->alloc(&owner, 1000, &buffer, &error), 0);
    const char *inside = (const char *)buffer + 999;
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), 0);
    ck_assert_ptr_eq(found.device_pointer, inside);
    ck_assert_ptr_eq(found.host_pointer, kinds[_i % 3].is_host ? inside : NULL);
    ck_assert_ptr_eq(found.start, buffer);
    ck_assert_uint_eq(found.bytes, 1000);
    ck_assert_int_eq(found.device_id, kinds[_i % 3].id);
    ck_assert(!found.is_managed);
    ck_assert_int_eq(found.is_host, kinds[_i % 3].is_host);
    owner.ops->free(&owner, buffer);
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), EFAULT);
    owner.ops->close(&owner);
    ops->close(&device);
}
END_TEST

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

START_TEST(a_pointer_that_hip_does_not_know_has_no_attributes)
{
    static char own[64];
    struct adi_pointer_attributes found;
    set_up(_i);
    const void *const wild[] = {NULL, own, (void *)8, (void *)UINTPTR_MAX};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->pointer_attributes(&device, wild[i], &found, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is no memory that HIP knows"));
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

/* ---- what it costs ---- */

/* Pinned memory is filled by way of the device. */
START_TEST(an_export_asks_for_nothing_that_is_known)
{
    static const unsigned long counts[] = {8, 11};
    set_up(_i);
    ck_assert_uint_eq(calls_of_an_export(&device), counts[_i]);
    ops->close(&device);
}
END_TEST

START_TEST(native_handles)
{
    set_up(_i);
    ck_assert_ptr_nonnull(ops->native_handle(&device, "rocm.stream"));
    ck_assert_ptr_nonnull(
        strstr(ops->native_handle(&device, "rocm.library"), "/sim/libamdhip64.so.7"));
    ck_assert_ptr_null(ops->native_handle(&device, "rocm.abacus"));
    ops->close(&device);
}
END_TEST

Suite *devices_rocm_suite(void) {
    Suite *suite = suite_create("devices_rocm");
    TCase *tests = tcase_create("rocm");
    tcase_add_loop_test(tests, what_there_is, 0, 2);
    tcase_add_loop_test(tests, the_runtime_is_looked_for, 0, 3);
    tcase_add_loop_test(tests, reach_is_asked_not_kind, 0, 2);
    tcase_add_loop_test(tests, what_is_current_is_left_alone, 0, 2);
    tcase_add_loop_test(tests, attributes_of_a_pointer, 0, 6);
    tcase_add_loop_test(tests, a_pointer_that_hip_does_not_know_has_no_attributes, 0, 2);
    tcase_add_loop_test(tests, memory_that_others_made_is_known_for_what_it_is, 0, 2);
    tcase_add_test(tests, the_default_stream_is_that_of_the_device);
    tcase_add_loop_test(tests, an_export_asks_for_nothing_that_is_known, 0, 2);
    tcase_add_loop_test(tests, native_handles, 0, 2);
    add_tests_like_cuda(tests, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
