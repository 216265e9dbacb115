/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the lengths of a view's variadic buffers are in what the harness hands to a consumer. The
 * documents can be read both ways (ambiguity 13): they are on the device, like buffers, or on the
 * CPU, like the rest. So they are in memory that both can read, if the device has such.
 */
#ifndef ADI_VIEW_LENGTHS_H
#define ADI_VIEW_LENGTHS_H

#include <stddef.h>

#include "abi.h"
#include "tree.h"

/* What was allocated for one tree. */
struct adi_view_lengths {
    void **list;
    size_t n;
};

/* Is an array of this schema, or one in it, of views? */
bool adi_view_lengths_any(const struct ArrowSchema *schema);

/* Puts the lengths of array `index` of a tree there, if it is of views: into the last of
 * `array->buffers`. `before` (NULL: nothing is done) is a copy of the host data that the tree was
 * made of. Arrays count from 0, parents before their children and dictionaries behind those.
 * An errno value: it is as it was. */
int adi_view_lengths_put(struct adi_view_lengths *lengths, struct adi_device *device,
                         const struct adi_node *before, size_t index, struct ArrowArray *array,
                         struct adi_error *error);

/* Gives all of it back. */
void adi_view_lengths_free(struct adi_view_lengths *lengths, struct adi_device *device);

#endif /* ADI_VIEW_LENGTHS_H */
