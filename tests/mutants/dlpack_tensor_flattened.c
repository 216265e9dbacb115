/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/tensor-changed, consumer: the dimensions are made one, in the structure that it was given.
 */
#include "base/dlpack.h"

static void was_read(const struct adi_dlpack_tensor *tensor) {
    ((DLTensor *)(uintptr_t)base_within(tensor))->ndim = 1;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_read = was_read;
}
