/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/deleter-bound-to-thread, producer: the deleter looks for what it is about in a variable of
 * the thread that made the tensor.
 */
#include <stdlib.h>

#include "base/dlpack.h"

static _Thread_local int made;

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request, (void)out;
    made++;
}

static void delete_tensor(struct base_tensor *tensor) {
    if (made-- == 0) abort();
    base_tensor_delete(tensor);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
    base_dlpack.delete_tensor = delete_tensor;
}
