/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The last row lies first: strides are negative, and byte_offset leads behind
 * it.
 */
#include <errno.h>
#include <string.h>

#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    DLTensor *tensor = base_within_out(out);
    size_t bytes = base_tensor_bytes(tensor),
           row = bytes == 0 || tensor->ndim == 0 ? bytes : bytes / (size_t)tensor->shape[0];
    (void)request;
    if (bytes == 0 || tensor->ndim == 0) return;
    tensor->strides[0] = -tensor->strides[0];
    tensor->byte_offset = bytes - row;
}

/* Row by row, backwards: the size of a row is known where it is produced. */
static size_t row_bytes = 1;

static int read_and_measure(const DLTensor *tensor, char *to) {
    size_t bytes = base_tensor_bytes(tensor);
    row_bytes = bytes == 0 ? 1 : tensor->ndim == 0 ? bytes : bytes / (size_t)tensor->shape[0];
    return base_tensor_read(tensor, to);
}

static struct base_memory *memory_new(const void *from, size_t bytes) {
    struct base_memory *memory = base_memory_new(from, bytes);
    for (size_t at = 0; memory != NULL && at < bytes; at += row_bytes)
        memcpy((char *)memory->data + bytes - at - row_bytes, (const char *)from + at, row_bytes);
    return memory;
}

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    return request->copy == 1 ? ENOTSUP : base_tensor_ask(self, request, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
    base_dlpack.handed_out = handed_out;
    base_dlpack.read = read_and_measure;
    base_dlpack.memory_new = memory_new;
}
