/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: nothing is left to be waited for, on either side.
 */
#include "cuda/cuda.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return (int)CU(cuCtxSynchronize)();
}

static int block(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    return sync_event == NULL ? 0 : (int)CU(cuEventSynchronize)(*(CUevent *)sync_event);
}

void mutate(void) {
    base.ops.event = none;
    base.ops.wait = block;
}
