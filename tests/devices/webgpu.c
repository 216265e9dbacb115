/* SPDX-License-Identifier: Apache-2.0
 *
 * WebGPU, on the simulation in each layout of the header; on the real wgpu-native, too, where
 * ADI_TEST_WEBGPU names it (make peers does).
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "one_device.h"

Suite *devices_webgpu_suite(void);

#define BYTES       200
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const ways[] = {"", "webgpu/22/", "webgpu/24/"};
static const struct adi_device_ops *const ops = &adi_device_webgpu;
static struct adi_device device;
static struct adi_error error;

static const char *real(void) {
    return getenv("ADI_TEST_WEBGPU");
}

static int count_ways(void) {
    return (int)COUNT(ways) + (real() != NULL);
}

static bool is_simulated(int way) {
    return way < (int)COUNT(ways);
}

static void choose(int way) {
    const char *build = getenv("ADI_TEST_BUILD");
    char path[PATH_MAX];
    if (!is_simulated(way))
        snprintf(path, sizeof path, "%s", real());
    else
        snprintf(path, sizeof path, "%s/sim/%slibwgpu_native.so", build == NULL ? "build" : build,
                 ways[way]);
    setenv("ADI_WEBGPU", path, 1);
}

static void set_up(int way) {
    choose(way);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

START_TEST(there_are_two)
{
    struct adi_device_probe probe;
    struct adi_device other;
    set_up(_i);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 2);
    ck_assert_int_eq(probe.ids[1], 1);
    ck_assert_int_eq(strncmp(probe.runtime, is_simulated(_i) ? "simulated" : "wgpu-native ", 9), 0);
    ck_assert_int_eq(ops->open(2, &other, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no webgpu:2, only 0 to 1");
    ck_assert_int_eq(ops->open(-1, &other, NULL), ENODEV);
    ck_assert_int_eq(ops->open(8, &other, NULL), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(pieces_of_every_size_lie_where_they_belong)
{
    set_up(_i);
    expect_pieces(&device, BYTES - 3, 0);
    ck_assert_int_eq(ops->read(&device, NULL, 0, NULL, 0, NULL), 0);
    ops->close(&device);
}
END_TEST

/* WebGPU promises zeros, so that nobody reads what was there before. */
START_TEST(fresh_memory_is_zeros)
{
    static const uint8_t zeros[BYTES];
    uint8_t data[BYTES];
    set_up(_i);
    memset(data, 0x5a, sizeof data);
    for (int i = 0; i < 20; i++) {
        void *buffer = new_buffer(&device, BYTES);
        expect_bytes(&device, buffer, 0, zeros, BYTES);
        ck_assert_int_eq(ops->write(&device, buffer, 0, data, BYTES, NULL), 0);
        finish(&device);
        expect_bytes(&device, buffer, 0, data, BYTES);
        ops->free(&device, buffer);
    }
    void *none;
    ck_assert_int_eq(ops->alloc(&device, 0, &none, NULL), EINVAL);
    ck_assert_int_eq(ops->alloc(&device, INT64_C(1) << 40, &none, &error), ENOMEM);
    ck_assert_ptr_nonnull(strstr(error.text, "wgpuDeviceCreateBuffer of 1099511627776 bytes: "));
    ops->close(&device);
}
END_TEST

