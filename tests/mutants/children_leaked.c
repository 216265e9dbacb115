/* SPDX-License-Identifier: Apache-2.0
 *
 * life/children-not-released, producer. duckdb/duckdb#1612: releasing the parent leaks the
 * children.
 */
#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    array->n_children = 0;
    base_array_release(array);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
