/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-throws, producer. NVIDIA/cudf#15465: a release callback can throw.
 */
#include <stdexcept>

#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    base_array_release(array);
    throw std::runtime_error("the device is gone");
}

extern "C" void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
