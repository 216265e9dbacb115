/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicates of rules/array.def about the buffers of any layout: that they are there, large
 * enough and aligned, and the nulls.
 */
#include <string.h>

#include "node.h"
#include "predicates.h"

/* CD-046, CD-048: the type says how many buffers an array has; children have their own. */
/* CD-047: a view array has one more than the columnar format says, for lengths. */
bool adi_holds_array_buffer_count(const struct adi_node *node, struct adi_found *finding) {
    int64_t seen = node->array.n_buffers;
    if (!node->type_known && seen >= 0) return adi_not_applicable(finding);
    int64_t wanted = node->type_known ? adi_type_buffers(&node->type) : 0;
    bool at_least = !node->type_known || node->type.layout == ADI_LAYOUT_VIEW;
    if (seen == wanted || (at_least && seen > wanted)) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text,
                   adi_words("%" PRId64 "%s", wanted, at_least ? " or more" : "").text,
                   "%s is %" PRId64 " in an array of type %s", adi_at(node, "n_buffers").text, seen,
                   node->type_known ? node->type.name : "unknown");
}

/* CD-049, CD-051: there is an array of n_buffers pointers. */
bool adi_holds_array_buffers_present(const struct adi_node *node, struct adi_found *finding) {
    if (node->array.n_buffers <= 0) return adi_not_applicable(finding);
    if (!adi_unreadable_by_fault(node->buffers_unreadable)) return true;
    return adi_see(finding, adi_pointer(node->array.buffers).text,
                   adi_words("%" PRId64 " pointers", node->array.n_buffers).text,
                   "%s %s, n_buffers is %" PRId64, adi_at(node, "buffers").text,
                   adi_unreadable_text(node->buffers_unreadable), node->array.n_buffers);
}

/* CD-055, CD-056, CD-057: only a bitmap without nulls, or a buffer of 0 bytes, may be NULL. */
/* A null count of -1 beside a NULL bitmap means that there are none (docs/ambiguities.md). */
bool adi_holds_array_buffer_null(const struct adi_node *node, struct adi_found *finding) {
    if (!adi_buffers_counted(node) || node->n_buffers == 0) return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_buffers; i++) {
        const struct adi_bytes *bytes = &node->buffers[i];
        if (bytes->buffer != NULL) continue;
        enum adi_buffer_role role = adi_type_role(&node->type, i, node->n_buffers);
        if (role == ADI_BUFFER_VALIDITY && node->array.null_count > 0)
            return adi_see(finding, "NULL", "a bitmap",
                           "%s, the bitmap, is NULL, but null_count is %" PRId64,
                           adi_at(node, "buffers[%" PRId64 "]", i).text, node->array.null_count);
        if (bytes->size > 0)
            return adi_see(finding, "NULL", adi_words("%" PRId64 " bytes", bytes->size).text,
                           "%s is NULL, the array needs %" PRId64 " bytes of %s",
                           adi_at(node, "buffers[%" PRId64 "]", i).text, bytes->size,
                           adi_buffer_role_name(role));
    }
    return true;
}

/* CD-057: offsets of an empty array are not of 0 bytes: they have one entry. */
bool adi_holds_array_offsets_given(const struct adi_node *node, struct adi_found *finding) {
    if (!adi_buffers_counted(node) || adi_end(node) > 0) return adi_not_applicable(finding);
    if (node->type.layout != ADI_LAYOUT_BINARY && node->type.layout != ADI_LAYOUT_LIST)
        return adi_not_applicable(finding);
    if (node->buffers[1].buffer != NULL) return true;
    return adi_see(finding, "NULL", "one offset, 0", "%s is NULL in an array of length 0",
                   adi_at(node, "buffers[1]").text);
}

/* Of some types the documents say so; of what else there is, only its device knows. */
static bool is_address(const struct adi_node *node, const void *buffer) {
    while (node->parent != NULL) node = node->parent;
    ArrowDeviceType type = node->device_array->device_type;
    struct adi_device *device = node->device;
    if (adi_device_type_of(type)->buffer == ADI_BUFFER_IS_ADDRESS) return true;
    if (device == NULL || device->ops->type != type) return false;
    return ADI_DEVICE_HAS(device->ops, is_address) && device->ops->is_address(device, buffer);
}

