/* SPDX-License-Identifier: Apache-2.0 */
#include "ways.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 201 /* no more than this, and */
#define LEAST  15  /* no fewer than this, in between as many as fit into */
#define BUDGET 1.7 /* seconds */
#define GOAL   0.9

double adi_bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double adi_bench_median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

void adi_bench_apart(void (*run)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET((size_t)sched_getcpu(), &here);
        sched_setaffinity(0, sizeof here, &here);
        run();
        fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    waitpid(child, NULL, 0);
}

static double time_of(int (*once)(void), int times) {
    double since = adi_bench_seconds();
    for (int i = 0; i < times; i++) {
        if (once() == 0) continue;
        fprintf(stderr, "bench: a call to a device fails\n");
        exit(EXIT_FAILURE);
    }
    return adi_bench_seconds() - since;
}

static void print_time(double seconds) {
    if (seconds < 999.95e-6)
        printf("%9.2f us", 1e6 * seconds);
    else
        printf("%9.2f ms", 1e3 * seconds);
}

/* A round is ours, plain, plain, ours: neither gains by its place, or by a machine that speeds up
 * or slows down. The first one warms up. */
static void measure(const char *device, const struct adi_bench_way *way) {
    static double seen[ROUNDS], wanted[ROUNDS], ratios[ROUNDS];
    int (*const turns[])(void) = {way->ours, way->plain, way->plain, way->ours};
    double end = adi_bench_seconds() + BUDGET;
    size_t n = 0;
    for (bool warm = false; n < LEAST || (n < ROUNDS && adi_bench_seconds() < end); warm = true) {
        double times[4];
        for (int i = 0; i < 4; i++) times[i] = time_of(turns[i], way->times);
        if (!warm) continue;
        seen[n] = (times[0] + times[3]) / 2 / way->times;
        wanted[n] = (times[1] + times[2]) / 2 / way->times;
        ratios[n] = wanted[n] / seen[n];
        n++;
    }
    double ratio = adi_bench_median(ratios, n);
    printf("  %-8s %-24s", device, way->name);
    print_time(adi_bench_median(seen, n));
    print_time(adi_bench_median(wanted, n));
    printf("%8.2f%8zu  %s\n", ratio, n, ratio >= GOAL ? "met" : "MISSED");
}

void adi_bench_ways_begin(void) {
    printf("\nwhat a device costs beside plain calls of its API: medians, of the ratio (goal %.2f)"
           " that of\nthe rounds, each of which is ours, plain, plain, ours\n"
           "  %-8s %-24s%12s%12s%8s%8s\n",
           GOAL, "device", "", "ours", "plain", "ratio", "rounds");
}

void adi_bench_ways(const char *device, const struct adi_bench_way *ways, size_t n) {
    for (size_t i = 0; i < n; i++) {
        measure(device, &ways[i]);
        fflush(stdout);
    }
}
