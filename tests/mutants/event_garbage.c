/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-without-event-type, producer. NVIDIA/cudf#16058 put the event where its address
 * belongs: here it is on the CPU, too.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->sync_event = (void *)(uintptr_t)0xE7E47;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
