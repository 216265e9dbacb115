/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the copies are encoded, and their command buffers are still to be
 * committed when the event is.
 */
#include "metal/metal.h"

#define MOST 64

static void *open[MOST];
static int n_open;

static int encode_only(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    void *staged = base_staged(device, from, bytes);
    if (staged == NULL || n_open == MOST) return adi_error_set(error, 12, "no staging");
    open[n_open++] =
        base_encode_copy(base_metal(device)->queue, (struct base_part){buffer, (uint64_t)offset},
                         (struct base_part){staged, 0}, bytes);
    adi_mtl_release(staged);
    return 0;
}

/* When the array goes they are committed at last. */
static void free_behind(struct adi_device *device, void *sync_event) {
    while (n_open > 0) {
        adi_mtl_commit(open[--n_open]);
        adi_mtl_release(open[n_open]);
    }
    base.right.event_free(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = encode_only;
    base.ops.event_free = free_behind;
}
