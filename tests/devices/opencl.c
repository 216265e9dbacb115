/* SPDX-License-Identifier: Apache-2.0
 *
 * Each test opens its devices itself: POCL's threads do not outlive a fork.
 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../devices/opencl_internal.h"
#include "devices.h"

Suite *devices_opencl_suite(void);

#define BYTES 1000

static const struct adi_device_ops *const ops = &adi_device_opencl;
static struct adi_device device, other; /* two openings of one device: two contexts */
static struct adi_error error;
static char text[BYTES];
static bool there;

/* false: this machine has no OpenCL, and that has been said. */
static bool open_both(const char *test) {
    struct adi_device_probe probe;
    ops->probe(&probe);
    there = probe.count > 0;
    if (!there) printf("skip: %s: %s\n", test, probe.why.text);
    if (!there) return false;
    ck_assert_int_eq(ops->open(0, &device, NULL), 0);
    ck_assert_int_eq(ops->open(0, &other, NULL), 0);
    for (int i = 0; i < BYTES; i++) text[i] = (char)(i * 7 + 1);
    return true;
}

static void close_both(void) {
    if (!there) return;
    ops->close(&device);
    ops->close(&other);
}

#define OPENCL_TEST(name)                                                                          \
    START_TEST(name)                                                                               \
    {                                                                                              \
        if (!open_both(#name)) return;

#define OPENCL_END                                                                                 \
    }                                                                                              \
    END_TEST

static void *buffer_with(struct adi_device *on, const char *bytes) {
    void *buffer;
    ck_assert_int_eq(ops->alloc(on, BYTES, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(on, buffer, 0, bytes, BYTES, NULL), 0);
    return buffer;
}

static void expect_bytes(struct adi_device *on, const void *buffer, const char *wanted) {
    char out[BYTES];
    ck_assert_msg(ops->read(on, buffer, 0, out, BYTES, &error) == 0, "%s", error.text);
    ck_assert_mem_eq(out, wanted, BYTES);
}

OPENCL_TEST(ids_are_indices)
struct adi_device_probe probe;
char wanted[80];
ops->probe(&probe);
for (int i = 0; i < probe.count; i++) ck_assert_int_eq(probe.ids[i], i);
ck_assert_int_eq(device.id, 0);
ck_assert_int_eq(ops->open(-1, &other, NULL), ENODEV);
ck_assert_int_eq(ops->open(probe.count, &other, &error), ENODEV);
snprintf(wanted, sizeof wanted, "there is no opencl:%d, only 0 to %d", probe.count,
         probe.count - 1);
ck_assert_str_eq(error.text, wanted);
OPENCL_END

OPENCL_TEST(what_is_written_is_read)
void *buffer = buffer_with(&device, text), *event = NULL;
char out[4] = "";
ck_assert_int_eq(ops->write(&device, buffer, 97, "abc", 3, NULL), 0);
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
ck_assert_ptr_nonnull(event);
ck_assert_int_eq(ops->wait_host(&device, event, NULL), 0);
ck_assert_int_eq(ops->read(&device, buffer, 97, out, 3, NULL), 0);
ck_assert_str_eq(out, "abc");
ck_assert_int_eq(ops->read(&device, NULL, 0, out, 0, NULL), 0);
ops->event_free(&device, event);
ops->free(&device, buffer);
OPENCL_END

/* The twin of the next: who waits reads what was written. */
OPENCL_TEST(who_waits_reads_what_was_written_late)
void *buffer = buffer_with(&device, text), *event;
char late[BYTES];
memset(late, 'L', sizeof late);
ck_assert_int_eq(ops->pause(&device, NULL), 0);
ck_assert_int_eq(ops->write(&device, buffer, 0, late, BYTES, NULL), 0);
memset(late, 'x', sizeof late); /* the caller's bytes are not needed any more */
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
ck_assert_int_eq(ops->wait(&other, event, NULL), 0);
ck_assert_int_eq(ops->resume(&device, NULL), 0);
memset(late, 'L', sizeof late);
expect_bytes(&other, buffer, late);
ops->event_free(&device, event);
ops->free(&device, buffer);
OPENCL_END

OPENCL_TEST(who_does_not_wait_reads_what_was_there_before)
void *buffer = buffer_with(&device, text), *event;
char late[BYTES];
memset(late, 'L', sizeof late);
expect_bytes(&device, buffer, text);
ck_assert_int_eq(ops->pause(&device, NULL), 0);
ck_assert_int_eq(ops->write(&device, buffer, 0, late, BYTES, NULL), 0);
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
expect_bytes(&other, buffer, text);
ck_assert_int_eq(ops->resume(&device, NULL), 0);
expect_bytes(&device, buffer, late);
ops->event_free(&device, event);
ops->free(&device, buffer);
OPENCL_END

OPENCL_TEST(a_held_queue_says_so_and_outlives_what_was_freed)
void *buffer = buffer_with(&device, text), *event;
char out[1];
ck_assert_int_eq(ops->pause(&device, NULL), 0);
ck_assert_int_eq(ops->pause(&device, NULL), EBUSY);
ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 3, NULL), 0);
ck_assert_int_eq(ops->read(&device, buffer, 0, out, 1, &error), EBUSY);
ck_assert_str_eq(error.text, "the queue is held");
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
ops->free(&device, buffer);
ck_assert_int_eq(ops->resume(&device, NULL), 0);
ck_assert_int_eq(ops->resume(&device, NULL), 0);
ck_assert_int_eq(ops->wait_host(&device, event, NULL), 0);
ops->event_free(&device, event);
ck_assert_int_eq(ops->pause(&device, NULL), 0); /* close lets it go */
OPENCL_END

OPENCL_TEST(every_wait_has_a_limit)
void *buffer = buffer_with(&device, text), *event;
char out[1];
setenv("ADI_WAIT_MS", "30", 1);
ck_assert_int_eq(ops->pause(&device, NULL), 0);
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
ck_assert_int_eq(ops->wait_host(&other, event, &error), ETIMEDOUT);
ck_assert_str_eq(error.text, "the event was not complete after 30 ms");
ck_assert_int_eq(ops->wait(&other, event, NULL), 0);
ck_assert_int_eq(ops->read(&other, buffer, 0, out, 1, NULL), ETIMEDOUT);
unsetenv("ADI_WAIT_MS");
ck_assert_int_eq(ops->resume(&device, NULL), 0);
ck_assert_int_eq(ops->read(&other, buffer, 0, out, 1, NULL), 0);
ops->event_free(&device, event);
ops->free(&device, buffer);
OPENCL_END

OPENCL_TEST(what_others_queue_has_a_limit_too)
const struct adi_opencl_api *api = adi_opencl_api(NULL);
void *buffer = buffer_with(&device, text);
char out[1];
expect_bytes(&device, buffer, text);
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&device, "opencl.context");
cl_command_queue queue = (cl_command_queue)(uintptr_t)ops->native_handle(&device, "opencl.queue");
cl_event gate = api->clCreateUserEvent(context, NULL);
ck_assert_int_eq(api->clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL), CL_SUCCESS);
setenv("ADI_WAIT_MS", "30", 1);
ck_assert_int_eq(ops->read(&device, buffer, 0, out, 1, NULL), ETIMEDOUT);
unsetenv("ADI_WAIT_MS");
api->clSetUserEventStatus(gate, CL_COMPLETE);
api->clReleaseEvent(gate);
expect_bytes(&device, buffer, text);
ops->free(&device, buffer);
OPENCL_END

