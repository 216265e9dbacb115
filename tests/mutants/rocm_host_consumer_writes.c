/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: the CPU changes pinned memory of its producer that it has waited
 * for and read.
 */
#include "rocm/rocm.h"

static int read_and_invert(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                           int64_t bytes, struct adi_error *error) {
    char *at = base_at(buffer, offset);
    ADI_TRY(base.right.read(device, buffer, offset, to, bytes, error));
    if (bytes > 0) at[0] = (char)~at[0];
    return 0;
}

void mutate(void) {
    base_is_for_host();
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_invert;
}
