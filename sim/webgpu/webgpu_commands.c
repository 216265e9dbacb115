/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands are kept until they are submitted, and so are the buffers that they use.
 */
#include <errno.h>
#include <stdlib.h>

#include "webgpu.h"

#define COPY_SRC 4
#define COPY_DST 8

struct webgpu_command {
    struct webgpu_object *from, *to; /* from NULL: it is cleared */
    uint64_t from_offset, to_offset, size;
};

static void drop(struct webgpu_object *list) {
    for (size_t i = 0; i < list->list.n; i++) {
        if (list->list.commands[i].from != NULL) webgpu_let(list->list.commands[i].from);
        webgpu_let(list->list.commands[i].to);
    }
    free(list->list.commands);
    list->list.commands = NULL;
    list->list.n = list->list.room = 0;
}

static const struct webgpu_class encoders = {WEBGPU_ENCODER, drop, NULL},
                                 lists = {WEBGPU_COMMANDS, drop, NULL};

static void *new_list(const struct webgpu_class *class, struct webgpu_object *device) {
    struct webgpu_object *made = webgpu_object_new(class, device, NULL);
    return made == NULL ? NULL : made->handle;
}

void *webgpu_encoder_create(const char *name, void *handle) {
    void *made = NULL;
    if (!webgpu_begin(name, false)) return NULL;
    struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL) made = new_list(&encoders, device);
    webgpu_end();
    return made;
}

/* ---- encoding ---- */

/* As WebGPU has it an encoder that was used wrongly says so when it is finished. */
static void spoil(struct webgpu_object *encoder, const char *why) {
    if (encoder->list.wrong == NULL) encoder->list.wrong = why;
}

static void append(struct webgpu_object *encoder, struct webgpu_command command) {
    if (encoder->list.n == encoder->list.room) {
        size_t room = encoder->list.room * 2 + 4;
        void *grown = realloc(encoder->list.commands, room * sizeof command);
        if (grown == NULL) return;
        encoder->list.commands = grown;
        encoder->list.room = room;
    }
    encoder->list.commands[encoder->list.n++] = command;
    if (command.from != NULL) webgpu_hold(command.from);
    webgpu_hold(command.to);
}

static void encode(struct webgpu_object *encoder, struct webgpu_command command) {
    const struct webgpu_object *device = encoder->parent;
    const char *why = NULL;
    if (encoder->list.is_over) why = "the encoder is finished";
    if (why == NULL && command.from == command.to) why = "a buffer is copied within itself";
    if (why == NULL && command.from != NULL)
        why = webgpu_buffer_refuses(device, command.from, COPY_SRC, command.from_offset,
                                    command.size);
    if (why == NULL)
        why = webgpu_buffer_refuses(device, command.to, COPY_DST, command.to_offset, command.size);
    if (why != NULL)
        spoil(encoder, why);
    else
        append(encoder, command);
}

void webgpu_encode_copy(const char *name, void *encoder, void *from, uint64_t from_offset, void *to,
                        uint64_t to_offset, uint64_t size) {
    if (!webgpu_begin(name, false)) return;
    struct webgpu_object *list = webgpu_find(WEBGPU_ENCODER, encoder);
    struct webgpu_object *source = list == NULL ? NULL : webgpu_find(WEBGPU_BUFFER, from);
    struct webgpu_object *target = source == NULL ? NULL : webgpu_find(WEBGPU_BUFFER, to);
    if (target != NULL)
        encode(list, (struct webgpu_command){source, target, from_offset, to_offset, size});
    else if (list != NULL)
        spoil(list, "no buffer");
    webgpu_end();
}

void webgpu_encode_clear(const char *name, void *encoder, void *buffer, uint64_t offset,
                         uint64_t size) {
    if (!webgpu_begin(name, false)) return;
    struct webgpu_object *list = webgpu_find(WEBGPU_ENCODER, encoder);
    struct webgpu_object *target = list == NULL ? NULL : webgpu_find(WEBGPU_BUFFER, buffer);
    if (target != NULL && size == UINT64_MAX && offset <= target->buffer.size)
        size = target->buffer.size - offset;
    if (target != NULL)
        encode(list, (struct webgpu_command){NULL, target, 0, offset, size});
    else if (list != NULL)
        spoil(list, "no buffer");
    webgpu_end();
}

