/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "vulkan_fixture.h"

Suite *devices_vulkan_events_suite(void);

#define SOON_MS 50 /* for what never comes */

static bool is_set(const void *sync_event) {
    const struct adi_vulkan *vulkan = vulkan_of(&producer);
    return adi_vk.GetEventStatus(vulkan->device, *(const VkEvent *)sync_event) == VK_EVENT_SET;
}

/* A buffer that holds `poison` now and `fresh` once the queue was resumed, and its event. */
static void *pending(const char *poison, const char *fresh, void **sync_event) {
    void *buffer;
    expect_ok(ops->alloc(&producer, 3, &buffer, &error));
    expect_ok(ops->write(&producer, buffer, 0, poison, 1, &error));
    ck_assert_uint_eq(first_byte(&producer, buffer), (unsigned char)*poison);
    expect_ok(ops->pause(&producer, &error));
    expect_ok(ops->write(&producer, buffer, 0, fresh, 1, &error));
    expect_ok(ops->event(&producer, sync_event, &error));
    return buffer;
}

static void give_back(void *buffer, void *sync_event) {
    ops->event_free(&producer, sync_event);
    ops->free(&producer, buffer);
}

START_TEST(an_event_is_pending_until_the_queue_is_let_go)
{
    void *event, *buffer = pending("p", "f", &event);
    ck_assert(!is_set(event));
    expect_ok(ops->resume(&producer, &error));
    expect_ok(ops->wait_host(&consumer, event, &error));
    ck_assert(is_set(event));
    ck_assert_uint_eq(first_byte(&consumer, buffer), 'f');
    give_back(buffer, event);
}
END_TEST

START_TEST(who_reads_without_a_wait_reads_what_was_there)
{
    void *event, *buffer = pending("p", "f", &event);
    if (vulkan_of(&producer)->physical.mapped)
        ck_assert_uint_eq(first_byte(&consumer, buffer), 'p');
    else
        fprintf(stderr, "left out: the stale read: the host cannot reach memory of vulkan:0\n");
    expect_ok(ops->resume(&producer, &error));
    expect_ok(ops->wait_host(&producer, event, &error));
    give_back(buffer, event);
}
END_TEST

START_TEST(who_waits_on_the_device_reads_what_was_written)
{
    void *event, *buffer = pending("p", "f", &event);
    uint64_t sum;
    expect_ok(ops->wait(&consumer, event, &error));
    ck_assert(!is_set(event));
    expect_ok(ops->resume(&producer, &error));
    ck_assert_uint_eq(first_byte(&consumer, buffer), 'f');
    expect_ok(ops->checksum(&consumer, buffer, 0, 1, &sum, &error));
    ck_assert_uint_eq(sum, 'f');
    give_back(buffer, event);
}
END_TEST

