/* SPDX-License-Identifier: Apache-2.0
 *
 * The device of a test, lent to structures that nobody watches (play_once_more.c): a consumer may
 * release them whenever it pleases, when the test is over, too. So what they hold of the device is
 * counted, and a device of which something is held is not closed.
 */
#ifndef ADI_LENT_DEVICE_H
#define ADI_LENT_DEVICE_H

#include <stdbool.h>

#include "device.h"

/* What stands in for `device`, which is open, while something is made on it; it is there as long as
 * the process. NULL: too many are held. Main thread. */
struct adi_device *adi_lend_device(const struct adi_device *device);

/* `device` is about to be closed. true: something that was made on it is still held, so it is to
 * stay open. From now on nothing more is made on what stands in for it: ENODEV. Main thread. */
bool adi_lent_device_is_held(const struct adi_device *device);

#endif /* ADI_LENT_DEVICE_H */
