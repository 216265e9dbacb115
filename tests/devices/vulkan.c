/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "slow.h"
#include "vulkan_fixture.h"

Suite *devices_vulkan_suite(void);

START_TEST(ids_are_the_loaders_and_one_device_is_two)
{
    struct adi_device_probe probe;
    struct adi_device one, none;
    ops->probe(&probe);
    ck_assert_int_ge(probe.count, 2);
    ck_assert_str_ne(probe.runtime, "");
    ck_assert_int_eq(producer.id, probe.ids[0]);
    for (int i = 0; i < probe.count; i++) {
        expect_ok(ops->open(probe.ids[i], &one, &error));
        ck_assert_int_eq(one.id, probe.ids[i]);
        ck_assert(i == 0 || vulkan_of(&one)->device != vulkan_of(&producer)->device);
        ops->close(&one);
    }
    expect_error(ops->open(-1, &none, &error), ENODEV);
    expect_error(ops->open(99, &none, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no vulkan:99 that can be used");
}
END_TEST

/* Device memory that the host cannot reach is there only on other machines. */
static void forget_mapping(void) {
    vulkan_of(&producer)->physical.mapped = false;
}

static void expect_reads(const void *buffer, int64_t whole) {
    static const int64_t places[] = {0, 1, 2, 3, 4, 5, 63, 64, 65, 127};
    unsigned char out[256];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            int64_t offset = places[i], bytes = places[k];
            if (offset + bytes > whole) continue;
            memset(out, 0x5a, sizeof out);
            expect_ok(ops->read(&producer, buffer, offset, out, bytes, &error));
            for (int64_t at = 0; at < bytes; at++) ck_assert_uint_eq(out[at], byte_at(offset + at));
            ck_assert_uint_eq(out[bytes], 0x5a);
        }
    }
}

START_TEST(what_is_written_is_read_at_any_place)
{
    unsigned char out[4];
    if (_i == 1) forget_mapping();
    for (int64_t whole = 129; whole < 134; whole++) {
        void *buffer = buffer_of(whole);
        expect_reads(buffer, whole);
        expect_ok(ops->write(&producer, buffer, 97, "abc", 3, &error));
        expect_ok(ops->read(&producer, buffer, 97, out, 4, &error));
        ck_assert_mem_eq(out, "abc", 3);
        ck_assert_uint_eq(out[3], byte_at(100));
        ops->free(&producer, buffer);
    }
    expect_ok(ops->read(&producer, NULL, 0, out, 0, &error));
    expect_ok(ops->write(&producer, NULL, 0, out, 0, &error));
}
END_TEST

/* What `vulkan->last` counts: submissions. */
START_TEST(what_gathers_is_one_submission_and_none_is_left)
{
    unsigned char out[4];
    const uint64_t *count = &vulkan_of(&producer)->last;
    void *event, *buffer = buffer_of(64), *other = buffer_of(64);
    uint64_t before = *count;
    expect_ok(ops->write(&producer, buffer, 0, "abc", 3, &error));
    ck_assert_uint_eq(*count, before + 1);

    expect_ok(ops->batch_submissions(&producer, true, &error));
    expect_ok(ops->write(&producer, buffer, 1, "xyz", 3, &error));
    expect_ok(ops->write(&producer, other, 0, "opq", 3, &error));
    ck_assert_uint_eq(*count, before + 1);
    expect_ok(ops->event(&producer, &event, &error));
    ck_assert_uint_eq(*count, before + 2);
    expect_ok(ops->write(&producer, other, 3, "r", 1, &error));
    ops->free(&producer, other);
    expect_ok(ops->batch_submissions(&producer, false, &error));
    ck_assert_uint_eq(*count, before + 3);
    expect_ok(ops->wait_host(&producer, event, &error));
    expect_ok(ops->read(&producer, buffer, 0, out, 4, &error));
    ck_assert_mem_eq(out, "axyz", 4);
    ops->event_free(&producer, event);
    ops->free(&producer, buffer);
}
END_TEST