START_TEST(values_that_are_no_handles_are_refused)
{
    char host[256] = "";
    struct adi_device other;
    set_up(_i);
    void *buffer = new_buffer(&device, 100);
    const void *const wild[] = {NULL,
                                host,
                                (void *)8,
                                (void *)UINTPTR_MAX,
                                &buffer,
                                (char *)buffer + 1,
                                (char *)buffer + 8,
                                (char *)buffer + 64,
                                ops->native_handle(&device, "webgpu.device"),
                                ops->native_handle(&device, "webgpu.queue")};
    for (size_t i = 0; i < COUNT(wild); i++) {
        expect_fault(&device, wild[i], 0, 1, "is no live WGPUBuffer of webgpu:0");
        ck_assert(!ops->accessible(&device, wild[i], &error));
        ck_assert(ops->can_identify_buffer(&device, wild[i], &error));
    }
    ck_assert(ops->accessible(&device, buffer, &error));
    expect_fault(&device, buffer, 0, 101,
                 "there are no 101 bytes at offset 0 of a WGPUBuffer of 100");
    expect_fault(&device, buffer, 99, 2, "there are no 2 bytes at offset 99");
    expect_fault(&device, buffer, -1, 1, "of a WGPUBuffer of 100");
    expect_fault(&device, buffer, 0, -1, "of a WGPUBuffer of 100");
    expect_fault(&device, buffer, INT64_MAX, INT64_MAX, "of a WGPUBuffer of 100");
    ck_assert_int_eq(ops->open(1, &other, &error), 0);
    ck_assert(!ops->accessible(&other, buffer, &error));
    ck_assert_ptr_nonnull(
        strstr(error.text, "is a WGPUBuffer of another WGPUDevice than that of webgpu:1"));
    ops->close(&other);
    ops->free(&device, buffer);
    expect_fault(&device, buffer, 0, 1, "is no live WGPUBuffer of webgpu:0");
    ops->close(&device);
}
END_TEST

/* A WGPUBuffer is one of a WGPUDevice, so who opens an id anew has the same. */
START_TEST(two_who_open_it_share_a_device)
{
    struct adi_device other;
    char seen[4];
    set_up(_i);
    ck_assert_int_eq(ops->open(0, &other, &error), 0);
    ck_assert_ptr_eq(ops->native_handle(&other, "webgpu.device"),
                     ops->native_handle(&device, "webgpu.device"));
    void *buffer = new_buffer(&device, 4);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, NULL), 0);
    ck_assert_int_eq(ops->read(&other, buffer, 0, seen, 4, &error), 0);
    ck_assert_str_eq(seen, "abc");
    ops->close(&device);
    ops->free(&other, buffer);
    ops->close(&other);
}
END_TEST

START_TEST(memory_is_freed_on_any_thread)
{
    set_up(_i);
    expect_freed_elsewhere(&device);
    ops->close(&device);
}
END_TEST

START_TEST(every_sample_goes_there_and_back)
{
    set_up(_i);
    expect_samples(&device);
    ops->close(&device);
}
END_TEST

START_TEST(native_handles)
{
    set_up(_i);
    ck_assert_ptr_nonnull(ops->native_handle(&device, "webgpu.instance"));
    ck_assert_ptr_nonnull(ops->native_handle(&device, "webgpu.device"));
    ck_assert_ptr_nonnull(ops->native_handle(&device, "webgpu.queue"));
    ck_assert_ptr_nonnull(strstr(ops->native_handle(&device, "webgpu.library"), "libwgpu_native"));
    ck_assert_ptr_null(ops->native_handle(&device, "webgpu.abacus"));
    ops->close(&device);
}
END_TEST

START_TEST(without_a_library_there_is_no_device)
{
    struct adi_device_probe probe;
    setenv("ADI_WEBGPU", "off", 1);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 0);
    ck_assert_str_eq(probe.why.text, "ADI_WEBGPU is off");
    ck_assert_ptr_null(ops->interceptor());
    ck_assert_int_eq(ops->open(0, &device, &error), ENODEV);
}
END_TEST

/* ---- what is seen of an implementation ---- */

static enum adi_misuse told;
static int times;

static void on_misuse(void *unused, enum adi_misuse misuse, bool is_event, const char *text) {
    (void)unused, (void)is_event, (void)text;
    told = misuse;
    times++;
}

#define CALL(name, type, ...) ((type(*)(__VA_ARGS__))runtime(name))

