/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layer sees of two parties that share a process: this file plays both.
 */
#include <stdio.h>
#include <string.h>

#include "../devices/vulkan_layer.h"
#include "misuse_observed.h"
#include "vulkan_fixture.h"

Suite *devices_vulkan_layer_suite(void);

#define BYTES 64
#define MANY  20000 /* handles: more than the layer has room for */

static const struct adi_interceptor *interceptor;
static void listen(void) {
    interceptor = &adi_vulkan_layer()->interceptor;
    memset(&observed, 0, sizeof observed);
    interceptor->subscribe(on_misuse, &observed);
}

static void *room(struct adi_device *device) {
    void *buffer;
    expect_ok(ops->alloc(device, BYTES, &buffer, &error));
    return buffer;
}

static void fill(struct adi_device *device, void *buffer) {
    char bytes[BYTES] = {1};
    expect_ok(ops->write(device, buffer, 0, bytes, sizeof bytes, &error));
}

/* Queues a copy. */
static void copy(struct adi_device *device, void *from, void *to) {
    static const VkBufferCopy all = {.size = BYTES};
    struct adi_vulkan_item *submission;
    expect_ok(adi_vulkan_begin(vulkan_of(device), 0, &submission, &error));
    adi_vk.CmdCopyBuffer(submission->commands, (VkBuffer)(uintptr_t)from, (VkBuffer)(uintptr_t)to,
                         1, &all);
    adi_vulkan_publish(submission->commands);
    expect_ok(adi_vulkan_submit(device->state, &error));
}

static void done(void *one, void *other, void *event) {
    interceptor->resume();
    interceptor->enter(false);
    if (event != NULL) ops->event_free(&producer, event);
    ops->free(&producer, one);
    ops->free(&producer, other);
    interceptor->enter(true);
    interceptor->subscribe(NULL, NULL);
}

START_TEST(a_wait_lets_go_and_an_order_is_seen)
{
    void *event;
    listen();
    interceptor->enter(false);
    void *from = room(&producer), *to = room(&producer);
    interceptor->pause(false);
    fill(&producer, from);
    expect_ok(ops->event(&producer, &event, &error));
    ck_assert(interceptor->pending(from) && interceptor->pending(*(void **)event));
    ck_assert(!interceptor->pending(to));
    interceptor->enter(true);
    copy(&consumer, from, to);
    expect_observed(ADI_MISUSE_EARLY, false,
                    "vkCmdCopyBuffer uses a buffer that is not written yet");
    expect_ok(ops->wait(&consumer, event, &error));
    copy(&consumer, from, to);
    ck_assert_msg(observed.count == 0, "%s", observed.text);
    expect_ok(ops->wait_host(&consumer, event, &error));
    ck_assert(!interceptor->pending(from) && !interceptor->pending(*(void **)event));
    done(from, to, event);
}
END_TEST

/* As many as a program has that never gives one back: more than the layer has room for. */
START_TEST(however_many_are_recorded_the_next_one_is_judged)
{
    VkDevice device = vulkan_of(&producer)->device;
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex =
            *(const uint32_t *)ops->native_handle(&producer, "vulkan.queue_family")};
    VkCommandBufferAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandBufferCount = 1};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    listen();
    interceptor->enter(false);
    ck_assert_int_eq(adi_vk.CreateCommandPool(device, &pool_info, NULL, &one.commandPool), 0);
    for (int i = 0; i < 5000; i++) {
        VkCommandBuffer commands;
        ck_assert_int_eq(adi_vk.AllocateCommandBuffers(device, &one, &commands), 0);
        ck_assert_int_eq(adi_vk.BeginCommandBuffer(commands, &info), 0);
        adi_vulkan_publish(commands);
        adi_vk.EndCommandBuffer(commands);
    }
    void *from = room(&producer), *to = room(&producer), *event;
    interceptor->pause(false);
    expect_ok(ops->write(&producer, from, 0, "x", 1, &error));
    expect_ok(ops->event(&producer, &event, &error));
    ck_assert(interceptor->pending(from) && !interceptor->expired());
    interceptor->resume();
    expect_ok(ops->wait_host(&producer, event, &error));
    adi_vk.DestroyCommandPool(device, one.commandPool, NULL);
    interceptor->enter(true);
    done(from, to, event);
}
END_TEST

