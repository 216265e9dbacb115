/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device answers.
 */
#include <stdio.h>

#include "metal_classes.h"

#define UNIFIED_BYTES ((unsigned long)1 << 32) /* of one buffer, at most */

static id name_of(id self, SEL selector) {
    char text[48];
    (void)selector;
    if (!metal_begin_surely("[MTLDevice name]")) return NULL;
    snprintf(text, sizeof text, "simulated Metal device %d", self->as_device.index);
    id name = metal_text(text);
    metal_end();
    return name;
}

static uint64_t registry_id(id self, SEL selector) {
    (void)selector;
    return (uint64_t)self->as_device.index;
}

static bool has_unified_memory(id self, SEL selector) {
    (void)self, (void)selector;
    return true;
}

static unsigned long max_buffer_length(id self, SEL selector) {
    (void)self, (void)selector;
    return UNIFIED_BYTES;
}

static id new_queue(id self, SEL selector) {
    (void)selector;
    if (!metal_begin("[MTLDevice newCommandQueue]")) return NULL;
    struct metal_object *made = metal_make(METAL_QUEUE, self);
    if (made != NULL &&
        adi_sim_queue_create(self->as_device.context, 0, &made->as_queue.engine) != 0) {
        metal_drop(made, metal_party());
        made = NULL;
    }
    metal_end();
    return made;
}

static id new_queue_of(id self, SEL selector, unsigned long most) {
    (void)most;
    return new_queue(self, selector);
}

void metal_end_queue(struct metal_object *queue) {
    if (queue->as_queue.engine == NULL) return;
    unsigned before = metal_act_as(queue->maker);
    adi_sim_queue_destroy(queue->as_queue.engine);
    metal_act_as(before);
}

id metal_new_buffer(id self, SEL selector, unsigned long bytes, unsigned long options);
id metal_new_buffer_of(id self, SEL selector, const void *from, unsigned long bytes,
                       unsigned long options);
id metal_new_event(id self, SEL selector);
id metal_new_shared_event(id self, SEL selector);

const struct metal_method metal_device_methods[] = {
    METHOD("name", name_of, "@@:"),
    METHOD("registryID", registry_id, "Q@:"),
    METHOD("hasUnifiedMemory", has_unified_memory, "C@:"),
    METHOD("maxBufferLength", max_buffer_length, "L@:"),
    METHOD("newCommandQueue", new_queue, "@@:"),
    METHOD("newCommandQueueWithMaxCommandBufferCount:", new_queue_of, "@@:L"),
    METHOD("newBufferWithLength:options:", metal_new_buffer, "@@:LL"),
    METHOD("newBufferWithBytes:length:options:", metal_new_buffer_of, "@@:^vLL"),
    METHOD("newEvent", metal_new_event, "@@:"),
    METHOD("newSharedEvent", metal_new_shared_event, "@@:"),
    METHODS_END,
};
