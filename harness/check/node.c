/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct adi_words adi_words(const char *format, ...) {
    struct adi_words words;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words.text, sizeof words.text, format, arguments);
    va_end(arguments);
    return words;
}

struct adi_words adi_pointer(const void *pointer) {
    return pointer == NULL ? adi_words("NULL") : adi_words("%p", pointer);
}

/* Written from its end, so that what is cut is the beginning. */
struct adi_words adi_at(const struct adi_node *node, const char *member, ...) {
    struct adi_words words, member_text;
    va_list arguments;
    va_start(arguments, member);
    vsnprintf(member_text.text, sizeof member_text.text, member, arguments);
    va_end(arguments);

    size_t at = sizeof words.text - 1;
    words.text[at] = '\0';
    const char *dot = "", *part = member_text.text;
    char step[64];
    for (;;) {
        size_t length = strlen(part), dot_length = *part == '\0' ? 0 : strlen(dot);
        if (length + dot_length + strlen("...") > at) {
            at -= strlen("...");
            memcpy(words.text + at, "...", strlen("..."));
            break;
        }
        at -= length + dot_length;
        memcpy(words.text + at, part, length);
        memcpy(words.text + at + length, dot, dot_length);
        if (*part != '\0') dot = ".";
        if (node->parent == NULL) break;
        if (node->is_dictionary)
            snprintf(step, sizeof step, "dictionary");
        else
            snprintf(step, sizeof step, "children[%" PRId64 "]", node->index);
        part = step;
        node = node->parent;
    }
    memmove(words.text, words.text + at, sizeof words.text - at);
    return words;
}

const char *adi_unreadable_text(enum adi_unreadable unreadable) {
    static const char *const of[] = {
        [ADI_COPIED] = "is there",
        [ADI_NULL] = "is NULL",
        [ADI_UNREADABLE] = "does not point to readable CPU memory",
        [ADI_CYCLIC] = "points to one of its own ancestors",
        [ADI_CUT] = "is too far into the tree to be looked at",
    };
    return of[unreadable];
}

bool adi_not_applicable(struct adi_found *finding) {
    finding->not_applicable = true;
    return true;
}

bool adi_unreadable_by_fault(enum adi_unreadable unreadable) {
    return unreadable != ADI_COPIED && unreadable != ADI_CUT;
}

bool adi_poisoned(const void *member, size_t bytes) {
    const unsigned char *byte = member;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != ADI_POISON_BYTE) return false;
    return true;
}

/* Bounds of the second byte, by the first: no overlong forms, no surrogates, nothing past U+10FFFF.
 */
static int64_t sequence(const unsigned char *text, int64_t left) {
    unsigned char lead = text[0], low = 0x80, high = 0xbf;
    if (lead < 0x80) return 1;
    int64_t length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4 || length > left) return 0;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    if (text[1] < low || text[1] > high) return 0;
    for (int64_t i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf) return 0;
    return length;
}

int64_t adi_utf8_error(const void *text, int64_t bytes) {
    const unsigned char *byte = text;
    for (int64_t at = 0; at < bytes;) {
        int64_t length = sequence(byte + at, bytes - at);
        if (length == 0) return at;
        at += length;
    }
    return -1;
}

const struct ArrowArray *adi_array_of(const struct adi_node *child) {
    bool usable = child->array_unreadable == ADI_COPIED && child->array.release != NULL;
    return usable && child->array.length >= 0 ? &child->array : NULL;
}

bool adi_buffers_counted(const struct adi_node *node) {
    int64_t end;
    if (!node->type_known || node->array_unreadable != ADI_COPIED || node->array.length < 0 ||
        node->array.offset < 0 ||
        __builtin_add_overflow(node->array.length, node->array.offset, &end))
        return false;
    int64_t wanted = adi_type_buffers(&node->type);
    return node->n_buffers == node->array.n_buffers &&
           (node->n_buffers == wanted ||
            (node->type.layout == ADI_LAYOUT_VIEW && node->n_buffers > wanted));
}

int64_t adi_end(const struct adi_node *node) {
    return node->array.length + node->array.offset;
}

bool adi_has_bitmap(const struct adi_node *node) {
    return adi_type_buffers(&node->type) > 0 &&
           adi_type_role(&node->type, 0, node->n_buffers) == ADI_BUFFER_VALIDITY;
}

bool adi_value_is_valid(const struct adi_node *node, int64_t i) {
    if (!adi_has_bitmap(node) || node->buffers[0].data == NULL) return true;
    return (node->buffers[0].data[i / 8] >> (i % 8) & 1) != 0;
}

bool adi_buffer_read(const struct adi_node *node, int64_t index) {
    const struct adi_bytes *bytes = &node->buffers[index];
    return bytes->size == 0 || bytes->data != NULL;
}

int64_t adi_bits_of_role(const struct adi_type *type, enum adi_buffer_role role) {
    switch (role) {
    case ADI_BUFFER_VALIDITY:
        return 1;
    case ADI_BUFFER_VALUES:
    case ADI_BUFFER_SIZES:
        return type->bits;
    case ADI_BUFFER_OFFSETS:
        return type->layout == ADI_LAYOUT_DENSE_UNION ? 32 : type->bits;
    case ADI_BUFFER_VIEWS:
        return 128;
    case ADI_BUFFER_TYPE_IDS:
        return 8;
    default:
        return 0;
    }
}

int64_t adi_buffer_begin(const struct adi_node *node, int64_t index) {
    if (!adi_buffers_counted(node) || node->buffers[index].size <= 0) return 0;
    enum adi_buffer_role role = adi_type_role(&node->type, index, node->n_buffers);
    const struct adi_bytes *offsets = &node->buffers[1];
    int64_t begin = node->array.offset * adi_bits_of_role(&node->type, role) / 8;
    if (role == ADI_BUFFER_DATA && offsets->data != NULL && node->array.length > 0)
        begin = adi_integer(offsets, node->type.bits, node->array.offset);
    return begin < 0 || begin > node->buffers[index].size ? 0 : begin;
}

const struct adi_bytes *adi_buffer_find(const struct adi_node *node, adi_buffer_fits *fits,
                                        void *context) {
    const struct adi_bytes *found = NULL;
    if (node == NULL) return NULL;
    for (int64_t i = 0; i < node->n_buffers; i++)
        if (fits(node, &node->buffers[i], context)) return &node->buffers[i];
    for (int64_t i = 0; i < node->n_children && found == NULL; i++)
        found = adi_buffer_find(node->children[i], fits, context);
    return found != NULL ? found : adi_buffer_find(node->dictionary, fits, context);
}

int64_t adi_integer(const struct adi_bytes *bytes, int64_t bits, int64_t i) {
    int64_t wide;
    int32_t word;
    int16_t half;
    const uint8_t *at = bytes->data + i * (bits / 8);
    switch (bits) {
    case 64:
        memcpy(&wide, at, sizeof wide);
        return wide;
    case 32:
        memcpy(&word, at, sizeof word);
        return word;
    case 16:
        memcpy(&half, at, sizeof half);
        return half;
    default:
        return (int8_t)*at;
    }
}

static bool has_bytes(const struct adi_node *node, const struct adi_bytes *bytes, void *unused) {
    (void)node, (void)unused;
    return bytes->size > 0 || (bytes->size < 0 && bytes->buffer != NULL);
}

bool adi_holds_bytes(const struct adi_node *node) {
    return adi_buffer_find(node, has_bytes, NULL) != NULL;
}
