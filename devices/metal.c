/* SPDX-License-Identifier: Apache-2.0
 *
 * Metal, by messages: a buffer value is an MTLBuffer in private storage (the address of the
 * contents of one in shared storage is understood), sync_event an MTLEvent itself. An id is what
 * the runtime has to tell devices apart, the registryID.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "metal_internal.h"

static int64_t id_of(const struct adi_metal_api *api, int index) {
    return (int64_t)adi_mtl_registryID(api->devices[index]);
}

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    const struct adi_metal_api *api = adi_metal_api(&out->why);
    if (api == NULL) return;
    if (!api->is_simulated) out->runtime = "real";
    for (; out->count < api->count && out->count < ADI_DEVICE_IDS; out->count++)
        out->ids[out->count] = id_of(api, out->count);
}

static int find_device(int64_t id, const struct adi_metal_api **api, void **out,
                       struct adi_error *error) {
    *api = adi_metal_api(error);
    if (*api == NULL) return ENODEV;
    for (int i = 0; i < (*api)->count; i++)
        if (id_of(*api, i) == id) {
            *out = (*api)->devices[i];
            return 0;
        }
    return adi_error_set(error, ENODEV, "there is no metal:%" PRId64 " among %d", id,
                         (*api)->count);
}

static void let_go(struct adi_metal *metal) {
    adi_metal_submit(metal);
    if (metal->queue != NULL) adi_mtl_release(metal->queue);
    if (metal->waiter != NULL) adi_mtl_release(metal->waiter);
    if (metal->never != NULL) adi_mtl_release(metal->never);
    free(metal);
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    const struct adi_metal_api *api;
    void *device = NULL;
    ADI_TRY(find_device(id, &api, &device, error));
    struct adi_metal *metal = malloc(sizeof *metal);
    if (metal == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    *metal = (struct adi_metal){.api = api,
                                .device = device,
                                .queue = adi_mtl_newCommandQueue(device),
                                .waiter = adi_mtl_newCommandQueue(device),
                                .never = adi_mtl_newSharedEvent(device)};
    *out = (struct adi_device){&adi_device_metal, id, metal};
    if (metal->queue != NULL && metal->waiter != NULL && metal->never != NULL) return 0;
    let_go(metal);
    return adi_error_set(error, ENOMEM, "metal:%" PRId64 " gives no queue", id);
}

static void close_device(struct adi_device *device) {
    let_go(device->state);
}

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    *queue = adi_mtl_newCommandQueue(((struct adi_metal *)device->state)->device);
    return *queue != NULL ? 0 : adi_error_set(error, ENOMEM, "newCommandQueue: nil");
}

static void queue_close(struct adi_device *device, void *queue) {
    (void)device;
    adi_mtl_release(queue);
}

static const void *native_handle(struct adi_device *device, const char *what) {
    const struct adi_metal *metal = device->state;
    if (strcmp(what, "metal.device") == 0) return metal->device;
    if (strcmp(what, "metal.queue") == 0) return metal->queue;
    if (strcmp(what, "metal.library") == 0) return metal->api->path;
    return NULL;
}

const struct adi_device_ops adi_device_metal = {
    .size = sizeof adi_device_metal,
    .type = ARROW_DEVICE_METAL,
    .name = "metal",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = adi_metal_alloc,
    .free = adi_metal_free,
    .write = adi_metal_write,
    .read = adi_metal_read,
    .event = adi_metal_event,
    .wait = adi_metal_wait,
    .wait_host = adi_metal_wait_host,
    .event_free = adi_metal_event_free,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .record_on = adi_metal_record_on,
    .wait_on = adi_metal_wait_on,
    .accessible = adi_metal_accessible,
    .native_handle = native_handle,
    .interceptor = adi_metal_interceptor,
    .can_identify_buffer = adi_metal_can_identify_buffer,
    .can_identify_event = adi_metal_can_identify_event,
    .is_address = adi_metal_is_address,
    .batch_submissions = adi_metal_batch,
    .record_again = adi_metal_record_again,
};
