/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicates of rules/array.def about what buffers hold: offsets, views, text and indices.
 * Slots are counted from the start of the buffers.
 */
#include <string.h>

#include "node.h"
#include "predicates.h"

/* The array's layout is `layout`, has slots, and its buffer `index` was read. */
static bool can_look(const struct adi_node *node, enum adi_layout layout, int64_t index) {
    return adi_buffers_counted(node) && node->type.layout == layout && node->array.length > 0 &&
           node->buffers[index].data != NULL;
}

bool adi_holds_array_offsets_increase(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_BINARY, 1) && !can_look(node, ADI_LAYOUT_LIST, 1))
        return adi_not_applicable(finding);
    int64_t before = 0;
    for (int64_t i = node->array.offset; i <= adi_end(node); i++) {
        int64_t now = adi_integer(&node->buffers[1], node->type.bits, i);
        if (now < before)
            return adi_see(finding, adi_words("%" PRId64, now).text,
                           adi_words("%" PRId64 " or more", before).text, "%s is %" PRId64 ", %s",
                           adi_at(node, "buffers[1][%" PRId64 "]", i).text, now,
                           now < 0 ? "an offset below 0" : "less than the offset before it");
        before = now;
    }
    return true;
}

/* CD-052: the values that the offsets refer to are in the child. */
bool adi_holds_array_offsets_in_child(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_LIST, 1) || node->n_children != 1 ||
        adi_array_of(node->children[0]) == NULL)
        return adi_not_applicable(finding);
    int64_t most = node->children[0]->array.length;
    int64_t last = adi_integer(&node->buffers[1], node->type.bits, adi_end(node));
    if (last <= most) return true;
    return adi_see(finding, adi_words("%" PRId64, last).text,
                   adi_words("%" PRId64 " or less", most).text,
                   "%s is %" PRId64 ", the child has %" PRId64 " values",
                   adi_at(node, "buffers[1][%" PRId64 "]", adi_end(node)).text, last, most);
}

bool adi_holds_array_list_views_in_child(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_LIST_VIEW, 1) || !can_look(node, ADI_LAYOUT_LIST_VIEW, 2) ||
        node->n_children != 1 || adi_array_of(node->children[0]) == NULL)
        return adi_not_applicable(finding);
    int64_t most = node->children[0]->array.length;
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        int64_t offset = adi_integer(&node->buffers[1], node->type.bits, i);
        int64_t size = adi_integer(&node->buffers[2], node->type.bits, i);
        if (offset >= 0 && size >= 0 && offset <= most && size <= most - offset) continue;
        return adi_see(finding, adi_words("offset %" PRId64 ", size %" PRId64, offset, size).text,
                       adi_words("within 0 to %" PRId64, most).text,
                       "%s begins at %" PRId64 " and has %" PRId64
                       " values, the child has %" PRId64,
                       adi_at(node, "view [%" PRId64 "]", i).text, offset, size, most);
    }
    return true;
}

/* CD-070: the last buffer of a view array has the lengths of the variadic ones, as int64. */
bool adi_holds_array_variadic_lengths(const struct adi_node *node, struct adi_found *finding) {
    if (!adi_buffers_counted(node) || node->type.layout != ADI_LAYOUT_VIEW)
        return adi_not_applicable(finding);
    const int64_t last = node->n_buffers - 1;
    const struct adi_bytes *lengths = &node->buffers[last];
    if (lengths->data == NULL) return adi_not_applicable(finding);
    for (int64_t i = 0; i < last - 2; i++) {
        int64_t length = adi_integer(lengths, 64, i);
        if (length >= 0) continue;
        return adi_see(finding, adi_words("%" PRId64, length).text, "0 or more",
                       "%s, the length of buffers[%" PRId64 "], is %" PRId64,
                       adi_at(node, "buffers[%" PRId64 "][%" PRId64 "]", last, i).text, i + 2,
                       length);
    }
    return true;
}

#define INLINE_MOST 12