START_TEST(large_buffers_go_in_and_out)
{
    const int64_t bytes = (int64_t)(is_short() ? 8 : 64) << 20;
    if (_i == 1) forget_mapping();
    void *buffer = buffer_of(bytes);
    unsigned char *out = malloc((size_t)bytes);
    uint64_t sum, wanted = 0;
    expect_ok(ops->read(&producer, buffer, 0, out, bytes, &error));
    for (int64_t i = 0; i < bytes; i++) {
        wanted += byte_at(i);
        if (out[i] != byte_at(i)) ck_abort_msg("byte %ld differs", (long)i);
    }
    expect_ok(ops->checksum(&producer, buffer, 0, bytes, &sum, &error));
    ck_assert_uint_eq(sum, wanted);
    free(out);
    ops->free(&producer, buffer);
    expect_error(ops->alloc(&producer, INT64_MAX, &buffer, &error), ENOMEM);
    expect_said("no memory for 9223372036854775807 bytes");
}
END_TEST

START_TEST(the_device_sums_what_the_host_sums)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 255, 256, 257, 4095, 65539};
    const int64_t whole = 70000;
    void *buffer = buffer_of(whole);
    uint64_t sum;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int64_t offset = 0; offset < 6; offset++) {
            uint64_t wanted = 0;
            for (int64_t at = 0; at < sizes[i]; at++) wanted += byte_at(offset + at);
            expect_ok(ops->checksum(&consumer, buffer, offset, sizes[i], &sum, &error));
            ck_assert_uint_eq(sum, wanted);
        }
    }
    expect_error(ops->checksum(&consumer, buffer, 1, whole, &sum, &error), EFAULT);
    expect_error(ops->checksum(&consumer, buffer, 0, -1, &sum, &error), EFAULT);
    ops->free(&producer, buffer);
}
END_TEST

START_TEST(the_sum_of_many_large_bytes_does_not_overflow)
{
    const int64_t bytes = ((int64_t)16 << 20) + 5;
    void *buffer, *host = malloc((size_t)bytes);
    uint64_t sum;
    memset(host, 0xff, (size_t)bytes);
    expect_ok(ops->alloc(&producer, bytes, &buffer, &error));
    expect_ok(ops->write(&producer, buffer, 0, host, bytes, &error));
    expect_ok(ops->checksum(&producer, buffer, 0, bytes, &sum, &error));
    ck_assert_uint_eq(sum, (uint64_t)bytes * 255);
    free(host);
    ops->free(&producer, buffer);
}
END_TEST

START_TEST(values_of_nobody_are_refused_untouched)
{
    char out[16];
    struct adi_device other;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *closed = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *buffer = buffer_of(100), *freed = buffer_of(100);
    ops->free(&producer, freed);
    const void *wild[] = {NULL, (void *)8, (void *)(UINTPTR_MAX - 8), closed, out, freed};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        expect_error(ops->read(&producer, wild[i], 0, out, sizeof out, &error), EFAULT);
        expect_said("is no live VkBuffer or VkDeviceAddress on vulkan:0");
        ck_assert(!ops->accessible(&producer, wild[i], &error));
    }
    expect_ok(ops->read(&producer, buffer, 84, out, 16, &error));
    expect_error(ops->read(&producer, buffer, 85, out, 16, &error), EFAULT);
    ck_assert_str_eq(error.text, "there are no 16 bytes at offset 85 of a buffer of 100");
    expect_error(ops->read(&producer, buffer, -1, out, 1, &error), EFAULT);
    expect_error(ops->read(&producer, buffer, 0, out, -1, &error), EFAULT);
    expect_error(ops->read(&producer, buffer, INT64_MAX, out, INT64_MAX, &error), EFAULT);
    expect_error(ops->write(&producer, buffer, 99, out, 2, &error), EFAULT);
    expect_error(ops->write(&producer, closed, 0, out, 2, &error), EFAULT);
    ck_assert(ops->accessible(&consumer, buffer, &error));
    expect_ok(ops->open(1, &other, &error));
    expect_error(ops->read(&other, buffer, 0, out, 1, &error), EFAULT);
    ops->close(&other);
    ops->free(&producer, closed);
    ops->free(&producer, buffer);
    munmap(closed, page);
}
END_TEST

