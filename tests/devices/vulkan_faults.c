/* SPDX-License-Identifier: Apache-2.0
 *
 * Each call of Vulkan that can fail does so in turn, at each place where the backend makes it:
 * the sentence names the call, everything is given back, and nothing is called wrongly on the way.
 * Under a sanitizer one call in three does; ADI_TEST_FULL asks for all.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "slow.h"
#include "vulkan_fixture.h"

Suite *devices_vulkan_faults_suite(void);

static struct adi_vulkan_api real;
static int countdown; /* so many calls succeed before the one that fails */

#define ANSWER(name, ...)                                                                          \
    return countdown-- == 0 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : real.name(__VA_ARGS__)

/* A stand-in by the number of parameters. */
#define FAIL1(name, A)                                                                             \
    static VKAPI_ATTR VkResult VKAPI_CALL fail_##name(A a) {                                       \
        ANSWER(name, a);                                                                           \
    }
#define FAIL2(name, A, B)                                                                          \
    static VKAPI_ATTR VkResult VKAPI_CALL fail_##name(A a, B b) {                                  \
        ANSWER(name, a, b);                                                                        \
    }
#define FAIL3(name, A, B, C)                                                                       \
    static VKAPI_ATTR VkResult VKAPI_CALL fail_##name(A a, B b, C c) {                             \
        ANSWER(name, a, b, c);                                                                     \
    }
#define FAIL4(name, A, B, C, D)                                                                    \
    static VKAPI_ATTR VkResult VKAPI_CALL fail_##name(A a, B b, C c, D d) {                        \
        ANSWER(name, a, b, c, d);                                                                  \
    }
#define FAIL6(name, A, B, C, D, E, F)                                                              \
    static VKAPI_ATTR VkResult VKAPI_CALL fail_##name(A a, B b, C c, D d, E e, F f) {              \
        ANSWER(name, a, b, c, d, e, f);                                                            \
    }
#define MAKE(name, Info, Made)                                                                     \
    FAIL4(name, VkDevice, const Info *, const VkAllocationCallbacks *, Made *)

