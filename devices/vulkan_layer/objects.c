/* SPDX-License-Identifier: Apache-2.0
 *
 * The records lie in one static array: the layer must not show in what the process has allocated.
 */
#include "objects.h"

#include <pthread.h>
#include <string.h>

#define OBJECTS 32768 /* a power of two */

static const char *const kinds[] = {
    "VkBuffer", "VkEvent", "VkDeviceMemory", "VkDescriptorSet", "VkShaderModule", "VkPipeline",
#define COUNTED(name, kind) "Vk" #name,
#include "counted.def"
};

static struct object objects[OBJECTS];
static size_t used, held;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void objects_lock(void) {
    pthread_mutex_lock(&lock);
}

void objects_unlock(void) {
    pthread_mutex_unlock(&lock);
}

/* Its record, or the free one where it would be. Half of the records are always free. */
static struct object *record_of(uint64_t handle, enum adi_vulkan_kind kind) {
    uint64_t key = (handle ^ handle >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    size_t slot = (size_t)(key + (uint64_t)kind) % OBJECTS;
    while (objects[slot].handle != 0 &&
           (objects[slot].handle != handle || objects[slot].kind != kind))
        slot = (slot + 1) % OBJECTS;
    return &objects[slot];
}

struct object *objects_find(uint64_t handle, enum adi_vulkan_kind kind) {
    if (handle == 0) return NULL;
    struct object *object = record_of(handle, kind);
    return object->handle != 0 ? object : NULL;
}

struct object *objects_find_at(VkDeviceAddress address, VkDevice device) {
    for (size_t i = 0; i < OBJECTS; i++) {
        struct object *object = &objects[i];
        if (object->address == 0 || object->dead) continue;
        if (device != NULL && object->device != device) continue;
        if (address >= object->address && address - object->address < object->bytes) return object;
    }
    return NULL;
}

/* A driver may never give a handle twice: what is dead goes when the room does. */
static void forget_the_dead(void) {
    static struct object kept[OBJECTS / 2];
    size_t n = 0;
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i].handle != 0 && !objects[i].dead) kept[n++] = objects[i];
    memset(objects, 0, sizeof objects);
    for (used = 0; used < n; used++) *record_of(kept[used].handle, kept[used].kind) = kept[used];
}

struct object *objects_add(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                           const char *made_by) {
    static uint64_t serial, numbers[sizeof kinds / sizeof *kinds];
    if (used == OBJECTS / 2) forget_the_dead();
    struct object *object = record_of(handle, kind);
    if (handle == 0 || (object->handle == 0 && used == OBJECTS / 2)) return NULL;
    if (object->handle == 0)
        used++;
    else
        objects_die(object);
    serial++;
    *object = (struct object){.handle = handle,
                              .kind = kind,
                              .device = device,
                              .made_by = made_by,
                              .number = ++numbers[kind],
                              .serial = serial,
                              .party = adi_caller_party()};
    held += (size_t)object->party;
    return object;
}

struct object *objects_add_nobodys(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                                   const char *made_by) {
    bool before = adi_caller_enter(false);
    struct object *object = objects_add(handle, kind, device, made_by);
    adi_caller_enter(before);
    return object;
}

void objects_die(struct object *object) {
    if (!object->dead) held -= (size_t)object->party;
    object->dead = true;
}

void objects_die_with(VkDevice device) {
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i].handle != 0 && objects[i].device == device) objects_die(&objects[i]);
}

size_t objects_held(void) {
    objects_lock();
    size_t now = held;
    objects_unlock();
    return now;
}

static struct adi_vulkan_seen seen_of(const struct object *object) {
    if (object == NULL) return (struct adi_vulkan_seen){.live = false};
    return (struct adi_vulkan_seen){!object->dead, object->device, object->bytes, object->handle,
                                    object->address};
}

struct adi_vulkan_seen objects_look(enum adi_vulkan_kind kind, uint64_t handle) {
    objects_lock();
    struct adi_vulkan_seen seen = seen_of(objects_find(handle, kind));
    objects_unlock();
    return seen;
}

struct adi_vulkan_seen objects_look_at(VkDevice device, VkDeviceAddress address) {
    objects_lock();
    struct adi_vulkan_seen seen = seen_of(objects_find_at(address, device));
    objects_unlock();
    return seen;
}

/* ---- judging ---- */

bool objects_live(const char *call, uint64_t handle, enum adi_vulkan_kind kind) {
    objects_lock();
    const struct object *object = objects_find(handle, kind);
    bool known = object != NULL, dead = known && object->dead, full = used == OBJECTS / 2;
    objects_unlock();
    if (known ? !dead : full) return true;
    adi_misused(ADI_MISUSE_DEAD, kind == ADI_VULKAN_EVENT, "%s uses %s %s%s", call,
                known ? "a" : "what is no", kinds[kind], known ? " that was destroyed before" : "");
    return false;
}

bool objects_owns(const char *call, VkEvent event) {
    if (!objects_live(call, (uint64_t)event, ADI_VULKAN_EVENT)) return false;
    objects_lock();
    const struct object *object = objects_find((uint64_t)event, ADI_VULKAN_EVENT);
    bool owns = object == NULL || object->party >= adi_caller_party();
    objects_unlock();
    if (!owns)
        adi_misused(ADI_MISUSE_NOT_OWNED, true, "%s changes a VkEvent of somebody else's", call);
    return owns;
}

bool objects_have(const char *call, VkBuffer buffer, VkDeviceSize from, VkDeviceSize bytes) {
    objects_lock();
    const struct object *object = objects_find((uint64_t)buffer, ADI_VULKAN_BUFFER);
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
    struct object *object = objects_find(handle, kind);
    bool owns = object == NULL || object->party >= adi_caller_party();
    if (owns && object != NULL) objects_die(object);
    objects_unlock();
    if (!owns)
        adi_misused(ADI_MISUSE_NOT_OWNED, kind == ADI_VULKAN_EVENT,
                    "%s destroys a %s of somebody else's", call, kinds[kind]);
    return owns;
}
