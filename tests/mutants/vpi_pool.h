/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool in the memory of a model, the engine of which is given the next batch when one is handed
 * out.
 */
#ifndef VPI_POOL_H
#define VPI_POOL_H

#include "vpi/vpi.h"
/* needs the base */
#include "pool.h"

static bool is_under_way;

/* The engine does one thing at a time. */
static int finish_first(void) {
    int code = is_under_way ? driver_finish() : 0;
    is_under_way = false;
    return code;
}

static int write_when_idle(struct adi_device *device, void *buffer, int64_t offset,
                           const void *from, int64_t bytes, struct adi_error *error) {
    ADI_TRY(finish_first());
    return driver_ops.write(device, buffer, offset, from, bytes, error);
}

static int read_when_idle(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    ADI_TRY(finish_first());
    return driver_ops.read(device, buffer, offset, to, bytes, error);
}

/* Starts it, and lets no tick pass. */
static void start(uint64_t to, const void *from, uint64_t bytes) {
    driver_start(ADI_VPI_DMA_WRITE, to, from, bytes);
    is_under_way = true;
}

static void make_vpi_pool(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_when_idle;
    base.ops.read = read_when_idle;
    make_pool(&base.ops);
}

#endif /* VPI_POOL_H */
