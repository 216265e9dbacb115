/* SPDX-License-Identifier: Apache-2.0
 *
 * What the metal device costs beside plain messages of Metal, on a queue of their own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "devices.h"
#include "metal_internal.h"
#include "ways.h"

static void *device, *queue;

/* ---- plain messages ---- */

static void *new_private(int64_t bytes) {
    return adi_mtl_newBuffer(device, (unsigned long)bytes, ADI_METAL_PRIVATE);
}

static int alloc_plain(void) {
    void *buffer = new_private(ADI_BENCH_SMALL);
    if (buffer == NULL) return 1;
    adi_mtl_release(buffer);
    return 0;
}

/* A command buffer with a copy in it, committed; in a pool. */
static void *copy(void *to, void *from, int64_t bytes) {
    void *commands = adi_mtl_commandBuffer(queue), *encoder = adi_mtl_blitCommandEncoder(commands);
    adi_mtl_copy(encoder, from, 0, to, 0, (unsigned long)bytes);
    adi_mtl_endEncoding(encoder);
    adi_mtl_commit(commands);
    return commands;
}

static int export_plain(void) {
    struct ArrowDeviceArray out;
    void *pool = adi_metal_push();
    int64_t bytes = (int64_t)adi_bench_on.bytes;
    void *buffer = new_private(bytes), *event = adi_mtl_newEvent(device);
    void *staged =
        adi_mtl_newBufferOf(device, adi_bench_on.values, (unsigned long)bytes, ADI_METAL_SHARED);
    copy(buffer, staged, bytes);
    adi_mtl_release(staged);
    void *commands = adi_mtl_commandBuffer(queue);
    adi_mtl_encodeSignal(commands, event, ADI_METAL_VALUE);
    adi_mtl_commit(commands);
    int code = adi_bench_hand_out(buffer, event, &out);
    adi_mtl_waitUntilCompleted(commands);
    if (code == 0) out.array.release(&out.array);
    adi_mtl_release(event);
    adi_mtl_release(buffer);
    adi_metal_pop(pool);
    return code;
}

static int in_plain(void) {
    void *pool = adi_metal_push();
    void *staged =
        adi_mtl_newBufferOf(device, adi_bench_on.host, ADI_BENCH_LARGE, ADI_METAL_SHARED);
    adi_mtl_waitUntilCompleted(copy(adi_bench_on.buffer, staged, ADI_BENCH_LARGE));
    adi_mtl_release(staged);
    adi_metal_pop(pool);
    return 0;
}

static int out_plain(void) {
    void *pool = adi_metal_push();
    void *staged = adi_mtl_newBuffer(device, ADI_BENCH_LARGE, ADI_METAL_SHARED);
    adi_mtl_waitUntilCompleted(copy(staged, adi_bench_on.buffer, ADI_BENCH_LARGE));
    memcpy(adi_bench_on.host, adi_mtl_contents(staged), ADI_BENCH_LARGE);
    adi_mtl_release(staged);
    adi_metal_pop(pool);
    return 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *ours = &adi_bench_on.device;
    void *sync_event;
    ADI_TRY(
        ours->ops->write(ours, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE, NULL));
    ADI_TRY(ours->ops->event(ours, &sync_event, NULL));
    int code = ours->ops->wait_host(ours, sync_event, NULL);
    ours->ops->event_free(ours, sync_event);
    return code;
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 20, adi_bench_alloc, alloc_plain},
        {"export + release", 100, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    if (adi_bench_open(&adi_device_metal, &error) != 0) {
        printf("  %-8s left out: %s\n", "metal", error.text);
        return;
    }
    device = ((struct adi_metal *)adi_bench_on.device.state)->device;
    queue = adi_mtl_newCommandQueue(device);
    adi_bench_ways("metal", ways, sizeof ways / sizeof *ways);
}

void adi_bench_metal(void) {
    adi_bench_apart(measure);
}
