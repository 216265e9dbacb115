/* SPDX-License-Identifier: Apache-2.0
 *
 * none: the correct implementation, as producer and as consumer.
 */
#include "base/dlpack.h"

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK | ADI_CONSUMES_DLPACK);
}
