/* SPDX-License-Identifier: Apache-2.0
 *
 * A legal tree out of bytes, any types nested in any way, in memory that ends where it may be read
 * (arena.h). Written from the columnar format alone, without the layouts of ref/, so that it and
 * the checks check each other.
 */
#ifndef ADI_TESTS_FUZZ_SHAPE_TREE_H
#define ADI_TESTS_FUZZ_SHAPE_TREE_H

#include <stdbool.h>

#include "abi.h"
#include "device.h"
#include "fuzz.h"
#include "type.h"

#define SHAPE_NODES    12
#define SHAPE_CHILDREN 3

struct shape_kind {
    const char *format;
    enum adi_layout layout;
    int bits, children;
};

struct shape_node {
    const struct shape_kind *kind;
    struct shape_node *parent, *children[SHAPE_CHILDREN], *dictionary;
    bool is_dictionary;
    struct ArrowSchema *schema;
    struct ArrowArray *array;
    int64_t nulls;     /* that the array has; the array itself may say -1 */
    bool null_garbage; /* null slots hold what would be wrong if they were not null */
};

struct shape {
    struct ArrowSchema *schema;
    struct ArrowDeviceArray *array;
    struct adi_device device; /* the CPU, and what reads the buffers */
    struct adi_device_ops ops;
    int n_nodes;
    struct shape_node nodes[SHAPE_NODES]; /* the root first */
};

/* Grows the tree that the bytes describe. It lies in the arena, which is emptied before. */
void shape_grow(struct fuzz_input *input, struct shape *out);

/* length + offset */
int64_t shape_slots(const struct shape_node *node);
/* Is slot `i`, counted from the start of the buffers, not null? */
bool shape_valid(const struct shape_node *node, int64_t i);
/* Integer `i` of `bits` bits in a buffer. */
int64_t shape_get(const void *buffer, int bits, int64_t i);
void shape_set(const void *buffer, int bits, int64_t i, int64_t value);

/* The 16 bytes of a binary view. */
struct shape_view {
    int32_t length;
    char prefix[4]; /* and, up to 12 bytes, all of the value from here on */
    int32_t index, offset;
};

#endif /* ADI_TESTS_FUZZ_SHAPE_TREE_H */
