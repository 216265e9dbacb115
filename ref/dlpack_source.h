/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: a source of tensors, as its makers fill it in.
 */
#ifndef ADI_DLPACK_SOURCE_H
#define ADI_DLPACK_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "dlpack_copy.h"

struct adi_dlpack_source {
    atomic_size_t uses;        /* it and its tensors */
    struct adi_device *device; /* may be NULL */
    DLTensor tensor;           /* its shape and strides are behind the structure */
    uint64_t flags;            /* whether elements of less than a byte are padded */
    bool is_writable;
    bool is_empty;                 /* it has no element */
    void *event;                   /* the array's or the copy's; NULL: all has run */
    struct ArrowDeviceArray array; /* whose memory it is; released: */
    struct adi_dlpack relayed;     /* or somebody else's tensor; NULLs: */
    struct adi_dlpack_copy copy;   /* its own */
    int64_t numbers[];
};

/* adi_dlpack_wrap of what has been measured: its strides are there, unless `ndim` is 0. `device`
 * is where it is said to be. */
int adi_dlpack_wrap_measured(const DLTensor *tensor, DLDevice device, bool is_empty,
                             DLPackVersion version, uint64_t flags, struct adi_owner owner,
                             struct adi_dlpack *out, struct adi_error *error);

/* A source with room for `ndim` dimensions, one use, and nothing else within. NULL: ENOMEM. */
struct adi_dlpack_source *adi_dlpack_source_new(struct adi_device *device, int ndim,
                                                enum adi_dlpack_access access,
                                                struct adi_error *error);

#endif /* ADI_DLPACK_SOURCE_H */
