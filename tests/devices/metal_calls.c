/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulated Metal answers, and what it says of who sends a message that he must not.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "metal_internal.h"
#include "metal_there.h"
#include "misuse_observed.h"

Suite *devices_metal_calls_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct adi_device_ops *const ops = &adi_device_metal;
static const struct adi_interceptor *interceptor;
static struct adi_device ours; /* the harness's */
static struct adi_metal *metal;
static void *device, *queue; /* of the implementation, as which the tests run */
static void *pool;

static void set_up(void) {
    struct adi_error error;
    setenv("ADI_METAL", "sim", 1);
    interceptor = ops->interceptor();
    ck_assert_ptr_nonnull(interceptor);
    interceptor->enter(false);
    ck_assert_msg(ops->open(0, &ours, &error) == 0, "%s", error.text);
    metal = ours.state;
    interceptor->subscribe(on_misuse, &observed);
    interceptor->enter(true);
    pool = adi_metal_push();
    device = metal->device;
    queue = adi_mtl_newCommandQueue(device);
}

static void tear_down(void) {
    adi_mtl_release(queue);
    adi_metal_pop(pool);
    interceptor->enter(false);
    ops->close(&ours);
    interceptor->enter(true);
    ck_assert_int_eq(observed.count, 0);
}

static void *commands_of(void *of) {
    void *commands = adi_mtl_commandBuffer(of);
    ck_assert_ptr_nonnull(commands);
    return commands;
}

static void *copy(void *of, void *to, void *from, uint64_t bytes) {
    void *commands = commands_of(of), *encoder = adi_mtl_blitCommandEncoder(commands);
    adi_mtl_copy(encoder, from, 0, to, 0, bytes);
    adi_mtl_endEncoding(encoder);
    adi_mtl_commit(commands);
    return commands;
}

static void *shared(uint64_t bytes) {
    return adi_mtl_newBuffer(device, bytes, ADI_METAL_SHARED);
}

/* As the harness. */
static void *event_of_ours(void) {
    void *event;
    interceptor->enter(false);
    ck_assert_int_eq(ops->event(&ours, &event, NULL), 0);
    interceptor->enter(true);
    return event;
}

static void *buffer_of_ours(void) {
    void *buffer;
    interceptor->enter(false);
    ck_assert_int_eq(ops->alloc(&ours, 8, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&ours, buffer, 0, "12345678", 8, NULL), 0);
    interceptor->enter(true);
    return buffer;
}

static void release_ours(void *object) {
    interceptor->enter(false);
    adi_mtl_release(object);
    interceptor->enter(true);
}

/* ---- what is right ---- */

START_TEST(what_is_committed_runs_when_it_is_waited_for)
{
    void *from = adi_mtl_newBufferOf(device, "12345678", 8, ADI_METAL_SHARED), *to = shared(8);
    void *commands = commands_of(queue), *encoder = adi_mtl_blitCommandEncoder(commands);
    ck_assert_ptr_null(adi_mtl_contents(adi_mtl_newBuffer(device, 8, ADI_METAL_PRIVATE)));
    adi_mtl_copy(encoder, from, 2, to, 1, 4);
    adi_mtl_endEncoding(encoder);
    ck_assert_uint_eq(adi_mtl_status(commands), 0);
    ck_assert_int_eq(interceptor->pending(to), true);
    adi_mtl_commit(commands);
    ck_assert_int_eq(interceptor->pending(to), true);
    ck_assert_int_eq(interceptor->pending_in(to, 5, 3), false);
    adi_mtl_waitUntilCompleted(commands);
    ck_assert_uint_eq(adi_mtl_status(commands), ADI_METAL_COMPLETED);
    ck_assert_int_eq(interceptor->pending(to), false);
    ck_assert_mem_eq((char *)adi_mtl_contents(to) + 1, "3456", 4);
    adi_mtl_release(from);
    adi_mtl_release(to);
}
END_TEST

/* A wait of one's own for a value that is not there yet keeps the queue. */
START_TEST(a_queue_waits_for_a_value_of_its_own_event)
{
    void *event = adi_mtl_newSharedEvent(device), *second = adi_mtl_newCommandQueue(device);
    void *waiting = commands_of(queue), *signaling = commands_of(second);
    adi_mtl_encodeWait(waiting, event, 5);
    adi_mtl_commit(waiting);
    adi_mtl_encodeSignal(signaling, event, 4);
    adi_mtl_commit(signaling);
    adi_mtl_waitUntilCompleted(signaling);
    ck_assert_uint_eq(adi_mtl_status(waiting), 2);
    ck_assert_int_eq(adi_mtl_waitUntilSignaled(event, 4, 1000), 1);
    ck_assert_int_eq(adi_mtl_waitUntilSignaled(event, 5, 1), 0);
    signaling = commands_of(second);
    adi_mtl_encodeSignal(signaling, event, 5);
    adi_mtl_commit(signaling);
    adi_mtl_waitUntilCompleted(waiting);
    ck_assert_uint_eq(adi_mtl_status(waiting), ADI_METAL_COMPLETED);
    adi_mtl_release(second);
    adi_mtl_release(event);
}
END_TEST

