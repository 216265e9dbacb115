/* SPDX-License-Identifier: Apache-2.0
 *
 * array/child-too-short, producer. Planted: a sliced struct is exported with its offset and with
 * children that are sliced already, so that consumers skip twice as much. The host copy of
 * `consume` comes out of the same export: the import is right.
 */
#include "base/implementation.h"

static void slice_children(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        array->children[i]->offset += array->offset;
        array->children[i]->length = array->length;
    }
}

static void spoil_export(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    slice_children(&out->array);
}

static void spoil_copy(struct ArrowSchema *schema, struct ArrowArray *host) {
    (void)schema;
    slice_children(host);
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS;
    base.exported = spoil_export;
    base.copied = spoil_copy;
}
