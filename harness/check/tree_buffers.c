/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "node.h"

#define LARGE ((int64_t)1 << 20)
/* When this much of a tree has been read, of the other buffers only the last byte is tried. */
#define BYTES_MOST ((int64_t)512 << 20)
#define FEW        4 /* buffers: most types have no more */

static bool on_device(const struct adi_node *root) {
    return root->device != NULL && root->device_array->device_type == root->device->ops->type;
}

/* The event that was waited for in vain, of the array that is looked at; NULL: none. */
static struct {
    const void *event;
    struct adi_error error;
} in_vain;

static int wait_for(struct adi_device *device, void *event, struct adi_error *error) {
    if (event == NULL || event != in_vain.event)
        return device->ops->wait_host(device, event, error);
    *error = in_vain.error;
    return ETIMEDOUT;
}

int adi_tree_wait(struct adi_device *device, void *event, struct adi_error *error) {
    int code = wait_for(device, event, error);
    if (code == ETIMEDOUT) in_vain.event = event;
    if (code == ETIMEDOUT) in_vain.error = *error;
    return code;
}

void adi_tree_wait_anew(void) {
    in_vain.event = NULL;
}

/* Garbage is not handed to a wait of a type that has no event. */
static bool waited(struct adi_node *root) {
    void *event = root->device_array->sync_event;
    struct adi_error error = {""};
    if (event == NULL || !adi_device_type_has_event(root->device->ops->type)) return true;
    root->waited = wait_for(root->device, event, &error);
    if (root->waited != 0) root->wait_error = strdup(error.text);
    return root->waited == 0;
}

/* The last byte first: a length that is garbage fails there, before memory is taken for it. */
static void read_buffer(struct adi_device *device, enum adi_buffer_role role,
                        struct adi_bytes *bytes, int64_t *left) {
    if (bytes->buffer == NULL || bytes->size <= 0) return;
    struct adi_error error = {""};
    int code = 0;
    if (bytes->size > LARGE) {
        uint8_t last;
        code = adi_read_buffer(device, role, bytes->buffer, bytes->size - 1, &last, 1, &error);
    }
    if (code == 0 && bytes->size <= *left) {
        bytes->data = malloc((size_t)bytes->size);
        if (bytes->data == NULL) return;
        code = adi_read_buffer(device, role, bytes->buffer, 0, bytes->data, bytes->size, &error);
        *left -= bytes->size;
    }
    if (code == 0) return;
    if (code == EFAULT) bytes->fault = strdup(error.text);
    free(bytes->data);
    bytes->data = NULL;
}

/* The size of what depends on data is known only where the device reads it. */
static void measure(struct adi_node *node, struct ArrowArray *copy, struct adi_device *device,
                    int64_t i) {
    enum adi_buffer_role role = adi_type_role(&node->type, i, node->n_buffers);
    bool by_data = role == ADI_BUFFER_DATA || role == ADI_BUFFER_VARIADIC;
    if (by_data && device == NULL) return;
    int64_t size;
    if (adi_type_buffer_bytes(&node->type, copy, i, device, &size, NULL) == 0)
        node->buffers[i].size = size;
}

static void read_node(struct adi_node *node, struct adi_device *device, int64_t *left) {
    if (!adi_buffers_counted(node) || node->n_buffers == 0) return;
    const void *few[FEW], **more = NULL, **buffers = few;
    if (node->n_buffers > FEW) more = malloc((size_t)node->n_buffers * sizeof *buffers);
    if (node->n_buffers > FEW) buffers = more;
    if (buffers == NULL) return;
    for (int64_t i = 0; i < node->n_buffers; i++) buffers[i] = node->buffers[i].buffer;
    struct ArrowArray copy = node->array;
    copy.buffers = buffers;
    for (int64_t i = 0; i < node->n_buffers; i++) {
        measure(node, &copy, device, i);
        enum adi_buffer_role role = adi_type_role(&node->type, i, node->n_buffers);
        if (device != NULL) read_buffer(device, role, &node->buffers[i], left);
    }
    free(more);
}

static void read_tree(struct adi_node *node, struct adi_device *device, int64_t *left) {
    read_node(node, device, left);
    for (int64_t i = 0; i < node->n_children; i++) read_tree(node->children[i], device, left);
    if (node->dictionary != NULL) read_tree(node->dictionary, device, left);
}

void adi_tree_read(struct adi_node *root) {
    int64_t left = BYTES_MOST;
    read_tree(root, on_device(root) && waited(root) ? root->device : NULL, &left);
}
