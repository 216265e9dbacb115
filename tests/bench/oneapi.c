/* SPDX-License-Identifier: Apache-2.0
 *
 * What the oneapi device costs beside plain calls of dpctl's interface on the same queue, on the
 * runtime that is simulated.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"
#include "oneapi_internal.h"
#include "ways.h"

static const struct adi_oneapi_api *sycl;
static adi_sycl_queue queue;

/* ---- plain calls ---- */

static int copy(void *to, const void *from, size_t bytes) {
    adi_sycl_event event = sycl->Queue_Memcpy(queue, to, from, bytes);
    if (event == NULL) return -1;
    sycl->Event_Delete(event);
    return 0;
}

static int alloc_plain(void) {
    void *pointer = sycl->aligned_alloc_device(256, (size_t)ADI_BENCH_SMALL, queue);
    if (pointer == NULL) return -1;
    sycl->free_with_queue(pointer, queue);
    return 0;
}

/* A free waits for nothing, and the copy reads the host's memory when it runs. What is released may
 * not have been waited for by anybody: so a release waits before it gives back what the copy writes
 * (that of docs/examples/cuda.c does, too). */
static void give_back(void *values, adi_sycl_event event) {
    sycl->Event_Wait(event);
    sycl->Event_Delete(event);
    sycl->free_with_queue(values, queue);
}

static int export_plain(void) {
    const struct adi_bench_on *on = &adi_bench_on;
    struct ArrowDeviceArray out;
    void *values = sycl->aligned_alloc_device(256, on->bytes, queue);
    if (values == NULL) return -1;
    ADI_TRY(copy(values, on->values, on->bytes));
    adi_sycl_event event = sycl->Queue_SubmitBarrier(queue);
    ADI_TRY(adi_bench_hand_out(values, event, &out));
    sycl->Queue_Wait(queue);
    out.array.release(&out.array);
    give_back(values, event);
    return 0;
}

static int in_plain(void) {
    ADI_TRY(copy(adi_bench_on.buffer, adi_bench_on.host, (size_t)ADI_BENCH_LARGE));
    sycl->Queue_Wait(queue);
    return 0;
}

static int out_plain(void) {
    ADI_TRY(copy(adi_bench_on.host, adi_bench_on.buffer, (size_t)ADI_BENCH_LARGE));
    sycl->Queue_Wait(queue);
    return 0;
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    ADI_TRY(device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                               NULL));
    sycl->Queue_Wait(queue);
    return 0;
}

/* It lies where the program is built. */
static void use_simulation(void) {
    char program[PATH_MAX] = "", path[PATH_MAX + 64];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
    snprintf(path, sizeof path, "%s/../../sim/libDPCTLSyclInterface.so", dirname(program));
    setenv("ADI_ONEAPI", path, 1);
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
    if (adi_bench_open(&adi_device_oneapi, &error) != 0) {
        printf("  %-8s left out: %s\n", "oneapi", error.text);
        return;
    }
    const struct adi_oneapi *oneapi = adi_bench_on.device.state;
    sycl = oneapi->api;
    queue = oneapi->queue;
    adi_bench_ways("oneapi", ways, sizeof ways / sizeof *ways);
}

void adi_bench_oneapi(void) {
    adi_bench_apart(measure);
}
