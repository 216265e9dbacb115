/* SPDX-License-Identifier: Apache-2.0
 *
 * What measurements of the simulation share.
 */
#ifndef TESTS_SIM_BENCH_TIMING_H
#define TESTS_SIM_BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

/* Of this thread alone: what other programs do to a machine is not the simulation's. */
static inline double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts them. */
static inline double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return values[n / 2];
}

#endif /* TESTS_SIM_BENCH_TIMING_H */