struct view {
    int32_t length;
    union {
        uint8_t bytes[INLINE_MOST]; /* length <= 12 */
        struct {
            uint8_t prefix[4];
            int32_t index, offset;
        } far;
    } at;
};

/* The next slot from `*i` on that is not null. */
static bool next_view(const struct adi_node *node, int64_t *i, struct view *view) {
    while (*i < adi_end(node) && !adi_value_is_valid(node, *i)) ++*i;
    if (*i >= adi_end(node)) return false;
    memcpy(view, node->buffers[1].data + *i * (int64_t)sizeof *view, sizeof *view);
    return true;
}

/* The bytes of the variadic buffer `index`; -1: there is none, or it is not known. */
static int64_t variadic_length(const struct adi_node *node, int32_t index) {
    const struct adi_bytes *lengths = &node->buffers[node->n_buffers - 1];
    if (index < 0 || index >= node->n_buffers - 3 || lengths->data == NULL) return -1;
    return adi_integer(lengths, 64, index);
}

bool adi_holds_array_views_in_buffers(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_VIEW, 1) || !adi_buffer_read(node, node->n_buffers - 1))
        return adi_not_applicable(finding);
    struct view view;
    for (int64_t i = node->array.offset; next_view(node, &i, &view); i++) {
        if (view.length >= 0 && view.length <= INLINE_MOST) continue;
        if (view.length < 0)
            return adi_see(finding, adi_words("%" PRId32, view.length).text, "0 or more",
                           "%s has the length %" PRId32,
                           adi_at(node, "buffers[1][%" PRId64 "]", i).text, view.length);
        int64_t most = variadic_length(node, view.at.far.index);
        int64_t end = (int64_t)view.at.far.offset + view.length;
        if (most >= 0 && view.at.far.offset >= 0 && end <= most) continue;
        return adi_see(finding,
                       adi_words("variadic buffer %" PRId32 ", bytes %" PRId32 " to %" PRId64,
                                 view.at.far.index, view.at.far.offset, end)
                           .text,
                       most < 0 ? adi_words("an index below %" PRId64, node->n_buffers - 3).text
                                : adi_words("bytes 0 to %" PRId64, most).text,
                       "%s points outside of the variadic buffers",
                       adi_at(node, "buffers[1][%" PRId64 "]", i).text);
    }
    return true;
}

/* The bytes of a view that lies within its buffer, which was read; else NULL. */
static const uint8_t *far_bytes(const struct adi_node *node, const struct view *view) {
    int64_t most = variadic_length(node, view->at.far.index);
    if (view->at.far.offset < 0 || (int64_t)view->at.far.offset + view->length > most) return NULL;
    const struct adi_bytes *bytes = &node->buffers[view->at.far.index + 2];
    return bytes->data == NULL || bytes->size < most ? NULL : bytes->data + view->at.far.offset;
}

bool adi_holds_array_view_prefixes(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_VIEW, 1)) return adi_not_applicable(finding);
    struct view view;
    for (int64_t i = node->array.offset; next_view(node, &i, &view); i++) {
        const uint8_t *value = view.length > INLINE_MOST ? far_bytes(node, &view) : NULL;
        const uint8_t *prefix = view.at.far.prefix;
        if (value == NULL || memcmp(value, prefix, sizeof view.at.far.prefix) == 0) continue;
        return adi_see(
            finding,
            adi_words("%02x %02x %02x %02x", prefix[0], prefix[1], prefix[2], prefix[3]).text,
            adi_words("%02x %02x %02x %02x", value[0], value[1], value[2], value[3]).text,
            "%s has another prefix than its value",
            adi_at(node, "buffers[1][%" PRId64 "]", i).text);
    }
    return true;
}

