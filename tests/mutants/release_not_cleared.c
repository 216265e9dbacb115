/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-not-cleared, producer. apache/arrow-nanoarrow#203, apache/arrow#35760, there for
 * streams: release does not clear `release`.
 */
#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    base_array_release(array);
    array->release = release;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.release_array = release;
}
