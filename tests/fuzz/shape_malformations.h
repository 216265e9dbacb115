/* SPDX-License-Identifier: Apache-2.0
 *
 * The malformations of shape_malformations.def, to be planted one at a time in a legal tree.
 */
#ifndef ADI_TESTS_FUZZ_SHAPE_MALFORMATIONS_H
#define ADI_TESTS_FUZZ_SHAPE_MALFORMATIONS_H

#include "shape_tree.h"

struct shape_malformation {
    const char *rule, *what; /* the statement, for the message */
};

/* The rows; NULL from `index` on past the end. */
const struct shape_malformation *shape_malformation(int index);
/* Plants the malformation in the first node from `node` (modulo their number) on that it fits, with
 * a number below 256 to vary it. NULL: it fits nowhere, and nothing was done. */
const struct shape_node *shape_plant_from(int index, struct shape *s, int node, int k);

#endif /* ADI_TESTS_FUZZ_SHAPE_MALFORMATIONS_H */
