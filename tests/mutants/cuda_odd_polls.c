/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event over and over.
 */
#include "cuda/cuda.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    CUresult code = CUDA_ERROR_NOT_READY;
    (void)device, (void)error;
    if (sync_event == NULL) return 0;
    while (code == CUDA_ERROR_NOT_READY) code = CU(cuEventQuery)(*(CUevent *)sync_event);
    return (int)code;
}

void mutate(void) {
    base.ops.wait = poll;
}
