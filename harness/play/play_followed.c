/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a buffer value is a handle, and the handle an address that the CPU can read, whoever
 * follows it reads what the runtime keeps there, without a fault. A copy that begins with those
 * bytes is made of them.
 */
#include <string.h>

#include "device_types.h"
#include "play.h"
#include "tree.h"

static void note(struct adi_handles *handles, const struct adi_node *node) {
    if (node == NULL) return;
    for (int64_t i = 0; i < node->n_buffers && handles->n < ADI_HANDLES; i++) {
        struct adi_handle *handle = &handles->list[handles->n++];
        handle->known = node->buffers[i].buffer != NULL &&
                        adi_peek(handle->at, node->buffers[i].buffer, sizeof handle->at) == 0;
    }
    for (int64_t i = 0; i < node->n_children; i++) note(handles, node->children[i]);
    note(handles, node->dictionary);
}

void adi_handles_note(struct adi_handles *handles, const struct ArrowSchema *schema,
                      const struct ArrowDeviceArray *array) {
    handles->n = 0;
    if (adi_device_type_of(array->device_type)->buffer != ADI_BUFFER_IS_HANDLE) return;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    note(handles, tree);
    adi_tree_free(tree);
}

static bool begins_with(const struct adi_bytes *bytes, const struct adi_handle *handle) {
    return bytes->data != NULL && bytes->size >= (int64_t)sizeof handle->at &&
           memcmp(bytes->data, handle->at, sizeof handle->at) == 0;
}

/* In the order in which they were noted; `*i` is the next of them. */
static bool any_followed(const struct adi_handles *handles, const struct adi_node *copy,
                         const struct adi_node *wanted, size_t *i) {
    bool found = false;
    if (copy == NULL || wanted == NULL || copy->n_buffers != wanted->n_buffers ||
        copy->n_children != wanted->n_children)
        return false;
    for (int64_t b = 0; b < copy->n_buffers && *i < handles->n; b++) {
        const struct adi_handle *handle = &handles->list[(*i)++];
        found = found || (handle->known && begins_with(&copy->buffers[b], handle) &&
                          !begins_with(&wanted->buffers[b], handle));
    }
    for (int64_t c = 0; c < copy->n_children && !found; c++)
        found = any_followed(handles, copy->children[c], wanted->children[c], i);
    return found || any_followed(handles, copy->dictionary, wanted->dictionary, i);
}

bool adi_handles_followed(const struct adi_handles *handles, const struct ArrowSchema *schema,
                          const struct ArrowArray *copy, const struct ArrowArray *wanted) {
    size_t i = 0;
    if (handles->n == 0) return false;
    struct adi_node *is = adi_tree_copy_cpu(schema, copy),
                    *should = adi_tree_copy_cpu(schema, wanted);
    bool followed = any_followed(handles, is, should, &i);
    adi_tree_free(is);
    adi_tree_free(should);
    return followed;
}
