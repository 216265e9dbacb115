/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_malformations.h"

#include <string.h>

#include "arena.h"
#include "devices.h"
#include "finding.h"
#include "metadata.h"

static const struct shape_malformation malformations[] = {
#define MALFORMATION(rule, where, statement) {rule, #statement},
#include "shape_malformations.def"
#undef MALFORMATION
};

const struct shape_malformation *shape_malformation(int index) {
    return index < (int)(sizeof malformations / sizeof *malformations) ? &malformations[index]
                                                                       : NULL;
}

#define is(n, name) ((n)->kind->layout == ADI_LAYOUT_##name)

static bool is_format(const struct shape_node *n, const char *format) {
    return strcmp(n->kind->format, format) == 0;
}

static bool is_root(const struct shape_node *n) {
    return n->parent == NULL;
}

static bool is_struct(const struct shape_node *n) {
    return is(n, STRUCT);
}

static bool is_map(const struct shape_node *n) {
    return is_format(n, "+m");
}

static bool is_entries(const struct shape_node *n) {
    return n->parent != NULL && is_map(n->parent);
}

static bool is_stamp(const struct shape_node *n) {
    return strncmp(n->kind->format, "ts", 2) == 0;
}

static bool is_text(const struct shape_node *n) {
    return is_format(n, "u") || is_format(n, "U") || is_format(n, "vu");
}

static bool is_union(const struct shape_node *n) {
    return is(n, SPARSE_UNION) || is(n, DENSE_UNION);
}

static bool has_offsets(const struct shape_node *n) {
    return is(n, BINARY) || is(n, LIST);
}

static bool has_bits(const struct shape_node *n) {
    return !is(n, NULL) && !is_union(n) && !is(n, RUN_END) && n->array->buffers[0] != NULL;
}

static bool is_wide(const struct shape_node *n) {
    return is(n, FIXED) && n->kind->bits % 16 == 0 && n->kind->bits > 0;
}

static bool is_fixed_bits(const struct shape_node *n) {
    return is(n, FIXED) && n->kind->bits > 0 && n->array->null_count <= 0 && !is_root(n) &&
           n->array->buffers[0] == NULL && n->dictionary == NULL && !is(n->parent, RUN_END);
}

static const char *bad_format(int k) {
    static const char *const formats[] = {"",      "Q",     "int32",  "w",         "w:-1", "+",
                                          "d:0,0", "tsu",   "+ud:1,", "+ud:1,1",   "+l+",  "w:1x",
                                          "tdx",   "+us:-", "\xff",   "d:77,0,256"};
    const char *format = formats[k % (int)(sizeof formats / sizeof *formats)];
    return arena_copy(format, strlen(format) + 1, 1);
}

/* Well-formed, but for its end or a length. */
static const char *bad_metadata(int k) {
    static const struct adi_pair pair = {"key", "value", 3, 5};
    char bytes[64];
    size_t size = adi_metadata_write(&pair, 1, bytes);
    const size_t key_length_at = 4, key_at = 8;
    if (k % 2 == 0) return arena_copy(bytes, key_at + (size_t)k % (size - key_at), 1);
    memset(bytes + key_length_at, 0xff, sizeof(int32_t));
    return arena_copy(bytes, size, 1);
}

static const char *nameless_extension(int k) {
    static const struct adi_pair pairs[] = {{"ARROW:extension:metadata", "x", 24, 1},
                                            {"ARROW:extension:name", "", 20, 0}};
    char bytes[128];
    return arena_copy(bytes, adi_metadata_write(pairs, 1 + k % 2, bytes), 1);
}

/* Bytes that the layout itself asks for: not of a bitmap, and not of what may be empty. */
static bool needs_bytes(const struct shape_node *n, int buffer) {
    int64_t slots = shape_slots(n);
    if (buffer == 0) return is_union(n) && slots > 0;
    if (is_union(n)) return is(n, DENSE_UNION) && buffer == 1 && slots > 0;
    if (is(n, FIXED)) return buffer == 1 && slots > 0 && n->kind->bits > 0;
    if (is(n, BINARY) && buffer == 2)
        return slots > 0 && shape_get(n->array->buffers[1], n->kind->bits, slots) > 0;
    if (has_offsets(n)) return buffer == 1 && slots > 0;
    if (is(n, VIEW)) return buffer == 1 ? slots > 0 : n->array->n_buffers > 3;
    return is(n, LIST_VIEW) && slots > 0;
}

/* It may come without its data, whatever its last offset says. */
static bool is_empty_text(const struct shape_node *n) {
    return is(n, BINARY) && n->array->length == 0;
}

/* What moves a buffer past its end without moving it out of line. */
static int step(const struct shape_node *n) {
    int bits = n->kind->bits;
    return bits % 16 != 0 ? 1 : bits > 64 ? 8 : bits / 8;
}

