/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-differs, producer: what it copies is read from data on, without byte_offset.
 */
#include "base/dlpack.h"

static int read_without_offset(const DLTensor *tensor, char *to) {
    DLTensor misread = *tensor;
    misread.byte_offset = 0;
    return base_tensor_read(&misread, to);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.read = read_without_offset;
}
