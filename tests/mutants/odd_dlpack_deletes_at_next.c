/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A tensor is deleted when the next one has come.
 */
#include "base/dlpack.h"

static struct adi_dlpack_tensor kept;

static void end(const struct adi_dlpack_tensor *tensor) {
    base_tensor_end(&kept);
    kept = *tensor;
}

static void close_it(struct adi_adapter *adapter) {
    (void)adapter;
    base_tensor_end(&kept);
    kept = (struct adi_dlpack_tensor){NULL, NULL};
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base.adapter.close = close_it;
    base_dlpack.end = end;
}
