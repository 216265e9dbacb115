/* SPDX-License-Identifier: Apache-2.0
 *
 * life/moved-child-released, producer. apache/arrow-rs#595: release assumes that no child was
 * moved out.
 */
#include <stdlib.h>

#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    array->n_children = 0;
    base_array_release(array);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
