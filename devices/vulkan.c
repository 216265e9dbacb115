/* SPDX-License-Identifier: Apache-2.0 */
#include "vulkan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "vulkan_internal.h"

static struct adi_vulkan *vulkan_of(const struct adi_device *device) {
    return ((const struct adi_vulkan_opening *)device->state)->vulkan;
}

static const char *runtimes[ADI_DEVICE_IDS]; /* of what was found, by id */

static void found(struct adi_device_probe *out, uint32_t id, const char *runtime) {
    runtimes[id] = runtime;
    out->ids[out->count++] = id;
}

/* Is it good for anything? Here it is nobody's fault if it crashes. */
static bool is_usable(uint32_t id, struct adi_device_probe *out) {
    struct adi_vulkan *vulkan;
    if (adi_vulkan_open(id, &vulkan, &out->why) != 0) return false;
    if (out->lacks.text[0] == '\0') adi_vulkan_builds(vulkan, &out->lacks);
    adi_vulkan_close(vulkan);
    return true;
}

static void probe(struct adi_device_probe *out) {
    const struct adi_vulkan_instance *instance;
    *out = (struct adi_device_probe){.runtime = ""};
    if (sizeof(VkBuffer) > sizeof(void *)) {
        adi_error_set(&out->why, 0, "a VkBuffer does not fit into a pointer on this machine");
        return;
    }
    if (adi_vulkan_instance_get(&instance, &out->why) != 0) return;
    for (uint32_t i = 0; i < instance->count; i++) {
        if (instance->physical[i].handle == NULL || !is_usable(i, out)) continue;
        if (out->count == 0) out->runtime = instance->physical[i].runtime;
        found(out, i, instance->physical[i].runtime);
    }
    if (instance->count == 1 && out->count == 1) found(out, 1, instance->physical[0].runtime);
    adi_vulkan_instance_release();
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct adi_vulkan_opening *opening = calloc(1, sizeof *opening);
    if (opening == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    int code = adi_vulkan_open(id, &opening->vulkan, error);
    if (code != 0) {
        free(opening);
        return code;
    }
    *out = (struct adi_device){&adi_device_vulkan, id, opening};
    return 0;
}

static void close_device(struct adi_device *device) {
    adi_vulkan_close(vulkan_of(device));
    free(device->state);
    device->state = NULL;
}

void adi_vulkan_limit(struct adi_device *device, int64_t milliseconds) {
    vulkan_of(device)->limit = milliseconds;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    struct adi_vulkan *vulkan = vulkan_of(device);
    struct adi_vulkan_item *item = calloc(1, sizeof *item);
    if (item == NULL) return adi_error_set(error, ENOMEM, "no memory for a buffer");
    adi_vulkan_reap(vulkan);
    int code = adi_vulkan_block_make(vulkan, ADI_VULKAN_ON_DEVICE, bytes, &item->block, error);
    if (code != 0) {
        free(item);
        return code;
    }
    adi_vulkan_item_own(vulkan, item);
    *buffer = (void *)(uintptr_t)item->block.buffer;
    return 0;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    int64_t offset;
    struct adi_vulkan_item *item = adi_vulkan_find_buffer(vulkan_of(device), buffer, &offset);
    if (item != NULL) adi_vulkan_item_give_back(vulkan_of(device), item);
    adi_vulkan_reap(vulkan_of(device));
}

/* The driver says how much memory the buffer wants, which is no less than it has. A handle may come
 * back with another buffer behind it. */
static int adopt(struct adi_device *device, const void *buffer, struct adi_error *error) {
    struct adi_vulkan *vulkan = vulkan_of(device);
    VkMemoryRequirements needs;
    int64_t offset;
    if (buffer == NULL) return adi_error_set(error, EFAULT, "NULL is no VkBuffer");
    struct adi_vulkan_item *item = adi_vulkan_find_buffer(vulkan, buffer, &offset);
    if (item != NULL && item->block.memory != VK_NULL_HANDLE) return 0;
    if (item != NULL) adi_vulkan_item_give_back(vulkan, item);
    item = calloc(1, sizeof *item);
    if (item == NULL) return adi_error_set(error, ENOMEM, "no memory for a buffer");
    memcpy(&item->block.buffer, &buffer, sizeof buffer);
    adi_vk.GetBufferMemoryRequirements(vulkan->device, item->block.buffer, &needs);
    item->block.bytes = (int64_t)needs.size;
    adi_vulkan_item_own(vulkan, item);
    return 0;
}

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    int64_t offset = 0;
    const struct adi_vulkan_block *block;
    return adi_vulkan_locate(vulkan_of(device), buffer, &offset, 0, &block, why) == 0;
}

