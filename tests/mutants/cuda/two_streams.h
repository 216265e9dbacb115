/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches that are written on two streams in turn.
 */
#ifndef CUDA_TWO_STREAMS_H
#define CUDA_TWO_STREAMS_H

#include <errno.h>
#include <stdlib.h>

#include "cuda.h"

static bool on_second;

static CUstream stream_in_turn(struct adi_device *device) {
    return on_second ? base_second_queue(device) : base_stream(device);
}

static int write_in_turn(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                         int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    (void)error;
    return CU(cuMemcpyHtoDAsync_v2)(to, from, (size_t)bytes, stream_in_turn(device)) == 0 ? 0 : EIO;
}

/* Records the event, hands out a copy of its handle, and turns to the other stream. */
static int hand_out(struct adi_device *device, CUevent event, void **sync_event) {
    CUevent *handle = malloc(sizeof *handle);
    if (handle == NULL) return ENOMEM;
    CU(cuEventRecord)(event, stream_in_turn(device));
    *handle = event;
    *sync_event = handle;
    on_second = !on_second;
    return 0;
}

/* Whoever releases need not have a context. */
static void destroy(struct adi_device *device, CUevent event) {
    CUcontext context = base_context(device);
    CU(cuCtxPushCurrent_v2)(context);
    CU(cuEventDestroy_v2)(event);
    CU(cuCtxPopCurrent_v2)(&context);
}

/* The memory is ready before either stream writes it. */
static void use_two_streams(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_in_turn;
}

#endif /* CUDA_TWO_STREAMS_H */
