/* SPDX-License-Identifier: Apache-2.0 */
#include "extent.h"

#include <errno.h>
#include <inttypes.h>

int adi_extent_check(const void *buffer, uint64_t there, int64_t offset, int64_t bytes,
                     struct adi_error *error) {
    if (offset >= 0 && bytes >= 0 && (uint64_t)offset <= there &&
        (uint64_t)bytes <= there - (uint64_t)offset)
        return 0;
    return adi_error_set(error, EFAULT,
                         "%" PRId64 " bytes at byte %" PRId64 " of %p go beyond its %" PRIu64,
                         bytes, offset, buffer, there);
}
