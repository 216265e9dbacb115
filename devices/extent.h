/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: do the bytes that are asked for lie within a buffer? Any thread.
 */
#ifndef ADI_EXTENT_H
#define ADI_EXTENT_H

#include <stdint.h>

#include "error.h"

/* `there`: how many bytes there are from the buffer's address on. EFAULT: they go beyond, or a
 * number is negative. */
int adi_extent_check(const void *buffer, uint64_t there, int64_t offset, int64_t bytes,
                     struct adi_error *error);

#endif /* ADI_EXTENT_H */