void *webgpu_encoder_finish(const char *name, void *handle) {
    void *made = NULL;
    if (!webgpu_begin(name, false)) return NULL;
    struct webgpu_object *encoder = webgpu_find(WEBGPU_ENCODER, handle);
    if (encoder != NULL && encoder->list.is_over) spoil(encoder, "the encoder is finished");
    if (encoder != NULL) made = new_list(&lists, encoder->parent);
    if (made != NULL) {
        struct webgpu_object *list = webgpu_find(WEBGPU_COMMANDS, made);
        if (encoder->list.wrong != NULL)
            webgpu_fail(encoder->parent, WEBGPU_VALIDATION, "%s: %s", name, encoder->list.wrong);
        list->list = encoder->list;
        list->list.is_over = false;
        encoder->list.is_over = true;
        encoder->list.commands = NULL;
        encoder->list.n = encoder->list.room = 0;
    }
    webgpu_end();
    return made;
}

/* ---- submitting ---- */

static bool is_usable(const struct webgpu_object *buffer) {
    if (buffer->buffer.is_destroyed) adi_sim_whole(buffer->handle, true);
    return !buffer->buffer.is_destroyed && buffer->buffer.map == WEBGPU_UNMAPPED;
}

/* Why it cannot be submitted; NULL: it can. */
static const char *refuse(const struct webgpu_object *device, const struct webgpu_object *list) {
    if (list->parent != device) return "commands of another device";
    if (list->list.is_over) return "commands that were submitted";
    if (list->list.wrong != NULL) return "invalid commands";
    for (size_t i = 0; i < list->list.n; i++) {
        const struct webgpu_command *command = &list->list.commands[i];
        if (!is_usable(command->to) || (command->from != NULL && !is_usable(command->from)))
            return "a buffer that is destroyed or mapped";
    }
    return NULL;
}

static int run(const struct webgpu_object *device, const struct webgpu_command *command) {
    char *to = (char *)command->to->handle + command->to_offset;
    if (command->size == 0) return 0;
    if (command->from == NULL)
        return adi_sim_fill(device->device.queue, to, 0, 4, command->size / 4);
    return adi_sim_copy(device->device.queue, to,
                        (const char *)command->from->handle + command->from_offset, command->size,
                        ADI_SIM_TO_ALLOCATION | ADI_SIM_FROM_ALLOCATION);
}

static void submit(const char *name, struct webgpu_object *device, size_t n,
                   void *const *commands) {
    const char *why = device->device.is_lost ? "the device is lost" : NULL;
    for (size_t i = 0; i < n && why == NULL; i++) {
        const struct webgpu_object *list = webgpu_find(WEBGPU_COMMANDS, commands[i]);
        why = list == NULL ? "no commands" : refuse(device, list);
    }
    if (why != NULL) {
        webgpu_fail(device, WEBGPU_VALIDATION, "%s: %s", name, why);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct webgpu_object *list = webgpu_find(WEBGPU_COMMANDS, commands[i]);
        int code = 0;
        for (size_t at = 0; at < list->list.n && code == 0; at++)
            code = run(device, &list->list.commands[at]);
        list->list.is_over = true;
        drop(list);
        if (code != 0) webgpu_fail_by(device, code, name);
    }
}

void webgpu_queue_submit(const char *name, void *handle, size_t n, void *const *commands) {
    if (!webgpu_begin(name, false)) return;
    const struct webgpu_object *queue = webgpu_find(WEBGPU_QUEUE, handle);
    if (queue != NULL) submit(name, queue->parent, n, commands);
    webgpu_end();
}

void webgpu_queue_write(const char *name, void *handle, void *buffer, uint64_t offset,
                        const void *data, size_t size) {
    if (!webgpu_begin(name, false)) return;
    const struct webgpu_object *queue = webgpu_find(WEBGPU_QUEUE, handle);
    struct webgpu_object *target = queue == NULL ? NULL : webgpu_find(WEBGPU_BUFFER, buffer);
    if (target != NULL) {
        struct webgpu_object *device = queue->parent;
        const char *why = webgpu_buffer_refuses(device, target, COPY_DST, offset, size);
        if (why == NULL && !is_usable(target)) why = "a buffer that is destroyed or mapped";
        int code = 0;
        if (why == NULL && size > 0)
            code = adi_sim_copy(device->device.queue, (char *)target->handle + offset, data, size,
                                ADI_SIM_TO_ALLOCATION);
        if (why != NULL) webgpu_fail(device, WEBGPU_VALIDATION, "%s: %s", name, why);
        if (code != 0) webgpu_fail_by(device, code, name);
    }
    webgpu_end();
}
