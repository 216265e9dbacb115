/* SPDX-License-Identifier: Apache-2.0
 *
 * synchronize_event of the CUDA device with a stream and no event is to wait for the stream, and
 * does nothing. ArrowDeviceArrayViewCopyAsync relies on it for a copy to the CPU, which has no
 * event.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>
#include <stdio.h>

int main(void) {
    CUstream stream;
    struct ArrowDevice *cuda = ArrowDeviceCuda(ARROW_DEVICE_CUDA, 0);
    cuStreamCreate(&stream, CU_STREAM_DEFAULT);
    int code = cuda->synchronize_event(cuda, NULL, &stream, NULL);
    printf("returned %d; cuStreamSynchronize %d times\n", code, calls_of("cuStreamSynchronize"));
    return code == NANOARROW_OK && calls_of("cuStreamSynchronize") == 0 ? 0 : 1;
}
