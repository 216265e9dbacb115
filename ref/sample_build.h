/* SPDX-License-Identifier: Apache-2.0
 *
 * How a sample is built: a field of its spec becomes a schema, a schema an array. Everything lies
 * in arenas, one for the structures, which go when the sample has been exported, and one for the
 * buffers, which the exported array owns.
 */
#ifndef ADI_SAMPLE_BUILD_H
#define ADI_SAMPLE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"
#include "sample_plan.h"
#include "sample_random.h"
#include "type.h"

/* Blocks of memory that are freed together. All zero: empty. */
struct adi_arena {
    void **blocks;
    size_t count, capacity;
};

void adi_arena_free(struct adi_arena *arena);

struct adi_sample_builder {
    const struct adi_sample_plan *plan;
    struct adi_arena scratch;    /* the structures */
    struct adi_arena *buffers;   /* what they point to */
    struct adi_random structure; /* where nulls are: the same for all seeds */
    struct adi_random values;    /* which values: from the seed */
    enum adi_sample_nulls nulls; /* of what is being built: the plan's, or its dictionary's */
    struct adi_error *error;
};

/* One array that is to be built. */
struct adi_sample_node {
    const struct ArrowSchema *schema;
    struct adi_type type;
    int64_t length, offset;
    int depth;      /* below the root */
    bool ascending; /* the values grow: keys of a sorted map */
};

/* The values that the buffers hold. */
static inline int64_t adi_sample_values(const struct adi_sample_node *node) {
    return node->offset + node->length;
}

/* Zeroed scratch memory for `count` things; NULL after setting the error: none left. */
void *adi_sample_scratch(struct adi_sample_builder *builder, int64_t count, size_t size);
/* A buffer of `bytes`, placed and padded as the plan asks; NULL where there is nothing to hold. */
int adi_sample_buffer(struct adi_sample_builder *builder, int64_t bytes, uint8_t **out);

/* Integers of 8 to 64 bits in buffers that may be unaligned. */
void adi_sample_put(uint8_t *buffer, int64_t index, int64_t bits, int64_t value);

/* The features of a spec, bits of enum adi_sample_feature. */
unsigned adi_sample_features(const char *spec);
/* The schema of a spec, in scratch memory. sample_types.def explains specs. */
int adi_sample_schema(struct adi_sample_builder *builder, const char *spec,
                      struct ArrowSchema *out);

/* The array of a node, its structures in scratch memory. */
int adi_sample_array(struct adi_sample_builder *builder, struct adi_sample_node *node,
                     struct ArrowArray *out);
/* What adi_sample_array leaves to the files of a layout: the buffers behind the validity bitmap. */
int adi_sample_fill_fixed(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                          struct ArrowArray *out);
int adi_sample_fill_binary(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                           struct ArrowArray *out);
int adi_sample_fill_view(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                         struct ArrowArray *out);
/* How many values the dictionary of an array has. */
int64_t adi_sample_dictionary_length(const struct adi_sample_node *node);

#endif /* ADI_SAMPLE_BUILD_H */
