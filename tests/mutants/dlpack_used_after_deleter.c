/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/used-after-deleter, consumer: the deleter is called, and then an element is looked at.
 */
#include "base/dlpack.h"

static void was_ended(const struct adi_dlpack_tensor *tensor) {
    const DLTensor *within = base_within(tensor);
    volatile const char *first = (const char *)within->data;
    if (first != NULL) (void)*first;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.was_ended = was_ended;
}
