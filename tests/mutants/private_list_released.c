/* SPDX-License-Identifier: Apache-2.0
 *
 * life/children-not-released, producer. apache/arrow-rs#595: release walks its own list instead of
 * calling what the structure has.
 */
#include <stdlib.h>

#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        base_array_release(array->children[i]); /* not array->children[i]->release */
        free(array->children[i]);
    }
    array->n_children = 0;
    base_array_release(array);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
