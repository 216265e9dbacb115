/* SPDX-License-Identifier: Apache-2.0
 *
 * What the validation layer says of somebody's calls; and that it would speak in all other tests.
 */
#include <check.h>
#include <string.h>

#include "vulkan_fixture.h"

Suite *devices_vulkan_messages_suite(void);

/* An event with flags that do not exist: drivers do not look at them. */
static void misuse(void) {
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                                           .flags = 0x100};
    VkDevice device = vulkan_of(&producer)->device;
    VkEvent event = VK_NULL_HANDLE;
    if (adi_vk.CreateEvent(device, &info, NULL, &event) == VK_SUCCESS)
        adi_vk.DestroyEvent(device, event, NULL);
}

START_TEST(a_wrong_call_is_said_once_and_by_its_name)
{
    struct adi_vulkan_message message;
    misuse();
    ck_assert(adi_vulkan_message_take(&message) == validated);
    if (validated) {
        ck_assert(message.error);
        ck_assert_str_eq(message.id, "VUID-VkEventCreateInfo-flags-parameter");
        ck_assert_msg(strstr(message.text, "vkCreateEvent") != NULL, "%s", message.text);
    }
    ck_assert(!adi_vulkan_message_take(&message));
}
END_TEST

START_TEST(more_messages_than_fit_are_dropped)
{
    struct adi_vulkan_message message;
    int count = 0;
    for (int i = 0; i < 200; i++) misuse();
    while (adi_vulkan_message_take(&message)) count++;
    ck_assert_int_le(count, validated ? 50 : 0);
    ck_assert_int_ge(count, validated ? 1 : 0);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, a_wrong_call_is_said_once_and_by_its_name);
    tcase_add_test(tests, more_messages_than_fit_are_dropped);
}

Suite *devices_vulkan_messages_suite(void) {
    Suite *suite = suite_create("devices_vulkan_messages");
    add_twice(suite, add);
    return suite;
}
