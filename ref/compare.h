/* SPDX-License-Identifier: Apache-2.0
 *
 * Do two host arrays hold the same values? Logical equality: offsets, the way nulls are written,
 * unused bytes, how views are split over variadic buffers, order and gaps of list views, and runs
 * do not matter; types, lengths, nulls and the bits of each value do (a NaN equals the NaN of the
 * same bits).
 */
#ifndef ADI_COMPARE_H
#define ADI_COMPARE_H

#include "abi.h"
#include "error.h"

/* 0: equal. EILSEQ: they differ, and the sentence names the first place and both values
 * ("children[1][7]: saw 12, wanted 13", and the offsets of both where there are any). ENOMEM. Both
 * trees are trusted to be well-formed host arrays of their schemas, which have the same type. Any
 * thread. */
int adi_array_compare(const struct ArrowSchema *seen_schema, const struct ArrowArray *seen,
                      const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                      struct adi_error *difference);

#endif /* ADI_COMPARE_H */