MAKE(AllocateMemory, VkMemoryAllocateInfo, VkDeviceMemory)
MAKE(CreateBuffer, VkBufferCreateInfo, VkBuffer)
MAKE(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
MAKE(CreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
MAKE(CreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
MAKE(CreateEvent, VkEventCreateInfo, VkEvent)
MAKE(CreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
MAKE(CreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore)
MAKE(CreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule)
FAIL1(EndCommandBuffer, VkCommandBuffer)
FAIL2(BeginCommandBuffer, VkCommandBuffer, const VkCommandBufferBeginInfo *)
FAIL2(SignalSemaphore, VkDevice, const VkSemaphoreSignalInfo *)
FAIL3(AllocateCommandBuffers, VkDevice, const VkCommandBufferAllocateInfo *, VkCommandBuffer *)
FAIL3(AllocateDescriptorSets, VkDevice, const VkDescriptorSetAllocateInfo *, VkDescriptorSet *)
FAIL3(CreateInstance, const VkInstanceCreateInfo *, const VkAllocationCallbacks *, VkInstance *)
FAIL3(EnumeratePhysicalDevices, VkInstance, uint32_t *, VkPhysicalDevice *)
FAIL3(WaitSemaphores, VkDevice, const VkSemaphoreWaitInfo *, uint64_t)
FAIL4(BindBufferMemory, VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize)
FAIL4(CreateDevice, VkPhysicalDevice, const VkDeviceCreateInfo *, const VkAllocationCallbacks *,
      VkDevice *)
FAIL4(QueueSubmit, VkQueue, uint32_t, const VkSubmitInfo *, VkFence)
FAIL6(CreateComputePipelines, VkDevice, VkPipelineCache, uint32_t,
      const VkComputePipelineCreateInfo *, const VkAllocationCallbacks *, VkPipeline *)
FAIL6(MapMemory, VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize, VkMemoryMapFlags, void **)

#define EACH(DO)                                                                                   \
    DO(AllocateMemory)                                                                             \
    DO(CreateBuffer)                                                                               \
    DO(CreateCommandPool)                                                                          \
    DO(CreateDescriptorPool)                                                                       \
    DO(CreateDescriptorSetLayout)                                                                  \
    DO(CreateEvent)                                                                                \
    DO(CreatePipelineLayout)                                                                       \
    DO(CreateSemaphore)                                                                            \
    DO(CreateShaderModule)                                                                         \
    DO(EndCommandBuffer)                                                                           \
    DO(BeginCommandBuffer)                                                                         \
    DO(SignalSemaphore)                                                                            \
    DO(AllocateCommandBuffers)                                                                     \
    DO(AllocateDescriptorSets)                                                                     \
    DO(CreateInstance)                                                                             \
    DO(EnumeratePhysicalDevices)                                                                   \
    DO(WaitSemaphores)                                                                             \
    DO(BindBufferMemory)                                                                           \
    DO(CreateDevice)                                                                               \
    DO(QueueSubmit)                                                                                \
    DO(CreateComputePipelines)                                                                     \
    DO(MapMemory)

#define REPLACE(name)                                                                              \
    static void replace_##name(void) {                                                             \
        adi_vk.name = fail_##name;                                                                 \
    }
EACH(REPLACE)

static const struct {
    const char *name;
    void (*replace)(void);
} calls[] = {
#define ROW(name) {"vk" #name, replace_##name},
    EACH(ROW)};

#define COUNT (int)(sizeof calls / sizeof *calls)

static int use_buffer(struct adi_device *device, void *buffer) {
    void *event = NULL;
    char out[3];
    uint64_t sum;
    ADI_TRY(ops->write(device, buffer, 1, "abc", 3, &error));
    ADI_TRY(ops->pause(device, &error));
    ADI_TRY(ops->resume(device, &error));
    ADI_TRY(ops->event(device, &event, &error));
    int code = ops->wait(device, event, &error);
    if (code == 0) code = ops->read(device, buffer, 1, out, 3, &error);
    if (code == 0) code = ops->checksum(device, buffer, 1, 3, &sum, &error);
    if (code == 0) ck_assert_mem_eq(out, "abc", 3);
    if (code == 0) ck_assert_uint_eq(sum, 'a' + 'b' + 'c');
    ops->event_free(device, event);
    return code;
}

static int use_device(void) {
    struct adi_device device;
    void *buffer;
    ADI_TRY(ops->open(0, &device, &error));
    int code = ops->alloc(&device, 100, &buffer, &error);
    if (code == 0) {
        code = use_buffer(&device, buffer);
        ops->free(&device, buffer);
    }
    ops->close(&device);
    return code;
}

/* The fixture's openings would spare this one the making of the device. */
START_TEST(each_call_fails_in_turn_and_is_named)
{
    if (is_left_out((size_t)_i, 3)) return;
    int seen = 0;
    ops->close(&producer);
    ops->close(&consumer);
    real = adi_vk;
    calls[_i].replace();
    for (int place = 0;; place++) {
        countdown = place;
        memset(&error, 0, sizeof error);
        int code = use_device();
        if (countdown >= 0) break; /* it was not called so often */
        if (code == 0) continue;   /* one may fail unseen: to give back needs no success */
        ck_assert_msg(strstr(error.text, calls[_i].name) != NULL, "%s, %d: %s", calls[_i].name,
                      place, error.text);
        if (strstr(calls[_i].name, "Instance") == NULL) ck_assert_int_eq(code, ENOMEM);
        seen++;
    }
    ck_assert_msg(seen > 0, "%s never failed", calls[_i].name);
    adi_vk = real;
    expect_ok(use_device());
    expect_ok(ops->open(0, &producer, &error));
    expect_ok(ops->open(0, &consumer, &error));
}
END_TEST

static void add(TCase *tests) {
    tcase_add_loop_test(tests, each_call_fails_in_turn_and_is_named, 0, COUNT);
}

Suite *devices_vulkan_faults_suite(void) {
    Suite *suite = suite_create("devices_vulkan_faults");
    add_twice(suite, add);
    return suite;
}
