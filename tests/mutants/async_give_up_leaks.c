/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked: a task that is given up keeps its batch.
 */
#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray lost;
    return base_extract(self, out == NULL ? &lost : out);
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
