/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/array-not-released, consumer: the array is not released.
 */
#include "base/dlpack.h"

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.keeps_array = true;
}
