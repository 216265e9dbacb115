/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it takes a free for a wait for all that is in the stream, which
 * waits for the event. A free waits for the work that uses what is freed.
 */
#include "cuda/cuda.h"

static int by_free(struct adi_device *device, void *sync_event, struct adi_error *error) {
    CUdeviceptr scratch;
    CUstream stream = base_second_queue(device);
    CU(cuMemAlloc_v2)(&scratch, 64);
    CU(cuMemsetD8Async)(scratch, 0, 64, stream);
    ADI_TRY(device->ops->wait_on(device, stream, sync_event, error));
    CU(cuMemFree_v2)(scratch);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = by_free;
}
