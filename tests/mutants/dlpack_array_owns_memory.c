/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/tensor-depends-on-array, producer: the release of the array frees the elements that its
 * tensors stand on.
 */
#include <stdlib.h>
#include <string.h>

#include "base/dlpack.h"

static void let_for_good(struct base_memory *memory) {
    memory->users--;
}

static void release(struct adi_dlpack_array *self) {
    struct base_array *array = (struct base_array *)self->private_data;
    memset(array->memory->data, 0xDD, array->memory->bytes);
    free(array->memory->data);
    free(array->memory);
    free(array);
    self->release = NULL;
}

static void delete_tensor(struct base_tensor *tensor) {
    free(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.release = release;
    base_dlpack.memory_let = let_for_good;
    base_dlpack.delete_tensor = delete_tensor;
}
