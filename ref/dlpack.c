/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dlpack_extent.h"
#include "dlpack_source.h"
#include "dlpack_type.h"

/* A tensor of ours, in either layout, with its shape and strides behind it. */
struct block {
    union {
        struct DLManagedTensor legacy;
        struct DLManagedTensorVersioned versioned;
    } managed;
    struct adi_owner owner;
    int64_t numbers[];
};

static void delete_block(struct block *block) {
    if (block->owner.release != NULL) block->owner.release(block->owner.state);
    free(block);
}

static void delete_legacy(struct DLManagedTensor *self) {
    delete_block(self->manager_ctx);
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    delete_block(self->manager_ctx);
}

/* The layout from before 1.0 may have been filled by whatever knows a code, but it has no flags. */
static int check_version(DLPackVersion version, const DLTensor *tensor, uint64_t flags,
                         struct adi_error *error) {
    bool is_1_0 = version.major == 1 && version.minor == 0;
    if (version.major > DLPACK_MAJOR_VERSION)
        return adi_error_set(error, ENOTSUP, "version %" PRIu32 ".%" PRIu32 " is none of ours",
                             version.major, version.minor);
    if (is_1_0 && tensor->dtype.code > kDLBool)
        return adi_error_set(error, ENOTSUP, "dtype.code %d came with version 1.1",
                             tensor->dtype.code);
    if (version.major == 1 && version.minor < 2 && (int)tensor->device.device_type == kDLTrn)
        return adi_error_set(error, ENOTSUP, "device_type %d came with version 1.2",
                             (int)tensor->device.device_type);
    if ((is_1_0 || version.major == 0) && adi_dlpack_memory_flags(tensor->dtype, flags) != 0)
        return adi_error_set(error, ENOTSUP, "the flag for padded elements came with version 1.1");
    return 0;
}

int adi_dlpack_wrap_measured(const DLTensor *tensor, DLDevice device, bool is_empty,
                             DLPackVersion version, uint64_t flags, struct adi_owner owner,
                             struct adi_dlpack *out, struct adi_error *error) {
    ADI_TRY(check_version(version, tensor, flags, error));
    size_t ndim = (size_t)tensor->ndim;
    struct block *block = malloc(sizeof *block + 2 * ndim * sizeof(int64_t));
    if (block == NULL) return adi_error_set(error, ENOMEM, "no memory for a tensor");
    block->owner = owner;

    DLTensor *ours;
    *out = (struct adi_dlpack){NULL, NULL};
    if (version.major == 0) {
        out->legacy = &block->managed.legacy;
        out->legacy->manager_ctx = block;
        out->legacy->deleter = delete_legacy;
        ours = &out->legacy->dl_tensor;
    } else {
        out->versioned = &block->managed.versioned;
        out->versioned->version = version;
        out->versioned->manager_ctx = block;
        out->versioned->deleter = delete_versioned;
        out->versioned->flags = flags;
        ours = &out->versioned->dl_tensor;
    }
    *ours = *tensor;
    ours->device = device;
    ours->shape = block->numbers;
    ours->strides = block->numbers + ndim;
    for (size_t i = 0; i < ndim; i++) {
        ours->shape[i] = tensor->shape[i];
        ours->strides[i] = tensor->strides[i];
    }
    /* DLH-31, MAP-17: nothing lies nowhere. */
    if (is_empty) {
        ours->data = NULL;
        ours->byte_offset = 0;
    }
    return 0;
}

int adi_dlpack_wrap(const DLTensor *tensor, DLPackVersion version, uint64_t flags,
                    struct adi_owner owner, struct adi_dlpack *out, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    ADI_TRY(adi_dlpack_measure(tensor, (DLPackVersion){0, 0}, flags, &extent, error));
    DLTensor measured = *tensor;
    measured.strides = extent.strides;
    return adi_dlpack_wrap_measured(&measured, tensor->device, extent.count == 0, version, flags,
                                    owner, out, error);
}

void adi_dlpack_delete(struct adi_dlpack *tensor) {
    struct adi_dlpack gone = *tensor;
    *tensor = (struct adi_dlpack){NULL, NULL};
    if (gone.legacy != NULL && gone.legacy->deleter != NULL) gone.legacy->deleter(gone.legacy);
    if (gone.versioned != NULL && gone.versioned->deleter != NULL)
        gone.versioned->deleter(gone.versioned);
}

int adi_dlpack_look(const struct adi_dlpack *tensor, const DLTensor **out, DLPackVersion *version,
                    uint64_t *flags, struct adi_error *error) {
    const struct DLManagedTensorVersioned *versioned = tensor->versioned;
    if ((tensor->legacy == NULL) == (versioned == NULL))
        return adi_error_set(error, EINVAL, "there is no tensor, or there are two");
    if (versioned != NULL && versioned->version.major != DLPACK_MAJOR_VERSION)
        return adi_error_set(error, ENOTSUP,
                             "the tensor is of version %" PRIu32 ".%" PRIu32
                             ": its layout is unknown",
                             versioned->version.major, versioned->version.minor);
    if (out != NULL) *out = versioned != NULL ? &versioned->dl_tensor : &tensor->legacy->dl_tensor;
    if (version != NULL) *version = versioned != NULL ? versioned->version : (DLPackVersion){0, 0};
    if (flags != NULL) *flags = versioned != NULL ? versioned->flags : 0;
    return 0;
}
