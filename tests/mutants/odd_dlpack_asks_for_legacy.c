/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It names no version, and knows the layout from before 1.0 alone.
 */
#include "base/dlpack.h"

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.request.max_major = 0;
    base_dlpack.request.max_minor = 0;
}