/* Which value somebody else's event has nobody can know. */
START_TEST(a_wait_for_an_event_of_another_counts_whatever_its_value_is)
{
    void *buffer = buffer_of_ours(), *event = event_of_ours(), *to = shared(8);
    static const uint64_t values[] = {0, 1, 7, UINT64_MAX};
    for (size_t i = 0; i < COUNT(values); i++) {
        void *commands = commands_of(queue);
        adi_mtl_encodeWait(commands, event, values[i]);
        adi_mtl_commit(commands);
        adi_mtl_waitUntilCompleted(copy(queue, to, buffer, 8));
        ck_assert_mem_eq(adi_mtl_contents(to), "12345678", 8);
    }
    adi_mtl_release(to);
    release_ours(event);
    release_ours(buffer);
}
END_TEST

/* Commands keep what they name. */
START_TEST(what_is_released_lives_as_long_as_commands_need_it)
{
    void *from = adi_mtl_newBufferOf(device, "12345678", 8, ADI_METAL_SHARED), *to = shared(8);
    void *by = adi_mtl_newBuffer(device, 8, ADI_METAL_PRIVATE);
    void *second = adi_mtl_newCommandQueue(device), *event = adi_mtl_newEvent(device);
    void *commands = commands_of(second);
    size_t before = interceptor->references();
    copy(queue, by, from, 8);
    adi_mtl_release(from);
    void *signaling = commands_of(queue);
    adi_mtl_encodeSignal(signaling, event, 1);
    adi_mtl_commit(signaling);
    adi_mtl_encodeWait(commands, event, 1);
    adi_mtl_commit(commands);
    adi_mtl_release(event);
    commands = copy(second, to, by, 8);
    adi_mtl_release(by);
    adi_mtl_release(second);
    adi_mtl_waitUntilCompleted(commands);
    ck_assert_mem_eq(adi_mtl_contents(to), "12345678", 8);
    adi_mtl_release(to);
    adi_metal_pop(pool);
    pool = adi_metal_push();
    ck_assert_uint_lt(interceptor->references(), before);
}
END_TEST

START_TEST(references_are_counted_and_the_newest_is_named)
{
    char name[ADI_INTERCEPTOR_HELD], traced[48];
    size_t before = interceptor->references();
    void *event = adi_mtl_newEvent(device);
    adi_mtl_retain(event);
    ck_assert_uint_eq(interceptor->references(), before + 2);
    ck_assert(interceptor->newest_held(name));
    ck_assert_ptr_nonnull(strstr(name, "MTLEvent "));
    ck_assert(interceptor->name_of(event, traced));
    ck_assert_ptr_nonnull(strstr(traced, "event "));
    adi_mtl_release(event);
    adi_mtl_release(event);
    ck_assert_uint_eq(interceptor->references(), before);
}
END_TEST

/* Without a pool it stays until the thread ends. */
static void *without_pool(void *none) {
    adi_mtl_commandBuffer(queue);
    return none;
}

START_TEST(a_thread_that_ends_drains_what_it_left)
{
    pthread_t thread;
    size_t before = interceptor->references();
    pthread_create(&thread, NULL, without_pool, NULL);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(interceptor->references(), before);
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(an_object_that_has_ended_is_sent_nothing)
{
    void *buffer = shared(8), *event = event_of_ours();
    adi_mtl_release(buffer);
    ck_assert_uint_eq(adi_mtl_length(buffer), 0);
    expect_observed(ADI_MISUSE_DEAD, false, "has ended, and is sent length");
    adi_mtl_release(buffer);
    expect_observed(ADI_MISUSE_DEAD, false, "has ended, and is sent release");
    release_ours(event);
    adi_mtl_release(event);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "has ended, and is sent release");
}
END_TEST

START_TEST(references_of_others_stay_theirs)
{
    void *event = event_of_ours(), *buffer = buffer_of_ours();
    adi_mtl_release(event);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "is released by another than who holds it");
    adi_mtl_release(buffer);
    expect_observed(ADI_MISUSE_NOT_OWNED, false, "is released by another than who holds it");
    void *commands = commands_of(queue);
    adi_mtl_encodeSignal(commands, event, 2);
    adi_mtl_commit(commands);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "is signaled by another than who made it");
    adi_mtl_retain(buffer);
    release_ours(buffer);
    ck_assert(interceptor->given_up(buffer));
    void *to = shared(8);
    copy(queue, to, buffer, 8);
    ck_assert_int_gt(observed.count, 0);
    ck_assert_int_eq(observed.misuse, ADI_MISUSE_EARLY);
    observed.count = 0;
    adi_mtl_release(buffer);
    adi_mtl_release(to);
    release_ours(event);
}
END_TEST

