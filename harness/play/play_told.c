/* SPDX-License-Identifier: Apache-2.0
 *
 * Where it cannot be told what a buffer value is, nothing is said of the array that has it.
 */
#include <stdio.h>

#include "node.h"
#include "play.h"

struct telling {
    struct adi_device *device;
    struct adi_error *why;
};

static bool is_untold(const struct adi_node *node, const struct adi_bytes *bytes,
                      void *telling_at) {
    const struct telling *telling = telling_at;
    struct adi_device *device = telling->device;
    enum adi_buffer_role role = adi_type_role(&node->type, bytes - node->buffers, node->n_buffers);
    return bytes->buffer != NULL && role != ADI_BUFFER_VARIADIC_LENGTHS &&
           !device->ops->tells(device, bytes->buffer, telling->why);
}

static bool are_told(struct adi_device *device, const struct adi_node *node,
                     struct adi_error *why) {
    return adi_buffer_find(node, is_untold, &(struct telling){device, why}) == NULL;
}

static bool is_event_told(struct adi_device *device, const void *sync_event,
                          struct adi_error *why) {
    return sync_event == NULL || !ADI_DEVICE_HAS(device->ops, tells_event) ||
           device->ops->tells_event(device, sync_event, why);
}

bool adi_play_is_told(struct adi_device *device, struct ArrowSchema *schema,
                      struct ArrowDeviceArray *array, struct adi_error *why) {
    if (!ADI_DEVICE_HAS(device->ops, tells)) return true;
    struct adi_node *tree = adi_tree_copy(schema, array, NULL);
    bool told = array->device_type != device->ops->type || are_told(device, tree, why);
    /* The event may let the device know where the array is from. */
    if (!told && array->sync_event != NULL &&
        device->ops->wait(device, array->sync_event, NULL) == 0)
        told = are_told(device, tree, why);
    told = told && (array->device_type != device->ops->type ||
                    is_event_told(device, array->sync_event, why));
    adi_tree_free(tree);
    if (told) return true;
    if (schema->release != NULL) adi_call_release_schema(schema);
    if (array->array.release != NULL) adi_call_release_array(&array->array);
    return false;
}

void adi_play_untold(struct adi_trial *trial, const struct adi_error *why) {
    char text[ADI_ERROR_SIZE + 16];
    snprintf(text, sizeof text, "not judged: %s", why->text);
    adi_play_skip(trial, text);
}

bool adi_exported_is_told(struct adi_trial *trial, const struct adi_exported *out) {
    struct adi_error why = {""};
    if (adi_play_is_told(trial->device, out->schema, out->array, &why)) return true;
    adi_play_untold(trial, &why);
    return false;
}
