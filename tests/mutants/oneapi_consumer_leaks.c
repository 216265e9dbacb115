/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it forgets the events that its copies have given it.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static int read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    DPCTLSyclEventRef copied =
        SYCL(DPCTLQueue_Memcpy)(base_queue(device), to, base_at(buffer, offset), (size_t)bytes);
    SYCL(DPCTLEvent_Wait)(copied);
    return copied == NULL ? EIO : 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read;
}
