/* SPDX-License-Identifier: Apache-2.0
 *
 * What the webgpu device costs beside plain calls of webgpu.h on the same WGPUDevice, on the
 * runtime that is simulated unless ADI_WEBGPU names another.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"
#include "ways.h"
#include "webgpu_internal.h"

static const struct adi_webgpu_api *wgpu;
static void *device, *queue;
static struct adi_webgpu_told told;

/* ---- plain calls ---- */

static void *make(uint64_t usage, uint64_t bytes) {
    return wgpu->layout->create_buffer(wgpu, device, usage, bytes);
}

static void *make_shared(uint64_t bytes) {
    return make(ADI_WEBGPU_COPY_SRC | ADI_WEBGPU_COPY_DST | ADI_WEBGPU_STORAGE, bytes);
}

/* wgpu-native keeps writes back until something is submitted. */
static int wait_for_queue(void) {
    told.came = false;
    wgpu->QueueSubmit(queue, 0, NULL);
    wgpu->layout->tell_when_done(wgpu, queue, &told);
    if (!told.came) wgpu->DevicePoll(device, 1, NULL);
    return told.came ? 0 : EXIT_FAILURE;
}

static int alloc_plain(void) {
    void *buffer = make_shared((uint64_t)ADI_BENCH_SMALL);
    if (buffer == NULL) return EXIT_FAILURE;
    wgpu->BufferRelease(buffer);
    return 0;
}

/* There is no event: who exports has waited for the queue. */
static int export_plain(void) {
    struct ArrowDeviceArray out;
    void *buffer = make_shared(adi_bench_on.bytes);
    if (buffer == NULL) return EXIT_FAILURE;
    wgpu->QueueWriteBuffer(queue, buffer, 0, adi_bench_on.values, adi_bench_on.bytes);
    int code = wait_for_queue();
    if (code == 0) code = adi_bench_hand_out(buffer, NULL, &out);
    if (code == 0) out.array.release(&out.array);
    wgpu->BufferRelease(buffer);
    return code;
}

static int in_plain(void) {
    wgpu->QueueWriteBuffer(queue, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE);
    return wait_for_queue();
}

static int out_plain(void) {
    void *staging = make(ADI_WEBGPU_MAP_READ | ADI_WEBGPU_COPY_DST, (uint64_t)ADI_BENCH_LARGE);
    void *encoder = wgpu->DeviceCreateCommandEncoder(device, NULL);
    wgpu->CommandEncoderCopyBufferToBuffer(encoder, adi_bench_on.buffer, 0, staging, 0,
                                           (uint64_t)ADI_BENCH_LARGE);
    void *commands = wgpu->CommandEncoderFinish(encoder, NULL);
    wgpu->QueueSubmit(queue, 1, &commands);
    wgpu->CommandBufferRelease(commands);
    wgpu->CommandEncoderRelease(encoder);
    told.came = false;
    wgpu->layout->map_to_read(wgpu, staging, (size_t)ADI_BENCH_LARGE, &told);
    if (!told.came) wgpu->DevicePoll(device, 1, NULL);
    const void *range = wgpu->BufferGetConstMappedRange(staging, 0, (size_t)ADI_BENCH_LARGE);
    if (range != NULL) memcpy(adi_bench_on.host, range, (size_t)ADI_BENCH_LARGE);
    wgpu->BufferUnmap(staging);
    wgpu->BufferRelease(staging);
    return range == NULL ? EXIT_FAILURE : 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *on = &adi_bench_on.device;
    void *sync_event;
    ADI_TRY(on->ops->write(on, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE, NULL));
    return on->ops->event(on, &sync_event, NULL);
}

/* The program is not where the installed ones are. */
static void use_simulation(void) {
    char program[PATH_MAX] = "", path[PATH_MAX + 64];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
    snprintf(path, sizeof path, "%s/../../sim/libwgpu_native.so", dirname(program));
    setenv("ADI_WEBGPU", path, 0);
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 20, adi_bench_alloc, alloc_plain},
        {"export + release", 100, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    use_simulation();
    if (adi_bench_open(&adi_device_webgpu, &error) != 0) {
        printf("  %-8s left out: %s\n", "webgpu", error.text);
        return;
    }
    wgpu = adi_webgpu_api(&error);
    device = adi_webgpu_of(&adi_bench_on.device)->device;
    queue = adi_webgpu_of(&adi_bench_on.device)->queue;
    adi_bench_ways("webgpu", ways, sizeof ways / sizeof *ways);
}

void adi_bench_webgpu(void) {
    adi_bench_apart(measure);
}
