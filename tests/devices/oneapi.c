/* SPDX-License-Identifier: Apache-2.0
 *
 * oneAPI on the simulated runtime.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calls_traced.h"
#include "devices.h"
#include "dpctl_abi.h"
#include "one_device.h"
#include "sim.h"

Suite *devices_oneapi_suite(void);

static const struct adi_device_ops *const ops = &adi_device_oneapi;
static struct adi_device device;
static struct adi_error error;

static void set_up(void) {
    ck_assert_int_eq(setenv("ADI_ONEAPI", "sim", 1), 0);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

/* A call of the runtime by its name: the test makes some that the backend does not. The engine that
 * it is linked with is asked so, too: the one that this program has in itself sees nothing of it.
 */
static void (*runtime(const char *name))(void) {
    void *library = dlopen(ops->native_handle(&device, "oneapi.library"), RTLD_NOW | RTLD_NOLOAD);
    void (*found)(void);
    ck_assert_ptr_nonnull(library);
    *(void **)(void *)&found = dlsym(library, name);
    ck_assert_msg(found != NULL, "%s", name);
    dlclose(library);
    return found;
}
#define RUNTIME(name) ((__typeof__(&name))runtime(#name))

static DPCTLSyclQueueRef queue_of(struct adi_device *of) {
    return (DPCTLSyclQueueRef)(uintptr_t)ops->native_handle(of, "oneapi.queue");
}

START_TEST(what_there_is)
{
    struct adi_device_probe found;
    struct adi_device none;
    set_up();
    ops->probe(&found);
    ck_assert_int_eq(found.count, 2);
    ck_assert_str_eq(found.runtime, "simulated");
    ck_assert_str_eq(ops->name, "oneapi");
    ck_assert_int_eq(ops->open(2, &none, &error), ENODEV);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no oneapi:2"));
    ck_assert_int_eq(ops->open(-1, &none, &error), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(the_runtime_is_looked_for)
{
    static const struct {
        const char *setting, *why;
    } settings[] = {{"off", "ADI_ONEAPI is off"},
                    {"./no/libDPCTLSyclInterface.so", "./no/libDPCTLSyclInterface.so"},
                    {"libm.so.6", "libm.so.6 has no DPCTLDeviceMgr_GetDevices"}};
    struct adi_device_probe found;
    ck_assert_int_eq(setenv("ADI_ONEAPI", settings[_i].setting, 1), 0);
    ops->probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_msg(strstr(found.why.text, settings[_i].why) != NULL, "%s", found.why.text);
    ck_assert_ptr_null(ops->interceptor());
    ck_assert_int_eq(ops->open(0, &device, &error), ENODEV);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    set_up();
    expect_written_is_read(&device);
    ops->close(&device);
}
END_TEST

/* Whatever is waited for, and in whatever order things end, nothing is lost. */
START_TEST(many_writes_are_kept_until_they_are_waited_for)
{
    enum {
        BUFFERS = 8,
        WRITES = 400
    };
    void *buffers[BUFFERS], *events[BUFFERS];
    int out = -1;
    set_up();
    for (int b = 0; b < BUFFERS; b++) {
        ck_assert_int_eq(ops->alloc(&device, 4 * WRITES, &buffers[b], &error), 0);
        for (int i = 0; i < WRITES; i++) {
            int value = b * WRITES + i;
            ck_assert_int_eq(ops->write(&device, buffers[b], 4 * i, &value, 4, &error), 0);
        }
        ck_assert_int_eq(ops->event(&device, &events[b], &error), 0);
    }
    ops->event_free(&device, events[3]);
    ops->free(&device, buffers[1]);
    ck_assert_int_eq(ops->read(&device, buffers[7], 4 * 399, &out, 4, &error), 0);
    ck_assert_int_eq(out, 7 * WRITES + 399);
    for (int b = 0; b < BUFFERS; b++) {
        if (b != 3) ops->event_free(&device, events[b]);
        if (b != 1) ops->free(&device, buffers[b]);
    }
    ck_assert_uint_eq(RUNTIME(adi_sim_violations)(), 0);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    set_up();
    expect_refusals(&device, "is no memory of the default context of oneapi:0");
    ops->close(&device);
}
END_TEST

/* Memory of the device, of the other one, shared, of the host, and of another context. */
START_TEST(reach_is_asked_not_kind)
{
    static const bool reached[] = {true, false, true, true, false};
    struct adi_device other;
    set_up();
    ck_assert_int_eq(ops->open(1, &other, &error), 0);
    DPCTLSyclQueueRef queue = queue_of(&device);
    DPCTLSyclDeviceRef sycl = RUNTIME(DPCTLQueue_GetDevice)(queue);
    DPCTLSyclContextRef context = RUNTIME(DPCTLContext_Create)(sycl, NULL, 0);
    DPCTLSyclQueueRef apart = RUNTIME(DPCTLQueue_Create)(context, sycl, NULL, DPCTL_IN_ORDER);
    DPCTLSyclQueueRef queues[] = {queue, queue_of(&other), queue, queue, apart};
    DPCTLSyclUSMRef buffers[] = {
        RUNTIME(DPCTLmalloc_device)(8, queues[0]), RUNTIME(DPCTLmalloc_device)(8, queues[1]),
        RUNTIME(DPCTLmalloc_shared)(8, queues[2]), RUNTIME(DPCTLmalloc_host)(8, queues[3]),
        RUNTIME(DPCTLmalloc_device)(8, queues[4])};
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_nonnull(buffers[i]);
        ck_assert_msg(ops->accessible(&device, buffers[i], &error) == reached[i], "%d", i);
        RUNTIME(DPCTLfree_with_queue)(buffers[i], queues[i]);
    }
    RUNTIME(DPCTLQueue_Delete)(apart);
    RUNTIME(DPCTLContext_Delete)(context);
    RUNTIME(DPCTLDevice_Delete)(sycl);
    ck_assert_uint_eq(RUNTIME(adi_sim_violations)(), 0);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    void *event;
    static char closed[64];
    set_up();
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    void *const wild[] = {&event, (void *)8, closed, queue_of(&device)};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        ck_assert_int_eq(ops->wait(&device, wild[i], &error), EINVAL);
        ck_assert_int_eq(ops->wait_host(&device, wild[i], &error), EINVAL);
    }
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->wait(&device, event, &error), EINVAL);
    ck_assert_int_eq(ops->wait_host(&device, event, &error), EINVAL);
    ops->close(&device);
}
END_TEST

