/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/byte-offset-ignored, consumer: the elements are read from data on.
 */
#include "base/dlpack.h"

static int read_from_data(const DLTensor *tensor, char *to) {
    DLTensor misread = *tensor;
    misread.byte_offset = 0;
    return base_tensor_read(&misread, to);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.read = read_from_data;
}
