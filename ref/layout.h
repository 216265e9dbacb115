/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: what type.h says about buffers, and how one is read.
 */
#ifndef ADI_LAYOUT_H
#define ADI_LAYOUT_H

#include "device.h"
#include "error.h"
#include "type.h"

/* Copies `bytes` bytes of a buffer to the host. `device` NULL: the buffer is host memory. The
 * variadic lengths of a view are looked for on the device first, then on the host: both is seen. */
int adi_read_buffer(struct adi_device *device, enum adi_buffer_role role, const void *buffer,
                    int64_t offset, void *to, int64_t bytes, struct adi_error *error);

#endif /* ADI_LAYOUT_H */