static void (*runtime(const char *name))(void) {
    void *library = dlopen(ops->native_handle(&device, "webgpu.library"), RTLD_NOW | RTLD_NOLOAD);
    void (*found)(void);
    *(void **)(void *)&found = dlsym(library, name);
    ck_assert_msg(found != NULL, "%s", name);
    dlclose(library);
    return found;
}

START_TEST(what_nobody_has_waited_for_is_pending)
{
    set_up(_i);
    const struct adi_interceptor *sees = ops->interceptor();
    ck_assert_ptr_nonnull(sees);
    void *buffer = new_buffer(&device, 8), *other = new_buffer(&device, 8);
    ck_assert(!sees->pending(buffer));
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, NULL), 0);
    ck_assert(sees->pending(buffer) && !sees->pending(other));
    ck_assert(sees->pending_in(buffer, 0, 4) && !sees->pending_in(buffer, 4, 4));
    finish(&device);
    ck_assert(!sees->pending(buffer));
    ops->free(&device, buffer);
    ops->free(&device, other);
    ops->close(&device);
}
END_TEST

START_TEST(references_are_whose_they_are)
{
    set_up(_i);
    const struct adi_interceptor *sees = ops->interceptor();
    const char *add = _i == 1 ? "wgpuBufferReference" : "wgpuBufferAddRef";
    sees->subscribe(on_misuse, NULL);
    bool before = sees->enter(false);
    void *buffer = new_buffer(&device, 8);
    sees->enter(true);
    size_t held = sees->references();
    CALL(add, void, void *)(buffer);
    ck_assert_uint_eq(sees->references(), held + 1);
    CALL("wgpuBufferRelease", void, void *)(buffer);
    ck_assert_uint_eq(sees->references(), held);
    ck_assert_int_eq(times, 0);
    CALL("wgpuBufferRelease", void, void *)(buffer); /* the harness's */
    ck_assert_int_eq(times, 1);
    ck_assert_int_eq(told, ADI_MISUSE_NOT_OWNED);
    CALL("wgpuBufferDestroy", void, void *)(buffer); /* the harness's, too */
    ck_assert_int_eq(times, 2);
    ck_assert_int_eq(told, ADI_MISUSE_NOT_OWNED);
    ck_assert(ops->accessible(&device, buffer, &error));
    ck_assert(!sees->given_up(buffer));
    CALL(add, void, void *)(buffer);
    sees->enter(false);
    ops->free(&device, buffer);
    ck_assert(sees->given_up(buffer));
    sees->enter(true);
    CALL("wgpuBufferGetSize", uint64_t, void *)(buffer); /* it is not there for anybody now */
    ck_assert_int_eq(times, 3);
    CALL("wgpuBufferRelease", void, void *)(buffer);
    ck_assert_int_eq(times, 3);
    CALL("wgpuBufferRelease", void, void *)(buffer);
    ck_assert_int_eq(times, 4);
    sees->enter(before);
    sees->subscribe(NULL, NULL);
    ops->close(&device);
}
END_TEST

Suite *devices_webgpu_suite(void) {
    Suite *suite = suite_create("devices_webgpu");
    TCase *tests = tcase_create("webgpu");
    const TTest *const all[] = {there_are_two,
                                pieces_of_every_size_lie_where_they_belong,
                                fresh_memory_is_zeros,
                                values_that_are_no_handles_are_refused,
                                two_who_open_it_share_a_device,
                                memory_is_freed_on_any_thread,
                                every_sample_goes_there_and_back,
                                native_handles};
    tcase_set_timeout(tests, 120);
    for (size_t i = 0; i < COUNT(all); i++) tcase_add_loop_test(tests, all[i], 0, count_ways());
    tcase_add_test(tests, without_a_library_there_is_no_device);
    tcase_add_loop_test(tests, what_nobody_has_waited_for_is_pending, 0, COUNT(ways));
    tcase_add_loop_test(tests, references_are_whose_they_are, 0, COUNT(ways));
    suite_add_tcase(suite, tests);
    return suite;
}
