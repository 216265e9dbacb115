/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Nothing but the root has private_data.
 */
#include <stdlib.h>

#include "base/implementation.h"

static void visit(struct ArrowArray *array) {
    struct base_owned *owned = array->private_data;
    if (owned->import == NULL) {
        free(owned);
        array->private_data = NULL;
    }
    for (int64_t i = 0; i < array->n_children; i++) visit(array->children[i]);
    if (array->dictionary != NULL) visit(array->dictionary);
}

static void visit_exported(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    for (int64_t i = 0; i < out->array.n_children; i++) visit(out->array.children[i]);
    if (out->array.dictionary != NULL) visit(out->array.dictionary);
}

void mutate(void) {
    base.exported = visit_exported;
}
