/* SPDX-License-Identifier: Apache-2.0
 *
 * async/give-up-fails: extract_data writes to the array that it was not given.
 */
#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    *(volatile ArrowDeviceType *)&out->device_type = ARROW_DEVICE_CPU;
    return base_extract(self, out);
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
