/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicates of rules/array.def that look at the structures, and those of device.def, sync.def
 * and life.def.
 */
#include <errno.h>
#include <stddef.h>

#include "node.h"
#include "predicates.h"

/* CD-042: the offset is written, as is every other member, also where it is 0. */
/* A pointer to no elements may be anything; so may private_data. */
bool adi_holds_array_written(const struct adi_node *node, struct adi_found *finding) {
    static const struct {
        const char *name;
        size_t at, bytes;
    } members[] = {
#define MEMBER(name)                                                                               \
    {#name, offsetof(struct ArrowDeviceArray, name), sizeof((struct ArrowDeviceArray *)0)->name}
        MEMBER(array.length),    MEMBER(array.null_count), MEMBER(array.offset),
        MEMBER(array.n_buffers), MEMBER(array.n_children), MEMBER(array.buffers),
        MEMBER(array.children),  MEMBER(array.dictionary), MEMBER(array.release),
        MEMBER(device_id),       MEMBER(device_type),      MEMBER(sync_event),
#undef MEMBER
    };
    if (node->device_array == NULL || node->array.release == NULL)
        return adi_not_applicable(finding);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        size_t at = members[i].at;
        bool empty = (at == offsetof(struct ArrowArray, buffers) && node->array.n_buffers == 0) ||
                     (at == offsetof(struct ArrowArray, children) && node->array.n_children == 0);
        if (!empty && adi_poisoned((const char *)node->device_array + at, members[i].bytes))
            return adi_see(finding, "the pattern from before the call", "a value of the producer",
                           "%s was not written", members[i].name);
    }
    return true;
}

/* CD-063: every array structure has a release callback. */
bool adi_holds_array_release_set(const struct adi_node *node, struct adi_found *finding) {
    if (node->array_unreadable != ADI_COPIED)
        return adi_see(finding, NULL, "an array", "the array %s",
                       adi_unreadable_text(node->array_unreadable));
    if (node->array.release != NULL) return true;
    return adi_see(finding, "NULL", "a callback", "%s is NULL", adi_at(node, "release").text);
}

/* DV-018: the producer zeroes the reserved bytes. */
bool adi_holds_array_reserved_zero(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL) return adi_not_applicable(finding);
    const unsigned char *bytes = (const unsigned char *)node->device_array->reserved;
    char hex[2 * sizeof node->device_array->reserved + 1] = "";
    bool zero = true;
    for (size_t i = 0; i < sizeof node->device_array->reserved; i++) {
        zero = zero && bytes[i] == 0;
        hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    if (zero) return true;
    return adi_see(finding, hex, "24 zero bytes", "reserved is not zero");
}

/* CD-039: the length is a number of items. */
bool adi_holds_array_length_sane(const struct adi_node *node, struct adi_found *finding) {
    int64_t end, length = node->array.length, offset = node->array.offset;
    bool overflows = length >= 0 && offset >= 0 && __builtin_add_overflow(length, offset, &end);
    if (length >= 0 && !overflows) return true;
    return adi_see(finding, adi_words("%" PRId64, length).text,
                   "0 or more, and an int64 with offset", "%s is %" PRId64 ", offset is %" PRId64,
                   adi_at(node, "length").text, length, offset);
}

/* CD-043: the offset is 0 or positive. */
bool adi_holds_array_offset_sane(const struct adi_node *node, struct adi_found *finding) {
    if (node->array.offset >= 0) return true;
    return adi_see(finding, adi_words("%" PRId64, node->array.offset).text, "0 or more",
                   "%s is %" PRId64, adi_at(node, "offset").text, node->array.offset);
}

/* CD-040, CD-041: the null count is a number of items of the array, or -1. */
bool adi_holds_array_null_count_range(const struct adi_node *node, struct adi_found *finding) {
    int64_t seen = node->array.null_count, length = node->array.length;
    if (length < 0) return adi_not_applicable(finding);
    if (seen >= -1 && seen <= length) return true;
    return adi_see(
        finding, adi_words("%" PRId64, seen).text, adi_words("-1 to %" PRId64, length).text,
        "%s is %" PRId64 ", length is %" PRId64, adi_at(node, "null_count").text, seen, length);
}

/* CD-038, CD-058: the schema, which is known, says how many children an array has. */
/* CD-069: an extension array is exported as its storage. */
bool adi_holds_array_child_count(const struct adi_node *node, struct adi_found *finding) {
    int64_t seen = node->array.n_children, wanted = node->schema.n_children;
    if (!node->type_known || adi_unreadable_by_fault(node->schema_children_unreadable))
        return adi_not_applicable(finding);
    if (seen == wanted) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text, adi_words("%" PRId64, wanted).text,
                   "%s is %" PRId64 ", the schema's is %" PRId64, adi_at(node, "n_children").text,
                   seen, wanted);
}

