/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: nulls, for what has none.
 */
#ifndef ADI_NULLS_H
#define ADI_NULLS_H

#include <stdint.h>

#include "abi.h"
#include "device.h"
#include "error.h"

/* How many of `count` values from `first` on, counted as the bitmap does, are null in `array`, a
 * part of `in`. A null_count of 0 is believed. Else the bitmap, if there is one, is read, behind
 * the event of `in`: the null_count may be unknown, or, of a child, be that of more values.
 * `device` NULL: memory of the CPU, trusted. EINVAL: a null_count above 0 without a bitmap.
 * ENOTSUP: the bitmap is on a device, and `device` is NULL. */
int adi_nulls_count(struct adi_device *device, const struct ArrowDeviceArray *in,
                    const struct ArrowArray *array, int64_t first, int64_t count, int64_t *nulls,
                    struct adi_error *error);

#endif /* ADI_NULLS_H */
