/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/deleter-called-twice, consumer: two owners call the deleter.
 */
#include "base/dlpack.h"

static void end(const struct adi_dlpack_tensor *tensor) {
    base_tensor_end(tensor);
    base_tensor_end(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
