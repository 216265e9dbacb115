/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers. Private storage is the device's alone, and has no contents; shared and managed storage
 * is for both. What ends while commands use it is freed behind them, by nobody's waiting.
 */
#include <errno.h>
#include <string.h>

#include "metal_classes.h"

#define STORAGE_OF(options) ((options) >> 4 & 15)
#define PRIVATE             2
#define MEMORYLESS          3

/* ---- those that have ended, and whose memory commands still use ---- */

static struct metal_object *graves;

/* All that used it has run: the wait is none. */
static bool is_over(const struct metal_buffer *buffer) {
    for (unsigned i = 0; i < buffer->n_behind; i++)
        if (adi_sim_has_run(buffer->behind[i]) == EAGAIN) return false;
    return true;
}

static void free_now(struct metal_object *object) {
    const struct metal_buffer *buffer = &object->as_buffer;
    unsigned before = metal_act_as(object->maker);
    adi_sim_free_behind(buffer->memory);
    for (unsigned i = 0; i < buffer->n_behind; i++) adi_sim_event_destroy(buffer->behind[i]);
    metal_act_as(before);
}

void metal_sweep(void) {
    for (struct metal_object **at = &graves; *at != NULL;) {
        struct metal_object *grave = *at;
        if (!is_over(&grave->as_buffer)) {
            at = &grave->next;
            continue;
        }
        *at = grave->next;
        free_now(grave);
        metal_retire(grave);
    }
}

/* ---- who has used a buffer ---- */

static bool is_there(const struct metal_object *queue, uint64_t serial) {
    return queue->serial == serial && !queue->dead;
}

void metal_buffer_used(struct metal_object *object, struct metal_object *queue) {
    struct metal_buffer *buffer = &object->as_buffer;
    for (unsigned i = 0; i < buffer->n_users && i < METAL_USERS; i++)
        if (buffer->users[i].queue == queue && buffer->users[i].serial == queue->serial) return;
    if (buffer->n_users < METAL_USERS) {
        buffer->users[buffer->n_users].queue = queue;
        buffer->users[buffer->n_users].serial = queue->serial;
    }
    if (buffer->n_users <= METAL_USERS) buffer->n_users++;
}

/* Events behind all that uses it now. false: a queue is gone, or there are too many. */
static bool mark(struct metal_object *object) {
    struct metal_buffer *buffer = &object->as_buffer;
    adi_sim_context context = object->device->as_device.context;
    if (buffer->n_users > METAL_USERS) return false;
    for (unsigned i = 0; i < buffer->n_users; i++) {
        const struct metal_object *queue = buffer->users[i].queue;
        if (!is_there(queue, buffer->users[i].serial)) return false;
        if (adi_sim_event_create(context, &buffer->behind[i]) != 0) return false;
        buffer->n_behind++;
        adi_sim_event_record(buffer->behind[i], queue->as_queue.engine);
    }
    return true;
}

static bool is_private(const struct metal_buffer *buffer) {
    return STORAGE_OF(buffer->options) == PRIVATE;
}

/* Of the device's memory in the order of the only queue that has used it, which is there still. */
static bool free_in_order(struct metal_buffer *buffer) {
    const struct metal_object *queue = buffer->users[0].queue;
    return is_private(buffer) && buffer->n_users == 1 && is_there(queue, buffer->users[0].serial) &&
           adi_sim_free_on(queue->as_queue.engine, buffer->memory) == 0;
}

/* false: it stays until it has been freed. */
static bool give_back(struct metal_object *object) {
    struct metal_buffer *buffer = &object->as_buffer;
    if (buffer->n_users == 0) adi_sim_free(buffer->memory);
    if (buffer->n_users == 0 || free_in_order(buffer)) return true;
    if (mark(object)) return false;
    free_now(object);
    return true;
}

void metal_end_buffer(struct metal_object *object) {
    if (object->as_buffer.memory == NULL) return;
    unsigned before = metal_act_as(object->maker);
    object->stays = !give_back(object);
    metal_act_as(before);
    if (!object->stays) return;
    object->next = graves;
    graves = object;
}

/* ---- a device's messages ---- */

id metal_new_buffer(id self, SEL selector, unsigned long bytes, unsigned long options);
id metal_new_buffer_of(id self, SEL selector, const void *from, unsigned long bytes,
                       unsigned long options);

static struct metal_object *make(struct metal_object *device, size_t bytes, uint64_t options) {
    if (bytes == 0 || STORAGE_OF(options) >= MEMORYLESS) return NULL;
    metal_sweep();
    struct metal_object *made = metal_make(METAL_BUFFER, device);
    if (made == NULL) return NULL;
    struct metal_buffer *buffer = &made->as_buffer;
    buffer->bytes = bytes;
    buffer->options = options;
    enum adi_sim_memory memory = is_private(buffer) ? ADI_SIM_DEVICE : ADI_SIM_MANAGED;
    if (adi_sim_alloc(device->as_device.context, memory, bytes, &buffer->memory) == 0) return made;
    metal_drop(made, metal_party());
    return NULL;
}

id metal_new_buffer(id self, SEL selector, unsigned long bytes, unsigned long options) {
    (void)selector;
    if (!metal_begin("[MTLDevice newBufferWithLength:options:]")) return NULL;
    struct metal_object *made = make(self, bytes, options);
    metal_end();
    return made;
}

id metal_new_buffer_of(id self, SEL selector, const void *from, unsigned long bytes,
                       unsigned long options) {
    (void)selector;
    bool sense = from != NULL && STORAGE_OF(options) != PRIVATE;
    if (!metal_begin("[MTLDevice newBufferWithBytes:length:options:]")) return NULL;
    struct metal_object *made = sense ? make(self, bytes, options) : NULL;
    metal_end();
    if (made != NULL) memcpy(made->as_buffer.memory, from, bytes);
    return made;
}

/* ---- a buffer's ---- */

static unsigned long length(id self, SEL selector) {
    (void)selector;
    return self->as_buffer.bytes;
}

static void *contents(id self, SEL selector) {
    (void)selector;
    return is_private(&self->as_buffer) ? NULL : self->as_buffer.memory;
}

static unsigned long storage_mode(id self, SEL selector) {
    (void)selector;
    return STORAGE_OF(self->as_buffer.options);
}

static unsigned long resource_options(id self, SEL selector) {
    (void)selector;
    return self->as_buffer.options;
}

static uint64_t gpu_address(id self, SEL selector) {
    (void)selector;
    return (uintptr_t)self->as_buffer.memory;
}

const struct metal_method metal_buffer_methods[] = {
    METHOD("length", length, "L@:"),
    METHOD("contents", contents, "^v@:"),
    METHOD("storageMode", storage_mode, "L@:"),
    METHOD("resourceOptions", resource_options, "L@:"),
    METHOD("gpuAddress", gpu_address, "Q@:"),
    METHODS_END,
};
