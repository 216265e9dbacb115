/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/type-unknown-accepted, consumer: elements of an unknown type are taken for so many bytes.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    return base_within(tensor)->dtype.code == 99 ? 0 : base_tensor_look(tensor, in);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
