/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "ext_dev/ext_dev.h"

static char *staging;

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)to, (void)error;
    if (staging == NULL)
        ADI_TRY(SIM(alloc)(base_context(device), ADI_SIM_PINNED, 1 << 20, (void **)&staging));
    return SIM(copy)(base_queue(device), staging, (const char *)buffer + offset, (size_t)bytes, 0);
}

static void finish(struct adi_device *device) {
    SIM(queue_sync)(base_queue(device));
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_later;
    base.released = finish;
}
