/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: the metadata of arrow.fixed_shape_tensor, whose values are tensors of one shape,
 * stored as fixed-size lists. `shape` is that of the memory, row-major; dimension i of the tensor
 * is dimension `permutation[i]` of the memory. Canonical extension types, "Fixed shape tensor".
 */
#ifndef ADI_FIXED_SHAPE_H
#define ADI_FIXED_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"

#define ADI_FIXED_SHAPE_NAME "arrow.fixed_shape_tensor"
#define ADI_FIXED_SHAPE_DIMS 63 /* one dimension is that of the array */

struct adi_fixed_shape {
    int ndim;
    int64_t shape[ADI_FIXED_SHAPE_DIMS];
    int64_t permutation[ADI_FIXED_SHAPE_DIMS]; /* 0, 1, ... where the metadata have none */
};

/* Is that the extension type of `schema`? Its metadata are trusted to be well encoded. */
bool adi_fixed_shape_is(const struct ArrowSchema *schema);

/* Reads the metadata of such a schema, a JSON object: `shape`, and, if they are there and not null,
 * `permutation` and `dim_names`; what else is there is left alone (docs/ambiguities.md, 68).
 * EINVAL: no JSON, no shape, not a permutation, another number of names than of dimensions, or a
 * product that is not the list's `size`. ENOTSUP: more dimensions than tensors have. */
int adi_fixed_shape_read(const struct ArrowSchema *schema, int32_t size,
                         struct adi_fixed_shape *out, struct adi_error *error);

/* The shape of the items of an array of `ndim` dimensions, which are those behind the first one:
 * row-major, or permuted, if `strides` (in values; NULL: row-major) put all values into memory
 * without gaps and one item behind the other. false: they do not; `*out` is row-major then. No
 * dimension is 0 where there are strides. */
bool adi_fixed_shape_of(int ndim, const int64_t *shape, const int64_t *strides,
                        struct adi_fixed_shape *out);

/* How many values an item has. ENOTSUP: more than a fixed-size list can have. */
int adi_fixed_shape_count(const struct adi_fixed_shape *shape, int32_t *out,
                          struct adi_error *error);

/* The schema of an array with such items, which the caller owns until it releases it: of `format`
 * itself where they have no dimensions, a fixed-size list where they have one, and an
 * arrow.fixed_shape_tensor where they have more. Nothing is nullable: so arrow-rs wants it, and
 * tensors have no nulls. ENOMEM, and as adi_fixed_shape_count. */
int adi_fixed_shape_schema(const char *format, const struct adi_fixed_shape *shape,
                           struct ArrowSchema *out, struct adi_error *error);

#define ADI_FIXED_SHAPE_TEXT (2 * ADI_FIXED_SHAPE_DIMS * 21 + 40)
/* Writes the metadata, without a permutation where it is 0, 1, ...; returns `text`. */
const char *adi_fixed_shape_write(const struct adi_fixed_shape *shape,
                                  char text[ADI_FIXED_SHAPE_TEXT]);

#endif /* ADI_FIXED_SHAPE_H */
