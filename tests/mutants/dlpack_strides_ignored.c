/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/strides-ignored, consumer: all tensors are taken for compact ones.
 */
#include "base/dlpack.h"

static int read_compact(const DLTensor *tensor, char *to) {
    DLTensor misread = *tensor;
    misread.strides = NULL;
    return base_tensor_read(&misread, to);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.read = read_compact;
}
