/* SPDX-License-Identifier: Apache-2.0
 *
 * An int32 array in CUDA memory comes with an event. ArrowDeviceArrayViewSetArrayAsync and
 * ArrowDeviceArrayViewCopyAsync copy it to the CPU, and nobody waits for the event: neither the
 * stream nor the host. With a string in the array the stream would.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>
#include <stdio.h>

static void release(struct ArrowArray *array) {
    array->release = NULL;
}

int main(void) {
    static const int32_t values[] = {1, 2, 3};
    const void *buffers[] = {NULL, values};
    CUstream stream;
    CUevent event;
    cuStreamCreate(&stream, CU_STREAM_DEFAULT);
    cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    struct ArrowDeviceArray out, in = {.device_type = ARROW_DEVICE_CUDA, .sync_event = &event};
    in.array =
        (struct ArrowArray){.length = 3, .n_buffers = 2, .buffers = buffers, .release = release};

    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    ArrowArrayViewInitFromType(&view.array_view, NANOARROW_TYPE_INT32);
    if (ArrowDeviceArrayViewSetArrayAsync(&view, &in, &stream, NULL) != NANOARROW_OK) return 1;
    if (ArrowDeviceArrayViewCopyAsync(&view, ArrowDeviceCpu(), &out, &stream) != NANOARROW_OK)
        return 1;

    int waits = calls_of("cuStreamWaitEvent") + calls_of("cuEventSynchronize");
    printf("%d copies from the device, %d waits for the event\n", calls_of("cuMemcpyDtoHAsync"),
           waits);
    ArrowArrayRelease(&out.array);
    return calls_of("cuMemcpyDtoHAsync") > 0 && waits == 0 ? 0 : 1;
}
