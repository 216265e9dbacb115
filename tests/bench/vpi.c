/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast bytes get into the vpi device's memory and out of it. The way (by DPI, or by handles of
 * VPI alone) is chosen when the model is loaded, so each has a process of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"

#define BYTES  (16 << 20)
#define ROUNDS 7 /* the best one counts: the first touches every page */
#define GOAL   500.0

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double rate(double since, double best) {
    double now = BYTES / 1e6 / (seconds() - since);
    return now > best ? now : best;
}

static void print(const char *way, double write_rate, double read_rate) {
    printf("  %-18s%10.0f MB/s in%10.0f MB/s out\n", way, write_rate, read_rate);
}

static void measure_memcpy(char *from, char *to) {
    double best = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double since = seconds();
        memcpy(to, from, BYTES);
        best = rate(since, best);
    }
    print("memcpy", best, best);
}

static void measure(const char *way, const char *from, char *to) {
    struct adi_device device;
    struct adi_error error;
    double in = 0, out = 0;
    void *buffer, *sync_event;
    setenv("ADI_VPI", way, 1);
    int code = adi_device_vpi.open(0, &device, &error);
    if (code == 0) code = device.ops->alloc(&device, BYTES, &buffer, &error);
    for (int i = 0; i < ROUNDS && code == 0; i++) {
        double since = seconds();
        code = device.ops->write(&device, buffer, 0, from, BYTES, &error);
        if (code == 0) code = device.ops->event(&device, &sync_event, &error);
        in = rate(since, in);
        since = seconds();
        if (code == 0) code = device.ops->read(&device, buffer, 0, to, BYTES, &error);
        out = rate(since, out);
    }
    if (code == 0 && memcmp(from, to, BYTES) == 0)
        print(way, in, out);
    else
        printf("  left out: %s: %s\n", way, code == 0 ? "what is read differs" : error.text);
    if (strcmp(way, "dpi") == 0 && code == 0)
        printf("  %-6s goal: %.0f MB/s by DPI either way\n",
               in >= GOAL && out >= GOAL ? "met" : "MISSED", GOAL);
}

void adi_bench_vpi(void) {
    static const char *const ways[] = {"vpi", "dpi"};
    char *from = malloc(BYTES), *to = malloc(BYTES);
    if (from == NULL || to == NULL) abort();
    for (int i = 0; i < BYTES; i++) from[i] = (char)(i * 31 + i / 4096);
    printf("\nthe vpi device, %d MiB at once, the best of %d rounds\n", BYTES >> 20, ROUNDS);
    measure_memcpy(from, to);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            measure(ways[i], from, to);
            fflush(stdout);
            _exit(EXIT_SUCCESS);
        }
        waitpid(child, NULL, 0);
    }
    free(from);
    free(to);
}
