/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It asks for a copy, and writes to it.
 */
#include "base/dlpack.h"

static void was_read(const struct adi_dlpack_tensor *tensor) {
    const DLTensor *within = base_within(tensor);
    if (base_tensor_bytes(within) > 0) *((char *)within->data + within->byte_offset) = 1;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.request.copy = 1;
    base_dlpack.was_read = was_read;
}
