/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_build.h"

#include <errno.h>
#include <string.h>

#define NULLS_ONE_IN 4

static bool bit(const uint8_t *bitmap, int64_t index) {
    return (bitmap[index / 8] >> (index % 8) & 1) != 0;
}

static void set_bit(uint8_t *bitmap, int64_t index, bool value) {
    const uint8_t mask = (uint8_t)(1u << (index % 8));
    if (value)
        bitmap[index / 8] = (uint8_t)(bitmap[index / 8] | mask);
    else
        bitmap[index / 8] = (uint8_t)(bitmap[index / 8] & ~mask);
}

static int add_validity(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                        struct ArrowArray *out) {
    const bool nullable = (node->schema->flags & ARROW_FLAG_NULLABLE) != 0;
    const enum adi_sample_nulls nulls = builder->nulls;
    const int64_t slots = adi_sample_values(node), end = (slots + 7) / 8 * 8;
    uint8_t *bitmap = NULL;
    out->null_count = nullable && builder->plan->null_count_unknown ? -1 : 0;
    if (nulls == ADI_NULLS_ABSENT || (nulls != ADI_NULLS_NONE && !nullable)) return 0;
    ADI_TRY(adi_sample_buffer(builder, end / 8, &bitmap));
    out->buffers[0] = bitmap;

    for (int64_t i = 0; i < slots; i++)
        set_bit(bitmap, i,
                nulls == ADI_NULLS_NONE ||
                    (nulls == ADI_NULLS_SOME &&
                     adi_random_below(&builder->structure, NULLS_ONE_IN) != 0));
    for (int64_t i = slots; i < end; i++)
        set_bit(bitmap, i, builder->plan->padding == ADI_PADDING_GARBAGE);
    /* A shape promises nulls, and values beside them, to each array with room for both. */
    if (nulls == ADI_NULLS_SOME && node->length > 1) {
        set_bit(bitmap, node->offset, false);
        set_bit(bitmap, slots - 1, true);
    }
    if (out->null_count == -1) return 0;
    for (int64_t i = node->offset; i < slots; i++) out->null_count += !bit(bitmap, i);
    return 0;
}

/* Child `index` of an array that needs `needed` of its values. */
static int add_child(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                     int64_t index, int64_t needed, struct ArrowArray *out) {
    struct adi_sample_node child = {
        .schema = node->schema->children[index],
        .length = needed + builder->plan->child_extra,
        .offset = builder->plan->child_offset,
        .depth = node->depth + 1,
        /* a sorted map hands it to its entries, the entries to their key */
        .ascending = (node->schema->flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0 ||
                     (node->ascending && index == 0),
    };
    return adi_sample_array(builder, &child, out->children[index]);
}

static int fill_null(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                     struct ArrowArray *out) {
    (void)builder;
    out->null_count = node->length;
    return 0;
}

/* Items of the list in a slot. Far down they average one, so that deep nesting neither dies out nor
 * explodes. */
static int64_t items(const struct adi_sample_builder *builder, const struct adi_sample_node *node,
                     int64_t slot) {
    static const int64_t shallow[] = {2, 0, 3, 1, 1}, deep[] = {2, 0, 1};
    if (builder->plan->lists == ADI_LISTS_EMPTY) return 0;
    return node->depth < 2 ? shallow[slot % 5] : deep[slot % 3];
}

static int fill_list(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                     struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node), bits = node->type.bits;
    const bool omitted = slots == 0 && builder->plan->offsets_omitted;
    int64_t end = slots == 0 ? 0 : builder->plan->first_offset;
    uint8_t *offsets;
    ADI_TRY(adi_sample_buffer(builder, omitted ? 0 : (slots + 1) * bits / 8, &offsets));
    out->buffers[1] = offsets;
    for (int64_t i = 0; i < slots; i++) {
        adi_sample_put(offsets, i, bits, end);
        end += items(builder, node, i);
    }
    if (offsets != NULL) adi_sample_put(offsets, slots, bits, end);
    return add_child(builder, node, 0, end, out);
}

static int fill_list_view(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                          struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node), bits = node->type.bits;
    const enum adi_sample_lists lists = builder->plan->lists;
    const int64_t gap = lists == ADI_LISTS_GAPS ? 2 : 0;
    uint8_t *offsets, *sizes;
    int64_t end = 0;
    ADI_TRY(adi_sample_buffer(builder, slots * bits / 8, &offsets));
    ADI_TRY(adi_sample_buffer(builder, slots * bits / 8, &sizes));
    out->buffers[1] = offsets;
    out->buffers[2] = sizes;
    for (int64_t i = 0; i < slots; i++) {
        const int64_t slot = lists == ADI_LISTS_REVERSED ? slots - 1 - i : i;
        const int64_t size = items(builder, node, slot);
        const bool shared = lists == ADI_LISTS_OVERLAPPING && end > size;
        end += gap;
        adi_sample_put(offsets, slot, bits, shared ? end - size - 1 : end);
        adi_sample_put(sizes, slot, bits, size);
        end += shared ? i % 2 : size;
    }
    return add_child(builder, node, 0, end + gap, out);
}

static int fill_fixed_list(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                           struct ArrowArray *out) {
    return add_child(builder, node, 0, adi_sample_values(node) * node->type.size, out);
}

static int fill_struct(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                       struct ArrowArray *out) {
    for (int64_t i = 0; i < out->n_children; i++)
        ADI_TRY(add_child(builder, node, i, adi_sample_values(node), out));
    return 0;
}

/* The first slots choose the first child, so that it has values at every depth. */
static int64_t choose(struct adi_sample_builder *builder, int64_t slot, int64_t children) {
    if (slot < 2) return 0;
    return (int64_t)adi_random_below(&builder->structure, (uint64_t)children);
}

