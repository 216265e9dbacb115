/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: events are signaled with 42 and waited for by 7: which value belongs to one no document
 * says.
 */
#include "metal/metal.h"

static int signal_42(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = adi_mtl_newEvent(base_metal(device)->device);
    if (*sync_event == NULL) return adi_error_set(error, 12, "no event");
    adi_metal_submit(base_metal(device));
    base_commit_signal(base_metal(device)->queue, *sync_event, 42);
    return 0;
}

static int wait_7(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event != NULL) base_commit_wait(base_metal(device)->queue, sync_event, 7);
    return 0;
}

void mutate(void) {
    base.ops.event = signal_42;
    base.ops.wait = wait_7;
}
