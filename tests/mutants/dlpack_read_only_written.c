/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/read-only-written, consumer: the first element is changed and put back.
 */
#include "base/dlpack.h"

static void was_read(const struct adi_dlpack_tensor *tensor) {
    const DLTensor *within = base_within(tensor);
    if (base_tensor_bytes(within) == 0) return;
    volatile char *first = (char *)within->data + within->byte_offset;
    char before = *first;
    *first = 0;
    *first = before;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_read = was_read;
}