START_TEST(an_address_within_a_buffer_is_accepted)
{
    unsigned char out[3];
    uint64_t sum;
    void *buffer = buffer_of(100);
    if (!vulkan_of(&producer)->physical.addresses) {
        fprintf(stderr, "left out: buffer addresses: vulkan:0 has none\n");
        ops->free(&producer, buffer);
        return;
    }
    VkBufferDeviceAddressInfo which = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    memcpy(&which.buffer, &buffer, sizeof buffer);
    uintptr_t address =
        (uintptr_t)adi_vk.GetBufferDeviceAddress(vulkan_of(&producer)->device, &which);
    expect_ok(ops->read(&producer, (void *)(address + 40), 5, out, 3, &error));
    for (int i = 0; i < 3; i++) ck_assert_uint_eq(out[i], byte_at(45 + i));
    expect_ok(ops->checksum(&producer, (void *)(address + 1), 1, 1, &sum, &error));
    ck_assert_uint_eq(sum, byte_at(2));
    expect_error(ops->read(&producer, (void *)(address + 98), 0, out, 3, &error), EFAULT);
    expect_error(ops->read(&producer, (void *)(address + 100), 0, out, 1, &error), EFAULT);
    expect_ok(ops->write(&producer, (void *)address, 0, "z", 1, &error));
    ck_assert_uint_eq(first_byte(&producer, buffer), 'z');
    ops->free(&producer, buffer);
}
END_TEST

/* A buffer of somebody who was handed the context, filled with one byte; it has an address where
 * there are any. */
static void make_foreign(VkBuffer *buffer, VkDeviceMemory *memory, unsigned char byte) {
    struct adi_vulkan *vulkan = vulkan_of(&producer);
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = 101,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkMemoryAllocateFlagsInfo addressable = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    void *map;
    if (vulkan->physical.addresses) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    ck_assert_int_eq(adi_vk.CreateBuffer(vulkan->device, &info, NULL, buffer), VK_SUCCESS);
    adi_vk.GetBufferMemoryRequirements(vulkan->device, *buffer, &needs);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = vulkan->physical.addresses ? &addressable : NULL,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = vulkan->physical.staging};
    ck_assert_int_eq(adi_vk.AllocateMemory(vulkan->device, &allocate, NULL, memory), VK_SUCCESS);
    ck_assert_int_eq(adi_vk.BindBufferMemory(vulkan->device, *buffer, *memory, 0), VK_SUCCESS);
    ck_assert_int_eq(adi_vk.MapMemory(vulkan->device, *memory, 0, VK_WHOLE_SIZE, 0, &map),
                     VK_SUCCESS);
    memset(map, byte, 101);
}

START_TEST(a_foreign_buffer_is_read_until_it_is_destroyed)
{
    VkDevice device = vulkan_of(&producer)->device;
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *value, *ours = buffer_of(10);
    unsigned char out[101];
    uint64_t sum;
    make_foreign(&buffer, &memory, 'x');
    memcpy(&value, &buffer, sizeof value);
    expect_ok(ops->adopt(&consumer, value, &error));
    expect_ok(ops->adopt(&consumer, value, &error));
    ck_assert(ops->accessible(&consumer, value, &error));
    expect_ok(ops->read(&consumer, value, 0, out, 101, &error));
    for (int i = 0; i < 101; i++) ck_assert_uint_eq(out[i], 'x');
    /* Nobody said that shaders may use it. */
    expect_error(ops->checksum(&consumer, value, 1, 97, &sum, &error), ENOTSUP);
    expect_error(ops->read(&consumer, value, 4096, out, 1, &error), EFAULT);
    ops->free(&consumer, value);
    adi_vk.DestroyBuffer(device, buffer, NULL);
    expect_error(ops->read(&consumer, value, 0, out, 1, &error), EFAULT);
    adi_vk.FreeMemory(device, memory, NULL);

    expect_ok(ops->adopt(&consumer, ours, &error));
    ck_assert_uint_eq(first_byte(&producer, ours), byte_at(0));
    ops->free(&producer, ours);
    expect_error(ops->read(&consumer, ours, 0, out, 1, &error), EFAULT);
    expect_error(ops->adopt(&consumer, NULL, &error), EFAULT);
}
END_TEST