#define LARGE ((int64_t)64 << 10) /* not worth gathering */

static int write_queued(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    struct adi_vulkan *vulkan = vulkan_of(device);
    const struct adi_vulkan_block *to;
    struct adi_vulkan_item *submission;
    if (bytes == 0) return 0;
    ADI_TRY(adi_vulkan_locate(vulkan, buffer, &offset, bytes, &to, error));
    ADI_TRY(adi_vulkan_begin(vulkan, bytes, &submission, error));
    int64_t at = submission->used - bytes;
    memcpy((char *)submission->block.map + at, from, (size_t)bytes);
    VkBufferCopy range = {(VkDeviceSize)at, (VkDeviceSize)offset, (VkDeviceSize)bytes};
    adi_vk.CmdCopyBuffer(submission->commands, submission->block.buffer, to->buffer, 1, &range);
    adi_vulkan_publish(submission->commands);
    struct adi_vulkan_opening *opening = device->state;
    if (!opening->batches || bytes >= LARGE) return adi_vulkan_submit(opening, error);
    adi_vulkan_keep(opening);
    return 0;
}

static int batch_submissions(struct adi_device *device, bool on, struct adi_error *error) {
    struct adi_vulkan_opening *opening = device->state;
    opening->batches = on;
    return on || opening->vulkan->recorded == NULL ? 0 : adi_vulkan_submit(opening, error);
}

/* The staging memory is the submission's, and nobody begins another one before it was read. */
static int read_through_queue(struct adi_device *device, const struct adi_vulkan_block *from,
                              int64_t offset, void *to, int64_t bytes, struct adi_error *error) {
    struct adi_vulkan_opening *opening = device->state;
    struct adi_vulkan_item *submission;
    ADI_TRY(adi_vulkan_begin(opening->vulkan, bytes, &submission, error));
    int64_t at = submission->used - bytes;
    const void *staging = (const char *)submission->block.map + at;
    VkBufferCopy range = {(VkDeviceSize)offset, (VkDeviceSize)at, (VkDeviceSize)bytes};
    adi_vk.CmdCopyBuffer(submission->commands, from->buffer, submission->block.buffer, 1, &range);
    adi_vulkan_publish(submission->commands);
    ADI_TRY(adi_vulkan_submit(opening, error));
    ADI_TRY(adi_vulkan_await(opening->vulkan, opening->last, error));
    memcpy(to, staging, (size_t)bytes);
    return 0;
}

static int read_back(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    struct adi_vulkan_opening *opening = device->state;
    const struct adi_vulkan_block *from;
    if (bytes == 0) return 0;
    ADI_TRY(adi_vulkan_locate(opening->vulkan, buffer, &offset, bytes, &from, error));
    if (from->map == NULL) return read_through_queue(device, from, offset, to, bytes, error);
    ADI_TRY(adi_vulkan_await(opening->vulkan, opening->last, error));
    memcpy(to, (const char *)from->map + offset, (size_t)bytes);
    return 0;
}

static int pause_queue(struct adi_device *device, struct adi_error *error) {
    return adi_vulkan_pause(vulkan_of(device), error);
}

static int resume_queue(struct adi_device *device, struct adi_error *error) {
    return adi_vulkan_resume(vulkan_of(device), error);
}

/* Has anybody asked for the VkDevice? */
static bool is_handed_out;

