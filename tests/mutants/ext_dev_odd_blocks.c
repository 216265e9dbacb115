/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: nothing is left to be waited for, on either side.
 */
#include "ext_dev/ext_dev.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    *sync_event = NULL;
    return SIM(context_sync)(base_context(device));
}

static int block(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return adi_device_ext_dev.wait_host(device, sync_event, error);
}

void mutate(void) {
    base.ops.event = none;
    base.ops.wait = block;
}
