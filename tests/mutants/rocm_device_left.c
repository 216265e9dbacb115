/* SPDX-License-Identifier: Apache-2.0
 *
 * device/context-not-restored, consumer: it turns to another device, and stays there.
 */
#include "rocm/rocm.h"

static int turn(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    HIP(hipSetDevice)((int)base_other(device)->id);
    base_stays = true;
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = turn;
}
