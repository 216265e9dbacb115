/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/, devices/ and harness/: reading host memory that somebody else vouches for.
 */
#ifndef ADI_HOST_H
#define ADI_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Are all of these bytes mapped and readable? Nothing else is done with them. Of few pages it is
 * far cheaper than a copy by a system call. Leaves errno alone. Any thread. */
bool adi_host_is_readable(const void *from, size_t bytes);

/* Copies `bytes` bytes from `from` + `offset` to `to`. EFAULT, without having touched them: they
 * are not all mapped and readable, or AddressSanitizer holds them for poisoned. Any thread. */
int adi_host_read(const void *from, int64_t offset, void *to, int64_t bytes,
                  struct adi_error *error);

#endif /* ADI_HOST_H */
