/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: what is known of each object that the driver has handed out.
 */
#ifndef ADI_VK_OBJECTS_H
#define ADI_VK_OBJECTS_H

#include "../vulkan_layer.h"
#include "layers/tracked.h"
#include "spirv.h"

#define MOST_BOUND 8 /* buffers of a descriptor set */

struct object {
    TRACKED; /* of an enum adi_vulkan_kind */
    VkDevice device;
    VkDeviceSize bytes;
    VkDeviceAddress address; /* of a buffer that was asked for it, else 0 */
    uint64_t bound[MOST_BOUND];
    /* Which bytes of them; of 0 bytes: all from there on. */
    struct {
        VkDeviceSize from, bytes;
    } extents[MOST_BOUND];
    uint32_t writes[MOST_SETS]; /* of a shader or a pipeline: spirv.h */
    /* The number of the pause in which a command that was stopped... */
    uint64_t pending; /* ... writes the buffer or sets the event */
    uint64_t used;    /* ... of the implementation uses the buffer */
    uint64_t order;   /* of the step that made it pending, among all steps */
    int pending_by;   /* the party whose step that was */
    bool written;     /* by a command that the implementation has submitted */
};

/* What stands below is under the lock. */

/* The buffer was asked for its address. */
void objects_note_address(uint64_t buffer, VkDeviceAddress address);
/* The live buffer that the address lies in, of this device (NULL: of any). NULL: there is none. */
struct object *objects_find_at(VkDeviceAddress address, VkDevice device);
/* The interceptor's `newest_held`. Takes the lock. */
bool objects_newest(char out[ADI_INTERCEPTOR_HELD]);
/* A new object with one reference of the party whose thread calls (tracked_add). */
struct object *objects_add(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                           const char *made_by);
/* The same, and who leaves it behind is not told. */
struct object *objects_add_nobodys(uint64_t handle, enum adi_vulkan_kind kind, VkDevice device,
                                   const char *made_by);
/* What goes with its device. */
void objects_die_with(VkDevice device);
struct adi_vulkan_seen objects_look(enum adi_vulkan_kind kind, uint64_t handle);
struct adi_vulkan_seen objects_look_at(VkDevice device, VkDeviceAddress address);

/* Not under the lock, from here on. Is the object alive, and is the event the caller's to change?
 * If not, that has been said. Where there was no room for all, what is unknown is let pass. */
bool objects_live(const char *call, uint64_t handle, enum adi_vulkan_kind kind);
bool objects_owns(const char *call, VkEvent event);
/* Does a buffer that is alive have these bytes? */
bool objects_have(const char *call, VkBuffer buffer, VkDeviceSize from, VkDeviceSize bytes);
/* The caller destroys it. false: it must not, or there is nothing; that has been said. */
bool objects_end(const char *call, uint64_t handle, enum adi_vulkan_kind kind);

#endif /* ADI_VK_OBJECTS_H */
