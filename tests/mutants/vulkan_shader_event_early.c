/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: a compute shader fills the buffers, and the event was set before
 * the last of them.
 */
#include "vulkan/shades.h"

static void *early; /* of the array that is made */

static int write_behind_event(struct adi_device *device, void *buffer, int64_t offset,
                              const void *from, int64_t bytes, struct adi_error *error) {
    if (early == NULL) ADI_TRY(adi_device_vulkan.event(device, &early, error));
    return write_by_shader(device, buffer, offset, from, bytes, error);
}

static int hand_out(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static void *right;
    if (right != NULL) adi_device_vulkan.event_free(device, right);
    right = NULL;
    ADI_TRY(end_array(device, &right, error));
    if (early == NULL) ADI_TRY(adi_device_vulkan.event(device, &early, error));
    *sync_event = early;
    early = NULL;
    return 0;
}

void mutate(void) {
    base.ends = end_shading;
    base.roles = ADI_PRODUCES;
    base.ops.batch_submissions = NULL;
    base.ops.alloc = alloc_words;
    base.ops.write = write_behind_event;
    base.ops.event = hand_out;
}
