/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/misread, consumer: each element is read as a float of 32 bits, which it then is in the
 * copy.
 */
#include <errno.h>
#include <string.h>

#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    int code = base_tensor_look(tensor, in);
    DLTensor *within = (DLTensor *)(uintptr_t)base_within(tensor);
    if (code == 0 && within->dtype.bits != 32) return ENOTSUP;
    return code;
}

static int read_as_float(const DLTensor *tensor, char *to) {
    const int32_t *from = (const int32_t *)((const char *)tensor->data + tensor->byte_offset);
    size_t n = base_tensor_bytes(tensor) / sizeof *from;
    for (size_t i = 0; i < n; i++) {
        float value = (float)from[i];
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
    return 0;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
    base_dlpack.read = read_as_float;
}
