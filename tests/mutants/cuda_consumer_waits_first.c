/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer. Planted: the event is waited on before `release` is looked
 * at. Whatever comes of that in an array that was released, it is this one mistake.
 */
#include "cuda/cuda.h"

static void wait_for(struct adi_device *device, struct ArrowDeviceArray *in) {
    if (in->array.release == NULL) base.ops.wait_host(device, in->sync_event, NULL);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.given = wait_for;
}
