/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device costs beside plain calls of its API: the rows of a table, and our side of them as
 * far as it is the same for every device. One device is open in a process.
 */
#ifndef ADI_BENCH_WAYS_H
#define ADI_BENCH_WAYS_H

#include "device.h"

#define ADI_BENCH_SMALL ((int64_t)1 << 20)
#define ADI_BENCH_LARGE ((int64_t)64 << 20)

/* ---- ways.c ---- */

/* Something done with a device, by us and by plain calls, so many times at a stretch; 0 for
 * success. Both do the same work: what an export hands out, it hands out either way. */
struct adi_bench_way {
    const char *name;
    int times;
    int (*ours)(void), (*plain)(void);
};

/* Begins the table of all devices; prints the rows of one. */
void adi_bench_ways_begin(void);
void adi_bench_ways(const char *device, const struct adi_bench_way *ways, size_t n);

double adi_bench_seconds(void);
double adi_bench_median(double *values, size_t n); /* sorts them */

/* Runs it in a process of its own, on one CPU, and waits for its end: on which CPU a thread of the
 * runtime wakes up would decide more than all that is measured. */
void adi_bench_apart(void (*run)(void));

/* ---- ours_on.c ---- */

extern struct adi_bench_on {
    struct adi_device device;
    void *buffer, *host; /* ADI_BENCH_LARGE bytes on the device, and as many that are not */
    const void *values;  /* those of the one column that is exported, on the host */
    size_t bytes;
} adi_bench_on;

/* Opens device 0, which stays open until the process ends. */
int adi_bench_open(const struct adi_device_ops *ops, struct adi_error *error);

int adi_bench_alloc(void);  /* and free: ADI_BENCH_SMALL bytes */
int adi_bench_export(void); /* and release; the end of the copies is waited for in between */
int adi_bench_out(void);    /* `buffer` to `host` */

/* What plain calls have exported is handed out like this: the structure of the one column, without
 * a library. Its release gives back the structure and nothing else. */
int adi_bench_hand_out(const void *values, void *sync_event, struct ArrowDeviceArray *out);

#endif /* ADI_BENCH_WAYS_H */
