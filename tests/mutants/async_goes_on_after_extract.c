/* SPDX-License-Identifier: Apache-2.0
 *
 * async/extract-error-not-told: an extract_data that fails is not told of.
 */
#include <errno.h>

#include "base/async.h"

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    const struct base_task *task = self->private_data;
    bool fails = out != NULL && task->number == 2;
    int code = base_extract(self, fails ? NULL : out);
    return fails ? EIO : code;
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
