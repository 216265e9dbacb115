/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/misread, consumer: bits are taken for those of half a complex number, of which there are
 * two then.
 */
#include <string.h>

#include "base/dlpack.h"

static int read_halves(const DLTensor *tensor, char *to) {
    int code = base_tensor_read(tensor, to);
    size_t bytes = base_tensor_bytes(tensor);
    if (code == 0 && tensor->dtype.code == kDLComplex) memset(to + bytes / 2, 0, bytes - bytes / 2);
    return code;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.read = read_halves;
}