/* CD-060: `children` may be NULL only if there are none. */
bool adi_holds_array_children_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->array.n_children <= 0) return adi_not_applicable(finding);
    if (!adi_unreadable_by_fault(node->array_children_unreadable)) return true;
    return adi_see(finding, adi_pointer(node->array.children).text,
                   adi_words("%" PRId64 " pointers", node->array.n_children).text,
                   "%s %s, n_children is %" PRId64, adi_at(node, "children").text,
                   adi_unreadable_text(node->array_children_unreadable), node->array.n_children);
}

/* CD-059: there are n_children pointers, each to an array. */
bool adi_holds_array_child_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->n_children == 0) return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_children; i++) {
        const struct adi_node *child = node->children[i];
        if (!adi_unreadable_by_fault(child->array_unreadable)) continue;
        return adi_see(finding, adi_pointer(child->array_at).text, "a child structure", "%s %s",
                       adi_at(child, "%s", "").text, adi_unreadable_text(child->array_unreadable));
    }
    return true;
}

/* CD-061: a dictionary-encoded array has a dictionary. */
bool adi_holds_array_dictionary_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.dictionary == NULL) return adi_not_applicable(finding);
    enum adi_unreadable unreadable =
        node->dictionary == NULL ? ADI_NULL : node->dictionary->array_unreadable;
    if (!adi_unreadable_by_fault(unreadable)) return true;
    return adi_see(finding, adi_pointer(node->array.dictionary).text,
                   "the array of the dictionary's values", "%s %s, the schema has a dictionary",
                   adi_at(node, "dictionary").text, adi_unreadable_text(unreadable));
}

/* CD-062: an array that is not dictionary-encoded has none. */
bool adi_holds_array_dictionary_absent(const struct adi_node *node, struct adi_found *finding) {
    if (node->schema.dictionary != NULL || node->schema_unreadable != ADI_COPIED)
        return adi_not_applicable(finding);
    if (node->array.dictionary == NULL) return true;
    return adi_see(finding, adi_pointer(node->array.dictionary).text, "NULL",
                   "%s is not NULL, the schema has no dictionary", adi_at(node, "dictionary").text);
}

/* DV-003: the device types are those that the document has macros for. */
bool adi_holds_device_type_known(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL) return adi_not_applicable(finding);
    ArrowDeviceType seen = node->device_array->device_type;
    if (adi_device_type_find(seen) != NULL) return true;
    return adi_see(finding, adi_words("%" PRId32, seen).text, "1 to 4, or 7 to 16",
                   "device_type is %" PRId32 ", which no macro has", seen);
}

/* DV-013: the type is that of the device which can access the buffers. */
/* DV-002: device type and id together say where the buffers are. */
bool adi_holds_device_type_true(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || node->device == NULL) return adi_not_applicable(finding);
    ArrowDeviceType seen = node->device_array->device_type, wanted = node->device->ops->type;
    if (seen == wanted) return true;
    /* The CPU can access all buffers of what has none (ambiguity 38). */
    if (adi_device_type_is_cpu(seen) && !adi_holds_bytes(node)) return adi_not_applicable(finding);
    return adi_see(finding, adi_words("%" PRId32, seen).text, adi_words("%" PRId32, wanted).text,
                   "device_type is %" PRId32 " (%s), the array was asked for on %s", seen,
                   adi_device_type_name(seen), node->device->ops->name);
}

/* DV-010: the id tells one device of the type from another. */
bool adi_holds_device_id_true(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || node->device == NULL) return adi_not_applicable(finding);
    const struct adi_device_type *type = adi_device_type_find(node->device_array->device_type);
    if (type == NULL || type->ids != ADI_IDS_EXACT) return adi_not_applicable(finding);
    int64_t seen = node->device_array->device_id, wanted = node->device->id;
    if (seen == wanted) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text, adi_words("%" PRId64, wanted).text,
                   "device_id is %" PRId64 ", the array was asked for on %s:%" PRId64, seen,
                   node->device->ops->name, wanted);
}

/* DV-011: the recommended id of a CPU array is -1. */
bool adi_holds_device_cpu_id(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || !adi_device_type_is_cpu(node->device_array->device_type))
        return adi_not_applicable(finding);
    int64_t seen = node->device_array->device_id;
    if (seen == -1 || seen == 0) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text, "-1",
                   "device_id of a CPU array is %" PRId64, seen);
}