static int released;

static cl_int CL_API_CALL fail_to_flush(cl_command_queue queue) {
    (void)queue;
    return CL_OUT_OF_RESOURCES;
}

static cl_int CL_API_CALL count_release(cl_event event) {
    released++;
    return adi_opencl_api(NULL)->clReleaseEvent(event);
}

OPENCL_TEST(an_event_that_cannot_be_flushed_is_given_back)
struct adi_opencl *opencl = device.state;
struct adi_opencl_api failing = *opencl->api;
void *event;
failing.clFlush = fail_to_flush;
failing.clReleaseEvent = count_release;
opencl->api = &failing;
ck_assert_int_eq(ops->event(&device, &event, NULL), ENOMEM);
opencl->api = adi_opencl_api(NULL);
ck_assert_int_eq(released, 1);
OPENCL_END

OPENCL_TEST(an_event_that_fails_is_an_error)
const struct adi_opencl_api *api = adi_opencl_api(NULL);
void *buffer = buffer_with(&device, text);
char out[1];
cl_int code;
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&device, "opencl.context");
cl_event event = api->clCreateUserEvent(context, &code);
ck_assert_int_eq(code, CL_SUCCESS);
ck_assert_int_eq(api->clSetUserEventStatus(event, -7), CL_SUCCESS);
ck_assert_int_eq(ops->wait_host(&device, &event, &error), EIO);
ck_assert_str_eq(error.text, "the event ended in error -7");
ck_assert_int_eq(ops->read(&device, buffer, 0, out, 1, NULL), 0);
api->clReleaseEvent(event);
ops->free(&device, buffer);
OPENCL_END

