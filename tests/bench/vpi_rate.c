/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast bytes get into the vpi device's memory and out of it. The way (by DPI, or by handles of
 * VPI alone) is chosen when the model is loaded, so each has a process of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "devices.h"
#include "ways.h"

#define BYTES  (16 << 20)
#define ROUNDS 7
#define GOAL   500.0

static char from[BYTES], to[BYTES];

static double rate_of(double *seconds) {
    return BYTES / 1e6 / adi_bench_median(seconds, ROUNDS);
}

static void print(const char *way, double in, double out) {
    printf("  %-18s%10.0f MB/s in%10.0f MB/s out\n", way, in, out);
}

static void measure_memcpy(void) {
    double seconds[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double since = adi_bench_seconds();
        memcpy(to, from, BYTES);
        seconds[i] = adi_bench_seconds() - since;
    }
    double rate = rate_of(seconds);
    print("memcpy", rate, rate);
}

/* What is measured ends with what says that the bytes are there. */
static int measure_round(struct adi_device *device, void *buffer, double *in, double *out,
                         struct adi_error *error) {
    void *sync_event;
    double since = adi_bench_seconds();
    ADI_TRY(device->ops->write(device, buffer, 0, from, BYTES, error));
    ADI_TRY(device->ops->event(device, &sync_event, error));
    *in = adi_bench_seconds() - since;
    since = adi_bench_seconds();
    ADI_TRY(device->ops->read(device, buffer, 0, to, BYTES, error));
    *out = adi_bench_seconds() - since;
    return memcmp(from, to, BYTES) == 0 ? 0 : adi_error_set(error, EIO, "what is read differs");
}

static void measure(const char *way) {
    struct adi_device device;
    struct adi_error error;
    double in[ROUNDS], out[ROUNDS];
    void *buffer;
    setenv("ADI_VPI", way, 1);
    int code = adi_device_vpi.open(0, &device, &error);
    if (code == 0) code = device.ops->alloc(&device, BYTES, &buffer, &error);
    /* The first one touches every page. */
    if (code == 0) code = measure_round(&device, buffer, in, out, &error);
    for (int i = 0; i < ROUNDS && code == 0; i++)
        code = measure_round(&device, buffer, &in[i], &out[i], &error);
    if (code != 0) {
        printf("  left out: %s: %s\n", way, error.text);
        return;
    }
    double in_rate = rate_of(in), out_rate = rate_of(out);
    print(way, in_rate, out_rate);
    if (strcmp(way, "dpi") == 0)
        printf("  %-6s goal: %.0f MB/s by DPI either way\n",
               in_rate >= GOAL && out_rate >= GOAL ? "met" : "MISSED", GOAL);
}

static void measure_vpi(void) {
    measure("vpi");
}

static void measure_dpi(void) {
    measure("dpi");
}

void adi_bench_vpi_rate(void) {
    for (int i = 0; i < BYTES; i++) from[i] = (char)(i * 31 + i / 4096);
    printf("\nthe vpi device, %d MiB at once, the median of %d rounds\n", BYTES >> 20, ROUNDS);
    adi_bench_apart(measure_memcpy);
    adi_bench_apart(measure_vpi);
    adi_bench_apart(measure_dpi);
}
