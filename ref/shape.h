/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: has a tree the shape that its schema demands? Neither is trusted.
 */
#ifndef ADI_SHAPE_H
#define ADI_SHAPE_H

#include "abi.h"
#include "error.h"

/* Looks at structures only, never through a buffer, and at no child or buffer that n_children and
 * n_buffers do not promise. EINVAL and a sentence that begins with the place: something is
 * released, missing, superfluous, negative, or too short for its parent. */
int adi_shape_check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                    struct adi_error *error);

#endif /* ADI_SHAPE_H */
