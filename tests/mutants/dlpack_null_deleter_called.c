/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/null-deleter-called, consumer: the deleter is called without a look at it.
 */
#include "base/dlpack.h"

static void end(const struct adi_dlpack_tensor *tensor) {
    if (tensor->legacy != NULL)
        tensor->legacy->deleter(tensor->legacy);
    else
        tensor->versioned->deleter(tensor->versioned);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
