/* SPDX-License-Identifier: Apache-2.0
 *
 * A string array in pinned memory comes with an event. ArrowDeviceArrayViewCopyAsync lets the
 * stream wait for it, and then reads the buffers with memcpy on the host, which waits for nothing.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>
#include <stdio.h>

static void release(struct ArrowArray *array) {
    array->release = NULL;
}

int main(void) {
    static const int32_t offsets[] = {0, 3};
    const void *buffers[] = {NULL, offsets, "abc"};
    CUstream stream;
    CUevent event;
    cuStreamCreate(&stream, CU_STREAM_DEFAULT);
    cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    struct ArrowDeviceArray out, in = {.device_type = ARROW_DEVICE_CUDA_HOST, .sync_event = &event};
    in.array =
        (struct ArrowArray){.length = 1, .n_buffers = 3, .buffers = buffers, .release = release};

    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    ArrowArrayViewInitFromType(&view.array_view, NANOARROW_TYPE_STRING);
    if (ArrowDeviceArrayViewSetArrayAsync(&view, &in, &stream, NULL) != NANOARROW_OK) return 1;
    if (ArrowDeviceArrayViewCopyAsync(&view, ArrowDeviceCpu(), &out, &stream) != NANOARROW_OK)
        return 1;

    int was_read = memcmp(out.array.buffers[2], "abc", 3) == 0;
    printf("cuStreamWaitEvent %d times, waits of the host %d; read by then: %s\n",
           calls_of("cuStreamWaitEvent"), waits_of_the_host(), was_read ? "abc" : "nothing");
    ArrowArrayRelease(&out.array);
    return was_read && waits_of_the_host() == 0 ? 0 : 1;
}