START_TEST(a_foreign_address_is_read_until_its_buffer_is_destroyed)
{
    VkDevice device = vulkan_of(&producer)->device;
    VkBufferDeviceAddressInfo which = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    struct adi_device other;
    VkDeviceMemory memory;
    unsigned char out[101] = {0};
    if (!vulkan_of(&producer)->physical.addresses) {
        fprintf(stderr, "left out: foreign addresses: vulkan:0 has none\n");
        return;
    }
    make_foreign(&which.buffer, &memory, 'x');
    char *value = (char *)(uintptr_t)adi_vk.GetBufferDeviceAddress(device, &which);
    ck_assert_ptr_nonnull(value);
    ck_assert(ops->accessible(&consumer, value, &error));
    ck_assert(ops->accessible(&consumer, value + 100, &error));
    ck_assert(!ops->accessible(&consumer, value + 101, &error));
    expect_ok(ops->read(&consumer, value + 1, 1, out, 99, &error));
    for (int i = 0; i < 99; i++) ck_assert_uint_eq(out[i], 'x');
    expect_error(ops->read(&consumer, value + 1, 1, out, 100, &error), EFAULT);
    ck_assert_str_eq(error.text, "there are no 100 bytes at offset 1 of a buffer of 100");
    expect_ok(ops->open(1, &other, &error));
    ck_assert(!ops->accessible(&other, value, &error));
    ops->close(&other);
    adi_vk.DestroyBuffer(device, which.buffer, NULL);
    ck_assert(!ops->accessible(&consumer, value, &error));
    expect_error(ops->read(&consumer, value, 0, out, 1, &error), EFAULT);
    adi_vk.FreeMemory(device, memory, NULL);
}
END_TEST

START_TEST(the_handles_of_the_context_are_handed_out)
{
    static const char *const names[] = {"vulkan.instance", "vulkan.physical_device",
                                        "vulkan.device", "vulkan.queue", "vulkan.queue_family"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_ptr_nonnull(ops->native_handle(&producer, names[i]));
    VkQueue queue;
    adi_vk.GetDeviceQueue((VkDevice)(uintptr_t)ops->native_handle(&producer, "vulkan.device"),
                          *(const uint32_t *)ops->native_handle(&producer, "vulkan.queue_family"),
                          0, &queue);
    ck_assert_ptr_eq(queue, ops->native_handle(&producer, "vulkan.queue"));
    ck_assert_ptr_eq(queue, ops->native_handle(&consumer, "vulkan.queue"));
    ck_assert_ptr_null(ops->native_handle(&producer, "opencl.context"));
    ck_assert_ptr_null(ops->native_handle(&producer, "vulkan"));
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, ids_are_the_loaders_and_one_device_is_two);
    tcase_add_loop_test(tests, what_is_written_is_read_at_any_place, 0, 2);
    tcase_add_test(tests, what_gathers_is_one_submission_and_none_is_left);
    tcase_add_loop_test(tests, large_buffers_go_in_and_out, 0, 2);
    tcase_add_test(tests, the_device_sums_what_the_host_sums);
    tcase_add_test(tests, the_sum_of_many_large_bytes_does_not_overflow);
    tcase_add_test(tests, values_of_nobody_are_refused_untouched);
    tcase_add_test(tests, an_address_within_a_buffer_is_accepted);
    tcase_add_test(tests, a_foreign_buffer_is_read_until_it_is_destroyed);
    tcase_add_test(tests, a_foreign_address_is_read_until_its_buffer_is_destroyed);
    tcase_add_test(tests, the_handles_of_the_context_are_handed_out);
}

Suite *devices_vulkan_suite(void) {
    Suite *suite = suite_create("devices_vulkan");
    add_twice(suite, add);
    return suite;
}
