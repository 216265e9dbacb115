/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a device by a runtime like CUDA's: buffer values are pointers, an event is an address of a
 * handle, streams have numbers. Included once by the test of one, which has these, and MAKER, by
 * whose name the device's errors call the runtime; FAMILY, with which the names of its handles
 * begin; CALLS, with which those of the runtime's calls do; IN_DEVICE, whose buffers are memory of
 * a device.
 */
#ifndef TESTS_DEVICES_LIKE_CUDA_H
#define TESTS_DEVICES_LIKE_CUDA_H

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include "calls_traced.h"

static const struct adi_device_ops *ops;
static struct adi_device device;
static struct adi_error error;
static void set_up(int which);

/* A call of the runtime by its name: the test makes some that the backend does not. */
static void (*runtime(const char *name))(void) {
    void *library = dlopen(ops->native_handle(&device, FAMILY ".library"), RTLD_NOW | RTLD_NOLOAD);
    void (*found)(void);
    ck_assert_ptr_nonnull(library);
    *(void **)(void *)&found = dlsym(library, name);
    ck_assert_msg(found != NULL, "%s", name);
    dlclose(library);
    return found;
}
#define RUNTIME(name, ...) ((int (*)(__VA_ARGS__))runtime(#name))

START_TEST(what_is_written_is_read)
{
    void *buffer, *event;
    char out[9] = "";
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 1000, &buffer, &error), 0);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    ck_assert_int_eq(ops->write(&device, buffer, 991, "abcdefgh", 9, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, NULL, 0, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, &error), 0);
    ck_assert_int_eq(ops->wait(&device, NULL, &error), 0);
    ck_assert_int_eq(ops->wait_host(&device, NULL, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 991, out, 9, &error), 0);
    ck_assert_str_eq(out, "abcdefgh");
    ck_assert_int_eq(ops->read(&device, NULL, 0, out, 0, &error), 0);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    void *buffer;
    char out[16] = "";
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 1, out, 8, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "8 bytes at byte 1 of"));
    const void *wild[] = {NULL, out, (void *)8, (void *)(UINTPTR_MAX - 8), (char *)buffer + 8};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->read(&device, wild[i], 0, out, 4, &error), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, -1, out, 1, &error), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, INT64_MAX, out, INT64_MAX, &error), EFAULT);
    ck_assert_int_eq(ops->alloc(&device, 0, &buffer, &error), EINVAL);
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &buffer, &error), ENOMEM);
    ck_assert(!ops->accessible(&device, out, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "is no memory that " MAKER " knows"));
    ops->free(&device, buffer);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 4, &error), EFAULT);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    void *event, *null = NULL;
    static char closed[64];
    set_up(_i);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    void *const wild[] = {*(void **)event, &null, (void *)8, closed};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        ck_assert_int_eq(ops->wait(&device, wild[i], &error), EINVAL);
        ck_assert_int_eq(ops->wait_host(&device, wild[i], &error), EINVAL);
    }
    void *dead = *(void **)event;
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->wait_host(&device, &dead, &error), EINVAL);
    ops->close(&device);
}
END_TEST

static void *free_it(void *buffer) {
    ops->free(&device, buffer);
    return NULL;
}

START_TEST(memory_is_freed_on_any_thread)
{
    void *buffer;
    pthread_t thread;
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, &error), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, free_it, buffer), 0);
    pthread_join(thread, NULL);
    ck_assert(!ops->accessible(&device, buffer, &error));
    ops->close(&device);
}
END_TEST

START_TEST(a_stream_that_is_none_is_refused)
{
    void *event = NULL;
    set_up(_i);
    ck_assert_int_eq(ops->record_on(&device, (void *)4711, &event, &error), EINVAL);
    ck_assert_ptr_null(event);
    for (uintptr_t number = 0; number <= 2; number++) { /* the default ones */
        ck_assert_int_eq(ops->record_on(&device, (void *)number, &event, &error), 0);
        ck_assert_int_eq(ops->wait_on(&device, (void *)number, event, &error), 0);
        ops->event_free(&device, event);
    }
    ops->close(&device);
}
END_TEST

/* ---- what it costs ---- */

static void *event_of(struct adi_device *of) {
    void *event;
    ck_assert_int_eq(of->ops->event(of, &event, &error), 0);
    return event;
}

/* Only behind nothing but the device's own work it is certain that an event completes. */
START_TEST(a_wait_without_an_end_is_for_what_ends_by_itself)
{
    struct adi_device other;
    void *buffer, *events[4];
    char out[4];
    set_up(_i);
    ck_assert_int_eq(ops->open(0, &other, &error), 0);
    ck_assert_int_eq(ops->alloc(&device, 4, &buffer, &error), 0);
    events[0] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[0]), CALLS "EventSynchronize");
    events[1] = event_of(&other);
    ck_assert_str_eq(call_that_waits(&device, events[1]), CALLS "EventQuery");
    ck_assert_int_eq(ops->wait(&device, events[0], &error), 0);
    ck_assert_str_eq(call_that_waits(&device, events[0]), CALLS "EventSynchronize");
    ck_assert_int_eq(ops->wait(&device, events[1], &error), 0);
    events[2] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[2]), CALLS "EventQuery");
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, 4, &error), 0);
    ck_assert_str_eq(call_that_waits(&device, events[2]), CALLS "EventSynchronize");
    ck_assert_ptr_nonnull(ops->native_handle(&device, FAMILY ".stream"));
    events[3] = event_of(&device);
    ck_assert_str_eq(call_that_waits(&device, events[3]), CALLS "EventQuery");
    for (int i = 0; i < 4; i++) ops->event_free(i == 1 ? &other : &device, events[i]);
    ops->free(&device, buffer);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

