/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "devices.h"
#include "host.h"

#define ALIGNMENT 64

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.ids = {-1}, .count = 1, .runtime = "native"};
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    if (id != -1 && id != 0)
        return adi_error_set(error, ENODEV, "there is no cpu:%" PRId64 "; the id of a cpu is -1",
                             id);
    *out = (struct adi_device){&adi_device_cpu, -1, NULL};
    return 0;
}

static void close_device(struct adi_device *device) {
    (void)device;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    (void)device;
    int code = ENOMEM;
    if ((uint64_t)bytes <= SIZE_MAX) code = posix_memalign(buffer, ALIGNMENT, (size_t)bytes);
    return code == 0 ? 0 : adi_error_set(error, code, "no memory for %" PRId64 " bytes", bytes);
}

static void free_buffer(struct adi_device *device, void *buffer) {
    (void)device;
    free(buffer);
}

static int write_now(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    (void)device;
    (void)error;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    (void)device;
    return adi_host_read(buffer, offset, to, bytes, error);
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device;
    (void)error;
    *sync_event = NULL;
    return 0;
}

/* All has run already; and what a producer's event might be is unknown on this type. */
static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device;
    (void)sync_event;
    (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    (void)sync_event;
}

const struct adi_device_ops adi_device_cpu = {
    .size = sizeof adi_device_cpu,
    .type = ARROW_DEVICE_CPU,
    .name = "cpu",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_now,
    .read = read_now,
    .event = event,
    .wait = wait_for,
    .wait_host = wait_for,
    .event_free = event_free,
};