START_TEST(what_is_no_object_of_the_kind_is_named)
{
    void *buffer = shared(8), *event = adi_mtl_newEvent(device);
    char host[8] = "";
    void *const bad[] = {NULL, host, (char *)buffer + 8, event};
    static const char *const words[] = {
        "nil was given for an MTLBuffer", "what is no object was given for an MTLBuffer",
        "what is no object was given for an MTLBuffer", "was given for an MTLBuffer"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        void *commands = copy(queue, buffer, bad[i], 8);
        expect_observed(ADI_MISUSE_DEAD, false, words[i]);
        adi_mtl_waitUntilCompleted(commands);
        ck_assert_uint_eq(adi_mtl_status(commands), ADI_METAL_COMPLETED + 1);
    }
    adi_mtl_release(event);
    adi_mtl_release(buffer);
}
END_TEST

START_TEST(what_is_of_another_device_is_named)
{
    void *other = metal->api->devices[1];
    void *far = adi_mtl_newBuffer(other, 8, ADI_METAL_SHARED), *near = shared(8);
    void *event = adi_mtl_newEvent(other), *for_all = adi_mtl_newSharedEvent(other);
    copy(queue, near, far, 8);
    expect_observed(ADI_MISUSE_DEAD, false, "of another device is used by a queue");
    void *commands = commands_of(queue);
    adi_mtl_encodeWait(commands, event, 0);
    adi_mtl_encodeWait(commands, for_all, 0);
    adi_mtl_commit(commands);
    expect_observed(ADI_MISUSE_DEAD, false, "of another device is used by a queue");
    adi_mtl_release(event);
    adi_mtl_release(for_all);
    adi_mtl_release(far);
    adi_mtl_release(near);
}
END_TEST

START_TEST(calls_come_in_their_order)
{
    void *commands = commands_of(queue), *encoder = adi_mtl_blitCommandEncoder(commands);
    void *event = adi_mtl_newEvent(device), *buffer = shared(8);
    adi_mtl_commit(commands);
    expect_observed(ADI_MISUSE_DEAD, false, "is committed when an encoder of it is open");
    ck_assert_ptr_null(adi_mtl_blitCommandEncoder(commands));
    expect_observed(ADI_MISUSE_DEAD, false, "is asked for an encoder when it has an open one");
    adi_mtl_encodeSignal(commands, event, 1);
    expect_observed(ADI_MISUSE_DEAD, false, "an encoder of MTLCommandBuffer");
    adi_mtl_waitUntilCompleted(commands);
    expect_observed(ADI_MISUSE_DEAD, false, "is waited for, and was not committed");
    adi_mtl_endEncoding(encoder);
    adi_mtl_copy(encoder, buffer, 0, buffer, 4, 4);
    expect_observed(ADI_MISUSE_DEAD, false, "has ended its encoding");
    adi_mtl_commit(commands);
    adi_mtl_commit(commands);
    expect_observed(ADI_MISUSE_DEAD, false, "is committed when it has been");
    adi_mtl_encodeSignal(commands, event, 1);
    expect_observed(ADI_MISUSE_DEAD, false, "is committed, and encoded into");
    adi_mtl_release(event);
    adi_mtl_release(buffer);
}
END_TEST

START_TEST(an_object_of_a_device_that_cannot_be_is_nil)
{
    ck_assert_ptr_null(adi_mtl_newBuffer(device, 0, ADI_METAL_SHARED));
    ck_assert_ptr_null(adi_mtl_newBuffer(device, 8, 48)); /* memoryless */
    ck_assert_ptr_null(adi_mtl_newBuffer(device, UINT64_MAX, ADI_METAL_PRIVATE));
    ck_assert_ptr_null(adi_mtl_newBufferOf(device, "", 1, ADI_METAL_PRIVATE));
    ck_assert_ptr_null(adi_mtl_newBufferOf(device, NULL, 1, ADI_METAL_SHARED));
}
END_TEST

Suite *devices_metal_calls_suite(void) {
    Suite *suite = suite_create("devices_metal_calls");
    if (!metal_is_there("devices_metal_calls")) return suite;
    TCase *tests = tcase_create("calls");
    const TTest *const all[] = {what_is_committed_runs_when_it_is_waited_for,
                                a_queue_waits_for_a_value_of_its_own_event,
                                a_wait_for_an_event_of_another_counts_whatever_its_value_is,
                                what_is_released_lives_as_long_as_commands_need_it,
                                references_are_counted_and_the_newest_is_named,
                                a_thread_that_ends_drains_what_it_left,
                                an_object_that_has_ended_is_sent_nothing,
                                references_of_others_stay_theirs,
                                what_is_no_object_of_the_kind_is_named,
                                what_is_of_another_device_is_named,
                                calls_come_in_their_order,
                                an_object_of_a_device_that_cannot_be_is_nil};
    tcase_add_checked_fixture(tests, set_up, tear_down);
    for (size_t i = 0; i < COUNT(all); i++) tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    return suite;
}
