/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-misaligned, producer: data points to the first element, whatever its address is, as
 * that of most libraries does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/dlpack.h"

static struct base_memory *memory_new(const void *from, size_t bytes) {
    char *wide = calloc(1, bytes + 64);
    if (wide == NULL) return NULL;
    memcpy(wide + 64, from, bytes);
    struct base_memory *memory = base_memory_new(wide, bytes + 64);
    free(wide);
    return memory;
}

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    DLTensor *tensor = base_within_out(out);
    int before = request->copy == 1 ? 2 * 64 : 64; /* a copy is made of what is wide already */
    if (base_tensor_bytes(tensor) > 0)
        tensor->data = (char *)tensor->data + before;
    else
        tensor->data = NULL;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.memory_new = memory_new;
    base_dlpack.handed_out = handed_out;
}
