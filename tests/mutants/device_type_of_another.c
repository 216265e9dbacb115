/* SPDX-License-Identifier: Apache-2.0
 *
 * device/type-differs, producer. Planted: host memory is exported as CUDA_HOST.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->device_type = ARROW_DEVICE_CUDA_HOST;
    out->device_id = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
