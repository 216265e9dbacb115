/* SPDX-License-Identifier: Apache-2.0
 *
 * What a watcher asks: also of commands that the engine does not have yet.
 */
#include "metal.h"

bool adi_metal_find(const void *value, struct adi_metal_found *out) {
    metal_lock();
    const struct metal_object *object = metal_around(value);
    bool is_event =
        object != NULL && (object->kind == METAL_EVENT || object->kind == METAL_SHARED_EVENT);
    bool found = object != NULL && !object->dead && (is_event || object->kind == METAL_BUFFER);
    if (found)
        *out = (struct adi_metal_found){
            .object = object,
            .memory = is_event ? NULL : object->as_buffer.memory,
            .event = is_event ? metal_engine_event(object) : NULL,
            .device = object->kind == METAL_SHARED_EVENT ? -1 : object->device->as_device.index,
            .is_signaled = is_event && object->as_event.n_signals > 0,
            .maker = object->maker,
            .given_up = object->held[object->maker] == 0,
        };
    if (found && !is_event && value != object) out->memory = value;
    metal_unlock();
    return found;
}

size_t adi_metal_references(unsigned party) {
    metal_lock();
    size_t n = party < ADI_SIM_PARTIES ? metal_references(party) : 0;
    metal_unlock();
    return n;
}

bool adi_metal_newest(unsigned party, char out[ADI_SIM_LABEL]) {
    const struct metal_object *newest = NULL;
    if (party >= ADI_SIM_PARTIES) return false;
    metal_lock();
    for (int kind = 0; kind < METAL_KINDS; kind++)
        for (const struct metal_object *at = metal_newest((enum metal_kind)kind); at != NULL;
             at = at->next)
            if (at->held[party] > 0 && (newest == NULL || at->serial > newest->serial)) newest = at;
    if (newest != NULL) metal_text_of(newest, out);
    metal_unlock();
    return newest != NULL;
}

/* ---- what is encoded ---- */

struct bytes {
    const struct metal_object *buffer;
    uint64_t from, end;
};

static bool overlaps(const struct bytes *asked, const struct metal_object *buffer, uint64_t offset,
                     uint64_t bytes) {
    return buffer == asked->buffer && offset < asked->end && asked->from < offset + bytes;
}

static bool uses(const struct metal_op *op, const struct bytes *asked, bool writes_only) {
    bool copies = op->step == METAL_COPY;
    if (!copies && op->step != METAL_FILL) return false;
    return overlaps(asked, op->to, op->to_offset, op->bytes) ||
           (copies && !writes_only && overlaps(asked, op->from, op->from_offset, op->bytes));
}

static bool any_uses(const struct metal_commands *commands, const struct bytes *asked,
                     bool writes_only) {
    bool found = false;
    for (uint32_t i = commands->next; i < commands->n && !found; i++)
        found = uses(&commands->ops[i], asked, writes_only);
    return found;
}

enum adi_metal_encoded adi_metal_encoded(unsigned party, const void *value, int64_t offset,
                                         int64_t bytes, bool writes_only) {
    enum adi_metal_encoded worst = ADI_METAL_NOT_ENCODED;
    metal_lock();
    struct bytes asked = {metal_around(value), 0, UINT64_MAX};
    if (asked.buffer != NULL && bytes >= 0) {
        uint64_t start = (uint64_t)((const char *)value - (const char *)asked.buffer);
        if (start != 0)
            start = (uint64_t)((const char *)value - (char *)asked.buffer->as_buffer.memory);
        asked.from = start + (uint64_t)offset;
        asked.end = asked.from + (uint64_t)bytes;
    }
    for (const struct metal_object *at = metal_newest(METAL_COMMANDS); at != NULL; at = at->next) {
        const struct metal_commands *commands = &at->as_commands;
        bool is_open = commands->state == METAL_OPEN;
        enum adi_metal_encoded is = is_open ? ADI_METAL_UNRUNNABLE : ADI_METAL_BLOCKED;
        if (at->maker == party && is > worst && any_uses(commands, &asked, writes_only)) worst = is;
    }
    metal_unlock();
    return worst;
}
