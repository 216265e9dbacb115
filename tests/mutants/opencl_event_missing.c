/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer. apache/arrow-nanoarrow#509, NVIDIA/cudf#6706: neither an event nor
 * a wait after the copy. ADI_LATE_MS: how long the call takes.
 */
#include <stdlib.h>
#include <time.h>

#include "opencl/opencl.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const char *late = getenv("ADI_LATE_MS");
    long ms = late == NULL ? 0 : atol(late);
    (void)device, (void)error;
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = none;
}