bool adi_holds_array_view_padding(const struct adi_node *node, struct adi_found *finding) {
    if (!can_look(node, ADI_LAYOUT_VIEW, 1)) return adi_not_applicable(finding);
    struct view view;
    for (int64_t i = node->array.offset; next_view(node, &i, &view); i++)
        for (int32_t byte = view.length; byte >= 0 && byte < INLINE_MOST; byte++)
            if (view.at.bytes[byte] != 0)
                return adi_see(finding, adi_words("0x%02x", view.at.bytes[byte]).text, "0",
                               "%s, %" PRId32 " bytes long, is not padded with zeros",
                               adi_at(node, "buffers[1][%" PRId64 "]", i).text, view.length);
    return true;
}

/* The bytes of slot `i` of a binary array; NULL where the offsets are no range of the data. */
static const uint8_t *binary_bytes(const struct adi_node *node, int64_t i, int64_t *length) {
    int64_t from = adi_integer(&node->buffers[1], node->type.bits, i);
    int64_t to = adi_integer(&node->buffers[1], node->type.bits, i + 1);
    *length = to - from;
    if (from < 0 || to < from || to > node->buffers[2].size) return NULL;
    return node->buffers[2].data == NULL ? NULL : node->buffers[2].data + from;
}

static bool see_no_utf8(struct adi_found *finding, const struct adi_node *node, int64_t i,
                        const uint8_t *value, int64_t bad) {
    return adi_see(finding, adi_words("byte 0x%02x", value[bad]).text, "UTF-8",
                   "%s is no UTF-8 at byte %" PRId64, adi_at(node, "value [%" PRId64 "]", i).text,
                   bad);
}

static bool is_text(const struct adi_node *node) {
    static const char *const names[] = {"utf8", "large_utf8", "utf8_view"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (node->type_known && strcmp(node->type.name, names[i]) == 0) return true;
    return false;
}

static bool views_are_utf8(const struct adi_node *node, struct adi_found *finding) {
    struct view view;
    for (int64_t i = node->array.offset; next_view(node, &i, &view); i++) {
        const uint8_t *value = view.length > INLINE_MOST ? far_bytes(node, &view) : view.at.bytes;
        if (value == NULL || view.length < 0) continue;
        int64_t bad = adi_utf8_error(value, view.length);
        if (bad >= 0) return see_no_utf8(finding, node, i, value, bad);
    }
    return true;
}

bool adi_holds_array_text_utf8(const struct adi_node *node, struct adi_found *finding) {
    if (!is_text(node)) return adi_not_applicable(finding);
    if (can_look(node, ADI_LAYOUT_VIEW, 1)) return views_are_utf8(node, finding);
    if (!can_look(node, ADI_LAYOUT_BINARY, 1)) return adi_not_applicable(finding);
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        int64_t length;
        const uint8_t *value = binary_bytes(node, i, &length);
        if (value == NULL || !adi_value_is_valid(node, i)) continue;
        int64_t bad = adi_utf8_error(value, length);
        if (bad >= 0) return see_no_utf8(finding, node, i, value, bad);
    }
    return true;
}

/* An index above INT64_MAX comes out negative, which fits no dictionary either. */
static int64_t index_at(const struct adi_node *node, int64_t i) {
    int64_t index = adi_integer(&node->buffers[1], node->type.bits, i);
    if (node->type.is_signed || node->type.bits == 64) return index;
    return index & ((INT64_C(1) << node->type.bits) - 1);
}

/* CD-065: the buffer holds indices into the dictionary's values. */
bool adi_holds_array_indices_in_dictionary(const struct adi_node *node, struct adi_found *finding) {
    if (node->dictionary == NULL || adi_array_of(node->dictionary) == NULL ||
        !can_look(node, ADI_LAYOUT_FIXED, 1) || !node->type.is_integer)
        return adi_not_applicable(finding);
    int64_t most = node->dictionary->array.length;
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        int64_t index = index_at(node, i);
        if (!adi_value_is_valid(node, i) || (index >= 0 && index < most)) continue;
        return adi_see(finding, adi_words("%" PRId64, index).text,
                       adi_words("0 or more, below %" PRId64, most).text,
                       "%s is %" PRId64 ", the dictionary has %" PRId64 " values",
                       adi_at(node, "buffers[1][%" PRId64 "]", i).text, index, most);
    }
    return true;
}
