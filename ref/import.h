/* SPDX-License-Identifier: Apache-2.0
 *
 * The consumer's side: take the array over, check it against its schema, wait, read, release.
 * C device data interface, "Synchronization"; C data interface, "Release callback semantics -- for
 * consumers".
 */
#ifndef ADI_IMPORT_H
#define ADI_IMPORT_H

#include <stddef.h>

#include "abi.h"
#include "device.h"
#include "error.h"

/* Takes over `in`: moves it to `*out` after checking that it is live, of `device`'s type and id,
 * that the tree has the shape that `schema` demands (children, buffers, dictionaries, counts) and
 * that reserved bytes are not misread. Allocates nothing and reads no buffer. On failure `in` is
 * untouched. EINVAL: released, or not of the schema's shape. ENOTSUP: of another device. */
int adi_import(struct adi_device *device, const struct ArrowSchema *schema,
               struct ArrowDeviceArray *in, struct ArrowDeviceArray *out, struct adi_error *error);

/* Waits on `in`'s event and copies the tree to the host: same structure, buffers in host memory,
 * one allocation for structures and buffers together; `*host_out` is the caller's. `in` stays live
 * and the caller's. Offsets and null counts are kept as they are. NULL buffers stay NULL. EINVAL:
 * not of the schema's shape, or offsets that cannot be. On failure `*host_out` is untouched. */
int adi_copy_to_host(struct adi_device *device, const struct ArrowSchema *schema,
                     const struct ArrowDeviceArray *in, struct ArrowArray *host_out,
                     struct adi_error *error);

/* Has the device sum the buffers of `in`, whose event has been waited on, and compares with `copy`,
 * which adi_copy_to_host made of it. EBADMSG: a sum differs. ENOTSUP: the device cannot sum them.
 * EFAULT, or what else the device says: it cannot reach one of them. */
int adi_compare_sums(struct adi_device *device, const struct ArrowSchema *schema,
                     const struct ArrowDeviceArray *in, struct ArrowArray *copy,
                     struct adi_error *error);

/* The whole consumer: import, wait, copy, release. On failure of the import `in` is untouched; on a
 * later one it has been released. */
int adi_consume(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out, struct adi_error *error);

/* The same on the device that `in` names, one of `n_devices` (> 0). Where there is none, an array
 * without buffers is taken all the same, as nothing is anywhere. ENOTSUP: no device is of its type,
 * or none of that type has its id. On failure `in` is untouched or released. */
int adi_consume_on(struct adi_device *const *devices, size_t n_devices,
                   const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct ArrowArray *host_out, struct adi_error *error);

#endif /* ADI_IMPORT_H */
