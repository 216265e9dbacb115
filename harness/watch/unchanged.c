/* SPDX-License-Identifier: Apache-2.0 */
#include "unchanged.h"

#include "attribution.h"
#include "host.h"
#include "node.h"

/* The first byte from `begin` on that differs; -1: none does. */
static int64_t difference(const struct adi_bytes *before, const struct adi_bytes *after,
                          int64_t begin) {
    if (before->data == NULL || after->data == NULL || before->size != after->size) return -1;
    for (int64_t i = begin; i < before->size; i++)
        if (before->data[i] != after->data[i]) return i;
    return -1;
}

/* `all`: also before the first value. */
static bool differ(const struct adi_node *before, const struct adi_node *after, bool all,
                   struct adi_difference *out) {
    if (before == NULL || after == NULL) return false;
    for (int64_t i = 0; i < before->n_buffers && i < after->n_buffers; i++) {
        const struct adi_bytes *was = &before->buffers[i], *is = &after->buffers[i];
        int64_t at = difference(was, is, all ? 0 : adi_buffer_begin(after, i));
        if (at < 0) continue;
        *out = (struct adi_difference){after, i, at, was->data[at], is->data[at]};
        return true;
    }
    for (int64_t i = 0; i < before->n_children && i < after->n_children; i++)
        if (differ(before->children[i], after->children[i], all, out)) return true;
    return differ(before->dictionary, after->dictionary, all, out);
}

bool adi_unchanged_differ(const struct adi_node *before, const struct adi_node *after,
                          struct adi_difference *out) {
    return differ(before, after, false, out);
}

bool adi_unchanged_node_differs(const struct adi_node *before, struct adi_difference *out) {
    for (int64_t i = 0; i < before->n_buffers; i++) {
        const struct adi_bytes *was = &before->buffers[i];
        uint8_t is[512];
        for (int64_t at = 0; was->data != NULL && at < was->size; at += (int64_t)sizeof is) {
            int64_t left = was->size - at;
            struct adi_bytes part = {.size = left < (int64_t)sizeof is ? left : (int64_t)sizeof is,
                                     .data = was->data + at};
            struct adi_bytes now = {.size = part.size, .data = is};
            if (adi_host_read(was->buffer, at, is, part.size, NULL) != 0) return false;
            int64_t byte = difference(&part, &now, 0);
            if (byte < 0) continue;
            *out = (struct adi_difference){before, i, at + byte, part.data[byte], is[byte]};
            return true;
        }
    }
    return false;
}

/* CD-098, DV-038: a consumer does not write the data that it was given. */
void adi_unchanged_report(const struct adi_difference *at, struct adi_sink *sink) {
    struct adi_words seen = adi_words("%02x in byte %" PRId64, at->is, at->byte);
    struct adi_words expected = adi_words("%02x, as it was handed over", at->was);
    adi_report(sink, "array/buffer-mutated", ADI_CONSUMER, seen.text, expected.text,
               "%s was written by its consumer",
               adi_at(at->node, "buffers[%" PRId64 "]", at->buffer).text);
}

const struct adi_node *adi_unchanged_node(const struct adi_node *before,
                                          const struct adi_watched *node) {
    const struct adi_node *parent =
        node->parent == NULL ? NULL : adi_unchanged_node(before, node->parent);
    if (node->parent == NULL) return before;
    if (parent == NULL || node->child == ADI_WATCHED_DICTIONARY)
        return parent == NULL ? NULL : parent->dictionary;
    return node->child < parent->n_children ? parent->children[node->child] : NULL;
}

static bool is_used(const struct adi_node *node, const struct adi_bytes *bytes, void *unused) {
    (void)node, (void)unused;
    return adi_interceptor_used(bytes->buffer, 0, bytes->size);
}

static bool can_be_read(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array) {
    if (adi_interceptor_current() == NULL) return true;
    if (adi_interceptor_pauses(true) || adi_interceptor_pauses(false)) return false;
    struct adi_node *pointers = adi_tree_copy(schema, array, NULL);
    bool used = adi_buffer_find(pointers, is_used, NULL) != NULL;
    adi_tree_free(pointers);
    return !used;
}

void adi_unchanged_judge(struct adi_device *device, const struct ArrowSchema *schema,
                         const struct ArrowDeviceArray *array, const struct adi_node *before,
                         struct adi_sink *sink) {
    if (before == NULL || !can_be_read(schema, array)) return;
    struct adi_node *after = adi_tree_copy(schema, array, device);
    struct adi_difference found;
    if (differ(before, after, true, &found)) adi_unchanged_report(&found, sink);
    adi_tree_free(after);
}
