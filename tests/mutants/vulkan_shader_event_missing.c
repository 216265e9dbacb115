/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: a compute shader fills the buffers, and nothing says when it has.
 */
#include "vulkan/shades.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static void *unsaid;
    if (unsaid != NULL) adi_device_vulkan.event_free(device, unsaid);
    *sync_event = unsaid = NULL;
    return end_array(device, &unsaid, error);
}

void mutate(void) {
    base.ends = end_shading;
    base.roles = ADI_PRODUCES;
    base.ops.batch_submissions = NULL;
    base.ops.alloc = alloc_words;
    base.ops.write = write_by_shader;
    base.ops.event = none;
}