static void *free_it(void *buffer) {
    ops->free(&device, buffer);
    return NULL;
}

static void *free_event(void *event) {
    ops->event_free(&device, event);
    return NULL;
}

START_TEST(memory_and_events_end_on_any_thread)
{
    void *buffer, *event;
    pthread_t threads[2];
    set_up();
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(pthread_create(&threads[0], NULL, free_it, buffer), 0);
    ck_assert_int_eq(pthread_create(&threads[1], NULL, free_event, event), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    ck_assert(!ops->accessible(&device, buffer, &error));
    ck_assert_uint_eq(RUNTIME(adi_sim_violations)(), 0);
    ops->close(&device);
}
END_TEST

/* An event of one device is waited for on the other. */
START_TEST(queues_of_two_devices)
{
    struct adi_device other;
    void *buffer, *event, *queue;
    char out[6] = "";
    set_up();
    ck_assert_int_eq(ops->open(1, &other, &error), 0);
    ck_assert_int_eq(ops->alloc(&device, 6, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abcde", 6, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->queue_open(&other, &queue, &error), 0);
    ck_assert_int_eq(ops->wait_on(&other, queue, event, &error), 0);
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->record_on(&other, queue, &event, &error), 0);
    ops->queue_close(&other, queue);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 6, &error), 0);
    ck_assert_str_eq(out, "abcde");
    ops->event_free(&other, event);
    ops->free(&device, buffer);
    ck_assert_uint_eq(RUNTIME(adi_sim_violations)(), 0);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

START_TEST(memory_that_the_cpu_sees)
{
    void *visible;
    set_up();
    ck_assert_int_eq(ops->alloc_visible(&device, 64, &visible, &error), 0);
    memset(visible, 7, 64);
    ck_assert(ops->accessible(&device, visible, &error));
    ops->free_visible(&device, visible);
    ops->close(&device);
}
END_TEST

/* ---- what it costs ---- */

START_TEST(an_export_asks_for_nothing_that_is_known)
{
    set_up();
    ck_assert_uint_eq(calls_of_an_export(&device), 7);
    ops->close(&device);
}
END_TEST

static void *event_of(struct adi_device *of) {
    void *event;
    ck_assert_int_eq(ops->event(of, &event, &error), 0);
    return event;
}

/* Only behind nothing but the device's own work it is certain that an event completes. */
START_TEST(a_wait_without_an_end_is_for_what_ends_by_itself)
{
    static const char *const asked = "DPCTLEvent_GetCommandExecutionStatus";
    struct adi_device other;
    void *buffer, *events[4];
    char out[4];
    set_up();
    ck_assert_int_eq(ops->open(0, &other, &error), 0);
    ck_assert_int_eq(ops->alloc(&device, 4, &buffer, &error), 0);
    events[0] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[0]), "DPCTLEvent_Wait");
    events[1] = event_of(&other);
    ck_assert_str_eq(call_that_waits(&device, events[1]), asked);
    ck_assert_int_eq(ops->wait(&device, events[0], &error), 0);
    ck_assert_str_eq(call_that_waits(&device, events[0]), "DPCTLEvent_Wait");
    ck_assert_int_eq(ops->wait(&device, events[1], &error), 0);
    events[2] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[2]), asked);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 4, &error), 0);
    ck_assert_str_eq(call_that_waits(&device, events[2]), "DPCTLEvent_Wait");
    queue_of(&device);
    events[3] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[3]), asked);
    for (int i = 0; i < 4; i++) ops->event_free(&device, events[i]);
    ops->free(&device, buffer);
    ck_assert_uint_eq(adi_sim_violations(), 0);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