static const void *native_handle(struct adi_device *device, const char *what) {
    const struct adi_vulkan *vulkan = vulkan_of(device);
    const struct adi_vulkan_instance *instance = vulkan->instance;
    const struct {
        const char *name;
        const void *handle;
    } handles[] = {
        {"vulkan.instance", instance == NULL ? NULL : instance->handle},
        {"vulkan.physical_device", vulkan->physical.handle},
        {"vulkan.device", vulkan->device},
        {"vulkan.queue", vulkan->queue},
        {"vulkan.queue_family", &vulkan->physical.family},
    };
    is_handed_out = is_handed_out || strcmp(what, "vulkan.device") == 0;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (strcmp(handles[i].name, what) == 0) return handles[i].handle;
    return NULL;
}

/* Nothing in the structure names a VkDevice, so nobody can be blamed for having one of his own; who
 * has asked for ours knows better. */
static bool is_ours(struct adi_device *device, struct adi_vulkan_seen seen, struct adi_error *why) {
    if (is_handed_out || !seen.live || seen.device == vulkan_of(device)->device) return true;
    adi_error_set(why, ENOTSUP,
                  "the array is on a VkDevice of the implementation's own, and buffers and events "
                  "belong to one: it has to work on the one that adi_host.get hands out as "
                  "\"vulkan.device\"");
    return false;
}

static bool can_identify_buffer(struct adi_device *device, const void *value,
                                struct adi_error *why) {
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    uint64_t number = (uintptr_t)value;
    if (layer == NULL) return true;
    struct adi_vulkan_seen seen = layer->look(ADI_VULKAN_BUFFER, number);
    return is_ours(device, seen.live ? seen : layer->look_at(NULL, number), why);
}

static bool can_identify_event(struct adi_device *device, const void *sync_event,
                               struct adi_error *why) {
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    uint64_t handle;
    if (layer == NULL || adi_host_read(sync_event, 0, &handle, sizeof handle, NULL) != 0)
        return true;
    return is_ours(device, layer->look(ADI_VULKAN_EVENT, handle), why);
}

/* The validation layer notes every object and command. */
static bool is_validated;

static bool keeps_books(void) {
    return is_validated;
}

static const struct adi_interceptor *interceptor(void) {
    static struct adi_interceptor told;
    const struct adi_vulkan_layer *layer = adi_vulkan_layer();
    if (layer == NULL) return NULL;
    const char *validation = getenv("ADI_VULKAN_VALIDATION");
    if (validation == NULL || strcmp(validation, "off") != 0)
        is_validated = adi_vulkan_validate(true, NULL) == 0;
    told = layer->interceptor;
    told.keeps_books = keeps_books;
    return &told;
}

/* The VkDevice is made with one queue, "VkQueue: host access must be externally synchronized", and
 * software has the caches of the host. */
static unsigned unobservable(int64_t id) {
    bool real =
        id >= 0 && id < ADI_DEVICE_IDS && runtimes[id] != NULL && strcmp(runtimes[id], "real") == 0;
    unsigned one_queue = ADI_UNOBSERVABLE_QUEUES | ADI_UNOBSERVABLE_THREADS;
    return real ? one_queue : one_queue | ADI_UNOBSERVABLE_CACHES;
}

const struct adi_device_ops adi_device_vulkan = {
    .size = sizeof adi_device_vulkan,
    .type = ARROW_DEVICE_VULKAN,
    .name = "vulkan",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_queued,
    .read = read_back,
    .event = adi_vulkan_event,
    .wait = adi_vulkan_wait,
    .wait_host = adi_vulkan_wait_host,
    .event_free = adi_vulkan_event_free,
    .pause = pause_queue,
    .resume = resume_queue,
    .adopt = adopt,
    .accessible = accessible,
    .checksum = adi_vulkan_checksum,
    .native_handle = native_handle,
    .remedy = "VK_ICD_FILENAMES chooses among the drivers that /usr/share/vulkan/icd.d names",
    .interceptor = interceptor,
    .batch_submissions = batch_submissions,
    .unobservable = unobservable,
    .can_identify_buffer = can_identify_buffer,
    .can_identify_event = can_identify_event,
    .record_again = adi_vulkan_record_again,
};
