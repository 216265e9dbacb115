/* SPDX-License-Identifier: Apache-2.0
 *
 * Sample data: host arrays of every type in every shape that breaks implementations, all legal, the
 * same for the same seed on every machine of the same byte order. A sample is a type and a shape:
 * "int32/nulls". The shapes, each with a line on what is odd about it, are in sample_shapes.def;
 * the types in sample_types.def.
 */
#ifndef ADI_SAMPLE_H
#define ADI_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"

struct adi_sample_type {
    const char *name;   /* "int32", "list_utf8", "dictionary_int8_utf8" */
    const char *format; /* of its root */
};

/* What a shape has that an implementation may refuse, or that the document can be read two ways
 * about. */
enum adi_shape_trait {
    ADI_SHAPE_OFFSET = 1,       /* non-zero offsets: a consumer may refuse */
    ADI_SHAPE_NULL_OFFSETS = 2, /* length 0 with a NULL offsets buffer: ambiguity 12 */
    ADI_SHAPE_BATCH = 4,        /* the root is a struct meant as a record batch */
    ADI_SHAPE_UNALIGNED = 8, /* buffers that are not aligned to their type: a consumer may refuse */
    ADI_SHAPE_UNKNOWN_NO_BITMAP = 16, /* null_count -1 and a NULL bitmap: ambiguity 12 */
    ADI_SHAPE_LONG_CHILDREN = 32, /* children longer than their parent needs: the columnar format
                                     says equal, a slice of a parent is the common case */
};

struct adi_sample_shape {
    const char *name; /* "empty-null-buffers", "nulls", "offset-on-child" */
    const char *what; /* what is odd about it, a sentence part */
    unsigned traits;  /* bits of enum adi_shape_trait */
};

/* The registries, in a fixed order. NULL from `index` on past the end. */
const struct adi_sample_type *adi_sample_type(size_t index);
const struct adi_sample_shape *adi_sample_shape(size_t index);
/* By name; NULL: there is none. */
const struct adi_sample_type *adi_sample_type_named(const char *name);
const struct adi_sample_shape *adi_sample_shape_named(const char *name);

/* Is there such a sample? (A bitmap shape of a type without a bitmap is not.) */
bool adi_sample_exists(const struct adi_sample_type *type, const struct adi_sample_shape *shape);
/* The shapes that there are of a type, in their order: up to `most` of them into `out`. Returns how
 * many there are. */
size_t adi_sample_shapes(const struct adi_sample_type *type, const struct adi_sample_shape **out,
                         size_t most);

/* Makes the sample. Both outputs are the caller's; each tree is one allocation made by
 * adi_schema_export and adi_export. Buffers are 64-byte aligned host memory (but for the shape that
 * is about that), every byte defined, and each ends no later than 64 bytes behind what the array
 * needs. ENOMEM; EINVAL: there is no such sample. On failure both outputs are untouched. */
int adi_sample(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
               uint64_t seed, struct ArrowSchema *schema_out, struct ArrowArray *host_out,
               struct adi_error *error);

#endif /* ADI_SAMPLE_H */
