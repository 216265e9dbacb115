/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-not-cleared, producer. Planted: the release of a schema does not clear `release`.
 */
#include "base/implementation.h"

static void release(struct ArrowSchema *schema) {
    base_schema_release(schema);
    schema->release = release;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_schema = release;
}
