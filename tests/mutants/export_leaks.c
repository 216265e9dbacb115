/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer. Planted: each structure loses the array of its buffers.
 */
#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    array->buffers = NULL;
    array->n_buffers = 0;
    base_array_release(array);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
