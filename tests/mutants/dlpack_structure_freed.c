/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/used-after-deleter, consumer: the structure is freed by the consumer, too.
 */
#include <stdlib.h>

#include "base/dlpack.h"

static void was_ended(const struct adi_dlpack_tensor *tensor) {
    free(tensor->versioned);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_ended = was_ended;
}
