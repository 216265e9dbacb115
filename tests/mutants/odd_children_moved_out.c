/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Children are moved out and the parent is released at once; then the
 * children are read.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/implementation.h"

static int take(const struct ArrowSchema *schema, struct ArrowArray *array, struct ArrowArray *out);

/* Moves the child out to `moved`, whose parent is released by then. */
static int take_child(const struct ArrowSchema *schema, struct ArrowArray *moved,
                      struct ArrowArray **slot) {
    *slot = calloc(1, sizeof **slot);
    if (*slot == NULL) return ENOMEM;
    return take(schema, moved, *slot);
}

/* Copies the structure itself, moves its children out and releases it. */
static int take(const struct ArrowSchema *schema, struct ArrowArray *array,
                struct ArrowArray *out) {
    int64_t n = array->n_children;
    struct ArrowArray alone = *array, *moved = calloc((size_t)n + 1, sizeof *moved);
    alone.n_children = 0;
    alone.dictionary = NULL;
    int code = moved == NULL ? ENOMEM : base_array_copy(schema, &alone, out);
    if (code != 0) return code;
    for (int64_t i = 0; i <= n; i++) {
        struct ArrowArray *from = i < n ? array->children[i] : array->dictionary;
        if (from == NULL) continue;
        moved[i] = *from;
        from->release = NULL;
    }
    array->release(array);
    if (n > 0) out->children = calloc((size_t)n, sizeof(void *));
    for (int64_t i = 0; i < n && code == 0; i++)
        code = take_child(schema->children[i], &moved[i], &out->children[out->n_children++]);
    if (code == 0 && moved[n].release != NULL)
        code = take_child(schema->dictionary, &moved[n], &out->dictionary);
    free(moved);
    return code;
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    if (schema->release == NULL || in->array.release == NULL) return EINVAL;
    if (in->device_type != ARROW_DEVICE_CPU) return ENOTSUP;
    int code = base_schema_copy(schema, schema_out);
    if (code == 0) code = take(schema, &in->array, host_out);
    if (code == 0) schema->release(schema);
    return code;
}

void mutate(void) {
    base.adapter.consume = consume;
}
