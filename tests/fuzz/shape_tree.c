/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_tree.h"

#include <string.h>

#include "arena.h"
#include "devices.h"
#include "metadata.h"

#define DEEPEST 4
#define OFFSETS 3
#define LONGEST 64 /* of what is in a list: a buffer of the arena has no more than a page */

static const struct shape_kind kinds[] = {
#define KIND(format, layout, bits, children) {format, ADI_LAYOUT_##layout, bits, children},
#include "shape_kinds.def"
#undef KIND
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

struct growth {
    struct fuzz_input *input;
    struct shape *shape;
    int depth;
    int promised; /* nodes that those being grown will need */
};

/* What a parent asks of a child. */
struct request {
    int64_t length;
    const char *formats; /* one of these of one letter each; NULL: any */
    bool no_nulls, is_dictionary, is_entries;
};

int64_t shape_slots(const struct shape_node *node) {
    return node->array->offset + node->array->length;
}

static bool has_bitmap(const struct shape_kind *kind) {
    return kind->layout != ADI_LAYOUT_NULL && kind->layout != ADI_LAYOUT_SPARSE_UNION &&
           kind->layout != ADI_LAYOUT_DENSE_UNION && kind->layout != ADI_LAYOUT_RUN_END;
}

bool shape_valid(const struct shape_node *node, int64_t i) {
    if (!has_bitmap(node->kind) || node->array->buffers[0] == NULL) return true;
    return (((const uint8_t *)node->array->buffers[0])[i / 8] >> (i % 8) & 1) != 0;
}

int64_t shape_get(const void *buffer, int bits, int64_t i) {
    int64_t value = 0;
    memcpy(&value, (const char *)buffer + i * (bits / 8), (size_t)bits / 8);
    int unused = 64 - bits;
    return (int64_t)((uint64_t)value << unused) >> unused;
}

void shape_set(const void *buffer, int bits, int64_t i, int64_t value) {
    memcpy((char *)(uintptr_t)buffer + i * (bits / 8), &value, (size_t)bits / 8);
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static const char *put_text(const char *text) {
    return arena_copy(text, strlen(text) + 1, 1);
}

/* As many integers of `bits` bits, zero. */
static void *put_integers(int64_t count, int bits) {
    return arena_put((size_t)count * (size_t)bits / 8, (size_t)bits / 8);
}

static const char *put_metadata(struct growth *g) {
    static const struct adi_pair pairs[] = {{"ARROW:extension:name", "x", 20, 1},
                                            {"", "", 0, 0},
                                            {"ARROW:extension:metadata", "\0", 24, 1}};
    char bytes[128];
    int32_t count = fuzz_below(g->input, 4);
    return arena_copy(bytes, adi_metadata_write(pairs, count, bytes), 1);
}

static void fill_schema(struct growth *g, const struct shape_node *node, bool nullable) {
    static const char *const names[] = {NULL, "", "a", "\xc3\xa9"};
    uint8_t how = fuzz_byte(g->input);
    const char *name = names[how & 3];
    node->schema->format = put_text(node->kind->format);
    node->schema->name = name == NULL ? NULL : put_text(name);
    node->schema->metadata = (how & 0x10) == 0 ? NULL : put_metadata(g);
    node->schema->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
    if ((how & 0x20) != 0 && strcmp(node->kind->format, "+m") == 0)
        node->schema->flags |= ARROW_FLAG_MAP_KEYS_SORTED;
    node->schema->release = release_schema;
    node->array->release = release_array;
}

/* The number of buffers, and the bitmap. Nulls may be counted, unknown, or not there at all. */
static void fill_nulls(struct growth *g, struct shape_node *node, const struct request *request) {
    struct ArrowArray *array = node->array;
    uint8_t how = fuzz_byte(g->input);
    bool nullable = (how & 1) == 0 && !request->no_nulls;
    fill_schema(g, node, nullable || node->kind->layout == ADI_LAYOUT_NULL);
    if (node->kind->layout == ADI_LAYOUT_NULL) array->null_count = array->length;
    if (!has_bitmap(node->kind) || (how & 2) == 0) return;

    int64_t slots = shape_slots(node);
    uint8_t *bits = arena_put((size_t)(slots + 7) / 8, 1);
    for (int64_t i = 0; i < (slots + 7) / 8; i++)
        bits[i] = nullable || request->is_dictionary ? fuzz_byte(g->input) : 0xff;
    if (request->no_nulls) memset(bits, 0xff, (size_t)(slots + 7) / 8);
    array->buffers[0] = bits;
    for (int64_t i = array->offset; i < slots; i++) node->nulls += !shape_valid(node, i);
    array->null_count = (how & 4) != 0 ? -1 : node->nulls;
}

static struct shape_node *grow(struct growth *g, struct shape_node *parent,
                               const struct request *request);

static struct shape_node *grow_child(struct growth *g, struct shape_node *node,
                                     const struct request *request) {
    int64_t i = node->schema->n_children++;
    node->array->n_children++;
    g->promised--;
    struct shape_node *child = grow(g, node, request);
    node->children[i] = child;
    node->schema->children[i] = child->schema;
    node->array->children[i] = child->array;
    return child;
}

static struct shape_node *grow_any(struct growth *g, struct shape_node *node, int64_t length) {
    struct request request = {.length = length + fuzz_below(g->input, 2)};
    return grow_child(g, node, &request);
}

/* Garbage under a null is legal: nobody may look at it. */
static void fill_indices(struct growth *g, struct shape_node *node) {
    struct request request = {.length = 1 + fuzz_below(g->input, 4), .is_dictionary = true};
    g->promised--;
    node->dictionary = grow(g, node, &request);
    node->schema->dictionary = node->dictionary->schema;
    node->array->dictionary = node->dictionary->array;
    if (fuzz_below(g->input, 2) == 1) node->schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    for (int64_t i = 0; i < shape_slots(node); i++) {
        int64_t index = fuzz_byte(g->input);
        node->null_garbage = true;
        if (shape_valid(node, i)) index %= node->dictionary->array->length;
        shape_set(node->array->buffers[1], node->kind->bits, i, index);
    }
}

static void fill_fixed(struct growth *g, struct shape_node *node, const struct request *request) {
    int bits = node->kind->bits;
    size_t bytes = ((size_t)shape_slots(node) * (size_t)bits + 7) / 8;
    size_t align = bits % 16 != 0 ? 1 : bits > 64 ? 8 : (size_t)bits / 8;
    uint8_t *values = arena_put(bytes, bits == 0 ? 1 : align);
    for (size_t i = 0; i < bytes; i++) values[i] = fuzz_byte(g->input);
    node->array->buffers[1] = values;
    bool integer = strlen(node->kind->format) == 1 && strchr("cCsSiIlL", *node->kind->format);
    if (!integer || request->formats != NULL || fuzz_below(g->input, 4) != 1) return;
    if (g->depth >= DEEPEST || g->shape->n_nodes + g->promised >= SHAPE_NODES) return;
    g->promised++;
    fill_indices(g, node);
}

static bool is_text(const struct shape_node *node) {
    return strchr(node->kind->format, 'u') != NULL || *node->kind->format == 'U';
}

/* Text is ASCII or, where there is room, one letter of two bytes. */
static void put_value(struct growth *g, const struct shape_node *node, char *to, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i++) {
        uint8_t byte = fuzz_byte(g->input);
        to[i] = (char)(is_text(node) ? byte & 0x7f : byte);
        if (!is_text(node) || byte < 0x80 || i + 1 == bytes) continue;
        to[i++] = '\xc3';
        to[i] = '\xa9';
    }
}

static void fill_binary(struct growth *g, struct shape_node *node) {
    int bits = node->kind->bits;
    int64_t slots = shape_slots(node), at = fuzz_below(g->input, 3);
    void *offsets = put_integers(slots + 1, bits);
    for (int64_t i = 0; i <= slots; i++) {
        shape_set(offsets, bits, i, at);
        if (i < slots) at += fuzz_below(g->input, 4);
    }
    char *data = arena_put((size_t)at, 1);
    memset(data, 0xff, (size_t)shape_get(offsets, bits, 0));
    for (int64_t i = 0; i < slots; i++) {
        int64_t from = shape_get(offsets, bits, i), to = shape_get(offsets, bits, i + 1);
        put_value(g, node, data + from, to - from);
        node->null_garbage |= !shape_valid(node, i);
        if (!shape_valid(node, i)) memset(data + from, 0xff, (size_t)(to - from));
    }
    node->array->buffers[1] = offsets;
    node->array->buffers[2] = data;
}

#define FAR_BYTES 20

static void put_view(struct growth *g, struct shape_node *node, struct shape_view *view,
                     int64_t i) {
    int far = (int)node->array->n_buffers - 3;
    uint8_t how = fuzz_byte(g->input);
    if (!shape_valid(node, i)) {
        node->null_garbage = true;
        memset(view, how, sizeof *view);
    } else if (how < 128 || far == 0) {
        view->length = how % 13;
        char value[12] = "";
        put_value(g, node, value, view->length);
        memcpy((char *)view + sizeof view->length, value, sizeof value);
    } else {
        view->length = 13 + how % 8;
        view->index = fuzz_below(g->input, far);
        view->offset = FAR_BYTES - view->length;
        memcpy(view->prefix, (const char *)node->array->buffers[2 + view->index] + view->offset, 4);
    }
}

static void fill_views(struct growth *g, struct shape_node *node) {
    int64_t slots = shape_slots(node), far = node->array->n_buffers - 3;
    int64_t *lengths = put_integers(far, 64);
    struct shape_view *views = arena_put((size_t)slots * sizeof *views, 8);
    for (int64_t i = 0; i < far; i++) {
        char *data = arena_put(FAR_BYTES, 1);
        /* Every part of it is text: letters of one byte. */
        for (int at = 0; at < FAR_BYTES; at++) data[at] = (char)(fuzz_byte(g->input) & 0x7f);
        lengths[i] = FAR_BYTES;
        node->array->buffers[2 + i] = data;
    }
    for (int64_t i = 0; i < slots; i++) put_view(g, node, &views[i], i);
    node->array->buffers[1] = views;
    node->array->buffers[2 + far] = lengths;
}

static void fill_list(struct growth *g, struct shape_node *node) {
    int bits = node->kind->bits;
    int64_t slots = shape_slots(node), at = fuzz_below(g->input, 2);
    void *offsets = put_integers(slots + 1, bits);
    for (int64_t i = 0; i <= slots; i++) {
        shape_set(offsets, bits, i, at);
        if (i < slots && at < LONGEST) at += fuzz_below(g->input, 3);
    }
    node->array->buffers[1] = offsets;
    if (strcmp(node->kind->format, "+m") != 0) {
        grow_any(g, node, at);
        return;
    }
    struct request entries = {.length = at, .formats = "+", .no_nulls = true, .is_entries = true};
    grow_child(g, node, &entries);
}

static void fill_list_view(struct growth *g, struct shape_node *node) {
    int bits = node->kind->bits;
    int64_t slots = shape_slots(node), length = fuzz_below(g->input, 5);
    void *offsets = put_integers(slots, bits), *sizes = put_integers(slots, bits);
    for (int64_t i = 0; i < slots; i++) {
        int64_t offset = fuzz_below(g->input, (int)length + 1);
        shape_set(offsets, bits, i, offset);
        shape_set(sizes, bits, i, fuzz_below(g->input, (int)(length - offset) + 1));
    }
    node->array->buffers[1] = offsets;
    node->array->buffers[2] = sizes;
    grow_any(g, node, length);
}

static void fill_struct(struct growth *g, struct shape_node *node, int children) {
    for (int i = 0; i < children; i++) grow_any(g, node, shape_slots(node));
}

static void fill_union(struct growth *g, struct shape_node *node) {
    struct adi_type type;
    FUZZ_REQUIRE(adi_type_parse(node->kind->format, &type, NULL) == 0, "a union");
    int64_t slots = shape_slots(node), used[SHAPE_CHILDREN] = {0};
    bool dense = node->kind->layout == ADI_LAYOUT_DENSE_UNION;
    int8_t *ids = arena_put((size_t)slots, 1);
    void *offsets = dense ? put_integers(slots, 32) : NULL;
    for (int64_t i = 0; i < slots; i++) {
        uint8_t how = fuzz_byte(g->input);
        int child = how % node->kind->children;
        ids[i] = type.type_ids[child];
        if (!dense) continue;
        if (used[child] == 0 || how >= 128) used[child]++;
        shape_set(offsets, 32, i, used[child] - 1);
    }
    node->array->buffers[0] = ids;
    if (dense) node->array->buffers[1] = offsets;
    for (int i = 0; i < node->kind->children; i++) grow_any(g, node, dense ? used[i] : slots);
}

/* Runs that reach to the end of the array or behind it; of a long array the last one does. */
static void fill_runs(struct growth *g, struct shape_node *node) {
    static const char *const of_bits[] = {[16] = "s", [32] = "i", [64] = "l"};
    int64_t slots = shape_slots(node), at = 0, ends[64], count = 0;
    do {
        at += 1 + fuzz_below(g->input, 3);
        if (count == (int64_t)(sizeof ends / sizeof *ends) - 1 && at < slots) at = slots;
        ends[count++] = at;
    } while (at < slots);
    struct request request = {
        .length = count, .formats = of_bits[node->kind->bits], .no_nulls = true};
    struct shape_node *child = grow_child(g, node, &request);
    for (int64_t i = 0; i < count; i++)
        shape_set(child->array->buffers[1], child->kind->bits, child->array->offset + i, ends[i]);
    grow_any(g, node, count);
}

/* A kind for whose children there is room. */
static const struct shape_kind *choose(struct growth *g, const struct request *request) {
    int at = fuzz_below(g->input, KINDS);
    for (int i = 0; i < KINDS; i++, at = (at + 1) % KINDS) {
        const struct shape_kind *kind = &kinds[at];
        if (request->is_entries && strcmp(kind->format, "+s") != 0) continue;
        if (!request->is_entries && request->formats != NULL &&
            strcmp(kind->format, request->formats) != 0)
            continue;
        bool multiplies = kind->layout == ADI_LAYOUT_FIXED_LIST;
        if (multiplies && (request->length + OFFSETS) * kind->bits > LONGEST) continue;
        /* The entries of a map bring a key and a value. */
        int needed = strcmp(kind->format, "+m") == 0 ? 3 : kind->children;
        if (request->is_entries || needed == 0) return kind;
        if (g->depth + (needed == 3) < DEEPEST &&
            g->shape->n_nodes + g->promised + needed <= SHAPE_NODES)
            return kind;
    }
    return &kinds[0];
}

static void fill(struct growth *g, struct shape_node *node, const struct request *request,
                 int children) {
    switch (node->kind->layout) {
    case ADI_LAYOUT_NULL:
        break;
    case ADI_LAYOUT_FIXED:
        fill_fixed(g, node, request);
        break;
    case ADI_LAYOUT_BINARY:
        fill_binary(g, node);
        break;
    case ADI_LAYOUT_VIEW:
        fill_views(g, node);
        break;
    case ADI_LAYOUT_LIST:
        fill_list(g, node);
        break;
    case ADI_LAYOUT_LIST_VIEW:
        fill_list_view(g, node);
        break;
    case ADI_LAYOUT_FIXED_LIST:
        grow_any(g, node, shape_slots(node) * node->kind->bits);
        break;
    case ADI_LAYOUT_STRUCT:
        fill_struct(g, node, children);
        break;
    case ADI_LAYOUT_SPARSE_UNION:
    case ADI_LAYOUT_DENSE_UNION:
        fill_union(g, node);
        break;
    case ADI_LAYOUT_RUN_END:
        fill_runs(g, node);
        break;
    }
}

static int64_t count_buffers(struct growth *g, const struct shape_kind *kind) {
    static const int64_t of[] = {
        [ADI_LAYOUT_NULL] = 0,        [ADI_LAYOUT_FIXED] = 2,   [ADI_LAYOUT_BINARY] = 3,
        [ADI_LAYOUT_VIEW] = 3,        [ADI_LAYOUT_LIST] = 2,    [ADI_LAYOUT_LIST_VIEW] = 3,
        [ADI_LAYOUT_FIXED_LIST] = 1,  [ADI_LAYOUT_STRUCT] = 1,  [ADI_LAYOUT_SPARSE_UNION] = 1,
        [ADI_LAYOUT_DENSE_UNION] = 2, [ADI_LAYOUT_RUN_END] = 0,
    };
    return of[kind->layout] + (kind->layout == ADI_LAYOUT_VIEW ? fuzz_below(g->input, 3) : 0);
}

static struct shape_node *grow(struct growth *g, struct shape_node *parent,
                               const struct request *request) {
    FUZZ_REQUIRE(g->shape->n_nodes < SHAPE_NODES, "more nodes than there is room for");
    struct shape_node *node = &g->shape->nodes[g->shape->n_nodes++];
    const struct shape_kind *kind = choose(g, request);
    int children = kind->layout == ADI_LAYOUT_STRUCT && !request->is_entries
                       ? fuzz_below(g->input, kind->children + 1)
                   : request->is_entries ? 2
                                         : kind->children;
    *node = (struct shape_node){
        .kind = kind, .parent = parent, .is_dictionary = request->is_dictionary};
    node->schema = arena_put(sizeof *node->schema, 8);
    node->array = parent == NULL ? &g->shape->array->array : arena_put(sizeof *node->array, 8);
    node->array->n_buffers = count_buffers(g, kind);
    node->array->buffers = arena_put((size_t)node->array->n_buffers * sizeof(void *), 8);
    node->schema->children = arena_put((size_t)children * sizeof(void *), 8);
    node->array->children = arena_put((size_t)children * sizeof(void *), 8);
    node->array->length = request->length;
    node->array->offset = fuzz_below(g->input, OFFSETS);
    g->promised += strcmp(kind->format, "+m") == 0 ? 3 : request->is_entries ? 0 : children;
    g->depth++;
    fill_nulls(g, node, request);
    fill(g, node, request, children);
    g->depth--;
    return node;
}

void shape_grow(struct fuzz_input *input, struct shape *out) {
    arena_reset();
    struct growth growth = {.input = input, .shape = out};
    out->n_nodes = 0;
    out->ops = adi_device_cpu;
    out->device = (struct adi_device){.ops = &out->ops, .id = -1};
    out->array = arena_put(sizeof *out->array, 8);
    out->array->device_type = out->ops.type;
    out->array->device_id = -1;
    struct request request = {.length = fuzz_below(input, 6)};
    out->schema = grow(&growth, NULL, &request)->schema;
}