OPENCL_TEST(what_is_no_event_is_refused)
void *event, *garbage = text, *nothing = NULL;
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
ck_assert_int_eq(ops->wait(&device, NULL, NULL), 0);
ck_assert_int_eq(ops->wait_host(&device, NULL, NULL), 0);
void *wrong[] = {*(void **)event, &garbage, &nothing, garbage, (void *)8};
for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ck_assert_int_eq(ops->wait(&device, wrong[i], &error), EINVAL);
    ck_assert_str_eq(error.text, "sync_event does not point to a cl_event");
    ck_assert_int_eq(ops->wait_host(&device, wrong[i], NULL), EINVAL);
}
ck_assert_int_eq(ops->wait_host(&device, event, NULL), 0);
ops->event_free(&device, event);
OPENCL_END

OPENCL_TEST(what_is_no_buffer_is_refused)
void *buffer = buffer_with(&device, text), *event;
char out[16], wanted[64];
ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
const void *wrong[] = {
    NULL, (void *)8, (void *)(UINTPTR_MAX - 8), text, text + 1, *(void **)event, device.state};
for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ck_assert_int_eq(ops->read(&device, wrong[i], 0, out, sizeof out, &error), EFAULT);
    snprintf(wanted, sizeof wanted, "%p is no cl_mem buffer", wrong[i]);
    ck_assert_str_eq(error.text, wanted);
    ck_assert(!ops->accessible(&device, wrong[i], NULL));
}
ck_assert_int_eq(ops->read(&device, buffer, BYTES - 15, out, 16, &error), EFAULT);
ck_assert_str_eq(error.text, "16 bytes from 985 on of a cl_mem of 1000 bytes");
ck_assert_int_eq(ops->read(&device, buffer, -1, out, 1, NULL), EFAULT);
ck_assert_int_eq(ops->read(&device, buffer, INT64_MAX, out, 1, NULL), EFAULT);
ck_assert_int_eq(ops->read(&device, buffer, BYTES - 16, out, 16, NULL), 0);
ops->event_free(&device, event);
ops->free(&device, buffer);
OPENCL_END

OPENCL_TEST(the_devices_tell_their_buffers_apart)
struct adi_device second;
void *buffer = buffer_with(&device, text);
char out[1];
if (ops->open(1, &second, &error) != 0) {
    printf("skip: the_devices_tell_their_buffers_apart: %s\n", error.text);
    return;
}
ck_assert(ops->accessible(&device, buffer, NULL));
ck_assert(ops->accessible(&other, buffer, NULL));
ck_assert(!ops->accessible(&second, buffer, &error));
ck_assert_ptr_nonnull(strstr(error.text, "is of a context without this device"));
ck_assert_int_eq(ops->read(&second, buffer, 0, out, 1, NULL), EFAULT);
void *own = buffer_with(&second, text);
expect_bytes(&second, own, text);
ck_assert_int_eq(ops->read(&device, own, 0, out, 1, NULL), EFAULT);
ops->free(&second, own);
ops->free(&device, buffer);
ops->close(&second);
OPENCL_END

static uint64_t sum_of(int64_t from, int64_t bytes) {
    uint64_t sum = 0;
    for (int64_t i = from; i < from + bytes; i++) sum += (unsigned char)text[i];
    return sum;
}

