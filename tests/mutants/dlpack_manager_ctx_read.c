/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/manager-ctx-touched, consumer: manager_ctx is taken for one of its own, as is done to find
 * out whether a tensor comes from the same library.
 */
#include "base/dlpack.h"

static void was_read(const struct adi_dlpack_tensor *tensor) {
    volatile const char *context = (const char *)tensor->versioned->manager_ctx;
    (void)*context;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_read = was_read;
}
