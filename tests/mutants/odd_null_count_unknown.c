/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. No null count is ever computed.
 */
#include "base/implementation.h"

static void visit(struct ArrowArray *array) {
    array->null_count = -1;
    for (int64_t i = 0; i < array->n_children; i++) visit(array->children[i]);
    if (array->dictionary != NULL) visit(array->dictionary);
}

static void visit_exported(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    visit(&out->array);
}

static void visit_copied(struct ArrowSchema *schema, struct ArrowArray *host) {
    (void)schema;
    visit(host);
}

void mutate(void) {
    base.exported = visit_exported;
    base.copied = visit_copied;
}
