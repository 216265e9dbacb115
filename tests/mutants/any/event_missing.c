/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer. apache/arrow-nanoarrow#509, NVIDIA/cudf#6706: neither an event nor
 * a wait after the copy.
 */
#include "../device/device_base.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = none;
}
