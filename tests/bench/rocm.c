/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rocm devices cost beside plain calls of HIP on the same stream, on the runtime that is
 * simulated.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"
#include "rocm_internal.h"
#include "ways.h"

static const struct adi_rocm_api *hip;
static adi_hip_stream stream;
static bool is_pinned;
static int ordinal;

static int copy(void *to, const void *from, size_t bytes) {
    return hip->MemcpyAsync(to, from, bytes, ADI_HIP_DEFAULT, stream);
}

/* ---- plain calls ---- */

static int alloc(void **out, size_t bytes) {
    return is_pinned ? hip->HostMalloc(out, bytes, 0) : hip->MallocAsync(out, bytes, stream);
}

static int give_back(void *pointer) {
    return is_pinned ? hip->HostFree(pointer) : hip->FreeAsync(pointer, stream);
}

static int alloc_plain(void) {
    void *pointer;
    ADI_TRY(alloc(&pointer, (size_t)ADI_BENCH_SMALL));
    return give_back(pointer);
}

/* Pinned memory is filled by way of the device, so that what comes out is pending, too. */
static int fill(void *to, const void *from, size_t bytes) {
    void *way;
    if (!is_pinned) return copy(to, from, bytes);
    ADI_TRY(hip->MallocAsync(&way, bytes, stream));
    ADI_TRY(copy(way, from, bytes));
    ADI_TRY(copy(to, way, bytes));
    return hip->FreeAsync(way, stream);
}

/* On the current device: pinned memory is of that one, and an event, which streams of no other
 * device can record. */
static int make(const struct adi_bench_on *on, void **values, adi_hip_event *event) {
    ADI_TRY(alloc(values, on->bytes));
    ADI_TRY(fill(*values, on->values, on->bytes));
    ADI_TRY(hip->EventCreateWithFlags(event, ADI_HIP_DISABLE_TIMING));
    return hip->EventRecord(*event, stream);
}

/* Whoever calls a producer has some device current, and shall have the same one afterwards. So a
 * producer, which is called on threads that are not its own, has to ask for it before it makes
 * something there (docs/examples/cuda.c does, too). */
static int make_on_device(const struct adi_bench_on *on, void **values, adi_hip_event *event) {
    int before;
    ADI_TRY(hip->GetDevice(&before));
    if (before != ordinal) ADI_TRY(hip->SetDevice(ordinal));
    int code = make(on, values, event);
    if (before != ordinal) ADI_TRY(hip->SetDevice(before));
    return code;
}

static int export_plain(void) {
    struct ArrowDeviceArray out;
    adi_hip_event event;
    void *values;
    ADI_TRY(make_on_device(&adi_bench_on, &values, &event));
    ADI_TRY(adi_bench_hand_out(values, &event, &out));
    int code = hip->StreamSynchronize(stream);
    out.array.release(&out.array);
    hip->EventDestroy(event);
    give_back(values);
    return code;
}

static int in_plain(void) {
    ADI_TRY(fill(adi_bench_on.buffer, adi_bench_on.host, (size_t)ADI_BENCH_LARGE));
    return hip->StreamSynchronize(stream);
}

/* The host reads pinned memory by itself. */
static int out_plain(void) {
    if (!is_pinned) ADI_TRY(copy(adi_bench_on.host, adi_bench_on.buffer, (size_t)ADI_BENCH_LARGE));
    ADI_TRY(hip->StreamSynchronize(stream));
    if (is_pinned) memcpy(adi_bench_on.host, adi_bench_on.buffer, (size_t)ADI_BENCH_LARGE);
    return 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    ADI_TRY(device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                               NULL));
    return hip->StreamSynchronize(stream);
}

/* It lies where the program is built. */
static void use_simulation(void) {
    char program[PATH_MAX] = "", path[PATH_MAX + 64];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
    snprintf(path, sizeof path, "%s/../../sim/libamdhip64.so.7", dirname(program));
    setenv("ADI_ROCM", path, 1);
}

static void measure(const struct adi_device_ops *ops) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 20, adi_bench_alloc, alloc_plain},
        {"export + release", 100, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    use_simulation();
    if (adi_bench_open(ops, &error) != 0) {
        printf("  %-8s left out: %s\n", ops->name, error.text);
        return;
    }
    const struct adi_rocm *rocm = adi_bench_on.device.state;
    hip = rocm->api;
    stream = rocm->stream;
    is_pinned = rocm->is_pinned;
    ordinal = rocm->ordinal;
    adi_bench_ways(ops->name, ways, sizeof ways / sizeof *ways);
}

static void measure_device(void) {
    measure(&adi_device_rocm);
}

static void measure_host(void) {
    measure(&adi_device_rocm_host);
}

void adi_bench_rocm(void) {
    adi_bench_apart(measure_device);
    adi_bench_apart(measure_host);
}
