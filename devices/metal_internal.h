/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/metal*.c: an open device. Like all of them it needs ISO C and dlfcn.h.
 */
#ifndef ADI_METAL_INTERNAL_H
#define ADI_METAL_INTERNAL_H

#include "device.h"
#include "metal_api.h"

/* Which value belongs to an event that comes with an array no document says. Ours is signaled with
 * this one, and others are waited for by it. */
#define ADI_METAL_VALUE 1

struct adi_metal {
    const struct adi_metal_api *api;
    void *device;
    void *queue;
    void *waiter; /* a queue that only waits for events */
    void *never;  /* a shared event that nobody signals: to wait for it is to sleep */
    bool batches;
    void *batch, *batched_on; /* commands that are not committed yet, and their queue; NULL: none */
};

/* ---- metal_event.c: commands and events ---- */

/* Where to encode what is queued next: the batch, or commands of their own, which the caller is to
 * commit. NULL: there is no memory. In an autorelease pool. */
void *adi_metal_commands(struct adi_metal *metal);
/* Commits the batch. */
void adi_metal_submit(struct adi_metal *metal);
/* Blocks until a command buffer that was committed has run. ETIMEDOUT: it has not within
 * ADI_WAIT_MS milliseconds (2000 unless the environment says otherwise). EIO: it has failed. */
int adi_metal_settle(const struct adi_metal *metal, void *commands, struct adi_error *error);
/* The queue waits for what never comes: another takes its place. */
void adi_metal_replace(void *device, void **queue);

/* Slots of ref/device.h. */

int adi_metal_batch(struct adi_device *device, bool on, struct adi_error *error);
int adi_metal_event(struct adi_device *device, void **sync_event, struct adi_error *error);
int adi_metal_record_on(struct adi_device *device, void *queue, void **sync_event,
                        struct adi_error *error);
int adi_metal_record_again(struct adi_device *device, void *sync_event, struct adi_error *error);
int adi_metal_wait(struct adi_device *device, void *sync_event, struct adi_error *error);
int adi_metal_wait_on(struct adi_device *device, void *queue, void *sync_event,
                      struct adi_error *error);
int adi_metal_wait_host(struct adi_device *device, void *sync_event, struct adi_error *error);
void adi_metal_event_free(struct adi_device *device, void *sync_event);
bool adi_metal_can_identify_event(struct adi_device *device, const void *sync_event,
                                  struct adi_error *why);

/* ---- metal_memory.c ---- */

int adi_metal_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                    struct adi_error *error);
void adi_metal_free(struct adi_device *device, void *buffer);
int adi_metal_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                    int64_t bytes, struct adi_error *error);
int adi_metal_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                   int64_t bytes, struct adi_error *error);
bool adi_metal_accessible(struct adi_device *device, const void *buffer, struct adi_error *why);
bool adi_metal_is_address(struct adi_device *device, const void *buffer);
bool adi_metal_can_identify_buffer(struct adi_device *device, const void *buffer,
                                   struct adi_error *why);

/* ---- metal_interceptor.c ---- */

/* NULL: Apple's own is not looked over the shoulder. */
const struct adi_interceptor *adi_metal_interceptor(void);

#endif /* ADI_METAL_INTERNAL_H */
