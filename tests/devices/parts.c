/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of one allocation: what is done to one is not said of another, whatever the device.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices.h"

Suite *devices_parts_suite(void);

#define BLOCK 4096
#define FIRST 1024 /* one part begins there, and another behind it */
#define PART  64

static const struct adi_device_ops *const backends[] = {
    &adi_device_ext_dev,      &adi_device_cuda,   &adi_device_cuda_host,
    &adi_device_cuda_managed, &adi_device_opencl, &adi_device_vulkan};
#define BACKENDS ((int)(sizeof backends / sizeof *backends))

static const struct adi_device_ops *ops;
static const struct adi_interceptor *interceptor;
static struct adi_device device;
static struct adi_error error;
static char *block, *other;

#define expect_ok(call) ck_assert_msg((call) == 0, "%s: %s", #call, error.text)

/* Where memory is made in the order of a queue, that is over, too. */
static char *allocate(void) {
    void *made, *event;
    expect_ok(ops->alloc(&device, BLOCK, &made, &error));
    expect_ok(ops->event(&device, &event, &error));
    expect_ok(ops->wait_host(&device, event, &error));
    ops->event_free(&device, event);
    return made;
}

/* Everything is the implementation's. false: there is no such device here. */
static bool set_up(int which) {
    struct adi_device_probe found;
    ops = backends[which];
    setenv("ADI_CUDA", "sim", 1);
    ops->probe(&found);
    interceptor = found.count == 0 ? NULL : ops->interceptor();
    if (interceptor == NULL) {
        printf("skip: devices_parts: %s: no device, or no layer\n", ops->name);
        return false;
    }
    interceptor->enter(true);
    expect_ok(ops->open(found.ids[0], &device, &error));
    block = allocate();
    other = allocate();
    return true;
}

static void tear_down(void) {
    interceptor->resume();
    ops->free(&device, other);
    ops->free(&device, block);
    ops->close(&device);
}

static void write_part(int64_t at) {
    static const char bytes[PART];
    expect_ok(ops->write(&device, block, at, bytes, sizeof bytes, &error));
}

START_TEST(what_is_pending_in_one_part_is_not_in_another)
{
    void *event;
    if (!set_up(_i)) return;
    interceptor->pause(true);
    ck_assert(!interceptor->pending_in(block, FIRST, PART));
    write_part(FIRST);
    ck_assert(interceptor->pending(block));
    ck_assert(interceptor->pending_in(block, FIRST, PART));
    ck_assert(interceptor->pending_in(block, 0, BLOCK));
    ck_assert(interceptor->pending_in(block, FIRST - 1, 2));
    ck_assert(interceptor->pending_in(block, FIRST + PART - 1, 1));
    ck_assert(!interceptor->pending_in(block, 0, FIRST));
    ck_assert(!interceptor->pending_in(block, FIRST + PART, PART));
    ck_assert(!interceptor->pending_in(other, FIRST, PART));
    ck_assert(!interceptor->pending_in(&error, 0, PART)); /* no buffer */
    expect_ok(ops->event(&device, &event, &error));
    expect_ok(ops->wait_host(&device, event, &error));
    ck_assert(!interceptor->pending_in(block, 0, BLOCK));
    ops->event_free(&device, event);
    tear_down();
}
END_TEST

START_TEST(an_event_covers_its_part_and_not_the_next_one)
{
    void *event, *next;
    if (!set_up(_i)) return;
    interceptor->pause(true);
    write_part(FIRST);
    expect_ok(ops->event(&device, &event, &error));
    write_part(FIRST + PART);
    expect_ok(ops->event(&device, &next, &error));
    if (interceptor->covers_in != NULL) {
        ck_assert(!interceptor->covers(*(void **)event, block));
        ck_assert(interceptor->covers_in(*(void **)event, block, FIRST, PART));
        ck_assert(!interceptor->covers_in(*(void **)event, block, FIRST + PART, PART));
        ck_assert(!interceptor->covers_in(*(void **)event, block, FIRST, PART + 1));
        ck_assert(interceptor->covers_in(*(void **)next, block, FIRST, 2 * PART));
    }
    expect_ok(ops->wait_host(&device, next, &error));
    ops->event_free(&device, next);
    ops->event_free(&device, event);
    tear_down();
}
END_TEST

/* A pause that has ended, and memory that has come again, are not taken for what is paused now. */
START_TEST(what_was_written_before_is_not_pending)
{
    if (!set_up(_i)) return;
    interceptor->pause(true);
    write_part(FIRST);
    interceptor->resume();
    char byte;
    expect_ok(ops->read(&device, block, FIRST, &byte, 1, &error));
    ops->free(&device, block);
    block = allocate();
    interceptor->pause(true);
    write_part(0);
    ck_assert(interceptor->pending_in(block, 0, PART));
    ck_assert(!interceptor->pending_in(block, FIRST, PART));
    expect_ok(ops->read(&device, block, 0, &byte, 1, &error));
    tear_down();
}
END_TEST

Suite *devices_parts_suite(void) {
    Suite *suite = suite_create("devices_parts");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, what_is_pending_in_one_part_is_not_in_another, 0, BACKENDS);
    tcase_add_loop_test(tests, an_event_covers_its_part_and_not_the_next_one, 0, BACKENDS);
    tcase_add_loop_test(tests, what_was_written_before_is_not_pending, 0, BACKENDS);
    suite_add_tcase(suite, tests);
    return suite;
}
