/* SPDX-License-Identifier: Apache-2.0 */
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define VIEW_BYTES   16
#define INLINE_BYTES 12 /* a view of at most so many bytes holds them itself */

static size_t count_nodes(const struct ArrowArray *array) {
    size_t count = 1;
    for (int64_t i = 0; i < array->n_children; i++) count += count_nodes(array->children[i]);
    return array->dictionary == NULL ? count : count + count_nodes(array->dictionary);
}

static int fill(const struct ArrowSchema *schema, const struct ArrowArray *array,
                struct adi_node *node, struct adi_node **room, struct adi_error *error) {
    ADI_TRY(adi_type_parse(schema->format, &node->type, error));
    node->array = array;
    node->children = *room;
    *room += array->n_children;
    for (int64_t i = 0; i < array->n_children; i++)
        ADI_TRY(fill(schema->children[i], array->children[i], &node->children[i], room, error));
    node->dictionary = NULL;
    if (array->dictionary == NULL) return 0;
    node->dictionary = (*room)++;
    return fill(schema->dictionary, array->dictionary, node->dictionary, room, error);
}

int adi_node_open(const struct ArrowSchema *schema, const struct ArrowArray *array,
                  struct adi_node **out, struct adi_error *error) {
    size_t count = count_nodes(array);
    struct adi_node *nodes = calloc(count, sizeof *nodes);
    if (nodes == NULL) return adi_error_set(error, ENOMEM, "no memory for %zu nodes", count);
    struct adi_node *room = nodes + 1;
    int code = fill(schema, array, nodes, &room, error);
    if (code == 0)
        *out = nodes;
    else
        free(nodes);
    return code;
}

bool adi_bit(const void *bitmap, int64_t index) {
    return (((const uint8_t *)bitmap)[index / 8] >> (index % 8) & 1) != 0;
}

/* An offset, a size, an index. Buffers need not be aligned. */
static int64_t integer_at(const void *buffer, int64_t index, int64_t bits, bool is_signed) {
    const char *at = (const char *)buffer + index * (bits / 8);
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
    } value;
    memcpy(&value, at, (size_t)bits / 8);
    switch (bits) {
    case 8:
        return is_signed ? (int64_t)value.i8 : (int64_t)value.u8;
    case 16:
        return is_signed ? (int64_t)value.i16 : (int64_t)value.u16;
    case 32:
        return is_signed ? (int64_t)value.i32 : (int64_t)value.u32;
    default:
        return value.i64;
    }
}

static int64_t entry(const struct adi_node *node, int64_t buffer, int64_t index, int64_t bits) {
    return integer_at(node->array->buffers[buffer], node->array->offset + index, bits, true);
}

bool adi_node_has_validity(const struct adi_node *node) {
    return node->array->n_buffers > 0 &&
           adi_type_role(&node->type, 0, node->array->n_buffers) == ADI_BUFFER_VALIDITY;
}

bool adi_node_is_null(const struct adi_node *node, int64_t index) {
    const struct ArrowArray *array = node->array;
    struct adi_range value;
    int64_t left;
    int8_t type_id;
    if (adi_node_has_validity(node) && array->buffers[0] != NULL &&
        !adi_bit(array->buffers[0], array->offset + index))
        return true;
    if (node->dictionary != NULL)
        value = adi_node_decoded(node, index);
    else if (node->type.layout == ADI_LAYOUT_RUN_END)
        value = adi_node_run(node, index, &left);
    else if (node->type.layout == ADI_LAYOUT_SPARSE_UNION ||
             node->type.layout == ADI_LAYOUT_DENSE_UNION)
        value = adi_node_union(node, index, &type_id);
    else
        return node->type.layout == ADI_LAYOUT_NULL;
    return adi_node_is_null(value.node, value.start);
}

struct adi_bytes adi_node_bytes(const struct adi_node *node, int64_t index) {
    const void *const *buffers = node->array->buffers;
    int64_t slot = node->array->offset + index;
    if (node->type.layout == ADI_LAYOUT_FIXED) {
        int64_t bytes = node->type.bits / 8;
        return (struct adi_bytes){bytes == 0 ? "" : (const char *)buffers[1] + slot * bytes, bytes};
    }
    if (node->type.layout == ADI_LAYOUT_BINARY) {
        int64_t from = entry(node, 1, index, node->type.bits);
        int64_t count = entry(node, 1, index + 1, node->type.bits) - from;
        return (struct adi_bytes){count == 0 ? "" : (const char *)buffers[2] + from, count};
    }
    const char *view = (const char *)buffers[1] + slot * VIEW_BYTES;
    int32_t words[VIEW_BYTES / sizeof(int32_t)]; /* length, prefix, buffer, offset */
    memcpy(words, view, sizeof words);
    if (words[0] <= INLINE_BYTES) return (struct adi_bytes){view + sizeof *words, words[0]};
    return (struct adi_bytes){(const char *)buffers[2 + words[2]] + words[3], words[0]};
}

