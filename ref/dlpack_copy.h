/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: memory that a tensor was copied to, and work behind a consumer's stream.
 */
#ifndef ADI_DLPACK_COPY_H
#define ADI_DLPACK_COPY_H

#include "dlpack.h"
#include "dlpack_stream.h"

/* Bytes that were copied to where a tensor is to be, and what says that they are there. */
struct adi_dlpack_copy {
    struct adi_device *device; /* NULL: memory of the host */
    void *buffer, *event;      /* each may be NULL */
};

/* Takes `*host`, `bytes` bytes that free() gives back, over into memory of the device, and records
 * an event behind that; for the CPU, and NULL, they are that memory. On success `*host` is NULL. */
int adi_dlpack_copy_to(struct adi_device *device, void **host, int64_t bytes,
                       struct adi_dlpack_copy *out, struct adi_error *error);
/* Any thread. */
void adi_dlpack_copy_free(struct adi_dlpack_copy *copy);

/* Lets what is put into the device's own queue from now on wait for what is in the consumer's. */
int adi_dlpack_behind(struct adi_device *device, struct adi_dlpack_queue queue,
                      struct adi_error *error);

#endif /* ADI_DLPACK_COPY_H */
