/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of DLPack over a tensor as it was handed out: what can be said of it without a look at
 * its elements. dlpack.h; Array API, "__dlpack__".
 */
#ifndef ADI_CHECK_TENSOR_H
#define ADI_CHECK_TENSOR_H

#include <stdbool.h>

#include "dlpack.h"
#include "finding.h"

/* How a tensor was asked for. */
struct adi_tensor_asked {
    uint32_t max_major, max_minor;  /* 0, 0: None */
    int32_t device_type, device_id; /* DLPack's: where it is to be */
    int32_t copy;                   /* -1: None */
};

/* A tensor, copied: nothing of it is to be looked at where it was. `tensor` points into it. */
struct adi_tensor {
    struct adi_dlpack handed_out;
    bool has_deleter;
    DLPackVersion version; /* 0.0: the layout from before 1.0 */
    uint64_t flags;
    DLTensor tensor;
    int64_t shape[ADI_DLPACK_DIMS], strides[ADI_DLPACK_DIMS];
};

enum adi_tensor_is {
    ADI_TENSOR_SOUND,   /* its elements can be read, by whoever reaches its memory */
    ADI_TENSOR_OTHER,   /* of another major version: it can be deleted */
    ADI_TENSOR_TOO_BIG, /* of more dimensions than can be looked at: likewise */
    ADI_TENSOR_UNSOUND, /* its elements cannot be told, and that is a finding; likewise */
    ADI_TENSOR_NONE,    /* not even that */
};

/* Can the structure be read, and is its major version one that there may be some day? What says
 * 1434451200.21845 is something else, the layout from before 1.0 for one, and has no deleter there.
 * Never crashes. */
bool adi_tensor_has_version(const struct DLManagedTensorVersioned *tensor);

/* Copies the tensor into `*out` and runs the rules over it. Never crashes, whatever the pointers
 * are. Every finding is the producer's. */
enum adi_tensor_is adi_check_tensor(const struct adi_dlpack *tensor,
                                    const struct adi_tensor_asked *asked, struct adi_tensor *out,
                                    struct adi_sink *sink);

#endif /* ADI_CHECK_TENSOR_H */
