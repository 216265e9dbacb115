/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "metal_internal.h"
#include "metal_there.h"
#include "one_device.h"

Suite *devices_metal_suite(void);

#define BIG         5000
#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct adi_device device;
static const struct adi_device_ops *const ops = &adi_device_metal;
static struct adi_error error;

static void open_one(int64_t id, struct adi_device *out) {
    ck_assert_msg(ops->open(id, out, &error) == 0, "%s", error.text);
}

static void set_up(void) {
    setenv("ADI_METAL", "sim", 1);
    open_one(0, &device);
}

static void tear_down(void) {
    ops->close(&device);
}

START_TEST(there_are_two)
{
    struct adi_device_probe probe;
    struct adi_device other;
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 2);
    ck_assert_int_eq(probe.ids[0], 0);
    ck_assert_int_eq(probe.ids[1], 1);
    ck_assert_str_eq(probe.runtime, "simulated");
    ck_assert_int_eq(ops->open(2, &other, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no metal:2 among 2");
    ck_assert_int_eq(ops->open(-1, &other, NULL), ENODEV);
    ck_assert_ptr_nonnull(ops->native_handle(&device, "metal.device"));
    ck_assert_ptr_nonnull(ops->native_handle(&device, "metal.queue"));
    ck_assert_ptr_nonnull(strstr(ops->native_handle(&device, "metal.library"), "libMetal.so"));
    ck_assert_ptr_null(ops->native_handle(&device, "metal.abacus"));
}
END_TEST

START_TEST(pieces_of_every_size_lie_where_they_belong)
{ expect_pieces(&device, BIG, 0xDE); }
END_TEST

START_TEST(what_is_no_buffer_is_a_fault)
{
    static char host[64];
    struct adi_device other;
    void *event, *foreign, *buffer = new_buffer(&device, 64), *freed = new_buffer(&device, 64);
    open_one(1, &other);
    ck_assert_int_eq(ops->alloc(&other, 64, &foreign, &error), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ops->free(&device, freed);
    expect_fault(&device, NULL, 0, 1, "is no MTLBuffer");
    expect_fault(&device, (void *)1, 0, 1, "is no MTLBuffer");
    expect_fault(&device, (void *)(UINTPTR_MAX - 7), 0, 1, "is no MTLBuffer");
    expect_fault(&device, host, 0, 1, "is no MTLBuffer");
    expect_fault(&device, event, 0, 1, "is no MTLBuffer");
    expect_fault(&device, freed, 0, 1, "is no MTLBuffer");
    for (size_t i = 1; i < 64; i++)
        expect_fault(&device, (char *)buffer + i, 0, 1, "is no MTLBuffer");
    expect_fault(&device, foreign, 0, 1, "is an MTLBuffer of another device than metal:0");
    expect_fault(&device, buffer, 60, 5, "5 bytes at byte 60 of");
    expect_fault(&device, buffer, -1, 1, "1 bytes at byte -1 of");
    expect_fault(&device, buffer, 0, INT64_MAX, "go beyond its 64");
    ck_assert(ops->accessible(&device, buffer, NULL));
    ck_assert(!ops->accessible(&device, foreign, NULL));
    ck_assert(!ops->accessible(&device, host, &error));
    ck_assert(ops->can_identify_buffer(&device, host, NULL));
    ck_assert_int_eq(ops->alloc(&device, 0, &freed, NULL), EINVAL);
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &freed, NULL), ENOMEM);
    ops->event_free(&device, event);
    ops->free(&other, foreign);
    ops->free(&device, buffer);
    ops->close(&other);
}
END_TEST

/* The address of the contents of a buffer in shared storage stands for what lies there. */
START_TEST(contents_are_understood)
{
    void *shared = adi_mtl_newBuffer(((struct adi_metal *)device.state)->device, 100, 0);
    char *contents = adi_mtl_contents(shared), host = 0;
    ck_assert(ops->accessible(&device, contents + 3, NULL));
    ck_assert(ops->is_address(&device, contents));
    ck_assert(!ops->is_address(&device, shared));
    ck_assert(!ops->is_address(&device, &host));
    ck_assert_int_eq(ops->write(&device, contents + 3, 1, "ab", 2, NULL), 0);
    expect_bytes(&device, contents + 3, 1, "ab", 2);
    expect_bytes(&device, shared, 4, "ab", 2);
    ck_assert_mem_eq(contents + 4, "ab", 2);
    expect_fault(&device, contents + 3, 90, 8, "go beyond its 97");
    adi_mtl_release(shared);
    expect_fault(&device, contents, 0, 1, "is no MTLBuffer");
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    struct adi_device other;
    void *ended, *foreign, *place, *buffer = new_buffer(&device, 8);
    open_one(1, &other);
    ck_assert_int_eq(ops->event(&other, &foreign, &error), 0);
    ck_assert_int_eq(ops->event(&device, &ended, &error), 0);
    place = ended;
    ops->event_free(&device, ended);
    void *const bad[] = {(void *)1, &place, buffer, ended, (char *)foreign + 8};
    for (size_t i = 0; i < COUNT(bad); i++) {
        ck_assert_int_eq(ops->wait(&device, bad[i], &error), EINVAL);
        ck_assert_str_eq(error.text, "sync_event is no MTLEvent");
        ck_assert_int_eq(ops->wait_host(&device, bad[i], NULL), EINVAL);
    }
    ck_assert_int_eq(ops->wait(&device, foreign, &error), EINVAL);
    ck_assert_str_eq(error.text, "sync_event is an MTLEvent of another device");
    ck_assert_int_eq(ops->wait(&device, NULL, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, NULL, NULL), 0);
    ck_assert(ops->can_identify_event(&device, &place, NULL));
    ops->event_free(&other, foreign);
    ops->free(&device, buffer);
    ops->close(&other);
}
END_TEST

