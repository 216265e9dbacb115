/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: an array in which no buffer holds a byte is handed out as one of the CPU, made here or
 * relayed. Arrow C++ does (ambiguity 38).
 */
#include "../device/device_base.h"

static bool has_buffers(const struct ArrowArray *array) {
    bool any = false;
    for (int64_t i = 0; i < array->n_buffers; i++) any = any || array->buffers[i] != NULL;
    for (int64_t i = 0; i < array->n_children; i++) any = any || has_buffers(array->children[i]);
    return any || (array->dictionary != NULL && has_buffers(array->dictionary));
}

static void exported(struct ArrowDeviceArray *out) {
    if (has_buffers(&out->array)) return;
    out->device_type = ARROW_DEVICE_CPU;
    out->device_id = -1;
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_RELAYS;
    base.exported = exported;
}
