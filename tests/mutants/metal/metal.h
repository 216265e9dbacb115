/* SPDX-License-Identifier: Apache-2.0
 *
 * The metal device, by the messages that its backend sends.
 */
#ifndef METAL_BASE_H
#define METAL_BASE_H

#include "../device/device_base.h"
#include "devices.h"
#include "metal_internal.h"

static inline struct adi_metal *base_metal(struct adi_device *device) {
    return device->state;
}

/* Where a copy is to, or from. */
struct base_part {
    void *buffer;
    uint64_t offset;
};

/* A command buffer with a copy in it, retained, and not committed. */
void *base_encode_copy(void *queue, struct base_part to, struct base_part from, int64_t bytes);
/* The same, committed, and let go. */
void base_copy(void *queue, struct base_part to, struct base_part from, int64_t bytes);
/* Commits what waits for an event, or signals it, and nothing else. */
void base_commit_wait(void *queue, void *event, uint64_t value);
void base_commit_signal(void *queue, void *event, uint64_t value);
/* Blocks until all that is in the queue has run. */
void base_drain(void *queue);
/* A buffer in shared storage with these bytes. */
void *base_staged(struct adi_device *device, const void *from, int64_t bytes);

#endif /* METAL_BASE_H */
