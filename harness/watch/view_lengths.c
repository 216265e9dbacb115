/* SPDX-License-Identifier: Apache-2.0 */
#include "view_lengths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"

bool adi_view_lengths_any(const struct ArrowSchema *schema) {
    bool any = strcmp(schema->format, "vu") == 0 || strcmp(schema->format, "vz") == 0;
    for (int64_t i = 0; i < schema->n_children && !any; i++)
        any = adi_view_lengths_any(schema->children[i]);
    return any || (schema->dictionary != NULL && adi_view_lengths_any(schema->dictionary));
}

/* The array that `*index` others come before; NULL: there are fewer. */
static const struct adi_node *find(const struct adi_node *node, size_t *index) {
    if (node == NULL || (*index)-- == 0) return node;
    for (int64_t i = 0; i < node->n_children; i++) {
        const struct adi_node *found = find(node->children[i], index);
        if (found != NULL) return found;
    }
    return find(node->dictionary, index);
}

static int alloc(struct adi_view_lengths *lengths, struct adi_device *device, int64_t bytes,
                 void **out, struct adi_error *error) {
    void **list = realloc(lengths->list, (lengths->n + 1) * sizeof *list);
    if (list == NULL) return adi_error_set(error, ENOMEM, "out of memory");
    lengths->list = list;
    ADI_TRY(device->ops->alloc_visible(device, bytes, out, error));
    list[lengths->n++] = *out;
    return 0;
}

int adi_view_lengths_put(struct adi_view_lengths *lengths, struct adi_device *device,
                         const struct adi_node *before, size_t index, struct ArrowArray *array,
                         struct adi_error *error) {
    const struct adi_node *node = find(before, &index);
    if (!ADI_DEVICE_HAS(device->ops, alloc_visible) || node == NULL || !adi_buffers_counted(node) ||
        node->type.layout != ADI_LAYOUT_VIEW)
        return 0;
    const struct adi_bytes *from = &node->buffers[node->n_buffers - 1];
    void *to;
    if (from->data == NULL) return 0;
    ADI_TRY(alloc(lengths, device, from->size, &to, error));
    memcpy(to, from->data, (size_t)from->size);
    array->buffers[node->n_buffers - 1] = to;
    return 0;
}

void adi_view_lengths_free(struct adi_view_lengths *lengths, struct adi_device *device) {
    for (size_t i = 0; i < lengths->n; i++) device->ops->free_visible(device, lengths->list[i]);
    free(lengths->list);
    *lengths = (struct adi_view_lengths){0};
}
