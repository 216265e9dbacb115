/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: of what is relayed the root alone keeps the
 * input alive; a child that was moved out stands on buffers that go with its parent.
 */
#include "base/implementation.h"

static void detach(struct ArrowArray *array) {
    struct base_owned *owned = array->private_data;
    base_import_let(owned->import);
    owned->import = NULL;
}

static void detach_all(const struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        detach(array->children[i]);
        detach_all(array->children[i]);
    }
    if (array->dictionary == NULL) return;
    detach(array->dictionary);
    detach_all(array->dictionary);
}

static void keep(void *buffer) {
    (void)buffer;
}

static void own_all(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    detach_all(&out->array);
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.buffer_free = keep; /* what has no import has no buffers of its own either */
    base.exported = own_all;
}
