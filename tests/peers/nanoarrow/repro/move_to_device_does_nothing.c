/* SPDX-License-Identifier: Apache-2.0
 *
 * ArrowDeviceArrayMoveToDevice from CUDA to the CPU answers NANOARROW_OK, not ENOTSUP as its
 * description says, and has done nothing: the target is as it was, the source not moved.
 *
 * Built with nanoarrow's CUDA device, as docs/findings/nanoarrow.md shows: without one there is
 * nothing to move from, and the answer is EINVAL.
 */
#ifndef NANOARROW_DEVICE_WITH_CUDA
#error "add -DNANOARROW_DEVICE_WITH_CUDA and nanoarrow's device/cuda.c"
#endif

#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <stdio.h>

static void release(struct ArrowArray *array) {
    array->release = NULL;
}

int main(void) {
    struct ArrowDeviceArray in = {.array.release = release, .device_type = ARROW_DEVICE_CUDA};
    struct ArrowDeviceArray out = {.device_type = 99};
    int code = ArrowDeviceArrayMoveToDevice(&in, ArrowDeviceCpu(), &out);
    printf("returned %d; source %s, target of device type %d\n", code,
           in.array.release == NULL ? "moved" : "not moved", out.device_type);
    return code == NANOARROW_OK && in.array.release != NULL && out.device_type == 99 ? 0 : 1;
}
