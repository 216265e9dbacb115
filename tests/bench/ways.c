/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

#define ROUNDS 32 /* every other one begins with the plain calls */
#define GOAL   0.95

static double ms_of(int (*way)(void)) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (way() != 0) {
        fprintf(stderr, "bench: a call to a device fails\n");
        exit(EXIT_FAILURE);
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    return 1e3 * (double)(after.tv_sec - before.tv_sec) +
           (double)(after.tv_nsec - before.tv_nsec) / 1e6;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

void adi_bench_ways_begin(void) {
    printf("\nwhat a device costs beside plain calls of its API: the best of %d rounds, goal %.2f\n"
           "  %-8s %-26s%12s%12s%8s\n",
           ROUNDS, GOAL, "device", "", "ours", "plain", "ratio");
}

void adi_bench_ways(const char *device, const struct adi_bench_way *ways, size_t n) {
    for (size_t way = 0; way < n; way++) {
        double seen = DBL_MAX, wanted = DBL_MAX;
        for (int round = 0; round < ROUNDS; round++) {
            double first = ms_of(round % 2 == 0 ? ways[way].ours : ways[way].plain);
            double second = ms_of(round % 2 == 0 ? ways[way].plain : ways[way].ours);
            seen = lesser(seen, round % 2 == 0 ? first : second);
            wanted = lesser(wanted, round % 2 == 0 ? second : first);
        }
        printf("  %-8s %-26s%9.3f ms%9.3f ms%8.2f  %s\n", device, ways[way].name, seen, wanted,
               wanted / seen, wanted / seen >= GOAL ? "met" : "MISSED");
    }
}