static int fill_union(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                      struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node);
    const bool dense = node->type.layout == ADI_LAYOUT_DENSE_UNION;
    int64_t used[ADI_UNION_IDS] = {0};
    uint8_t *ids, *offsets = NULL;
    out->null_count = builder->plan->null_count_unknown ? -1 : 0;
    ADI_TRY(adi_sample_buffer(builder, slots, &ids));
    out->buffers[0] = ids;
    if (dense) {
        ADI_TRY(adi_sample_buffer(builder, slots * 4, &offsets));
        out->buffers[1] = offsets;
    }
    for (int64_t i = 0; i < slots; i++) {
        const int64_t child = choose(builder, i, out->n_children);
        ids[i] = (uint8_t)node->type.type_ids[child];
        if (dense) adi_sample_put(offsets, i, 32, used[child]++);
    }
    for (int64_t i = 0; i < out->n_children; i++)
        ADI_TRY(add_child(builder, node, i, dense ? used[i] : slots, out));
    return 0;
}

static const int64_t run_lengths[] = {2, 1, 5, 3, 1};
#define RUN_LENGTH(run) run_lengths[(run) % 5]

/* Overwrites the run ends of the child: `runs` of them cover `slots`, the rest lies beyond. The
 * slots in front of the child's offset get ends too, so that the whole buffer grows strictly. */
static void put_run_ends(int64_t bits, int64_t slots, int64_t runs, struct ArrowArray *ends) {
    uint8_t *buffer = (uint8_t *)(uintptr_t)ends->buffers[1];
    int64_t end = ends->offset;
    for (int64_t i = 0; i < ends->offset; i++) adi_sample_put(buffer, i, bits, i + 1);
    for (int64_t i = 0; i < ends->length; i++) {
        end = i == runs - 1 && slots > end ? slots : end + RUN_LENGTH(i);
        adi_sample_put(buffer, ends->offset + i, bits, end);
    }
}

static int fill_run_end(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                        struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node);
    struct adi_type type;
    int64_t runs = slots > 0 ? 1 : 0;
    for (int64_t end = builder->plan->child_offset + RUN_LENGTH(0); end < slots; runs++)
        end += RUN_LENGTH(runs);
    ADI_TRY(adi_type_parse(node->schema->children[0]->format, &type, builder->error));
    ADI_TRY(add_child(builder, node, 0, runs, out));
    put_run_ends(type.bits, slots, runs, out->children[0]);
    return add_child(builder, node, 1, runs, out);
}

static int add_dictionary(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                          struct ArrowArray *out) {
    struct adi_sample_node values = {
        .schema = node->schema->dictionary,
        .length = adi_sample_dictionary_length(node),
        .offset = builder->plan->dictionary_offset,
        .depth = node->depth + 1,
    };
    const enum adi_sample_nulls outside = builder->nulls;
    out->dictionary = adi_sample_scratch(builder, 1, sizeof *out->dictionary);
    if (out->dictionary == NULL) return ENOMEM;
    builder->nulls = builder->plan->dictionary_nulls;
    const int code = adi_sample_array(builder, &values, out->dictionary);
    builder->nulls = outside;
    return code;
}

static int add_structures(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                          struct ArrowArray *out) {
    const int64_t n_children = node->schema->n_children;
    *out = (struct ArrowArray){
        .length = node->length,
        .offset = node->offset,
        .n_buffers = adi_type_buffers(&node->type),
        .n_children = n_children,
    };
    out->buffers = adi_sample_scratch(builder, out->n_buffers, sizeof *out->buffers);
    if (out->buffers == NULL) return ENOMEM;
    if (n_children == 0) return 0;
    struct ArrowArray *children = adi_sample_scratch(builder, n_children, sizeof *children);
    out->children = adi_sample_scratch(builder, n_children, sizeof *out->children);
    if (out->children == NULL || children == NULL) return ENOMEM;
    for (int64_t i = 0; i < n_children; i++) out->children[i] = &children[i];
    return 0;
}

int adi_sample_array(struct adi_sample_builder *builder, struct adi_sample_node *node,
                     struct ArrowArray *out) {
    static const struct {
        bool validity;
        int (*fill)(struct adi_sample_builder *, const struct adi_sample_node *,
                    struct ArrowArray *);
    } of_layout[] = {
        [ADI_LAYOUT_NULL] = {false, fill_null},
        [ADI_LAYOUT_FIXED] = {true, adi_sample_fill_fixed},
        [ADI_LAYOUT_BINARY] = {true, adi_sample_fill_binary},
        [ADI_LAYOUT_VIEW] = {true, adi_sample_fill_view},
        [ADI_LAYOUT_LIST] = {true, fill_list},
        [ADI_LAYOUT_LIST_VIEW] = {true, fill_list_view},
        [ADI_LAYOUT_FIXED_LIST] = {true, fill_fixed_list},
        [ADI_LAYOUT_STRUCT] = {true, fill_struct},
        [ADI_LAYOUT_SPARSE_UNION] = {false, fill_union},
        [ADI_LAYOUT_DENSE_UNION] = {false, fill_union},
        [ADI_LAYOUT_RUN_END] = {false, fill_run_end},
    };
    ADI_TRY(adi_type_parse(node->schema->format, &node->type, builder->error));
    ADI_TRY(add_structures(builder, node, out));
    if (of_layout[node->type.layout].validity) ADI_TRY(add_validity(builder, node, out));
    ADI_TRY(of_layout[node->type.layout].fill(builder, node, out));
    return node->schema->dictionary == NULL ? 0 : add_dictionary(builder, node, out);
}
