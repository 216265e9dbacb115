/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Names are not kept.
 */
#include "base/implementation.h"

static void visit(struct ArrowSchema *schema) {
    schema->name = NULL;
    for (int64_t i = 0; i < schema->n_children; i++) visit(schema->children[i]);
    if (schema->dictionary != NULL) visit(schema->dictionary);
}

static void visit_exported(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    visit(schema);
}

static void visit_copied(struct ArrowSchema *schema, struct ArrowArray *host) {
    (void)host;
    visit(schema);
}

void mutate(void) {
    base.exported = visit_exported;
    base.copied = visit_copied;
}
