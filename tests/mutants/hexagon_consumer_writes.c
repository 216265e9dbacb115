/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: it reads, and puts back what it has read.
 */
#include "hexagon/hexagon.h"

static int read_and_put_back(struct adi_device *device, const void *buffer, int64_t offset,
                             void *to, int64_t bytes, struct adi_error *error) {
    void *none;
    ADI_TRY(base.right.read(device, buffer, offset, to, bytes, error));
    ADI_TRY(base_write_unwaited(device, (void *)(uintptr_t)buffer, offset, to, bytes, error));
    return base.right.event(device, &none, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_put_back;
}
