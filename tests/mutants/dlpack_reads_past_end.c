/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/read-outside, consumer: what is copied is rounded up to 64 bytes.
 */
#include "base/dlpack.h"

static int read_rounded(const DLTensor *tensor, char *to) {
    size_t bytes = base_tensor_bytes(tensor), rounded = (bytes + 63) / 64 * 64;
    volatile const char *from = (const char *)tensor->data + tensor->byte_offset;
    for (size_t i = bytes; i < rounded; i++) (void)from[i];
    return base_tensor_read(tensor, to);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.read = read_rounded;
}
