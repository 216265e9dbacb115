/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a device by a runtime like CUDA's: buffer values are pointers, an event is an address of a
 * handle, streams have numbers. Included once by the test of one, which defines
 *
 *   MAKER               by whose name the device's errors call the runtime: "CUDA"
 *   VARIABLE, LIBRARY   what says which runtime is taken, and what that is called
 *   FAMILY, CALLS       with which the names of its handles begin, and those of the runtime's calls
 *   BACKENDS, KINDS     how many there are of what follows
 */
#ifndef TESTS_DEVICES_LIKE_CUDA_H
#define TESTS_DEVICES_LIKE_CUDA_H

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include "calls_traced.h"
#include "one_device.h"

/* The types of its family, that of a device's memory first. */
static const struct backend {
    const struct adi_device_ops *ops;
    const char *name;
    int count;           /* of its devices */
    unsigned long calls; /* of which an export consists */
} backends[BACKENDS];

/* The memories that there are: those of devices 0 and 1 first. */
static const struct kind {
    const struct adi_device_ops *ops;
    int64_t id;
    bool on_host, is_managed, is_host; /* what is said of a pointer to it */
} kinds[KINDS];

static const struct adi_device_ops *ops;
static struct adi_device device;
static struct adi_error error;

static void set_up(int which) {
    ops = backends[which].ops;
    ck_assert_int_eq(setenv(VARIABLE, "sim", 1), 0);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

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

START_TEST(what_there_is)
{
    struct adi_device_probe found;
    struct adi_device none;
    set_up(_i);
    ops->probe(&found);
    ck_assert_int_eq(found.count, backends[_i].count);
    ck_assert_str_eq(found.runtime, "simulated");
    ck_assert_str_eq(ops->name, backends[_i].name);
    ck_assert_int_eq(ops->open(2, &none, &error), ENODEV);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no " FAMILY));
    ck_assert_int_eq(ops->open(-1, &none, &error), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(the_runtime_is_looked_for)
{
    static const struct {
        const char *setting, *why;
    } settings[] = {{"off", VARIABLE " is off"},
                    {"./no/" LIBRARY, "./no/" LIBRARY},
                    {"libm.so.6", "libm.so.6 has no " CALLS "Init"}};
    struct adi_device_probe found;
    ck_assert_int_eq(setenv(VARIABLE, settings[_i].setting, 1), 0);
    backends[0].ops->probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_msg(strstr(found.why.text, settings[_i].why) != NULL, "%s", found.why.text);
    ck_assert_ptr_null(backends[0].ops->interceptor());
    ck_assert_int_eq(backends[0].ops->open(0, &device, &error), ENODEV);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    set_up(_i);
    expect_written_is_read(&device);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    set_up(_i);
    expect_refusals(&device, "is no memory that " MAKER " knows");
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

START_TEST(memory_is_freed_on_any_thread)
{
    set_up(_i);
    expect_freed_elsewhere(&device);
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

/* ---- pointers ---- */

/* The host reaches what lies on it, a device its own memory, too. */
START_TEST(reach_is_asked_not_kind)
{
    set_up(_i / KINDS);
    const struct kind *kind = &kinds[_i % KINDS];
    struct adi_device owner;
    ck_assert_int_eq(kind->ops->open(kind->id, &owner, &error), 0);
    uint8_t *buffer = new_buffer(&owner, 8);
    bool is_own = ops == backends[0].ops && kind == &kinds[0];
    ck_assert_int_eq(ops->accessible(&device, buffer, &error), is_own || kind->on_host);
    owner.ops->free(&owner, buffer);
    owner.ops->close(&owner);
    ops->close(&device);
}
END_TEST

START_TEST(attributes_of_a_pointer)
{
    set_up(_i / KINDS);
    const struct kind *kind = &kinds[_i % KINDS];
    struct adi_device owner;
    struct adi_pointer_attributes found;
    ck_assert_int_eq(kind->ops->open(kind->id, &owner, &error), 0);
    uint8_t *buffer = new_buffer(&owner, 1000), *inside = buffer + 999;
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), 0);
    ck_assert_ptr_eq(found.device_pointer, inside);
    ck_assert_ptr_eq(found.host_pointer, kind->on_host ? inside : NULL);
    ck_assert_ptr_eq(found.start, buffer);
    ck_assert_uint_eq(found.bytes, 1000);
    ck_assert_ptr_eq(found.context, owner.ops->native_handle(&owner, FAMILY ".context"));
    ck_assert_int_eq(found.device_id, kind->id);
    ck_assert_int_eq(found.is_managed, kind->is_managed);
    ck_assert_int_eq(found.is_host, kind->is_host);
    owner.ops->free(&owner, buffer);
    ck_assert_int_eq(ops->pointer_attributes(&device, inside, &found, &error), EFAULT);
    owner.ops->close(&owner);
    ops->close(&device);
}
END_TEST

START_TEST(a_pointer_that_is_not_known_has_no_attributes)
{
    static char own[64];
    struct adi_pointer_attributes found;
    set_up(_i);
    const void *const wild[] = {NULL, own, (void *)8, (void *)UINTPTR_MAX};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->pointer_attributes(&device, wild[i], &found, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is no memory that " MAKER " knows"));
    ops->close(&device);
}
END_TEST

/* ---- what it costs ---- */

START_TEST(an_export_asks_for_nothing_that_is_known)
{
    set_up(_i);
    ck_assert_uint_eq(calls_of_an_export(&device), backends[_i].calls);
    ops->close(&device);
}
END_TEST

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
    ck_assert_int_eq(backends[0].ops->open(1, &others[1], &error), 0);
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

START_TEST(native_handles)
{
    set_up(_i);
    ck_assert_ptr_nonnull(ops->native_handle(&device, FAMILY ".stream"));
    ck_assert_ptr_nonnull(strstr(ops->native_handle(&device, FAMILY ".library"), "/sim/" LIBRARY));
    ck_assert_ptr_null(ops->native_handle(&device, FAMILY ".abacus"));
    ops->close(&device);
}
END_TEST

static void add_tests_like_cuda(TCase *tests) {
    const TTest *const each[] = {what_there_is,
                                 what_is_written_is_read,
                                 what_is_not_there_is_refused,
                                 what_is_no_event_is_refused,
                                 memory_is_freed_on_any_thread,
                                 a_stream_that_is_none_is_refused,
                                 a_pointer_that_is_not_known_has_no_attributes,
                                 an_export_asks_for_nothing_that_is_known,
                                 a_wait_without_an_end_is_for_what_ends_by_itself,
                                 what_is_remembered_ends_with_the_buffer,
                                 what_others_have_made_is_asked_about,
                                 native_handles};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        tcase_add_loop_test(tests, each[i], 0, BACKENDS);
    tcase_add_loop_test(tests, the_runtime_is_looked_for, 0, 3);
    tcase_add_loop_test(tests, reach_is_asked_not_kind, 0, BACKENDS * KINDS);
    tcase_add_loop_test(tests, attributes_of_a_pointer, 0, BACKENDS * KINDS);
    tcase_add_loop_test(tests, an_event_that_somebody_else_holds_up_is_given_up, 0, 2 * BACKENDS);
}

#endif /* TESTS_DEVICES_LIKE_CUDA_H */
