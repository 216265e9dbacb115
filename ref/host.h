/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/ and devices/: reading host memory that somebody else vouches for.
 */
#ifndef ADI_HOST_H
#define ADI_HOST_H

#include <stdint.h>

#include "error.h"

/* Copies `bytes` bytes from `from` + `offset` to `to`. EFAULT, without having touched them: they
 * are not all mapped and readable, or AddressSanitizer holds them for poisoned. Any thread. */
int adi_host_read(const void *from, int64_t offset, void *to, int64_t bytes,
                  struct adi_error *error);

#endif /* ADI_HOST_H */
