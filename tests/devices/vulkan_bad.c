/* SPDX-License-Identifier: Apache-2.0
 *
 * Whatever is missing, broken or stuck: a reason that a person can act on, and never a hang.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vulkan_fixture.h"

Suite *devices_vulkan_bad_suite(void);

static char manifest[] = "/tmp/adicheck-icd-XXXXXX.json";

/* Makes the loader see one driver: this library. */
static void use_driver(const char *library) {
    int file = mkstemps(manifest, (int)strlen(".json"));
    ck_assert_int_ge(file, 0);
    dprintf(file,
            "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"%s\", "
            "\"api_version\": \"1.2.0\"}}",
            library);
    close(file);
    setenv("VK_ICD_FILENAMES", manifest, 1);
}

static void tear_down(void) {
    unlink(manifest);
}

static void expect_none(const char *words) {
    struct adi_device_probe probe;
    struct adi_device device;
    memset(&probe, 0x5a, sizeof probe);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 0);
    ck_assert_str_eq(probe.runtime, "");
    ck_assert_msg(strstr(probe.why.text, words) != NULL, "%s", probe.why.text);
    ck_assert_int_ne(ops->open(0, &device, &error), 0);
    ck_assert_str_eq(error.text, probe.why.text);
}

START_TEST(no_loader_is_a_reason)
{
    adi_vulkan_library = "libvulkan-not-here.so.1";
    expect_none("the Vulkan loader is missing (libvulkan-not-here.so.1: cannot open");
    expect_none("on Debian it is in libvulkan1");
    expect_error(adi_vulkan_validate(true, &error), ENOENT);
}
END_TEST

START_TEST(an_old_loader_is_a_reason)
{
    adi_vulkan_library = "libm.so.6";
    expect_none("libm.so.6 has no vkAllocateCommandBuffers: it is older than Vulkan 1.2");
}
END_TEST

START_TEST(no_driver_is_a_reason)
{
    setenv("VK_ICD_FILENAMES", "/nowhere.json", 1);
    expect_none("no Vulkan driver can be used");
    expect_none("on Debian one is in mesa-vulkan-drivers; VK_ICD_FILENAMES names others");
}
END_TEST

START_TEST(a_driver_without_its_library_is_a_reason)
{
    use_driver("/nowhere/driver.so");
    expect_none("/nowhere/driver.so: cannot open shared object file");
}
END_TEST

START_TEST(a_driver_that_is_none_is_a_reason)
{
    use_driver("libm.so.6");
    expect_none("libm.so.6 failed");
}
END_TEST

START_TEST(a_driver_without_a_device_is_a_reason)
{
    const char *build = getenv("ADI_TEST_BUILD");
    char path[PATH_MAX], library[PATH_MAX];
    snprintf(path, sizeof path, "%s/tests/icd/vulkan_empty.so", build == NULL ? "build" : build);
    ck_assert_msg(realpath(path, library) != NULL, "%s: `make check` builds it", path);
    use_driver(library);
    expect_none("there is a Vulkan driver, but it has no device here");
}
END_TEST

START_TEST(a_layer_that_is_missing_is_a_reason)
{
    setenv("VK_LAYER_PATH", "/nowhere", 1);
    expect_error(adi_vulkan_validate(true, &error), ENOENT);
    ck_assert_str_eq(error.text, "there is no VK_LAYER_KHRONOS_validation; on Debian it is in "
                                 "vulkan-validationlayers");
    expect_ok(adi_vulkan_validate(false, &error));
}
END_TEST

/* ---- a device that is there ---- */

/* Lets the queue wait for what never comes, as an adapter could that was handed it. */
static VkSemaphore get_stuck(void) {
    static const VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    static const uint64_t never = 1;
    static const VkSemaphoreTypeCreateInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                               .pNext = &timeline};
    static const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &never};
    struct adi_vulkan *vulkan = vulkan_of(&producer);
    VkSemaphore semaphore;
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = &values,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &semaphore,
                           .pWaitDstStageMask = &everything};
    ck_assert_int_eq(adi_vk.CreateSemaphore(vulkan->device, &info, NULL, &semaphore), VK_SUCCESS);
    ck_assert_int_eq(adi_vk.QueueSubmit(vulkan->queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    return semaphore;
}

static void get_unstuck(VkDevice device, VkSemaphore semaphore) {
    VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = 1};
    ck_assert_int_eq(adi_vk.SignalSemaphore(device, &info), VK_SUCCESS);
}

