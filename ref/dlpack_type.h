/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/ and harness/: DLPack's types and devices beside those of Arrow. dlpack.h,
 * "DLDataType", "DLDevice".
 */
#ifndef ADI_DLPACK_TYPE_H
#define ADI_DLPACK_TYPE_H

#include <stdint.h>

#include "abi.h"
#include "device.h"
#include "dlpack_abi.h"
#include "error.h"

/* ENOTSUP: a code that dlpack.h 1.3 does not have, or an opaque handle. EINVAL: bits that the code
 * cannot have, or no lanes. */
int adi_dlpack_type_check(DLDataType type, struct adi_error *error);

/* The format of Arrow's type with the same values, static. ENOTSUP: there is none. */
int adi_dlpack_type_to_arrow(DLDataType type, const char **format, struct adi_error *error);
/* And the other way round. ENOTSUP, and why the type of `schema` has no tensor, if it has not. */
int adi_dlpack_type_from_arrow(const struct ArrowSchema *schema, DLDataType *out,
                               struct adi_error *error);

/* The bits of an element: all lanes. */
int64_t adi_dlpack_bits(DLDataType type);
/* Of `flags` what changes how elements of that type lie in memory: the flag for padding, where an
 * element does not fill whole bytes. */
uint64_t adi_dlpack_memory_flags(DLDataType type, uint64_t flags);

/* ENOTSUP: DLPack has no such id, or Arrow no such device; the sentence names it. */
int adi_dlpack_device_from_arrow(ArrowDeviceType type, int64_t id, DLDevice *out,
                                 struct adi_error *error);
int adi_dlpack_device_to_arrow(DLDevice device, ArrowDeviceType *type, int64_t *id,
                               struct adi_error *error);

/* ENOTSUP: it is not on `device`. */
int adi_dlpack_device_check(const struct adi_device *device, DLDevice wanted,
                            struct adi_error *error);

#endif /* ADI_DLPACK_TYPE_H */
