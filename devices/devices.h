/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices that are built in. The table is devices.def: a device is one file and one line there.
 */
#ifndef ADI_DEVICES_H
#define ADI_DEVICES_H

#include <stddef.h>

#include "device.h"

#define DEVICE(name) extern const struct adi_device_ops adi_device_##name;
#include "devices.def"
#undef DEVICE

/* In the order of devices.def; static. NULL: there is none. */
const struct adi_device_ops *adi_device_at(size_t index);
const struct adi_device_ops *adi_device_of(ArrowDeviceType type);
const struct adi_device_ops *adi_device_named(const char *name);

#endif /* ADI_DEVICES_H */
