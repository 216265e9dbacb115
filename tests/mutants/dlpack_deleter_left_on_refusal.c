/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/deleter-not-called, consumer: the deleter is called where the tensor was read, and not
 * where it was refused.
 */
#include "base/dlpack.h"

static bool is_read;

static void was_read(const struct adi_dlpack_tensor *tensor) {
    (void)tensor;
    is_read = true;
}

static void end(const struct adi_dlpack_tensor *tensor) {
    if (is_read) base_tensor_end(tensor);
    is_read = false;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_read = was_read;
    base_dlpack.end = end;
}
