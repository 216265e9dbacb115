/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: the values of a host array, one by one, whatever its layout. A node is an array
 * with its type parsed; indices count from the array's offset, which nobody else adds.
 */
#ifndef ADI_VALUE_H
#define ADI_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"
#include "type.h"

struct adi_node {
    struct adi_type type;
    const struct ArrowArray *array;
    struct adi_node *children;   /* array->n_children of them */
    struct adi_node *dictionary; /* NULL: none */
};

/* Parses a trusted host tree into `*out`; the caller frees `*out`, one allocation. ENOMEM, or what
 * adi_type_parse says. */
int adi_node_open(const struct ArrowSchema *schema, const struct ArrowArray *array,
                  struct adi_node **out, struct adi_error *error);

/* Bit `index` of a bitmap. */
bool adi_bit(const void *bitmap, int64_t index);

/* Has the layout a validity bitmap of its own? */
bool adi_node_has_validity(const struct adi_node *node);
/* Is the value null: by its bitmap, or, where there is none, by the child or dictionary value that
 * it stands for? */
bool adi_node_is_null(const struct adi_node *node, int64_t index);

struct adi_bytes {
    const void *at;
    int64_t count;
};
/* The bytes of a value that is not null: BINARY, VIEW, and FIXED of whole bytes. */
struct adi_bytes adi_node_bytes(const struct adi_node *node, int64_t index);

/* A stretch of values in a child (or, of a dictionary, in its values). */
struct adi_range {
    const struct adi_node *node;
    int64_t start, count;
};
/* The values of a list: LIST, LIST_VIEW, FIXED_LIST. */
struct adi_range adi_node_list(const struct adi_node *node, int64_t index);
/* The one value that stands for value `index`: in the child of a union, in the dictionary. */
struct adi_range adi_node_union(const struct adi_node *node, int64_t index, int8_t *type_id);
struct adi_range adi_node_decoded(const struct adi_node *node, int64_t index);
/* RUN_END: the value of the run that `index` is in; `*left` values from `index` on are in it. */
struct adi_range adi_node_run(const struct adi_node *node, int64_t index, int64_t *left);

#define ADI_VALUE_SIZE 120
/* The value in words: "null", "12", "\"abc\"", "a list of 3". Returns `text`. */
const char *adi_node_text(const struct adi_node *node, int64_t index, char text[ADI_VALUE_SIZE]);

#endif /* ADI_VALUE_H */