/* It does end in the end, long after everybody has gone: sanitizers want to see it destroyed. */
START_TEST(a_queue_that_never_ends_is_left_behind)
{
    unsigned char byte = 0;
    void *buffer = buffer_of(100), *event;
    ck_assert_uint_eq(first_byte(&producer, buffer), byte_at(0));
    struct adi_vulkan *stuck = vulkan_of(&producer);
    VkSemaphore semaphore = get_stuck();
    adi_vulkan_limit(&producer, 50);
    expect_ok(ops->write(&producer, buffer, 0, "x", 1, &error));
    expect_ok(ops->event(&producer, &event, &error));
    expect_error(ops->read(&producer, buffer, 0, &byte, 1, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "the queue of vulkan:0 did not come to its end within 50 ms");
    expect_error(ops->wait_host(&producer, event, &error), ETIMEDOUT);
    ops->free(&producer, buffer);
    ops->event_free(&producer, event);
    ops->close(&producer);
    ops->close(&consumer);
    expect_ok(ops->open(0, &producer, &error));
    ck_assert_ptr_ne(vulkan_of(&producer), stuck);
    buffer = buffer_of(100);
    ck_assert_uint_eq(first_byte(&producer, buffer), byte_at(0));
    ops->free(&producer, buffer);

    get_unstuck(stuck->device, semaphore);
    /* Its limit is still short, and the machine may be busy. */
    int code = ETIMEDOUT;
    for (int i = 0; i < 200 && code == ETIMEDOUT; i++)
        code = adi_vulkan_await(stuck, stuck->last, &error);
    expect_ok(code);
    adi_vk.DestroySemaphore(stuck->device, semaphore, NULL);
    expect_ok(ops->open(0, &consumer, &error));
}
END_TEST

START_TEST(a_queue_that_goes_on_late_is_no_failure)
{
    VkSemaphore semaphore = get_stuck();
    void *buffer = buffer_of(100);
    unsigned char byte;
    adi_vulkan_limit(&producer, 50);
    expect_error(ops->read(&producer, buffer, 0, &byte, 1, &error), ETIMEDOUT);
    adi_vulkan_limit(&producer, 10000);
    get_unstuck(vulkan_of(&producer)->device, semaphore);
    ck_assert_uint_eq(first_byte(&producer, buffer), byte_at(0));
    adi_vk.DestroySemaphore(vulkan_of(&producer)->device, semaphore, NULL);
    ops->free(&producer, buffer);
}
END_TEST

static PFN_vkWaitSemaphores wait_for;

/* It waits nevertheless, for the device is not lost in truth. */
static VKAPI_ATTR VkResult VKAPI_CALL lose_the_device(VkDevice device,
                                                      const VkSemaphoreWaitInfo *info,
                                                      uint64_t nanoseconds) {
    wait_for(device, info, nanoseconds);
    return VK_ERROR_DEVICE_LOST;
}

START_TEST(a_lost_device_is_said_and_closed)
{
    unsigned char byte;
    void *buffer = buffer_of(100);
    ck_assert_uint_eq(first_byte(&producer, buffer), byte_at(0));
    wait_for = adi_vk.WaitSemaphores;
    adi_vk.WaitSemaphores = lose_the_device;
    expect_error(ops->read(&producer, buffer, 0, &byte, 1, &error), ENODEV);
    ck_assert_str_eq(error.text, "vkWaitSemaphores: VK_ERROR_DEVICE_LOST");
    ops->free(&producer, buffer);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, a_queue_that_never_ends_is_left_behind);
    tcase_add_test(tests, a_queue_that_goes_on_late_is_no_failure);
    tcase_add_test(tests, a_lost_device_is_said_and_closed);
}

Suite *devices_vulkan_bad_suite(void) {
    Suite *suite = suite_create("devices_vulkan_bad");
    TCase *tests = tcase_create("none");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_test(tests, an_old_loader_is_a_reason);
    tcase_add_test(tests, no_loader_is_a_reason);
    if (is_loader_there()) {
        tcase_add_test(tests, no_driver_is_a_reason);
        tcase_add_test(tests, a_driver_without_its_library_is_a_reason);
        tcase_add_test(tests, a_driver_that_is_none_is_a_reason);
        tcase_add_test(tests, a_driver_without_a_device_is_a_reason);
        tcase_add_test(tests, a_layer_that_is_missing_is_a_reason);
    }
    suite_add_tcase(suite, tests);
    add_twice(suite, add);
    return suite;
}
