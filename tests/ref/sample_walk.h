/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a host array legal, buffer by buffer? Written from the columnar format alone, without the
 * layouts of ref/, so that it and they check each other.
 */
#ifndef ADI_TESTS_SAMPLE_WALK_H
#define ADI_TESTS_SAMPLE_WALK_H

#include <stdint.h>

#include "abi.h"
#include "error.h"

struct sample_walk {
    unsigned traits;    /* in: what the shape may have, bits of enum adi_shape_trait */
    uint64_t structure; /* a hash of what must not depend on the seed: lengths, nulls, offsets .. */
    uint64_t values;    /* .. and one of what does */
    int64_t value_bytes;
    int64_t arrays;
    struct adi_error wrong;
};

/* 0, or EILSEQ and a sentence in `wrong`. All but `traits` must be zero. */
int sample_walk(const struct ArrowSchema *schema, const struct ArrowArray *array,
                struct sample_walk *walk);

#endif /* ADI_TESTS_SAMPLE_WALK_H */
