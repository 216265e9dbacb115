/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/ and harness/: a tensor's description, checked, and what of its memory it reaches.
 * Nothing here looks at that memory but adi_dlpack_read. dlpack.h, "DLTensor".
 */
#ifndef ADI_DLPACK_EXTENT_H
#define ADI_DLPACK_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "dlpack.h"

struct adi_dlpack_extent {
    int64_t count; /* of elements */
    int64_t item;  /* bytes of one; 0: it has less than a byte, and they are packed */
    int64_t bytes; /* of a compact copy */
    int64_t low;   /* the first byte that belongs to an element, from the first element on: <= 0 */
    int64_t high;  /* and the one behind the last */
    int64_t strides[ADI_DLPACK_DIMS]; /* also where the tensor has none */
    bool is_compact;                  /* row-major, without gaps */
};

/* The tensor is not trusted; `version` 0.x is the layout from before 1.0. EINVAL: a negative or
 * missing member, NULL strides from 1.2 on, NULL data, or something beyond 64 bits. ENOTSUP: too
 * many dimensions, a type that nobody knows, or gaps between packed elements. */
int adi_dlpack_measure(const DLTensor *tensor, DLPackVersion version, uint64_t flags,
                       struct adi_dlpack_extent *out, struct adi_error *error);

/* The place `from` bytes behind the first element (extent->low: the lowest element), as a buffer
 * and an offset. Where `data` is a handle the buffer is `data`; else it is the address, and the
 * offset is 0. EINVAL: in front of a handle's memory, or an element beyond the address space. */
int adi_dlpack_place(struct adi_device *device, const DLTensor *tensor,
                     const struct adi_dlpack_extent *extent, int64_t from, const void **buffer,
                     int64_t *offset, struct adi_error *error);

/* Is the memory of a sound tensor of the kind that its device type stands for: pinned, or managed?
 * EFAULT: the runtime says that it is not. 0 also where nobody can tell. */
int adi_dlpack_memory_check(struct adi_device *device, const DLTensor *tensor,
                            struct adi_error *error);

/* Host memory aligned as dlpack.h asks of `data`, which free() gives back. */
int adi_dlpack_allocate(int64_t bytes, void **out, struct adi_error *error);

/* Reads all elements, row-major and compact, into `*out`, extent->bytes of host memory that the
 * caller frees; NULL where there are none. The device's own queue is ordered behind what writes the
 * tensor. `device` NULL: memory of the CPU, trusted. */
int adi_dlpack_read(struct adi_device *device, const DLTensor *tensor,
                    const struct adi_dlpack_extent *extent, void **out, struct adi_error *error);

#endif /* ADI_DLPACK_EXTENT_H */