/* Who first makes the runtime open something for itself has nothing to give back for it. */
START_TEST(what_the_runtime_has_of_its_own_is_nobodys)
{
    set_up();
    DPCTLSyclDeviceRef sycl = RUNTIME(DPCTLQueue_GetDevice)(queue_of(&device));
    DPCTLSyclQueueRef unordered = RUNTIME(DPCTLQueue_CreateForDevice)(sycl, NULL, 0);
    DPCTLSyclEventRef barrier = RUNTIME(DPCTLQueue_SubmitBarrier)(unordered);
    size_t (*live)(unsigned party) = RUNTIME(adi_sim_live);
    ck_assert_uint_gt(live(0), 0);
    RUNTIME(DPCTLEvent_Delete)(barrier);
    RUNTIME(DPCTLQueue_Delete)(unordered);
    RUNTIME(DPCTLDevice_Delete)(sycl);
    ops->close(&device);
    ck_assert_uint_eq(live(0), 0);
}
END_TEST

START_TEST(native_handles)
{
    set_up();
    ck_assert_ptr_nonnull(ops->native_handle(&device, "oneapi.queue"));
    ck_assert_ptr_nonnull(
        strstr(ops->native_handle(&device, "oneapi.library"), "/sim/libDPCTLSyclInterface.so"));
    ck_assert_ptr_null(ops->native_handle(&device, "oneapi.abacus"));
    ops->close(&device);
}
END_TEST

Suite *devices_oneapi_suite(void) {
    Suite *suite = suite_create("devices_oneapi");
    TCase *tests = tcase_create("oneapi");
    tcase_add_test(tests, what_there_is);
    tcase_add_loop_test(tests, the_runtime_is_looked_for, 0, 3);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, many_writes_are_kept_until_they_are_waited_for);
    tcase_add_test(tests, what_is_not_there_is_refused);
    tcase_add_test(tests, reach_is_asked_not_kind);
    tcase_add_test(tests, what_is_no_event_is_refused);
    tcase_add_test(tests, memory_and_events_end_on_any_thread);
    tcase_add_test(tests, queues_of_two_devices);
    tcase_add_test(tests, memory_that_the_cpu_sees);
    tcase_add_test(tests, an_export_asks_for_nothing_that_is_known);
    tcase_add_test(tests, a_wait_without_an_end_is_for_what_ends_by_itself);
    tcase_add_test(tests, what_the_runtime_has_of_its_own_is_nobodys);
    tcase_add_test(tests, native_handles);
    suite_add_tcase(suite, tests);
    return suite;
}
