/* SPDX-License-Identifier: Apache-2.0
 *
 * async/extracted-nothing: which task is extracted is noted in one place; of two that are extracted
 * at once the later one is taken twice.
 */
#include <stddef.h>

#include "base/async.h"

static struct base_task *_Atomic latest;

static int extract(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct base_task *own = self->private_data;
    latest = own;
    base_point(own->stream);
    struct base_task *task = latest;
    latest = NULL;
    if (task != own) base_shows();
    if (task == NULL) return 0;
    return base_extract(&(struct ArrowAsyncTask){NULL, task}, out);
}

void mutate(void) {
    base_async.extract = extract;
    base_plays_async();
}
