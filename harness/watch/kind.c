/* SPDX-License-Identifier: Apache-2.0 */
#include "kind.h"

#define OWNED(structure, member)                                                                   \
    { #member, offsetof(struct structure, member) }

const struct adi_kind adi_kind_schema = {
    .name = "schema",
    .size = sizeof(struct ArrowSchema),
    .n_children = offsetof(struct ArrowSchema, n_children),
    .children = offsetof(struct ArrowSchema, children),
    .dictionary = offsetof(struct ArrowSchema, dictionary),
    .release = offsetof(struct ArrowSchema, release),
    .private_data = offsetof(struct ArrowSchema, private_data),
    .owned = {OWNED(ArrowSchema, format), OWNED(ArrowSchema, name), OWNED(ArrowSchema, metadata),
              OWNED(ArrowSchema, n_children), OWNED(ArrowSchema, children),
              OWNED(ArrowSchema, dictionary)},
};

const struct adi_kind adi_kind_array = {
    .name = "array",
    .size = sizeof(struct ArrowArray),
    .n_children = offsetof(struct ArrowArray, n_children),
    .children = offsetof(struct ArrowArray, children),
    .dictionary = offsetof(struct ArrowArray, dictionary),
    .release = offsetof(struct ArrowArray, release),
    .private_data = offsetof(struct ArrowArray, private_data),
    .owned = {OWNED(ArrowArray, n_buffers), OWNED(ArrowArray, n_children),
              OWNED(ArrowArray, buffers), OWNED(ArrowArray, children),
              OWNED(ArrowArray, dictionary)},
};

void adi_kind_call(const struct adi_kind *kind, adi_release_fn *release, void *structure) {
    if (kind == &adi_kind_schema)
        ((void (*)(struct ArrowSchema *))release)(structure);
    else
        ((void (*)(struct ArrowArray *))release)(structure);
}
