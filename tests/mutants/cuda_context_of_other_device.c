/* SPDX-License-Identifier: Apache-2.0
 *
 * device/context-not-restored, consumer: it turns to another device, and stays there.
 */
#include "cuda/cuda.h"

static int turn(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    CUcontext own;
    int code = base_read(device, schema, in, host_out);
    CU(cuCtxPopCurrent_v2)(&own);
    CU(cuCtxSetCurrent)(base_context(base_other(device)));
    CU(cuCtxPushCurrent_v2)(own);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = turn;
}
