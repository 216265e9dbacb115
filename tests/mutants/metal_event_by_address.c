/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: sync_event is the address of the event, as it is with other types.
 */
#include "metal/metal.h"

#include <stdlib.h>

static int by_address(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void **place = malloc(sizeof *place);
    if (place == NULL) return adi_error_set(error, 12, "no memory for a place");
    *sync_event = place;
    return base.right.event(device, place, error);
}

static void free_both(struct adi_device *device, void *sync_event) {
    base.right.event_free(device, *(void **)sync_event);
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = by_address;
    base.ops.event_free = free_both;
}