/* One command buffer, of a few steps each and of more than the layer has room for. */
START_TEST(however_much_is_recorded_nobody_is_blamed_for_it)
{
    static const int amounts[] = {1, 20, 1000, 60000};
    struct adi_vulkan_item *submission;
    void *event, *buffers[20], *to;
    listen();
    interceptor->enter(false);
    to = room(&producer);
    for (int i = 0; i < 20; i++) buffers[i] = room(&producer);
    interceptor->pause(false);
    expect_ok(adi_vulkan_begin(vulkan_of(&producer), BYTES, &submission, &error));
    for (int i = 0; i < amounts[_i]; i++) {
        static const VkBufferCopy all = {.size = BYTES};
        adi_vk.CmdCopyBuffer(submission->commands, submission->block.buffer,
                             (VkBuffer)(uintptr_t)buffers[i % 20], 1, &all);
        adi_vulkan_publish(submission->commands);
    }
    adi_vulkan_keep(producer.state);
    expect_ok(ops->event(&producer, &event, &error));
    ck_assert_int_eq(interceptor->pending(*(void **)event), amounts[_i] <= 1000);
    ck_assert_int_eq(interceptor->pending(buffers[0]), amounts[_i] <= 1000);
    ck_assert_int_eq(interceptor->expired(), amounts[_i] > 1000);
    interceptor->enter(true);
    expect_ok(ops->wait(&consumer, event, &error));
    copy(&consumer, buffers[0], to);
    ck_assert_msg(observed.count == 0, "%s", observed.text);
    expect_ok(ops->wait_host(&consumer, event, &error));
    interceptor->enter(false);
    for (int i = 1; i < 20; i++) ops->free(&producer, buffers[i]);
    done(buffers[0], to, event);
}
END_TEST

/* Held: a command that writes `before`, the event, and one that writes `behind`. */
static void *paused_between(void *before, void *behind) {
    void *event;
    listen();
    interceptor->pause(true);
    fill(&producer, before);
    expect_ok(ops->event(&producer, &event, &error));
    fill(&producer, behind);
    return event;
}

START_TEST(what_is_written_behind_an_event_is_not_waited_for)
{
    void *before = room(&producer), *behind = room(&producer);
    void *event = paused_between(before, behind);
    interceptor->enter(false);
    expect_ok(ops->wait_host(&consumer, event, &error));
    ck_assert(!interceptor->pending(before));
    ck_assert(interceptor->pending(behind));
    interceptor->pause(true);
    ck_assert(!interceptor->pending(behind));
    done(before, behind, event);
}
END_TEST

/* The host resets it at once, and the command that was to set it for the first does so for both. */
START_TEST(what_is_set_twice_triggers_at_the_first)
{
    void *before = room(&producer), *behind = room(&producer);
    void *event = paused_between(before, behind);
    expect_ok(ops->record_again(&producer, event, &error));
    interceptor->enter(false);
    expect_ok(ops->wait_host(&consumer, event, &error));
    ck_assert(!interceptor->pending(before));
    ck_assert(interceptor->pending(behind) && interceptor->pending_in(behind, 0, BYTES));
    done(before, behind, event);
}
END_TEST

/* ... but when that has run it stands for what was written since. */
START_TEST(what_is_set_again_later_stands_for_what_is_before_it)
{
    void *event, *before = room(&producer), *behind = room(&producer);
    listen();
    interceptor->pause(true);
    fill(&producer, before);
    expect_ok(ops->event(&producer, &event, &error));
    expect_ok(ops->wait_host(&consumer, event, &error));
    interceptor->pause(true);
    fill(&producer, behind);
    expect_ok(ops->record_again(&producer, event, &error));
    ck_assert(interceptor->pending(behind));
    interceptor->enter(false);
    expect_ok(ops->wait_host(&consumer, event, &error));
    ck_assert(!interceptor->pending(behind));
    done(before, behind, event);
}
END_TEST

START_TEST(queued_reads_are_uses_until_they_have_run)
{
    void *from = room(&producer), *to = room(&producer);
    listen();
    interceptor->pause(true);
    ck_assert(!interceptor->used(from));
    copy(&consumer, from, to);
    ck_assert(interceptor->used(from));
    ck_assert(interceptor->used_in(from, BYTES - 1, 1) && !interceptor->used_in(from, BYTES, 1));
    expect_ok(adi_vulkan_await(vulkan_of(&consumer), vulkan_of(&consumer)->last, &error));
    ck_assert(!interceptor->used(from));
    done(from, to, NULL);
}
END_TEST

START_TEST(a_hold_ends_by_itself)
{
    void *buffer = room(&producer);
    listen();
    interceptor->pause(true);
    fill(&producer, buffer);
    ck_assert(!interceptor->expired());
    while (interceptor->pending(buffer)) continue;
    ck_assert(interceptor->expired());
    done(buffer, NULL, NULL);
}
END_TEST

