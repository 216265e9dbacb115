/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/unknown-version-kept, consumer: a tensor of another major version is refused, and not
 * deleted, as its layout is not known.
 */
#include "base/dlpack.h"

static void end(const struct adi_dlpack_tensor *tensor) {
    if (tensor->versioned == NULL || tensor->versioned->version.major == 1) base_tensor_end(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
