/* SPDX-License-Identifier: Apache-2.0 */
#include "counting.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int call(struct adi_device *device, struct adi_error *error) {
    struct counting *counting = device->state;
    if (++counting->calls != counting->fail_at) return 0;
    return adi_error_set(error, EIO, "call %d fails", counting->calls);
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    ADI_TRY(call(device, error));
    if ((*buffer = malloc((size_t)bytes)) == NULL)
        return adi_error_set(error, ENOMEM, "no memory for %" PRId64 " bytes", bytes);
    ((struct counting *)device->state)->buffers++;
    return 0;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    free(buffer);
    ((struct counting *)device->state)->buffers--;
}

static int write_now(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    ADI_TRY(call(device, error));
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    ADI_TRY(call(device, error));
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return 0;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(call(device, error));
    if ((*sync_event = malloc(1)) == NULL)
        return adi_error_set(error, ENOMEM, "no memory for an event");
    ((struct counting *)device->state)->events++;
    return 0;
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)sync_event;
    ADI_TRY(call(device, error));
    ((struct counting *)device->state)->waits++;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    free(sync_event);
    ((struct counting *)device->state)->events--;
}

static int batch_submissions(struct adi_device *device, bool on, struct adi_error *error) {
    ((struct counting *)device->state)->batches += on ? 1 : -1;
    return call(device, error);
}

static const struct adi_device_ops ops = {
    .size = sizeof ops,
    .type = ARROW_DEVICE_EXT_DEV,
    .name = "ext_dev",
    .alloc = alloc,
    .free = free_buffer,
    .write = write_now,
    .read = read_now,
    .event = event,
    .wait = wait_for,
    .wait_host = wait_for,
    .event_free = event_free,
    .batch_submissions = batch_submissions,
};

void counting_open(struct counting *out) {
    *out = (struct counting){.device = {&ops, 3, out}};
}