static void hang(void *end) {
    sem_wait(end);
}

/* Whatever it is that the stream waits for. */
START_TEST(an_event_that_somebody_else_holds_up_is_given_up)
{
    struct adi_device other;
    void *before;
    sem_t end;
    set_up(_i / 2);
    ck_assert_int_eq(ops->open(0, &other, &error), 0);
    ck_assert_int_eq(setenv("ADI_WAIT_MS", "50", 1), 0);
    sem_init(&end, 0, 0);
    struct adi_device *held = _i % 2 == 0 ? &device : &other; /* at its own stream, or before it */
    void *stream = (void *)(uintptr_t)ops->native_handle(held, FAMILY ".stream");
    int (*launch)(void *, void (*)(void *), void *) =
        (int (*)(void *, void (*)(void *), void *))runtime(CALLS "LaunchHostFunc");
    ops->push_context(held, &before);
    ck_assert_int_eq(launch(stream, hang, &end), 0);
    ck_assert(ops->restore_context(held, before));
    void *first = event_of(held);
    if (held == &other) ck_assert_int_eq(ops->wait(&device, first, &error), 0);
    void *second = event_of(&device);
    ck_assert_int_eq(ops->wait_host(&device, second, &error), ETIMEDOUT);
    sem_post(&end);
    ck_assert_int_eq(unsetenv("ADI_WAIT_MS"), 0);
    ck_assert_int_eq(ops->wait_host(&device, second, &error), 0);
    ops->event_free(&device, second);
    ops->event_free(held, first);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

/* Whoever frees what is the device's own may be given the same address again, for less. */
START_TEST(what_is_remembered_ends_with_the_buffer)
{
    void *buffer;
    char long_one[300] = "";
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&device, 300, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, long_one, 300, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 1, long_one, 300, &error), EFAULT);
    ck_assert_int_eq(ops->write(&device, buffer, -1, long_one, 1, &error), EFAULT);
    ck_assert_int_eq(ops->write(&device, (char *)buffer + 1, 0, long_one, 299, &error), 0);
    ck_assert_int_eq(ops->write(&device, (char *)buffer + 1, 0, long_one, 300, &error), EFAULT);
    ops->free(&device, buffer);
    ck_assert_int_eq(ops->write(&device, buffer, 0, long_one, 300, &error), EFAULT);
    ops->close(&device);
}
END_TEST

/* Only the runtime can say what it is: memory within reach, that of device 1, and none. */
START_TEST(what_others_have_made_is_asked_about)
{
    struct adi_device others[2];
    void *buffers[2];
    char bytes[301] = "";
    set_up(_i);
    ck_assert_int_eq(ops->open(0, &others[0], &error), 0);
    ck_assert_int_eq(IN_DEVICE.open(1, &others[1], &error), 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(others[i].ops->alloc(&others[i], 300, &buffers[i], &error), 0);
    ck_assert_int_eq(ops->write(&device, buffers[0], 0, bytes, 300, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffers[0], 0, bytes, 301, &error), EFAULT);
    ck_assert_int_eq(ops->write(&device, buffers[1], 0, bytes, 300, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is memory of " FAMILY ":1"));
    for (int i = 0; i < 2; i++) others[i].ops->free(&others[i], buffers[i]);
    ck_assert_int_eq(ops->write(&device, buffers[0], 0, bytes, 300, &error), EFAULT);
    for (int i = 0; i < 2; i++) others[i].ops->close(&others[i]);
    ops->close(&device);
}
END_TEST

static void add_tests_like_cuda(TCase *tests, int n_backends) {
    tcase_add_loop_test(tests, what_is_written_is_read, 0, n_backends);
    tcase_add_loop_test(tests, what_is_not_there_is_refused, 0, n_backends);
    tcase_add_loop_test(tests, what_is_no_event_is_refused, 0, n_backends);
    tcase_add_loop_test(tests, memory_is_freed_on_any_thread, 0, n_backends);
    tcase_add_loop_test(tests, a_stream_that_is_none_is_refused, 0, n_backends);
    tcase_add_loop_test(tests, a_wait_without_an_end_is_for_what_ends_by_itself, 0, n_backends);
    tcase_add_loop_test(tests, an_event_that_somebody_else_holds_up_is_given_up, 0, 2 * n_backends);
    tcase_add_loop_test(tests, what_is_remembered_ends_with_the_buffer, 0, n_backends);
    tcase_add_loop_test(tests, what_others_have_made_is_asked_about, 0, n_backends);
}

#endif /* TESTS_DEVICES_LIKE_CUDA_H */