START_TEST(the_dead_and_the_foreign_do_not_reach_the_driver)
{
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkDevice device = vulkan_of(&producer)->device;
    VkEvent event;
    listen();
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
    adi_vk.DestroyEvent(device, event, NULL);
    ck_assert_int_eq(observed.count, 0);
    adi_vk.DestroyEvent(device, event, NULL);
    expect_observed(ADI_MISUSE_DEAD, true,
                    "vkDestroyEvent uses a VkEvent that was destroyed before");
    ck_assert_int_eq(adi_vk.GetEventStatus(device, event), VK_ERROR_UNKNOWN);
    expect_observed(ADI_MISUSE_DEAD, true, "vkGetEventStatus");
    adi_vk.DestroyBuffer(device, (VkBuffer)(uintptr_t)&info, NULL);
    expect_observed(ADI_MISUSE_DEAD, false, "vkDestroyBuffer uses what is no VkBuffer");

    interceptor->enter(false);
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
    interceptor->enter(true);
    ck_assert_int_eq(adi_vk.ResetEvent(device, event), VK_ERROR_UNKNOWN);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "vkResetEvent changes");
    adi_vk.DestroyEvent(device, event, NULL);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "vkDestroyEvent destroys");
    interceptor->enter(false);
    adi_vk.DestroyEvent(device, event, NULL);
    ck_assert_int_eq(observed.count, 0);
    done(NULL, NULL, NULL);
}
END_TEST

START_TEST(what_is_given_by_its_address_is_told_by_its_kind)
{
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkDevice device = vulkan_of(&producer)->device;
    void *buffer = room(&producer);
    VkEvent event;
    listen();
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
    ck_assert_int_eq(adi_vk.GetEventStatus(device, (VkEvent)(uintptr_t)&event), VK_ERROR_UNKNOWN);
    expect_observed(ADI_MISUSE_ADDRESS, true, "vkGetEventStatus uses the address of a VkEvent");
    adi_vk.DestroyBuffer(device, (VkBuffer)(uintptr_t)&buffer, NULL);
    expect_observed(ADI_MISUSE_ADDRESS, false, "vkDestroyBuffer uses the address of a VkBuffer");
    adi_vk.DestroyEvent(device, event, NULL);
    done(buffer, NULL, NULL);
}
END_TEST

START_TEST(what_the_implementation_holds_is_counted)
{
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkDevice device = vulkan_of(&producer)->device;
    VkEvent event, other;
    listen();
    size_t before = interceptor->references();
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
    ck_assert_uint_eq(interceptor->references(), before + 1);
    interceptor->enter(false);
    ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &other), VK_SUCCESS);
    interceptor->enter(true);
    ck_assert_uint_eq(interceptor->references(), before + 1);
    adi_vk.DestroyEvent(device, event, NULL);
    ck_assert_uint_eq(interceptor->references(), before);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(adi_vk.CreateEvent(device, &info, NULL, &event), VK_SUCCESS);
        adi_vk.DestroyEvent(device, event, NULL);
    }
    ck_assert_uint_eq(interceptor->references(), before);
    ck_assert(adi_vulkan_layer()->look(ADI_VULKAN_EVENT, (uint64_t)other).live);
    ck_assert_int_eq(observed.count, 0);
    interceptor->enter(false);
    adi_vk.DestroyEvent(device, other, NULL);
    done(NULL, NULL, NULL);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, a_wait_lets_go_and_an_order_is_seen);
    tcase_add_test(tests, however_many_are_recorded_the_next_one_is_judged);
    tcase_add_loop_test(tests, however_much_is_recorded_nobody_is_blamed_for_it, 0, 4);
    tcase_add_test(tests, what_is_written_behind_an_event_is_not_waited_for);
    tcase_add_test(tests, what_is_set_twice_triggers_at_the_first);
    tcase_add_test(tests, what_is_set_again_later_stands_for_what_is_before_it);
    tcase_add_test(tests, queued_reads_are_uses_until_they_have_run);
    tcase_add_test(tests, a_hold_ends_by_itself);
    tcase_add_test(tests, the_dead_and_the_foreign_do_not_reach_the_driver);
    tcase_add_test(tests, what_is_given_by_its_address_is_told_by_its_kind);
    tcase_add_test(tests, what_the_implementation_holds_is_counted);
}

Suite *devices_vulkan_layer_suite(void) {
    Suite *suite = suite_create("devices_vulkan_layer");
    add_twice(suite, add);
    return suite;
}
