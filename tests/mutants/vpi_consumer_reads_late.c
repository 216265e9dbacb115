/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: the array is released at once, and its buffers are read
 * afterwards.
 */
#include <string.h>

#include "vpi/vpi.h"

static struct {
    const void *buffer;
    void *to;
    uint64_t offset, bytes;
} later[64];
static int n;

static int note(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (n == 64) return driver_ops.read(device, buffer, offset, to, bytes, error);
    memset(to, 0, (size_t)bytes);
    later[n].buffer = buffer;
    later[n].to = to;
    later[n].offset = (uint64_t)offset;
    later[n++].bytes = (uint64_t)bytes;
    return 0;
}

static void read_noted(struct adi_device *device) {
    while (n-- > 0)
        driver_ops.read(device, later[n].buffer, (int64_t)later[n].offset, later[n].to,
                        (int64_t)later[n].bytes, NULL);
    n = 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = note;
    base.released = read_noted;
}
