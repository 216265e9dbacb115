/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-forbidden, consumer: of the CPU it passes stream 0, as the default.
 */
#include "base/dlpack.h"

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.request.stream = 0;
}