/* The widest primitive that the type is made of; 8 bytes at most. */
static uintptr_t alignment(const struct adi_node *node, enum adi_buffer_role role) {
    int64_t bits = node->type.bits;
    switch (role) {
    case ADI_BUFFER_OFFSETS:
    case ADI_BUFFER_SIZES:
        return node->type.layout == ADI_LAYOUT_DENSE_UNION ? sizeof(int32_t) : (uintptr_t)bits / 8;
    case ADI_BUFFER_VIEWS:
        return sizeof(int32_t);
    case ADI_BUFFER_VARIADIC_LENGTHS:
        return sizeof(int64_t);
    case ADI_BUFFER_VALUES:
        if (bits < 8 || strcmp(node->type.name, "fixed_size_binary") == 0) return 1;
        if (strcmp(node->type.name, "interval_day_time") == 0) return sizeof(int32_t);
        return bits > 64 ? sizeof(int64_t) : (uintptr_t)bits / 8;
    default:
        return 1;
    }
}

/* CD-053: buffers should be aligned to the primitive type that they hold. */
bool adi_holds_array_buffer_aligned(const struct adi_node *node, struct adi_found *finding) {
    bool any = false;
    if (!adi_buffers_counted(node)) return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_buffers; i++) {
        enum adi_buffer_role role = adi_type_role(&node->type, i, node->n_buffers);
        uintptr_t wanted = alignment(node, role), seen = (uintptr_t)node->buffers[i].buffer;
        bool address = is_address(node, node->buffers[i].buffer);
        any = any || address;
        if (!address || node->buffers[i].size == 0 || seen % wanted == 0) continue;
        return adi_see(finding, adi_words("0x%" PRIxPTR, seen).text,
                       adi_words("a multiple of %" PRIuPTR, wanted).text,
                       "%s, %s of type %s, is not aligned",
                       adi_at(node, "buffers[%" PRId64 "]", i).text, adi_buffer_role_name(role),
                       node->type.name);
    }
    return any ? true : adi_not_applicable(finding);
}

/* CD-050, CD-052: a buffer is one piece of memory that holds length + offset values. */
bool adi_holds_array_buffer_large_enough(const struct adi_node *node, struct adi_found *finding) {
    bool looked = false;
    for (int64_t i = 0; i < node->n_buffers; i++) {
        const struct adi_bytes *bytes = &node->buffers[i];
        looked = looked || bytes->data != NULL;
        if (bytes->fault == NULL) continue;
        return adi_see(finding, bytes->fault, adi_words("%" PRId64 " bytes", bytes->size).text,
                       "%s, %s, has no %" PRId64 " readable bytes",
                       adi_at(node, "buffers[%" PRId64 "]", i).text,
                       adi_buffer_role_name(adi_type_role(&node->type, i, node->n_buffers)),
                       bytes->size);
    }
    return looked ? true : adi_not_applicable(finding);
}

/* Of an array with a bitmap: -1 where it was not read. */
static int64_t count_nulls(const struct adi_node *node) {
    if (node->buffers[0].buffer == NULL) return 0;
    if (!adi_buffer_read(node, 0)) return -1;
    int64_t nulls = 0;
    for (int64_t i = node->array.offset; i < adi_end(node); i++)
        nulls += !adi_value_is_valid(node, i);
    return nulls;
}

/* CD-040: a null count that is not -1 is the number of nulls. */
/* How many nulls a union or a run-end encoded array has is left to its producer: it has no bitmap
 * to count in. */
bool adi_holds_array_null_count_true(const struct adi_node *node, struct adi_found *finding) {
    int64_t seen = node->array.null_count, wanted = -1;
    if (!adi_buffers_counted(node) || seen == -1) return adi_not_applicable(finding);
    if (node->type.layout == ADI_LAYOUT_NULL) wanted = node->array.length;
    if (adi_has_bitmap(node)) wanted = count_nulls(node);
    if (wanted == -1) return adi_not_applicable(finding);
    if (seen == wanted) return true;
    return adi_see(finding, adi_words("%" PRId64, seen).text, adi_words("%" PRId64, wanted).text,
                   "%s is %" PRId64 ", the array has %" PRId64 " nulls",
                   adi_at(node, "null_count").text, seen, wanted);
}

/* CD-025: the flag says whether a field may have nulls. */
/* Of a dictionary no field says whether it may hold nulls; an array of type null does nothing else.
 */
bool adi_holds_array_nulls_allowed(const struct adi_node *node, struct adi_found *finding) {
    if (!node->type_known || node->is_dictionary || node->type.layout == ADI_LAYOUT_NULL ||
        (node->schema.flags & ARROW_FLAG_NULLABLE) != 0)
        return adi_not_applicable(finding);
    if (node->array.null_count <= 0) return true;
    return adi_see(finding, adi_words("%" PRId64, node->array.null_count).text,
                   "0, or ARROW_FLAG_NULLABLE", "%s is %" PRId64 " in a field that is not nullable",
                   adi_at(node, "null_count").text, node->array.null_count);
}
