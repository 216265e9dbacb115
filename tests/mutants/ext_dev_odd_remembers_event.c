/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event that was waited for last is remembered by its handle, until its array is
 * released: then it is another's.
 */
#include "ext_dev/ext_dev.h"

static adi_sim_event known;

static int wait_unless_known(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event == NULL || *(adi_sim_event *)sync_event == known) return 0;
    known = *(adi_sim_event *)sync_event;
    return adi_device_ext_dev.wait(device, sync_event, error);
}

static void forget(struct adi_device *device) {
    (void)device;
    known = NULL;
}

void mutate(void) {
    base.ops.wait = wait_unless_known;
    base.released = forget;
}
