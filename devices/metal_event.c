/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "environment.h"
#include "metal_internal.h"

#define WAIT_MS 2000
#define LOOKS   1000 /* before it is slept */

#define SCHEDULED 3 /* MTLCommandBufferStatusScheduled */

/* ---- batches ---- */

void *adi_metal_commands(struct adi_metal *metal) {
    if (!metal->batches) return adi_mtl_commandBuffer(metal->queue);
    if (metal->batch != NULL && metal->batched_on == metal->queue) return metal->batch;
    adi_metal_submit(metal);
    void *made = adi_mtl_commandBuffer(metal->queue);
    if (made == NULL) return NULL;
    metal->batched_on = metal->queue;
    return metal->batch = adi_mtl_retain(made);
}

void adi_metal_submit(struct adi_metal *metal) {
    void *batch = metal->batch;
    if (batch == NULL) return;
    metal->batch = NULL;
    adi_mtl_commit(batch);
    adi_mtl_release(batch);
}

int adi_metal_batch(struct adi_device *device, bool on, struct adi_error *error) {
    struct adi_metal *metal = device->state;
    (void)error;
    metal->batches = on;
    if (!on) adi_metal_submit(metal);
    return 0;
}

/* ---- waiting, with a limit ---- */

static int64_t now_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What the simulation has scheduled waits for nothing any more. EAGAIN: it is not over. */
static int look(const struct adi_metal *metal, void *commands, struct adi_error *error) {
    unsigned long status = adi_mtl_status(commands);
    bool failed = status > ADI_METAL_COMPLETED;
    if (status == SCHEDULED && metal->api->is_simulated) {
        adi_mtl_waitUntilCompleted(commands);
        failed = adi_mtl_error(commands) != NULL;
        status = ADI_METAL_COMPLETED;
    }
    if (failed) return adi_error_set(error, EIO, "the command buffer has failed");
    return status == ADI_METAL_COMPLETED ? 0 : EAGAIN;
}

/* What waits for an event that never comes must not keep us for ever, so it is asked over and
 * over; in between a wait for what nobody signals lets time pass. */
int adi_metal_settle(const struct adi_metal *metal, void *commands, struct adi_error *error) {
    int code = look(metal, commands, error);
    if (code != EAGAIN) return code;
    const int64_t limit = adi_setting_wait_ms(WAIT_MS), end = now_ms() + limit;
    for (uint64_t looks = 0; code == EAGAIN && now_ms() < end; looks++) {
        if (looks >= LOOKS) adi_mtl_waitUntilSignaled(metal->never, 1, 1);
        code = look(metal, commands, error);
    }
    if (code != EAGAIN) return code;
    return adi_error_set(error, ETIMEDOUT, "the event was not complete after %" PRId64 " ms",
                         limit);
}

void adi_metal_replace(void *device, void **queue) {
    void *made = adi_mtl_newCommandQueue(device);
    if (made == NULL) return;
    adi_mtl_release(*queue);
    *queue = made;
}

/* ---- events ---- */

/* Encodes a signal, or a wait, alone. */
static int encode(void *queue, void (*how)(void *, void *, uint64_t), void *event, void **out,
                  struct adi_error *error) {
    void *commands = adi_mtl_commandBuffer(queue);
    if (commands == NULL) return adi_error_set(error, ENOMEM, "commandBuffer: nil");
    how(commands, event, ADI_METAL_VALUE);
    adi_mtl_commit(commands);
    if (out != NULL) *out = commands;
    return 0;
}

int adi_metal_record_on(struct adi_device *device, void *queue, void **sync_event,
                        struct adi_error *error) {
    struct adi_metal *metal = device->state;
    void *event = adi_mtl_newEvent(metal->device);
    int code = 0;
    if (event == NULL) return adi_error_set(error, ENOMEM, "newEvent: nil");
    void *pool = adi_metal_push();
    if (metal->batch != NULL && metal->batched_on == queue)
        adi_mtl_encodeSignal(metal->batch, event, ADI_METAL_VALUE);
    else
        code = encode(queue, adi_mtl_encodeSignal, event, NULL, error);
    adi_metal_submit(metal);
    adi_metal_pop(pool);
    if (code == 0)
        *sync_event = event;
    else
        adi_mtl_release(event);
    return code;
}

int adi_metal_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    return adi_metal_record_on(device, ((struct adi_metal *)device->state)->queue, sync_event,
                               error);
}

/* With the same value again it would be for Apple's as if nothing had happened. */
int adi_metal_record_again(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_metal *metal = device->state;
    if (!metal->api->is_simulated)
        return adi_error_set(error, ENOTSUP, "an MTLEvent does not go back");
    void *pool = adi_metal_push();
    adi_metal_submit(metal);
    int code = encode(metal->queue, adi_mtl_encodeSignal, sync_event, NULL, error);
    adi_metal_pop(pool);
    return code;
}

/* Whatever somebody else hands out as one. */
static int check(const struct adi_metal *metal, void *sync_event, struct adi_error *error) {
    enum adi_metal_class is = adi_metal_class_of(sync_event);
    if (is != ADI_METAL_EVENT && is != ADI_METAL_SHARED_EVENT)
        return adi_error_set(error, EINVAL, "sync_event is no MTLEvent");
    if (is == ADI_METAL_EVENT && adi_mtl_device(sync_event) != metal->device)
        return adi_error_set(error, EINVAL, "sync_event is an MTLEvent of another device");
    return 0;
}

int adi_metal_wait_on(struct adi_device *device, void *queue, void *sync_event,
                      struct adi_error *error) {
    if (sync_event == NULL) return 0;
    ADI_TRY(check(device->state, sync_event, error));
    void *pool = adi_metal_push();
    adi_metal_submit(device->state);
    int code = encode(queue, adi_mtl_encodeWait, sync_event, NULL, error);
    adi_metal_pop(pool);
    return code;
}

int adi_metal_wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return adi_metal_wait_on(device, ((struct adi_metal *)device->state)->queue, sync_event, error);
}

int adi_metal_wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_metal *metal = device->state;
    void *commands = NULL;
    if (sync_event == NULL) return 0;
    ADI_TRY(check(metal, sync_event, error));
    void *pool = adi_metal_push();
    int code = encode(metal->waiter, adi_mtl_encodeWait, sync_event, &commands, error);
    if (code == 0) code = adi_metal_settle(metal, commands, error);
    if (code == ETIMEDOUT) adi_metal_replace(metal->device, &metal->waiter);
    adi_metal_pop(pool);
    return code;
}

void adi_metal_event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    adi_mtl_release(sync_event);
}

/* Apple's classes are many; the simulation's are known. */
bool adi_metal_can_identify_event(struct adi_device *device, const void *sync_event,
                                  struct adi_error *why) {
    const struct adi_metal *metal = device->state;
    if (metal->api->is_simulated || adi_metal_class_of(sync_event) != ADI_METAL_UNKNOWN)
        return true;
    adi_error_set(why, ENOTSUP, "%p may be an MTLEvent of a class that is not known", sync_event);
    return false;
}
