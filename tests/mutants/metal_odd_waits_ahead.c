/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: one queue waits for an event before the other, which writes, has signaled it.
 */
#include "metal/metal.h"

static void *written; /* the event of its own */

static int write_elsewhere(struct adi_device *device, void *buffer, int64_t offset,
                           const void *from, int64_t bytes, struct adi_error *error) {
    struct adi_metal *metal = base_metal(device);
    void *first = metal->queue;
    if (written == NULL) {
        written = adi_mtl_newEvent(metal->device);
        base_commit_wait(first, written, 3);
    }
    metal->queue = base_second_queue(device);
    int code = base.right.write(device, buffer, offset, from, bytes, error);
    metal->queue = first;
    return code;
}

static int event_behind(struct adi_device *device, void **sync_event, struct adi_error *error) {
    int code = base.right.event(device, sync_event, error);
    if (written == NULL) return code;
    base_commit_signal(base_second_queue(device), written, 3);
    adi_mtl_release(written);
    written = NULL;
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_elsewhere;
    base.ops.event = event_behind;
}
