/* SPDX-License-Identifier: Apache-2.0
 *
 * array/null-count-differs, producer. Planted: whatever is exported, the host copy of `consume`
 * included, has one null more than its bitmap. The import is right.
 */
#include "base/implementation.h"

static void spoil(struct ArrowArray *array) {
    if (array->null_count > 0 && array->null_count < array->length) array->null_count++;
}

static void exported(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    spoil(&out->array);
}

static void copied(struct ArrowSchema *schema, struct ArrowArray *host) {
    (void)schema;
    spoil(host);
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.exported = exported;
    base.copied = copied;
}
