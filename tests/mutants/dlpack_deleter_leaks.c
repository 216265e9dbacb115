/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/memory-leaked, producer: the deleter frees the structure, and not what it stands on.
 */
#include <stdlib.h>

#include "base/dlpack.h"

static void delete_tensor(struct base_tensor *tensor) {
    free(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.delete_tensor = delete_tensor;
}
