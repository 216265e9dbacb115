/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/bits-unexpected-accepted, consumer: of a float of 6 bits the number of bits is not looked
 * at.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    return base_within(tensor)->dtype.code == kDLFloat6_e2m3fn ? 0 : base_tensor_look(tensor, in);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
