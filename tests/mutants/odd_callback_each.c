/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each structure has another release callback than its neighbours.
 */
#include <stdbool.h>

#include "base/implementation.h"

static void release_even(struct ArrowArray *array) {
    base_array_release(array);
}

static void release_odd(struct ArrowArray *array) {
    base_array_release(array);
}

static void visit(struct ArrowArray *array, bool even) {
    array->release = even ? release_even : release_odd;
    for (int64_t i = 0; i < array->n_children; i++) visit(array->children[i], (i % 2 == 0) != even);
    if (array->dictionary != NULL) visit(array->dictionary, !even);
}

static void visit_exported(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    visit(&out->array, true);
}

void mutate(void) {
    base.exported = visit_exported;
}
