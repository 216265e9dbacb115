/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/unknown-version-read, consumer: the version is not looked at.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    struct adi_dlpack_tensor other = *tensor;
    struct DLManagedTensorVersioned copy;
    if (tensor->versioned != NULL) {
        copy = *tensor->versioned;
        copy.version.major = 1;
        other.versioned = &copy;
    }
    return base_tensor_look(&other, in);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