/* The queue that waits for it would wait for ever: what is asked of the device afterwards runs. */
START_TEST(an_event_that_never_comes_is_not_waited_for_for_ever)
{
    void *buffer = new_buffer(&device, 8);
    void *event = adi_mtl_newEvent(((struct adi_metal *)device.state)->device);
    char seen[8];
    setenv("ADI_WAIT_MS", "60", 1);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "12345678", 8, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "the event was not complete after 60 ms");
    expect_bytes(&device, buffer, 0, "12345678", 8);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 0, seen, 8, &error), ETIMEDOUT);
    expect_bytes(&device, buffer, 0, "12345678", 8);
    adi_mtl_release(event);
    ops->free(&device, buffer);
}
END_TEST

static void *free_there(void *both) {
    void **pair = both;
    ops->free(&device, pair[0]);
    ops->event_free(&device, pair[1]);
    return NULL;
}

START_TEST(any_thread_frees)
{
    struct adi_device again;
    pthread_t thread;
    void *pair[2];
    open_one(0, &again);
    ck_assert_int_eq(ops->alloc(&again, 8, &pair[0], &error), 0);
    ck_assert_int_eq(ops->write(&again, pair[0], 0, "12345678", 8, NULL), 0);
    ck_assert_int_eq(ops->event(&again, &pair[1], &error), 0);
    ck_assert_int_eq(ops->wait(&device, pair[1], &error), 0);
    expect_bytes(&device, pair[0], 0, "12345678", 8);
    ck_assert_int_eq(pthread_create(&thread, NULL, free_there, pair), 0);
    pthread_join(thread, NULL);
    expect_fault(&device, pair[0], 0, 1, "is no MTLBuffer");
    ops->close(&again);
}
END_TEST

START_TEST(an_event_is_signaled_again)
{
    void *event;
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->record_again(&device, event, &error), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, &error), 0);
    ops->event_free(&device, event);
}
END_TEST

/* What is written lies together until something follows it. */
START_TEST(a_batch_goes_with_what_follows_it)
{
    struct adi_metal *metal = device.state;
    void *event, *buffer = new_buffer(&device, 8);
    ck_assert_int_eq(ops->batch_submissions(&device, true, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "1234", 4, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 4, "5678", 4, NULL), 0);
    ck_assert_ptr_nonnull(metal->batch);
    expect_bytes(&device, buffer, 0, "12345678", 8);
    ck_assert_ptr_null(metal->batch);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abcd", 4, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_ptr_null(metal->batch);
    ck_assert_int_eq(ops->write(&device, buffer, 4, "efgh", 4, NULL), 0);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    ck_assert_ptr_null(metal->batch);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "A", 1, NULL), 0);
    ck_assert_int_eq(ops->batch_submissions(&device, false, &error), 0);
    ck_assert_ptr_null(metal->batch);
    expect_bytes(&device, buffer, 0, "Abcdefgh", 8);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
}
END_TEST

START_TEST(queues_of_ones_own)
{
    void *queue, *event, *buffer = new_buffer(&device, 8);
    ck_assert_int_eq(ops->queue_open(&device, &queue, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "12345678", 8, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, &error), 0);
    ck_assert_int_eq(ops->wait_on(&device, queue, event, &error), 0);
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->record_on(&device, queue, &event, &error), 0);
    ck_assert_int_eq(ops->wait(&device, event, &error), 0);
    expect_bytes(&device, buffer, 0, "12345678", 8);
    ops->event_free(&device, event);
    ops->queue_close(&device, queue);
    ops->free(&device, buffer);
}
END_TEST

START_TEST(every_sample_goes_there_and_back)
{ expect_samples(&device); }
END_TEST

bool metal_is_there(const char *suite) {
    return is_there(ops, "ADI_METAL=sim", NULL, suite);
}

Suite *devices_metal_suite(void) {
    Suite *suite = suite_create("devices_metal");
    if (!metal_is_there("devices_metal")) return suite;
    TCase *tests = tcase_create("metal");
    const TTest *const all[] = {there_are_two,
                                pieces_of_every_size_lie_where_they_belong,
                                what_is_no_buffer_is_a_fault,
                                contents_are_understood,
                                what_is_no_event_is_refused,
                                an_event_that_never_comes_is_not_waited_for_for_ever,
                                any_thread_frees,
                                an_event_is_signaled_again,
                                a_batch_goes_with_what_follows_it,
                                queues_of_ones_own,
                                every_sample_goes_there_and_back};
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    for (size_t i = 0; i < COUNT(all); i++) tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    return suite;
}
