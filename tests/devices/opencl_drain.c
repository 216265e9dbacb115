/* SPDX-License-Identifier: Apache-2.0
 *
 * What the implementation has queued behind an event that the harness has waited for, and when all
 * of it has run.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "../devices/opencl_api.h"
#include "devices.h"

Suite *devices_opencl_drain_suite(void);

#define BYTES 64
#define TIMES 20

static const struct adi_device_ops *const ops = &adi_device_opencl;
static const struct adi_interceptor *interceptor;
static struct adi_device ours, theirs; /* of the harness, of the implementation */
static const char first[BYTES] = "what is written first", second[BYTES] = "what comes after it";

static bool open_both(void) {
    const struct adi_opencl_api *api = adi_opencl_api(NULL);
    interceptor = api == NULL ? NULL : ops->interceptor();
    if (interceptor == NULL || ops->open(0, &theirs, NULL) != 0) {
        puts("skip: devices_opencl_drain: no device, or no layer");
        return false;
    }
    interceptor->enter(false);
    ck_assert_int_eq(ops->open(0, &ours, NULL), 0);
    return true;
}

static void close_both(void) {
    ops->close(&ours);
    interceptor->enter(true);
    ops->close(&theirs);
}

static bool holds(const void *buffer, const char *wanted) {
    char out[BYTES];
    ck_assert_int_eq(ops->read(&ours, buffer, 0, out, BYTES, NULL), 0);
    return memcmp(out, wanted, BYTES) == 0;
}

static void *make(const char *text) {
    void *buffer;
    ck_assert_int_eq(ops->alloc(&theirs, BYTES, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&theirs, buffer, 0, text, BYTES, NULL), 0);
    return buffer;
}

/* The implementation's: written, an event, and written again. Is it there what comes first? */
static void write_behind_it(void) {
    void *event;
    interceptor->pause(true);
    interceptor->enter(true);
    void *buffer = make(first);
    ck_assert_int_eq(ops->event(&theirs, &event, NULL), 0);
    ck_assert_int_eq(ops->write(&theirs, buffer, 0, second, BYTES, NULL), 0);
    interceptor->enter(false);
    ck_assert(interceptor->pending(buffer));
    ck_assert_int_eq(ops->wait_host(&ours, event, NULL), 0);
    ck_assert(interceptor->pending(buffer));
    ck_assert(holds(buffer, first));
    ck_assert(interceptor->has_pending_work());
    interceptor->drain();
    ck_assert(!interceptor->has_pending_work());
    ck_assert(!interceptor->pending(buffer));
    ck_assert(holds(buffer, second));
    ck_assert(!interceptor->expired());
    interceptor->resume();
    interceptor->enter(true);
    ops->event_free(&theirs, event);
    ops->free(&theirs, buffer);
    interceptor->enter(false);
}

START_TEST(what_is_behind_an_event_has_not_run)
{
    if (!open_both()) return;
    for (int i = 0; i < TIMES; i++) write_behind_it();
    close_both();
}
END_TEST

static void write_before_it(void) {
    void *event;
    interceptor->pause(true);
    interceptor->enter(true);
    void *buffer = make(first);
    ck_assert_int_eq(ops->write(&theirs, buffer, 0, second, BYTES, NULL), 0);
    ck_assert_int_eq(ops->event(&theirs, &event, NULL), 0);
    interceptor->enter(false);
    ck_assert(interceptor->has_pending_work());
    ck_assert_int_eq(ops->wait_host(&ours, event, NULL), 0);
    ck_assert(!interceptor->pending(buffer));
    ck_assert(holds(buffer, second));
    ck_assert(!interceptor->has_pending_work());
    interceptor->resume();
    interceptor->enter(true);
    ops->event_free(&theirs, event);
    ops->free(&theirs, buffer);
    interceptor->enter(false);
}

START_TEST(what_is_before_it_has_run_and_nothing_is_due)
{
    if (!open_both()) return;
    ck_assert(!interceptor->has_pending_work());
    for (int i = 0; i < TIMES; i++) write_before_it();
    close_both();
}
END_TEST

/* A queue that its owner gives back with work in it. */
static void write_on_a_queue_that_goes(void *buffer) {
    const struct adi_opencl_api *api = adi_opencl_api(NULL);
    cl_int code;
    cl_context context = (cl_context)(uintptr_t)ops->native_handle(&theirs, "opencl.context");
    cl_device_id id = (cl_device_id)(uintptr_t)ops->native_handle(&theirs, "opencl.device");
    cl_command_queue queue = api->clCreateCommandQueue(context, id, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(
        api->clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, BYTES, second, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(api->clReleaseCommandQueue(queue), CL_SUCCESS);
}

START_TEST(a_queue_that_has_gone_is_waited_for)
{
    if (!open_both()) return;
    for (int i = 0; i < TIMES; i++) {
        interceptor->enter(true);
        void *buffer = make(first);
        interceptor->enter(false);
        interceptor->drain();
        interceptor->pause(true);
        interceptor->enter(true);
        write_on_a_queue_that_goes(buffer);
        interceptor->enter(false);
        ck_assert(interceptor->has_pending_work());
        ck_assert(holds(buffer, first));
        interceptor->drain();
        ck_assert(!interceptor->has_pending_work());
        ck_assert(holds(buffer, second));
        interceptor->enter(true);
        ops->free(&theirs, buffer);
        interceptor->enter(false);
    }
    close_both();
}
END_TEST

Suite *devices_opencl_drain_suite(void) {
    Suite *suite = suite_create("devices_opencl_drain");
    TCase *tests = tcase_create("finish");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_is_behind_an_event_has_not_run);
    tcase_add_test(tests, what_is_before_it_has_run_and_nothing_is_due);
    tcase_add_test(tests, a_queue_that_has_gone_is_waited_for);
    suite_add_tcase(suite, tests);
    return suite;
}
