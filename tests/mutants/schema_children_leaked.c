/* SPDX-License-Identifier: Apache-2.0
 *
 * life/children-not-released, producer. Planted: the release of a schema forgets its children.
 */
#include "base/implementation.h"

static void release(struct ArrowSchema *schema) {
    schema->n_children = 0;
    base_schema_release(schema);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_schema = release;
}
