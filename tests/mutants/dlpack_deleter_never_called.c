/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/deleter-not-called, consumer: the tensor is forgotten.
 */
#include "base/dlpack.h"

static void end(const struct adi_dlpack_tensor *tensor) {
    (void)tensor;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
