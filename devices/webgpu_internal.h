/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/webgpu*.c: a WGPUDevice with its one queue, which all who open the same id in
 * this process share, for a WGPUBuffer is one of a WGPUDevice.
 */
#ifndef ADI_WEBGPU_INTERNAL_H
#define ADI_WEBGPU_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "device.h"
#include "webgpu_api.h"

#define ADI_WEBGPU_IDS   8
#define ADI_WEBGPU_WORDS 16 /* of an object, that are looked at */

/* What buffers of one WGPUDevice have in common, where nothing but their looks is known. */
struct adi_webgpu_likeness {
    uint64_t words[ADI_WEBGPU_WORDS];
    unsigned known; /* a bit for each word that is the same in all */
};

struct adi_webgpu {
    int64_t id;
    unsigned users;
    const struct adi_webgpu_api *api;
    void *device, *queue;
    struct adi_webgpu_likeness likeness;
    atomic_bool is_lost, has_written; /* has_written: since the last `finish` */
    char lost[128];                   /* why */
};

static inline struct adi_webgpu *adi_webgpu_of(const struct adi_device *device) {
    return device->state;
}

/* ---- webgpu_shared.c ---- */

/* How many ids there are: an adapter each; of one adapter two. */
int adi_webgpu_ids(const struct adi_webgpu_api *api);
/* ENODEV. Each is ended by a `close`. Any thread. */
int adi_webgpu_open(int64_t id, struct adi_webgpu **out, struct adi_error *error);
void adi_webgpu_close(struct adi_webgpu *webgpu);

/* ---- webgpu_interceptor.c ---- */

/* NULL: it is not the simulation. */
const struct adi_interceptor *adi_webgpu_interceptor(void);

/* ---- webgpu_told.c ---- */

/* Blocks until all that is in the queue has run. EIO: it never will. */
int adi_webgpu_finish(struct adi_webgpu *webgpu, struct adi_error *error);

/* ---- webgpu_handles.c ---- */

/* What is a buffer is known by the simulation, or is one of those that were made here, or looks
 * like them. */

struct adi_webgpu_buffer {
    uint64_t bytes;    /* that commands reach: whole words */
    bool is_ours;      /* of this WGPUDevice */
    bool is_elsewhere; /* on another adapter than the one that the id means */
};

/* May be anything. EFAULT: it is no live WGPUBuffer. */
int adi_webgpu_look(const struct adi_webgpu *webgpu, const void *value,
                    struct adi_webgpu_buffer *out, struct adi_error *error);
/* EFAULT also of a buffer of another device, and where there are no such bytes. */
int adi_webgpu_locate(const struct adi_webgpu *webgpu, const void *value, int64_t offset,
                      int64_t bytes, struct adi_webgpu_buffer *out, struct adi_error *error);
/* After the opening. */
void adi_webgpu_learn(struct adi_webgpu *webgpu);
/* Can it be told at all whether something is a buffer? */
bool adi_webgpu_can_tell(const struct adi_webgpu *webgpu);

int adi_webgpu_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                     struct adi_error *error);
void adi_webgpu_free(struct adi_device *device, void *buffer);

/* ---- webgpu_copies.c ---- */

int adi_webgpu_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error);
int adi_webgpu_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error);

#endif /* ADI_WEBGPU_INTERNAL_H */