OPENCL_TEST(the_checksum_is_computed_on_the_device)
static const int64_t ranges[][2] = {{0, BYTES}, {0, 0}, {0, 1}, {7, 63}, {1, 65}, {BYTES, 0}};
void *buffer = buffer_with(&device, text);
struct adi_device *const readers[] = {&device, &other};
uint64_t sum = 1;
for (int reader = 0; reader < 2; reader++) {
    ck_assert_int_eq(ops->read(&device, buffer, 0, &(char){0}, 1, NULL), 0);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        int64_t from = ranges[i][0], bytes = ranges[i][1];
        ck_assert_msg(ops->checksum(readers[reader], buffer, from, bytes, &sum, &error) == 0, "%s",
                      error.text);
        ck_assert_uint_eq(sum, sum_of(from, bytes));
    }
}
ck_assert_int_eq(ops->checksum(&device, buffer, 1, BYTES, &sum, NULL), EFAULT);
ck_assert_int_eq(ops->checksum(&device, text, 0, 1, &sum, NULL), EFAULT);
ops->free(&device, buffer);
OPENCL_END

/* The kernel is not in the cache, and the runtime has to look for its linker. */
START_TEST(without_a_linker_there_is_no_checksum_and_all_else_works)
{
    char empty[] = "/tmp/adicheck-test-XXXXXX", line[64];
    uint64_t sum;
    ck_assert_ptr_nonnull(mkdtemp(empty));
    setenv("POCL_CACHE_DIR", empty, 1);
    setenv("PATH", empty, 1);
    bool opened = open_both("without_a_linker_there_is_no_checksum_and_all_else_works");
    void *buffer = opened ? buffer_with(&device, text) : NULL;
    int code = opened ? ops->checksum(&device, buffer, 0, BYTES, &sum, &error) : ENOTSUP;
    setenv("PATH", "/usr/bin:/bin", 1);
    snprintf(line, sizeof line, "rm -rf '%s'", empty);
    ck_assert_int_eq(system(line), 0);
    ck_assert_int_eq(code, ENOTSUP);
    if (!opened) return;
    ck_assert_ptr_nonnull(strstr(error.text, "POCL needs ld on the PATH"));
    expect_bytes(&device, buffer, text);
    ops->free(&device, buffer);
}
END_TEST

OPENCL_TEST(native_handles_are_given_by_name)
void *const *object = ops->native_handle(&device, "opencl.device");
ck_assert_ptr_nonnull(object);
ck_assert_ptr_nonnull(ops->native_handle(&device, "opencl.context"));
ck_assert_ptr_nonnull(ops->native_handle(&device, "opencl.queue"));
ck_assert_ptr_ne(ops->native_handle(&device, "opencl.queue"),
                 ops->native_handle(&other, "opencl.queue"));
ck_assert_ptr_null(ops->native_handle(&device, "vulkan.queue"));
OPENCL_END

Suite *devices_opencl_suite(void) {
    Suite *suite = suite_create("devices_opencl");
    TCase *tests = tcase_create("opencl");
    tcase_add_checked_fixture(tests, NULL, close_both);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, ids_are_indices);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, who_waits_reads_what_was_written_late);
    tcase_add_test(tests, who_does_not_wait_reads_what_was_there_before);
    tcase_add_test(tests, a_held_queue_says_so_and_outlives_what_was_freed);
    tcase_add_test(tests, every_wait_has_a_limit);
    tcase_add_test(tests, what_others_queue_has_a_limit_too);
    tcase_add_test(tests, an_event_that_cannot_be_flushed_is_given_back);
    tcase_add_test(tests, an_event_that_fails_is_an_error);
    tcase_add_test(tests, what_is_no_event_is_refused);
    tcase_add_test(tests, what_is_no_buffer_is_refused);
    tcase_add_test(tests, the_devices_tell_their_buffers_apart);
    tcase_add_test(tests, the_checksum_is_computed_on_the_device);
    tcase_add_test(tests, without_a_linker_there_is_no_checksum_and_all_else_works);
    tcase_add_test(tests, native_handles_are_given_by_name);
    suite_add_tcase(suite, tests);
    return suite;
}
