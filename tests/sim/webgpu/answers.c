/* SPDX-License-Identifier: Apache-2.0
 *
 * What WebGPU answers, by the layout of the header; what comes otherwise is said. It ends with the
 * layout.
 */
#include "program.h"

static int wrong;

static void is(long got, long wanted, const char *what, int line) {
    if (got == wanted) return;
    fprintf(stderr, "answers.c:%d: %s is %ld, not %ld\n", line, what, got, wanted);
    wrong++;
}
#define IS(what, wanted) is((long)(what), (long)(wanted), #what, __LINE__)

static struct said uncaptured = {-1, -1, NULL};
static WGPUDevice device;
static WGPUQueue queue;

/* The error that was told of since it was asked last; -1: none. */
static int error(void) {
    int type = uncaptured.type;
    uncaptured.type = -1;
    return type;
}

static void buffers(void) {
    static const struct {
        unsigned usage;
        uint64_t bytes;
        bool mapped;
        int error;
    } made[] = {{COPY_SRC, 4, false, -1},
                {COPY_SRC, 5, false, -1},
                {COPY_SRC, 0, false, -1},
                {0, 4, false, VALIDATION},
                {1 << 20, 4, false, VALIDATION},
                {MAP_READ | COPY_SRC, 4, false, VALIDATION},
                {MAP_READ | MAP_WRITE, 4, false, VALIDATION},
                {MAP_WRITE | COPY_SRC, 4, false, -1},
                {COPY_SRC, 5, true, VALIDATION},
                {COPY_SRC, 8, true, -1},
                {COPY_SRC, (uint64_t)1 << 40, false, VALIDATION}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        WGPUBuffer buffer = make_buffer(device, made[i].usage, made[i].bytes, made[i].mapped);
        IS(error(), made[i].error);
        IS(buffer == NULL, 0);
        IS(wgpuBufferGetMapState(buffer), GOOD + 2 * (made[i].mapped && made[i].error == -1));
        wgpuBufferRelease(buffer);
    }
}

static void mappings(void) {
    struct said mapped = {-1, -1, NULL};
    WGPUBuffer buffer = make_buffer(device, MAP_WRITE | COPY_SRC, 64, false);
    wgpuBufferMapAsync(buffer, MAP_READ, 0, 64, ASKING(on_map, &mapped));
    IS(mapped.status, BY_LAYOUT(1, 3));
    IS(error(), VALIDATION);
    wgpuBufferMapAsync(buffer, MAP_WRITE, 0, 64, ASKING(on_map, &mapped));
    wgpuBufferUnmap(buffer); /* before it was */
    IS(mapped.status, BY_LAYOUT(5, 4));
    wgpuBufferMapAsync(buffer, MAP_WRITE, 8, SIZE_MAX, ASKING(on_map, &mapped));
    IS(wgpuBufferGetMapState(buffer), GOOD + 1);
    mapped.status = -1;
    while (mapped.status == -1) wgpuInstanceProcessEvents(NULL);
    IS(mapped.status, GOOD);
    IS(wgpuBufferGetMappedRange(buffer, 0, 8) == NULL, 1); /* not mapped there */
    IS(wgpuBufferGetMappedRange(buffer, 8, 56) == NULL, 0);
    IS(wgpuBufferGetMappedRange(buffer, 8, 60) == NULL, 1);
    memset(wgpuBufferGetMappedRange(buffer, 8, SIZE_MAX), 7, 56);
    wgpuBufferUnmap(buffer);
    WGPUBuffer back = make_buffer(device, MAP_READ | COPY_DST, 64, false);
    copy(device, queue, buffer, 0, back, 64);
    wgpuBufferMapAsync(back, MAP_READ, 0, 64, ASKING(on_map, &mapped));
    wgpuDevicePoll(device, 1, NULL);
    const char *seen = wgpuBufferGetConstMappedRange(back, 0, 64);
    IS(seen[7], 0);
    IS(seen[8], 7);
    IS(seen[63], 7);
    copy(device, queue, buffer, 0, back, 64); /* it is mapped */
    IS(error(), VALIDATION);
    wgpuBufferRelease(back);
    wgpuBufferRelease(buffer);
}

static void commands(void) {
    WGPUBuffer source = make_buffer(device, COPY_SRC | COPY_DST, 64, false);
    WGPUBuffer target = make_buffer(device, COPY_DST, 64, false);
    copy(device, queue, source, 0, target, 64);
    IS(error(), -1);
    copy(device, queue, target, 0, source, 64); /* it cannot be read */
    IS(error(), VALIDATION);
    copy(device, queue, source, 2, target, 4);
    IS(error(), VALIDATION);
    copy(device, queue, source, 0, source, 4);
    IS(error(), VALIDATION);
    wgpuQueueWriteBuffer(queue, target, 0, "ab", 2);
    IS(error(), VALIDATION);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
    wgpuCommandEncoderClearBuffer(encoder, target, 0, 64);
    WGPUCommandBuffer once = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(queue, 1, &once);
    IS(error(), -1);
    wgpuQueueSubmit(queue, 1, &once); /* twice */
    IS(error(), VALIDATION);
    wgpuCommandBufferRelease(once);
    wgpuCommandEncoderRelease(encoder);
    WGPUBuffer mapped = make_buffer(device, MAP_WRITE | COPY_SRC, 64, true);
    copy(device, queue, mapped, 0, target, 64); /* it is the CPU's */
    IS(error(), VALIDATION);
    wgpuBufferUnmap(mapped);
    copy(device, queue, mapped, 0, target, 64);
    IS(error(), -1);
    wgpuBufferRelease(mapped);
    wgpuBufferRelease(source);
    wgpuBufferRelease(target);
}

/* Another device of the same adapter has no part in a buffer, nor in commands. */
static void devices(WGPUAdapter adapter) {
    WGPUBuffer buffer = make_buffer(device, COPY_SRC | COPY_DST, 64, false);
    WGPUDevice other = open_device(adapter, &uncaptured);
    WGPUQueue others = wgpuDeviceGetQueue(other);
    wgpuQueueWriteBuffer(others, buffer, 0, "abc", 4);
    IS(error(), VALIDATION);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(others, 1, &commands);
    IS(error(), VALIDATION);
    wgpuQueueSubmit(queue, 1, &commands);
    IS(error(), -1);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueRelease(others);
    wgpuDeviceRelease(other);
    wgpuBufferRelease(buffer);
}

static void scopes(void) {
    struct said popped = {-1, -1, NULL};
    wgpuDevicePushErrorScope(device, GOOD); /* validation: the first of them */
    wgpuBufferRelease(make_buffer(device, 0, 4, false));
    wgpuDevicePopErrorScope(device, ASKING(on_pop, &popped));
    IS(popped.type, VALIDATION);
    IS(error(), -1);
    wgpuDevicePushErrorScope(device, GOOD);
    wgpuDevicePopErrorScope(device, ASKING(on_pop, &popped));
    IS(popped.type, VALIDATION - 1);
    IS(wgpuDeviceCreateShaderModule(device, NULL) == NULL, 1);
}

int main(void) {
    WGPUAdapter adapters[2];
    WGPUInstance instance = wgpuCreateInstance(NULL);
    wgpuInstanceEnumerateAdapters(instance, NULL, adapters);
    IS(wgpuGetVersion() >> 24, WEBGPU_LAYOUT);
    device = open_device(adapters[1], &uncaptured);
    queue = wgpuDeviceGetQueue(device);
    buffers();
    mappings();
    commands();
    devices(adapters[1]);
    scopes();
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    return wrong == 0 ? WEBGPU_LAYOUT : 1;
}