/* DV-019: where the device type has no event, sync_event is NULL. */
bool adi_holds_sync_event_absent(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || adi_device_type_has_event(node->device_array->device_type))
        return adi_not_applicable(finding);
    if (node->device_array->sync_event == NULL) return true;
    return adi_see(finding, adi_pointer(node->device_array->sync_event).text, "NULL",
                   "sync_event is not NULL on %s, which has no event type",
                   adi_device_type_name(node->device_array->device_type));
}

/* DV-021: an event is of the type that the document's table has for the device type. */
bool adi_holds_sync_event_valid(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || node->device_array->sync_event == NULL ||
        node->device == NULL || !adi_device_type_has_event(node->device_array->device_type))
        return adi_not_applicable(finding);
    if (node->waited != EINVAL) return true;
    return adi_see(finding, node->wait_error,
                   adi_device_type_of(node->device->ops->type)->event_type,
                   "sync_event cannot be waited on");
}

/* DV-015: an event is there to be waited on, so a wait for it ends. */
bool adi_holds_sync_event_completes(const struct adi_node *node, struct adi_found *finding) {
    if (node->device_array == NULL || node->device_array->sync_event == NULL ||
        node->device == NULL || !adi_device_type_has_event(node->device_array->device_type))
        return adi_not_applicable(finding);
    if (node->waited != ETIMEDOUT && node->waited != EIO) return true;
    return adi_see(finding, node->wait_error, "a complete event", "sync_event never completes");
}

/* DV-007: buffer values are pointers, or handles, of the device. */
bool adi_holds_device_buffers_accessible(const struct adi_node *node, struct adi_found *finding) {
    const struct adi_node *root = node;
    while (root->parent != NULL) root = root->parent;
    if (node->device == NULL || !ADI_DEVICE_HAS(node->device->ops, accessible) ||
        root->device_array->device_type != node->device->ops->type || !adi_buffers_counted(node) ||
        node->n_buffers == 0)
        return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_buffers; i++) {
        struct adi_error why = {""};
        const void *buffer = node->buffers[i].buffer;
        enum adi_buffer_role role = adi_type_role(&node->type, i, node->n_buffers);
        if (buffer == NULL || node->buffers[i].size == 0 || role == ADI_BUFFER_VARIADIC_LENGTHS ||
            node->device->ops->accessible(node->device, buffer, &why))
            continue;
        return adi_see(finding, why.text, "a buffer of the device",
                       "%s:%" PRId64 " does not reach %s", node->device->ops->name,
                       node->device->id, adi_at(node, "buffers[%" PRId64 "]", i).text);
    }
    return true;
}

static const char *pointing_inside(const struct adi_node *node) {
    const struct ArrowSchema *s = &node->schema;
    const struct ArrowArray *a = &node->array;
    const struct {
        const char *name;
        const void *pointer;
    } of_array[] = {{"buffers", a->buffers},
                    {"children", a->children},
                    {"dictionary", a->dictionary},
                    {"private_data", a->private_data},
                    {"sync_event",
                     node->device_array == NULL ? NULL : node->device_array->sync_event}},
      of_schema[] = {{"format", s->format},         {"name", s->name},
                     {"metadata", s->metadata},     {"children", s->children},
                     {"dictionary", s->dictionary}, {"private_data", s->private_data}};
    size_t count = sizeof of_schema / sizeof *of_schema, bytes = sizeof *s;
    uintptr_t from = (uintptr_t)node->schema_at;
    if (node->has_array) {
        count = sizeof of_array / sizeof *of_array;
        bytes = node->device_array == NULL ? sizeof *a : sizeof *node->device_array;
        from = (uintptr_t)node->array_at;
    }
    for (size_t i = 0; i < count; i++) {
        uintptr_t at = (uintptr_t)(node->has_array ? of_array[i].pointer : of_schema[i].pointer);
        if (at != 0 && at >= from && at - from < bytes)
            return node->has_array ? of_array[i].name : of_schema[i].name;
    }
    return NULL;
}

/* CD-094: no pointer of a structure, private_data included, points into the structure. */
bool adi_holds_life_points_outside(const struct adi_node *node, struct adi_found *finding) {
    const char *member = pointing_inside(node);
    if (member == NULL) return true;
    return adi_see(finding, "an address within the structure", "an address outside of it",
                   "%s points into its own structure, which may be moved",
                   adi_at(node, "%s", member).text);
}
