/* SPDX-License-Identifier: Apache-2.0
 *
 * It knows hexagon_driver.h and nothing else of the DSPs.
 */
#include "hexagon.h"

#include <errno.h>
#include <stddef.h>

/* The DSP is the host's, and the queue the adapter's. */
static int open_dsp(int64_t id, struct adi_device *out, struct adi_error *error) {
    const struct adi_hexagon_driver *own, *driver = base_lent(id, "hexagon.driver");
    if (driver == NULL) driver = base_lent(1 - id, "hexagon.driver");
    if (driver == NULL || driver->size < sizeof *driver ||
        driver->open(driver, (int32_t)id, &own) != 0)
        return adi_error_set(error, ENODEV, "no such DSP");
    *out = (struct adi_device){&base.ops, id, (void *)(uintptr_t)own};
    return 0;
}

static void close_dsp(struct adi_device *device) {
    base_driver(device)->close(base_driver(device));
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    uint32_t address;
    int code = base_driver(device)->alloc(base_driver(device), bytes, &address);
    if (code != 0) return adi_error_set(error, code, "the driver gives no memory");
    *buffer = (void *)(uintptr_t)address;
    return 0;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    base_driver(device)->free(base_driver(device), base_address(buffer));
}

int base_write_unwaited(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    int code = base_driver(device)->copy_in(base_driver(device),
                                            base_address(buffer) + (uint32_t)offset, from, bytes);
    return code == 0 ? 0 : adi_error_set(error, code, "copy_in");
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    int code = driver->copy_out(driver, to, base_address(buffer) + (uint32_t)offset, bytes);
    if (code == 0) code = driver->wait(driver);
    return code == 0 ? 0 : adi_error_set(error, code, "copy_out");
}

/* There is none: what was queued has run when the array is handed out. */
static int no_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    int code = base_driver(device)->wait(base_driver(device));
    *sync_event = NULL;
    return code == 0 ? 0 : adi_error_set(error, code, "wait");
}

static int no_wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

static const struct adi_device_ops ops = {
    .size = sizeof ops,
    .type = ARROW_DEVICE_HEXAGON,
    .name = "hexagon of another project",
    .alloc = alloc,
    .free = free_buffer,
    .write = base_write_unwaited,
    .read = read_now,
    .event = no_event,
    .wait = no_wait,
    .wait_host = no_wait,
    .event_free = event_free,
};

static void begin(void) {
    base.ops.open = open_dsp;
    base.ops.close = close_dsp;
}

const struct base_kind base_kind = {
    .name = "hexagon base", .device = &ops, .is_handed_out = true, .begin = begin};
