/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways to wait that resume paused queues, what only looks like one, and who is too slow for a
 * pause.
 */
#include <check.h>
#include <dlfcn.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#include "../devices/opencl_api.h"
#include "devices.h"
#include "harness/shell.h"

Suite *devices_opencl_waits_suite(void);

#define BYTES 64

static const struct adi_device_ops *const ops = &adi_device_opencl;
static const struct adi_opencl_api *api;
static const struct adi_interceptor *interceptor;
static struct adi_device ours, theirs; /* of the harness, of the implementation */
static __typeof__(&clFinish) finish_queue;
static __typeof__(&clGetEventProfilingInfo) profile;
static int early; /* how often a command was */
static sem_t called;

static void on_misuse(void *context, enum adi_misuse misuse, bool is_event, const char *text) {
    (void)context, (void)is_event;
    ck_assert_msg(misuse == ADI_MISUSE_EARLY, "%s", text);
    early++;
}

static bool open_both(void) {
    api = adi_opencl_api(NULL);
    interceptor = api == NULL ? NULL : ops->interceptor();
    if (interceptor == NULL || ops->open(0, &theirs, NULL) != 0) {
        puts("skip: devices_opencl_waits: no device, or no layer");
        return false;
    }
    interceptor->enter(false);
    ck_assert_int_eq(ops->open(0, &ours, NULL), 0);
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&finish_queue = dlsym(library, "clFinish");
    *(void **)(void *)&profile = dlsym(library, "clGetEventProfilingInfo");
    sem_init(&called, 0, 0);
    interceptor->enter(true);
    interceptor->subscribe(on_misuse, NULL);
    return true;
}

static cl_command_queue open_queue(cl_event event, cl_command_queue_properties properties) {
    cl_context context;
    cl_int code;
    cl_device_id id = (cl_device_id)(uintptr_t)ops->native_handle(&theirs, "opencl.device");
    api->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    cl_command_queue queue = api->clCreateCommandQueue(context, id, properties, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return queue;
}

static void finish_without_order(cl_event event) {
    cl_command_queue queue = open_queue(event, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ck_assert_int_eq(api->clEnqueueMarkerWithWaitList(queue, 1, &event, NULL), CL_SUCCESS);
    ck_assert_int_eq(finish_queue(queue), CL_SUCCESS);
    api->clReleaseCommandQueue(queue);
}

static void ask_for_profile(cl_event event) {
    cl_command_queue queue = open_queue(event, CL_QUEUE_PROFILING_ENABLE);
    cl_event behind;
    cl_ulong end;
    ck_assert_int_eq(api->clEnqueueMarkerWithWaitList(queue, 1, &event, &behind), CL_SUCCESS);
    api->clFlush(queue);
    while (profile(behind, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS)
        sched_yield();
    api->clReleaseEvent(behind);
    api->clReleaseCommandQueue(queue);
}

static void CL_CALLBACK wake(cl_event event, cl_int status, void *unused) {
    (void)event, (void)status, (void)unused;
    sem_post(&called);
}

static void ask_to_be_called(cl_event event) {
    ck_assert_int_eq(api->clSetEventCallback(event, CL_COMPLETE, wake, NULL), CL_SUCCESS);
}

static void sleep_until_called(cl_event event) {
    ask_to_be_called(event);
    while (sem_wait(&called) != 0) continue;
}

static void flush(cl_event event) {
    cl_command_queue queue = open_queue(event, 0);
    ck_assert_int_eq(api->clEnqueueMarkerWithWaitList(queue, 1, &event, NULL), CL_SUCCESS);
    api->clFlush(queue);
    api->clReleaseCommandQueue(queue);
}

static const struct way {
    void (*wait)(cl_event event);
    bool waits;
} ways[] = {{finish_without_order, true},
            {ask_for_profile, true},
            {sleep_until_called, true},
            {ask_to_be_called, false},
            {flush, false}};

START_TEST(who_has_waited_is_told_from_who_has_not)
{
    const struct way *way = &ways[_i];
    char text[BYTES] = "what was written", out[BYTES];
    void *buffer, *event;
    if (!open_both()) return;
    interceptor->pause(false);
    interceptor->enter(false);
    ck_assert_int_eq(ops->alloc(&ours, BYTES, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&ours, buffer, 0, text, BYTES, NULL), 0);
    ck_assert_int_eq(ops->event(&ours, &event, NULL), 0);
    interceptor->enter(true);
    way->wait(*(cl_event *)event);
    ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, BYTES, NULL), 0);
    if (way->waits) ck_assert_str_eq(out, text);
    ck_assert(!interceptor->expired());
    ck_assert_int_eq(early, way->waits ? 0 : 1);
    interceptor->enter(false);
    interceptor->resume();
    ops->event_free(&ours, event);
    ops->free(&ours, buffer);
    ops->close(&ours);
    interceptor->enter(true);
    ops->close(&theirs);
}
END_TEST

/* A pause that ended by itself has shown nothing; one that did not shows it however slow it was. */
START_TEST(a_slow_producer_is_found_or_not_judged)
{
#define LATE(ms)                                                                                   \
    "ADI_LATE_MS=" #ms " $A run $B/tests/mutants/opencl_event_missing.so --device opencl:0 "       \
    "--case int32/nulls/export-held "
    if (run("test -e $B/opencl_layer.so && $A devices | grep 'opencl.*found'") != 0) {
        puts("skip: a_slow_producer_is_found_or_not_judged: no device, or no layer");
        return;
    }
    expect(LATE(700), 1, "fail  sync/data-not-ready");
    run(LATE(2500) "--json report");
    ck_assert_ptr_null(strstr(said, "sync/data-not-ready"));
    expect("grep -c 'the implementation took longer than its queues' report", 0, "1");
}
END_TEST

Suite *devices_opencl_waits_suite(void) {
    Suite *suite = suite_create("devices_opencl_waits");
    TCase *tests = tcase_create("waits");
    TCase *shell = tcase_create("shell");
    tcase_add_checked_fixture(shell, shell_open, shell_close);
    tcase_set_timeout(shell, 60);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, who_has_waited_is_told_from_who_has_not, 0,
                        (int)(sizeof ways / sizeof *ways));
    tcase_add_test(shell, a_slow_producer_is_found_or_not_judged);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, shell);
    return suite;
}
