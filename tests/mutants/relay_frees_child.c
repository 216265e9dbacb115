/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. Planted: the release of what was relayed lets go of the
 * input once for each structure that was exported, those that were moved out included.
 */
#include <stdlib.h>

#include "base/implementation.h"

struct relayed {
    struct base_owned owned; /* first */
    struct base_import *imports[4096];
    size_t n;
};

static void collect(struct relayed *root, const struct ArrowArray *array) {
    struct base_owned *owned = array->private_data;
    if (root->n < 4096) root->imports[root->n++] = owned->import;
    owned->import = NULL;
    for (int64_t i = 0; i < array->n_children; i++) collect(root, array->children[i]);
    if (array->dictionary != NULL) collect(root, array->dictionary);
}

static void release_root(struct ArrowArray *array) {
    struct relayed *root = array->private_data;
    for (size_t i = 0; i < root->n; i++) base_import_let(root->imports[i]);
    base_array_release(array);
}

static void own_all(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct relayed *root = calloc(1, sizeof *root);
    (void)schema;
    if (root == NULL) return;
    collect(root, &out->array);
    free(out->array.private_data);
    out->array.private_data = root;
    out->array.release = release_root;
}

static void keep(void *buffer) {
    (void)buffer;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.buffer_free = keep;
    base.exported = own_all;
}
