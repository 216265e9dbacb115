/* SPDX-License-Identifier: Apache-2.0 */
#include "vk_objects.h"

static const char *const kinds[] = {
    "VkBuffer", "VkEvent", "VkDeviceMemory", "VkDescriptorSet", "VkShaderModule", "VkPipeline",
#define COUNTED(name, kind) "Vk" #name,
#include "counted.def"
};

static struct object objects[TRACKED_RECORDS];

TRACKED_STORE(objects, true)

bool objects_newest(char out[ADI_INTERCEPTOR_HELD]) {
    return objects_newest_held(kinds, out);
}

/* The buffers that were asked for their address, as they are few; some are dead by now. */
static uint64_t addressed[TRACKED_RECORDS];
static size_t n_addressed;

/* Is it still such a buffer? */
static struct object *addressed_at(size_t i) {
    struct object *object = tracked_find(addressed[i], ADI_VULKAN_BUFFER);
    return object == NULL || object->dead || object->address == 0 ? NULL : object;
}

static void forget_the_gone(void) {
    for (size_t i = n_addressed; i-- > 0;)
        if (addressed_at(i) == NULL) addressed[i] = addressed[--n_addressed];
}

void objects_note_address(uint64_t buffer, VkDeviceAddress address) {
    struct object *object = tracked_find(buffer, ADI_VULKAN_BUFFER);
    if (object == NULL) return;
    object->address = address;
    for (size_t i = 0; i < n_addressed; i++)
        if (addressed[i] == buffer) return;
    if (n_addressed == TRACKED_RECORDS) forget_the_gone();
    addressed[n_addressed++] = buffer;
}

struct object *objects_find_at(VkDeviceAddress address, VkDevice device) {
    for (size_t i = n_addressed; i-- > 0;) {
        struct object *object = addressed_at(i);
        if (object == NULL) {
            addressed[i] = addressed[--n_addressed];
            continue;
        }
        if (device != NULL && object->device != device) continue;
        if (address >= object->address && address - object->address < object->bytes) return object;
    }
    return NULL;
}

struct object *objects_add(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                           const char *made_by) {
    static unsigned numbers[sizeof kinds / sizeof *kinds];
    struct object *object = tracked_add(handle, kind, made_by);
    if (object == NULL) return NULL;
    object->device = device;
    object->number = ++numbers[kind];
    tracked_retain(&object->tracked);
    return object;
}

struct object *objects_add_nobodys(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                                   const char *made_by) {
    bool before = adi_caller_enter(false);
    struct object *object = objects_add(handle, kind, device, made_by);
    adi_caller_enter(before);
    return object;
}

void objects_die_with(VkDevice device) {
    for (size_t i = 0; i < TRACKED_RECORDS; i++)
        if (objects[i].handle != 0 && objects[i].device == device) tracked_die(&objects[i].tracked);
}

static struct adi_vulkan_seen seen_of(const struct object *object) {
    if (object == NULL) return (struct adi_vulkan_seen){.live = false};
    return (struct adi_vulkan_seen){!object->dead, object->device, object->bytes, object->handle,
                                    object->address};
}

UNDER_LOCK(struct adi_vulkan_seen, objects_look, (enum adi_vulkan_kind kind, uint64_t handle),
           seen_of(tracked_find(handle, kind)))

UNDER_LOCK(struct adi_vulkan_seen, objects_look_at, (VkDevice device, VkDeviceAddress address),
           seen_of(objects_find_at(address, device)))

/* ---- judging ---- */

bool objects_live(const char *call, uint64_t handle, enum adi_vulkan_kind kind) {
    objects_lock();
    const struct object *object = tracked_find(handle, kind);
    bool known = object != NULL, dead = known && object->dead, full = tracked_is_full();
    bool address = !known && tracked_is_address(handle, kind);
    objects_unlock();
    if (address)
        adi_misused(ADI_MISUSE_ADDRESS, kind == ADI_VULKAN_EVENT,
                    "%s uses the address of a %s for it", call, kinds[kind]);
    if (address) return false;
    if (known ? !dead : full) return true;
    adi_misused(ADI_MISUSE_DEAD, kind == ADI_VULKAN_EVENT, "%s uses %s %s%s", call,
                known ? "a" : "what is no", kinds[kind], known ? " that was destroyed before" : "");
    return false;
}

bool objects_owns(const char *call, VkEvent event) {
    if (!objects_live(call, (uint64_t)event, ADI_VULKAN_EVENT)) return false;
    objects_lock();
    const struct object *object = tracked_find((uint64_t)event, ADI_VULKAN_EVENT);
    bool owns = object == NULL || object->party >= adi_caller_party();
    objects_unlock();
    if (!owns)
        adi_misused(ADI_MISUSE_NOT_OWNED, true, "%s changes a VkEvent of somebody else's", call);
    return owns;
}

bool objects_have(const char *call, VkBuffer buffer, VkDeviceSize from, VkDeviceSize bytes) {
    objects_lock();
    const struct object *object = tracked_find((uint64_t)buffer, ADI_VULKAN_BUFFER);
    VkDeviceSize there = object == NULL ? VK_WHOLE_SIZE : object->bytes;
    objects_unlock();
    if (from <= there && bytes <= there - from) return true;
    adi_misused(ADI_MISUSE_BEYOND, false, "%s uses bytes %llu to %llu of a buffer of %llu", call,
                (unsigned long long)from, (unsigned long long)(from + bytes),
                (unsigned long long)there);
    return false;
}

bool objects_end(const char *call, uint64_t handle, enum adi_vulkan_kind kind) {
    if (handle == 0 || !objects_live(call, handle, kind)) return false;
    objects_lock();
    struct object *object = tracked_find(handle, kind);
    bool owns = object == NULL || object->party >= adi_caller_party();
    if (owns && object != NULL) tracked_die(&object->tracked);
    objects_unlock();
    if (!owns)
        adi_misused(ADI_MISUSE_NOT_OWNED, kind == ADI_VULKAN_EVENT,
                    "%s destroys a %s of somebody else's", call, kinds[kind]);
    return owns;
}
