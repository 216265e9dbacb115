/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It asks for another tensor first, to look at its type.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    struct adi_dlpack_array *array = (struct adi_dlpack_array *)(uintptr_t)in;
    struct adi_dlpack_tensor other = {NULL, NULL};
    int code = array->dlpack(array, &base_dlpack.request, &other);
    if (code != 0) return code;
    base_tensor_end(&other);
    return base_tensor_look(tensor, in);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
