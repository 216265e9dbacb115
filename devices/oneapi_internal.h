/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the oneAPI backend: one open device, and its buffers.
 */
#ifndef ADI_ONEAPI_INTERNAL_H
#define ADI_ONEAPI_INTERNAL_H

#include <pthread.h>

#include "device.h"
#include "made.h"
#include "oneapi_api.h"

struct adi_oneapi_write;

struct adi_oneapi {
    const struct adi_oneapi_api *api;
    adi_sycl_device sycl;
    adi_sycl_queue queue; /* in order */
    adi_sycl_context context;
    struct adi_made_buffers buffers;
    struct adi_made_queue known;     /* of the queue */
    pthread_mutex_t lock;            /* of what follows, and of the order of writes */
    struct adi_oneapi_write *writes; /* that are to be waited for, oldest first */
    size_t n_writes, room;
};

/* ---- oneapi_interceptor.c: of a real runtime, by the OpenCL layer ---- */

/* Before the runtime first asks for a device. */
void adi_oneapi_offer_layer(void);
/* NULL: nothing sees its calls. */
const struct adi_interceptor *adi_oneapi_interceptor(const struct adi_oneapi_api *api);
/* Can this be a sycl::event: a std::shared_ptr, which is two addresses? */
bool adi_oneapi_is_event(const void *sync_event);
/* Is it memory that was allocated through the layer, and how much is there from here on? */
bool adi_oneapi_knows(const void *buffer, uint64_t *bytes);

/* ---- oneapi_memory.c ---- */

/* An event of the queue is handed out; it has been seen complete, whosever it is; it is given up:
 * what was written before it is complete. */
void adi_oneapi_keep_event(struct adi_oneapi *oneapi, adi_sycl_event event);
void adi_oneapi_note_complete(struct adi_oneapi *oneapi, adi_sycl_event event);
void adi_oneapi_end_event(struct adi_oneapi *oneapi, adi_sycl_event event);
/* At the end of the device. */
void adi_oneapi_end_writes(struct adi_oneapi *oneapi);

/* Slots of ref/device.h. */

int adi_oneapi_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                     struct adi_error *error);
void adi_oneapi_free(struct adi_device *device, void *buffer);
int adi_oneapi_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                             struct adi_error *error);
void adi_oneapi_free_visible(struct adi_device *device, void *buffer);
int adi_oneapi_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error);
int adi_oneapi_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error);
bool adi_oneapi_accessible(struct adi_device *device, const void *buffer, struct adi_error *why);

#endif /* ADI_ONEAPI_INTERNAL_H */