struct adi_range adi_node_list(const struct adi_node *node, int64_t index) {
    const struct adi_node *child = &node->children[0];
    int64_t bits = node->type.bits, size = node->type.size;
    if (node->type.layout == ADI_LAYOUT_FIXED_LIST)
        return (struct adi_range){child, (node->array->offset + index) * size, size};
    int64_t start = entry(node, 1, index, bits);
    int64_t count = node->type.layout == ADI_LAYOUT_LIST ? entry(node, 1, index + 1, bits) - start
                                                         : entry(node, 2, index, bits);
    return (struct adi_range){child, start, count};
}

struct adi_range adi_node_union(const struct adi_node *node, int64_t index, int8_t *type_id) {
    *type_id = (int8_t)entry(node, 0, index, 8);
    const int8_t *ids = node->type.type_ids;
    const int8_t *at = memchr(ids, *type_id, (size_t)node->type.n_type_ids);
    int64_t slot = node->type.layout == ADI_LAYOUT_DENSE_UNION ? entry(node, 1, index, 32)
                                                               : node->array->offset + index;
    return (struct adi_range){&node->children[at - ids], slot, 1};
}

struct adi_range adi_node_decoded(const struct adi_node *node, int64_t index) {
    int64_t at = integer_at(node->array->buffers[1], node->array->offset + index, node->type.bits,
                            node->type.is_signed);
    return (struct adi_range){node->dictionary, at, 1};
}

struct adi_range adi_node_run(const struct adi_node *node, int64_t index, int64_t *left) {
    const struct adi_node *ends = &node->children[0];
    int64_t slot = node->array->offset + index, low = 0, high = ends->array->length - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (entry(ends, 1, middle, ends->type.bits) > slot)
            high = middle;
        else
            low = middle + 1;
    }
    *left = entry(ends, 1, low, ends->type.bits) - slot;
    return (struct adi_range){&node->children[1], low, 1};
}

static const char *fixed_text(const struct adi_node *node, int64_t index, char *text) {
    struct adi_bytes bytes;
    char quoted[ADI_QUOTE_SIZE];
    if (node->type.bits == 1) {
        bool bit = adi_bit(node->array->buffers[1], node->array->offset + index);
        return strcpy(text, bit ? "true" : "false");
    }
    bytes = adi_node_bytes(node, index);
    if (node->type.is_integer) {
        int64_t value = integer_at(bytes.at, 0, node->type.bits, node->type.is_signed);
        snprintf(text, ADI_VALUE_SIZE, node->type.is_signed ? "%" PRId64 : "%" PRIu64, value);
    } else if (strcmp(node->type.name, "float32") == 0) {
        float value;
        memcpy(&value, bytes.at, sizeof value);
        snprintf(text, ADI_VALUE_SIZE, "%.9g", (double)value);
    } else if (strcmp(node->type.name, "float64") == 0) {
        double value;
        memcpy(&value, bytes.at, sizeof value);
        snprintf(text, ADI_VALUE_SIZE, "%.17g", value);
    } else {
        snprintf(text, ADI_VALUE_SIZE, "%s %s", node->type.name,
                 adi_quote(bytes.at, (size_t)bytes.count, quoted));
    }
    return text;
}

const char *adi_node_text(const struct adi_node *node, int64_t index, char text[ADI_VALUE_SIZE]) {
    struct adi_range range;
    struct adi_bytes bytes;
    int64_t left;
    int8_t type_id;
    if (adi_node_is_null(node, index)) return strcpy(text, "null");
    if (node->dictionary != NULL) {
        range = adi_node_decoded(node, index);
        return adi_node_text(range.node, range.start, text);
    }
    switch (node->type.layout) {
    case ADI_LAYOUT_FIXED:
        return fixed_text(node, index, text);
    case ADI_LAYOUT_BINARY:
    case ADI_LAYOUT_VIEW:
        bytes = adi_node_bytes(node, index);
        return adi_quote(bytes.at, (size_t)bytes.count, text);
    case ADI_LAYOUT_LIST:
    case ADI_LAYOUT_LIST_VIEW:
    case ADI_LAYOUT_FIXED_LIST:
        snprintf(text, ADI_VALUE_SIZE, "a list of %" PRId64, adi_node_list(node, index).count);
        return text;
    case ADI_LAYOUT_SPARSE_UNION:
    case ADI_LAYOUT_DENSE_UNION:
        adi_node_union(node, index, &type_id);
        snprintf(text, ADI_VALUE_SIZE, "a value of type id %d", type_id);
        return text;
    case ADI_LAYOUT_RUN_END:
        range = adi_node_run(node, index, &left);
        return adi_node_text(range.node, range.start, text);
    case ADI_LAYOUT_STRUCT:
    case ADI_LAYOUT_NULL:
        break;
    }
    return strcpy(text, "a struct");
}
