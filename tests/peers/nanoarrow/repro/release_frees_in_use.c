/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy to the device is queued, and the array that comes of it released. The memory is from
 * cuMemAllocAsync; it is freed by cuMemFree, which does not wait for the copy then ("callers must
 * ensure that all accesses have completed"), and nobody else has waited.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>
#include <stdio.h>

int main(void) {
    struct ArrowArray array;
    struct ArrowDeviceArray in, out;
    struct ArrowDeviceArrayView view;
    CUstream stream;
    cuStreamCreate(&stream, CU_STREAM_DEFAULT);
    if (ArrowArrayInitFromType(&array, NANOARROW_TYPE_INT32) != NANOARROW_OK ||
        ArrowArrayStartAppending(&array) != NANOARROW_OK ||
        ArrowArrayAppendInt(&array, 7) != NANOARROW_OK ||
        ArrowArrayFinishBuildingDefault(&array, NULL) != NANOARROW_OK)
        return 1;

    struct ArrowDevice *cuda = ArrowDeviceCuda(ARROW_DEVICE_CUDA, 0);
    ArrowDeviceArrayViewInit(&view);
    ArrowArrayViewInitFromType(&view.array_view, NANOARROW_TYPE_INT32);
    if (ArrowDeviceArrayInit(ArrowDeviceCpu(), &in, &array, NULL) != NANOARROW_OK ||
        ArrowDeviceArrayViewSetArray(&view, &in, NULL) != NANOARROW_OK ||
        ArrowDeviceArrayViewCopyAsync(&view, cuda, &out, &stream) != NANOARROW_OK)
        return 1;

    ArrowArrayRelease(&out.array); /* on an error path, say */
    printf("cuMemAllocAsync %d, cuMemFree %d; waits of the host %d\n", calls_of("cuMemAllocAsync"),
           calls_of("cuMemFree"), waits_of_the_host());
    ArrowArrayRelease(&in.array);
    return calls_of("cuMemAllocAsync") > 0 && calls_of("cuMemFree") > 0 && !waits_of_the_host() ? 0
                                                                                                : 1;
}