static const void *misaligned(const struct shape_node *n) {
    size_t bytes = (size_t)shape_slots(n) * (size_t)n->kind->bits / 8;
    char *copy = arena_put(bytes + 8, 8);
    memcpy(copy + 1, n->array->buffers[1], bytes);
    return copy + 1;
}

static int64_t least(const struct shape_node *n) {
    return shape_slots(n) * (is(n, FIXED_LIST) ? n->kind->bits : 1);
}

static bool needs_child(const struct shape_node *n) {
    bool bound = is(n, STRUCT) || is(n, SPARSE_UNION) || is(n, FIXED_LIST);
    return bound && n->array->length > 0 && n->array->n_children > 0 && least(n) > 0;
}

static void shorten(struct shape_node *n, int64_t length) {
    n->array->length = length;
    if (is(n, NULL)) n->array->null_count = length;
    if (has_bits(n)) n->array->null_count = -1;
}

static int64_t slot(const struct shape_node *n, int k) {
    return n->array->offset + k % n->array->length;
}

static int bits_of(const struct shape_node *n) {
    return is(n, DENSE_UNION) ? 32 : n->kind->bits;
}

static int64_t get(const struct shape_node *n, int buffer, int64_t i) {
    return shape_get(n->array->buffers[buffer], bits_of(n), i);
}

static void set(struct shape_node *n, int buffer, int64_t i, int64_t value) {
    shape_set(n->array->buffers[buffer], bits_of(n), i, value);
}

/* The first view that is not null and of a length within bounds. */
static struct shape_view *view(const struct shape_node *n, int shortest, int longest) {
    struct shape_view *views = (void *)(uintptr_t)n->array->buffers[1];
    for (int64_t i = n->array->offset; i < shape_slots(n); i++)
        if (shape_valid(n, i) && views[i].length >= shortest && views[i].length <= longest)
            return &views[i];
    return NULL;
}

static struct shape_view *inline_view(const struct shape_node *n) {
    return is(n, VIEW) ? view(n, 0, 12) : NULL;
}

static struct shape_view *padded_view(const struct shape_node *n) {
    return is(n, VIEW) ? view(n, 0, 11) : NULL;
}

static struct shape_view *far_view(const struct shape_node *n) {
    return is(n, VIEW) ? view(n, 13, INT32_MAX) : NULL;
}

/* A byte of a value that is not null. */
static char *text_at(const struct shape_node *n) {
    if (is(n, VIEW)) {
        struct shape_view *text = view(n, 1, 12);
        return text == NULL ? NULL : text->prefix;
    }
    for (int64_t i = n->array->offset; i < shape_slots(n); i++)
        if (shape_valid(n, i) && get(n, 1, i) < get(n, 1, i + 1))
            return (char *)(uintptr_t)n->array->buffers[2] + get(n, 1, i);
    return NULL;
}

/* An index that is not null; -1: none. */
static int64_t index_slot(const struct shape_node *n) {
    if (n->dictionary == NULL) return -1;
    for (int64_t i = n->array->offset; i < shape_slots(n); i++)
        if (shape_valid(n, i)) return i;
    return -1;
}

/* Are the first two slots of the same child, which has more than one value? */
static bool falls(const struct shape_node *n) {
    if (!is(n, DENSE_UNION) || n->array->length < 2) return false;
    const int8_t *ids = (const int8_t *)n->array->buffers[0] + n->array->offset;
    return ids[0] == ids[1] && get(n, 1, shape_slots(n) - 1) > 0 && n->kind->children == 1;
}

static void make_fall(struct shape_node *n) {
    set(n, 1, n->array->offset, 1);
    set(n, 1, n->array->offset + 1, 0);
}

/* The end of a run, counted from the last one; -1: there is none. */
static int64_t run_end(const struct shape_node *n, int64_t back) {
    if (!is(n, RUN_END) || n->children[0]->array->length <= back) return -1;
    return get(n->children[0], 1, shape_slots(n->children[0]) - 1 - back);
}

static void set_run_end(struct shape_node *n, int64_t end) {
    set(n->children[0], 1, shape_slots(n->children[0]) - 1, end);
}

static bool plant(int index, struct shape *s, struct shape_node *n, int k) {
    struct ArrowSchema *c = n->schema;
    struct ArrowArray *a = n->array;
    const void **b = a->buffers;
    int at = 0;
#define MALFORMATION(rule, where, statement)                                                       \
    if (at++ == index) {                                                                           \
        if (!(where)) return false;                                                                \
        statement;                                                                                 \
        return true;                                                                               \
    }
#include "shape_malformations.def"
#undef MALFORMATION
    return false;
}

const struct shape_node *shape_plant_from(int index, struct shape *s, int node, int k) {
    for (int i = 0; i < s->n_nodes; i++) {
        struct shape_node *at = &s->nodes[(node + i) % s->n_nodes];
        if (plant(index, s, at, k)) return at;
    }
    return NULL;
}
