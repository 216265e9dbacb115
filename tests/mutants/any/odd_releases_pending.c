/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: what cannot be taken is released at once, whether its event is complete or not.
 */
#include <errno.h>

static int refuse(struct adi_device *device, const struct ArrowSchema *schema,
                  struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    if (in->array.n_children > 0) return base_read(device, schema, in, host_out);
    return ENOTSUP;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = refuse;
}
