/* SPDX-License-Identifier: Apache-2.0
 *
 *   exchange right | early-release | WAY
 *
 * A buffer is written, copied, mapped and read. Every other word names a mistake, which the
 * simulation has to see.
 */
#include "program.h"

static const char *way;

static bool is(const char *word) {
    return strcmp(way, word) == 0;
}

static void fail(const char *what) {
    fprintf(stderr, "exchange: %s\n", what);
    exit(2);
}

static bool runs_late(void) {
    const char *policy = getenv("ADI_SIM_POLICY");
    return policy == NULL || strcmp(policy, "lazy") == 0;
}

int main(int argc, char **argv) {
    WGPUAdapter adapters[2];
    struct said uncaptured = {-1, -1, NULL}, mapped = {-1, -1, NULL}, done = {-1, -1, NULL};
    const int in[16] = {1, 2, 3};
    way = argc > 1 ? argv[1] : "right";
    WGPUInstance instance = wgpuCreateInstance(NULL);
    if (wgpuInstanceEnumerateAdapters(instance, NULL, NULL) != 2) fail("not two adapters");
    wgpuInstanceEnumerateAdapters(instance, NULL, adapters);
    WGPUDevice device = open_device(adapters[0], &uncaptured), other;
    WGPUQueue queue = wgpuDeviceGetQueue(device);
    WGPUBuffer buffer = make_buffer(device, COPY_SRC | COPY_DST, sizeof in, false);
    WGPUBuffer staging = make_buffer(device, MAP_READ | COPY_DST, sizeof in, false);
    wgpuQueueWriteBuffer(queue, buffer, 0, in, sizeof in);
    if (is("handle-plus")) {
        WGPUBuffer inside = (WGPUBuffer)(void *)((char *)buffer + 4);
        wgpuQueueWriteBuffer(queue, inside, 0, in, 4);
    }
    if (is("host-pointer")) wgpuQueueWriteBuffer(queue, (WGPUBuffer)(uintptr_t)in, 0, in, 4);
    if (is("followed")) (void)*(volatile char *)buffer;
    if (is("past-end")) wgpuQueueWriteBuffer(queue, buffer, sizeof in, in, 4);
    if (is("queue-as-buffer")) wgpuQueueWriteBuffer(queue, (WGPUBuffer)(void *)queue, 0, in, 4);
    if (is("other-adapter")) {
        other = open_device(adapters[1], &uncaptured);
        WGPUQueue others = wgpuDeviceGetQueue(other);
        wgpuQueueWriteBuffer(others, buffer, 0, in, 4);
        wgpuQueueRelease(others);
        wgpuDeviceRelease(other);
    }
    if (is("destroyed")) {
        wgpuBufferDestroy(buffer);
        wgpuQueueWriteBuffer(queue, buffer, 0, in, 4);
    }
    if (!is("destroyed")) copy(device, queue, buffer, 0, staging, sizeof in);
    if (is("early-release")) wgpuBufferRelease(buffer); /* the runtime keeps what it needs */
    wgpuQueueOnSubmittedWorkDone(queue, ASKING(on_done, &done));
    wgpuBufferMapAsync(staging, MAP_READ, 0, sizeof in, ASKING(on_map, &mapped));
    if (done.status != -1 || mapped.status != -1) fail("it is told before anybody looks");
    bool empty = wgpuDevicePoll(device, 0, NULL);
    if (!is("destroyed") && empty == runs_late()) fail("it has run as if the policy were another");
    if (!is("destroyed") && empty != (mapped.status == GOOD)) fail("more or less is told than ran");
    wgpuDevicePoll(device, 1, NULL);
    if (done.status != GOOD || mapped.status != GOOD) fail("nobody is told");
    const int *out = wgpuBufferGetConstMappedRange(staging, 0, sizeof in);
    if (out == NULL || (!is("destroyed") && out[2] != 3)) fail("the wrong bytes");
    if (wgpuBufferGetMappedRange(staging, 0, sizeof in) != out) fail("as wgpu-native does");
    wgpuBufferUnmap(staging);
    if (is("unmapped")) (void)*(volatile const int *)out;
    wgpuBufferRelease(staging);
    if (is("used-late")) copy(device, queue, staging, 0, buffer, 4);
    if (is("released-twice")) wgpuBufferRelease(staging);
    if (!is("early-release") && !is("kept")) wgpuBufferRelease(buffer);
    if (is("kept-encoder")) wgpuDeviceCreateCommandEncoder(device, NULL);
    if (!is("kept-queue")) wgpuQueueRelease(queue);
    if (!is("kept-device")) wgpuDeviceRelease(device);
    if (is("queue-late")) wgpuQueueRelease(queue);
    if (is("device-twice")) wgpuDeviceRelease(device);
    wgpuAdapterRelease(adapters[0]);
    wgpuAdapterRelease(adapters[1]);
    wgpuInstanceRelease(instance);
    return 0;
}