START_TEST(every_wait_of_the_host_has_a_limit)
{
    void *event, *buffer = pending("p", "f", &event);
    unsigned char byte;
    uint64_t sum;
    adi_vulkan_limit(&producer, SOON_MS);
    expect_error(ops->wait_host(&consumer, event, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "the event was not set within 50 ms: the queue is held");
    expect_error(ops->read(&producer, buffer, 0, &byte, 1, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text,
                     "the queue of vulkan:0 did not come to its end within 50 ms: it is held");
    expect_error(ops->checksum(&producer, buffer, 0, 1, &sum, &error), ETIMEDOUT);
    adi_vulkan_limit(&producer, 10000);
    expect_ok(ops->resume(&producer, &error));
    ck_assert_uint_eq(first_byte(&producer, buffer), 'f');
    expect_ok(ops->checksum(&producer, buffer, 0, 1, &sum, &error));
    ck_assert_uint_eq(sum, 'f');
    give_back(buffer, event);
}
END_TEST

START_TEST(holding_and_letting_go_twice_is_once)
{
    void *event;
    expect_ok(ops->resume(&producer, &error));
    for (int i = 0; i < 3; i++) {
        expect_ok(ops->pause(&producer, &error));
        expect_ok(ops->pause(&consumer, &error));
        expect_ok(ops->event(&producer, &event, &error));
        ck_assert(!is_set(event));
        expect_ok(ops->resume(&consumer, &error));
        expect_ok(ops->resume(&producer, &error));
        expect_ok(ops->wait_host(&producer, event, &error));
        ops->event_free(&producer, event);
    }
}
END_TEST

START_TEST(a_held_queue_ends_with_its_device)
{
    void *event;
    pending("p", "f", &event);
    expect_ok(ops->wait(&consumer, event, &error));
}
END_TEST

START_TEST(what_the_queue_still_needs_is_kept)
{
    void *event, *buffer = pending("p", "f", &event), *kept = buffer_of(1000), *after;
    expect_ok(ops->wait(&consumer, event, &error));
    give_back(buffer, event);
    expect_ok(ops->event(&producer, &after, &error));
    for (int i = 0; i < 100; i++) {
        buffer = buffer_of(1 << i % 20);
        ops->free(&consumer, buffer);
    }
    ck_assert(!is_set(after));
    expect_ok(ops->resume(&producer, &error));
    ck_assert_uint_eq(first_byte(&producer, kept), byte_at(0));
    ck_assert(is_set(after));
    give_back(kept, after);
}
END_TEST

static void *give_back_all(void *buffers) {
    for (void **buffer = buffers; *buffer != NULL; buffer += 2) give_back(buffer[0], buffer[1]);
    return NULL;
}

START_TEST(any_thread_gives_back_while_another_queues)
{
    enum {
        THREADS = 4,
        PAIRS = 50
    };
    static void *owned[THREADS][2 * PAIRS + 2];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < 2 * PAIRS; i += 2) {
            owned[t][i] = buffer_of(100 + i);
            expect_ok(ops->event(&producer, &owned[t][i + 1], &error));
        }
        ck_assert_int_eq(pthread_create(&threads[t], NULL, give_back_all, owned[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    void *buffer = buffer_of(100);
    ck_assert_uint_eq(first_byte(&producer, buffer), byte_at(0));
    ops->free(&producer, buffer);
    adi_vulkan_reap(vulkan_of(&producer));
    ck_assert_ptr_null(vulkan_of(&producer)->live);
    ck_assert_ptr_null(vulkan_of(&producer)->past);
}
END_TEST

START_TEST(submissions_are_used_again)
{
    const struct adi_vulkan *vulkan = vulkan_of(&producer);
    void *event;
    int spare = 0;
    for (int i = 0; i < 1000; i++) {
        expect_ok(ops->event(&producer, &event, &error));
        expect_ok(ops->wait(&consumer, event, &error));
        ops->event_free(&producer, event);
    }
    expect_ok(adi_vulkan_await(vulkan_of(&producer), vulkan->last, &error));
    adi_vulkan_reap(vulkan_of(&producer));
    for (const struct adi_vulkan_item *item = vulkan->spare; item != NULL; item = item->next)
        spare++;
    ck_assert_int_ge(spare, 1);
    ck_assert_int_le(spare, 10);
}
END_TEST

START_TEST(foreign_events_are_waited_for_on_the_host)
{
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkDevice device = vulkan_of(&producer)->device;
    VkEvent event;
    PFN_vkSetEvent set = (PFN_vkSetEvent)adi_vk.GetInstanceProcAddr(
        vulkan_of(&producer)->instance->handle, "vkSetEvent");
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
    adi_vulkan_limit(&producer, SOON_MS);
    expect_error(ops->wait(&consumer, &event, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "the event was not set within 50 ms");
    expect_error(ops->wait_host(&consumer, &event, &error), ETIMEDOUT);
    ck_assert_int_eq(set(device, event), VK_SUCCESS);
    expect_ok(ops->wait(&consumer, &event, &error));
    expect_ok(ops->wait_host(&consumer, &event, &error));
    ops->event_free(&producer, &event);
    expect_ok(ops->wait_host(&consumer, &event, &error));
    adi_vk.DestroyEvent(device, event, NULL);
}
END_TEST

START_TEST(what_is_no_event_is_refused)
{
    VkEvent nothing = VK_NULL_HANDLE;
    struct adi_device other;
    void *event;
    expect_ok(ops->wait(&consumer, NULL, &error));
    expect_ok(ops->wait_host(&consumer, NULL, &error));
    expect_error(ops->wait(&consumer, &nothing, &error), EINVAL);
    expect_said("points to no VkEvent on vulkan:0");
    expect_error(ops->wait(&consumer, (void *)8, &error), EINVAL);
    expect_said("0x8 is not a readable VkEvent *");
    expect_error(ops->wait_host(&consumer, (void *)(UINTPTR_MAX - 3), &error), EINVAL);
    expect_ok(ops->open(1, &other, &error));
    expect_ok(ops->event(&other, &event, &error));
    expect_error(ops->wait(&consumer, event, &error), EINVAL);
    expect_said("is an event of vulkan:1, not of vulkan:0");
    expect_ok(ops->wait_host(&other, event, &error));
    ops->event_free(&other, event);
    ops->close(&other);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, an_event_is_pending_until_the_queue_is_let_go);
    tcase_add_test(tests, who_reads_without_a_wait_reads_what_was_there);
    tcase_add_test(tests, who_waits_on_the_device_reads_what_was_written);
    tcase_add_test(tests, every_wait_of_the_host_has_a_limit);
    tcase_add_test(tests, holding_and_letting_go_twice_is_once);
    tcase_add_test(tests, a_held_queue_ends_with_its_device);
    tcase_add_test(tests, what_the_queue_still_needs_is_kept);
    tcase_add_test(tests, any_thread_gives_back_while_another_queues);
    tcase_add_test(tests, submissions_are_used_again);
    tcase_add_test(tests, foreign_events_are_waited_for_on_the_host);
    tcase_add_test(tests, what_is_no_event_is_refused);
}

Suite *devices_vulkan_events_suite(void) {
    Suite *suite = suite_create("devices_vulkan_events");
    add_twice(suite, add);
    return suite;
}
