/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the first copy in a queue that is not in order does not depend
 * on the event, as those behind it do.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static DPCTLSyclEventRef awaited;
static size_t depends;

static int remember(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    awaited = sync_event;
    depends = 0;
    return 0;
}

static int read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    DPCTLSyclEventRef copied = SYCL(DPCTLQueue_MemcpyWithEvents)(
        base_unordered(device), to, base_at(buffer, offset), (size_t)bytes, &awaited, depends);
    depends = 1;
    if (copied == NULL) return EIO;
    SYCL(DPCTLEvent_Wait)(copied);
    SYCL(DPCTLEvent_Delete)(copied);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = remember;
    base.ops.read = read;
}
