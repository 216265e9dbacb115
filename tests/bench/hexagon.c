/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hexagon device costs beside the plain calls of an adapter of another project, which
 * knows hexagon_driver.h and nothing else of the DSPs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "devices.h"
#include "hexagon_driver.h"
#include "ways.h"

static const struct adi_hexagon_driver *driver;

static uint32_t address_of(const void *buffer) {
    return (uint32_t)(uintptr_t)buffer;
}

/* ---- plain calls ---- */

static int alloc_plain(void) {
    uint32_t address;
    ADI_TRY(driver->alloc(driver, ADI_BENCH_SMALL, &address));
    return driver->free(driver, address);
}

/* There is no event: who exports has waited for the queue. */
static int export_plain(void) {
    struct ArrowDeviceArray out;
    uint32_t address;
    ADI_TRY(driver->alloc(driver, (int64_t)adi_bench_on.bytes, &address));
    int code = driver->copy_in(driver, address, adi_bench_on.values, (int64_t)adi_bench_on.bytes);
    if (code == 0) code = driver->wait(driver);
    if (code == 0) code = adi_bench_hand_out((void *)(uintptr_t)address, NULL, &out);
    if (code == 0) out.array.release(&out.array);
    driver->free(driver, address);
    return code;
}

static int in_plain(void) {
    ADI_TRY(driver->copy_in(driver, address_of(adi_bench_on.buffer), adi_bench_on.host,
                            ADI_BENCH_LARGE));
    return driver->wait(driver);
}

static int out_plain(void) {
    ADI_TRY(driver->copy_out(driver, adi_bench_on.host, address_of(adi_bench_on.buffer),
                             ADI_BENCH_LARGE));
    return driver->wait(driver);
}

/* ---- ours, and both ---- */

static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    void *sync_event;
    ADI_TRY(device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                               NULL));
    return device->ops->event(device, &sync_event, NULL);
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 20, adi_bench_alloc, alloc_plain},
        {"export + release", 100, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    setenv("ADI_HEXAGON", "real", 0);
    if (adi_bench_open(&adi_device_hexagon, &error) != 0) {
        printf("  %-8s left out: %s\n", "hexagon", error.text);
        return;
    }
    driver = adi_device_hexagon.native_handle(&adi_bench_on.device, "hexagon.driver");
    adi_bench_ways("hexagon", ways, sizeof ways / sizeof *ways);
}

void adi_bench_hexagon(void) {
    adi_bench_apart(measure);
}
