/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicates of rules/array.def about parents and children: lengths, unions and runs.
 */
#include <string.h>

#include "node.h"
#include "predicates.h"

/* What the length of each child must be at least; -1: cannot be said from the counts. */
static int64_t least_length(const struct adi_node *node) {
    int64_t least;
    switch (node->type.layout) {
    case ADI_LAYOUT_STRUCT:
    case ADI_LAYOUT_SPARSE_UNION:
        return adi_end(node);
    case ADI_LAYOUT_FIXED_LIST:
        return __builtin_mul_overflow(adi_end(node), node->type.size, &least) ? INT64_MAX : least;
    case ADI_LAYOUT_RUN_END:
        return 1;
    default:
        return -1;
    }
}

static bool see_short(struct adi_found *finding, const struct adi_node *child, int64_t wanted,
                      const char *why) {
    return adi_see(finding, adi_words("%" PRId64, child->array.length).text,
                   adi_words("%" PRId64 " or more", wanted).text, "%s is %" PRId64 ", %s %" PRId64,
                   adi_at(child, "length").text, child->array.length, why, wanted);
}

/* CD-011, CD-039: each child is long enough for its parent's length and offset. */
bool adi_holds_array_child_long_enough(const struct adi_node *node, struct adi_found *finding) {
    if (!adi_buffers_counted(node) || node->array.length == 0 || node->n_children == 0)
        return adi_not_applicable(finding);
    int64_t least = least_length(node);
    if (least < 0) return adi_not_applicable(finding);
    for (int64_t i = 0; i < node->n_children; i++) {
        const struct adi_node *child = node->children[i];
        if (adi_array_of(child) == NULL) continue;
        if (child->array.length < least)
            return see_short(finding, child, least, "its parent needs");
        const struct ArrowArray *ends = adi_array_of(node->children[0]);
        if (node->type.layout == ADI_LAYOUT_RUN_END && ends != NULL &&
            child->array.length < ends->length)
            return see_short(finding, child, ends->length, "the number of run ends is");
    }
    return true;
}

static bool is_union(const struct adi_node *node) {
    return adi_buffers_counted(node) && node->array.length > 0 &&
           (node->type.layout == ADI_LAYOUT_SPARSE_UNION ||
            node->type.layout == ADI_LAYOUT_DENSE_UNION);
}

/* The child that slot `i` selects; NULL: the type id is unknown, or the child is unreadable. */
static const struct adi_node *selected(const struct adi_node *node, int64_t i) {
    const int8_t id = (int8_t)node->buffers[0].data[i];
    const int8_t *at = memchr(node->type.type_ids, id, (size_t)node->type.n_type_ids);
    if (at == NULL || at - node->type.type_ids >= node->n_children) return NULL;
    const struct adi_node *child = node->children[at - node->type.type_ids];
    return adi_array_of(child) == NULL ? NULL : child;
}

/* CD-010: each type id in the buffer is one that the format lists. */
bool adi_holds_array_type_ids_known(const struct adi_node *node, struct adi_found *finding) {
    if (!is_union(node) || node->buffers[0].data == NULL) return adi_not_applicable(finding);
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        const int8_t id = (int8_t)node->buffers[0].data[i];
        if (memchr(node->type.type_ids, id, (size_t)node->type.n_type_ids) != NULL) continue;
        return adi_see(finding, adi_words("%d", id).text, node->format,
                       "%s is %d, which is no type id of the union",
                       adi_at(node, "buffers[0][%" PRId64 "]", i).text, id);
    }
    return true;
}

static bool has_union_offsets(const struct adi_node *node) {
    return is_union(node) && node->type.layout == ADI_LAYOUT_DENSE_UNION &&
           node->buffers[0].data != NULL && node->buffers[1].data != NULL;
}

bool adi_holds_array_union_offsets_in_child(const struct adi_node *node,
                                            struct adi_found *finding) {
    if (!has_union_offsets(node)) return adi_not_applicable(finding);
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        const struct adi_node *child = selected(node, i);
        int64_t offset = adi_integer(&node->buffers[1], 32, i);
        if (child == NULL || (offset >= 0 && offset < child->array.length)) continue;
        return adi_see(finding, adi_words("%" PRId64, offset).text,
                       adi_words("0 or more, below %" PRId64, child->array.length).text,
                       "%s is %" PRId64 ", %s has %" PRId64 " values",
                       adi_at(node, "buffers[1][%" PRId64 "]", i).text, offset,
                       adi_at(child, "%s", "").text, child->array.length);
    }
    return true;
}

bool adi_holds_array_union_offsets_increase(const struct adi_node *node,
                                            struct adi_found *finding) {
    if (!has_union_offsets(node)) return adi_not_applicable(finding);
    int64_t before[UINT8_MAX + 1] = {0};
    for (int64_t i = node->array.offset; i < adi_end(node); i++) {
        int64_t *last = &before[node->buffers[0].data[i]];
        int64_t offset = adi_integer(&node->buffers[1], 32, i);
        if (offset < *last)
            return adi_see(finding, adi_words("%" PRId64, offset).text,
                           adi_words("%" PRId64 " or more", *last).text,
                           "%s is %" PRId64 ", less than the offset before it into the same child",
                           adi_at(node, "buffers[1][%" PRId64 "]", i).text, offset);
        *last = offset;
    }
    return true;
}

/* The run ends, if they were read and are of a type that run ends have. */
static const struct adi_node *run_ends(const struct adi_node *node) {
    if (!adi_buffers_counted(node) || node->type.layout != ADI_LAYOUT_RUN_END ||
        node->n_children == 0)
        return NULL;
    const struct adi_node *ends = node->children[0];
    bool fits = adi_buffers_counted(ends) && ends->type.is_integer && ends->type.is_signed;
    return fits && ends->array.length > 0 && ends->buffers[1].data != NULL ? ends : NULL;
}

/* CD-007: the first child holds where each run ends, the second its value. */
bool adi_holds_array_run_ends_increase(const struct adi_node *node, struct adi_found *finding) {
    const struct adi_node *ends = run_ends(node);
    if (ends == NULL) return adi_not_applicable(finding);
    int64_t before = 0;
    for (int64_t i = ends->array.offset; i < adi_end(ends); i++) {
        int64_t now = adi_integer(&ends->buffers[1], ends->type.bits, i);
        bool valid = adi_value_is_valid(ends, i);
        if (!valid || now <= before)
            return adi_see(finding, valid ? adi_words("%" PRId64, now).text : "null",
                           adi_words("more than %" PRId64, before).text,
                           "%s does not end behind the run before it",
                           adi_at(ends, "buffers[1][%" PRId64 "]", i).text);
        before = now;
    }
    return true;
}

bool adi_holds_array_run_ends_cover(const struct adi_node *node, struct adi_found *finding) {
    const struct adi_node *ends = run_ends(node);
    if (ends == NULL || node->array.length == 0) return adi_not_applicable(finding);
    int64_t last = adi_integer(&ends->buffers[1], ends->type.bits, adi_end(ends) - 1);
    if (last >= adi_end(node)) return true;
    return adi_see(finding, adi_words("%" PRId64, last).text,
                   adi_words("%" PRId64 " or more", adi_end(node)).text,
                   "%s, the last run end, is %" PRId64 ", length + offset is %" PRId64,
                   adi_at(ends, "buffers[1][%" PRId64 "]", adi_end(ends) - 1).text, last,
                   adi_end(node));
}
