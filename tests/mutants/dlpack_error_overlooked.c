/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/refusal-overlooked, consumer: that there is no tensor is not noticed.
 */
#include "base/dlpack.h"

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.overlooks_error = true;
}
