/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the batches of an asynchronous stream share the event of the
 * first, which is behind the first alone.
 */
#include <stdlib.h>

#include "ext_dev/ext_dev.h"

static adi_sim_event first;

static void begin(void) {
    first = NULL;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (first == NULL) {
        int code = base.right.event(device, sync_event, error);
        if (code == 0) first = *(adi_sim_event *)*sync_event;
        return code;
    }
    adi_sim_event *handle = malloc(sizeof *handle);
    if (handle == NULL) return adi_error_set(error, 12, "no memory for a handle");
    *handle = first;
    *sync_event = handle;
    return 0;
}

/* The first lives as long as the stream's last batch might: it is lost. */
static void event_free(struct adi_device *device, void *sync_event) {
    if (*(adi_sim_event *)sync_event == first)
        free(sync_event);
    else
        base.right.event_free(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_ASYNC;
    base.begins = begin;
    base.ops.event = event;
    base.ops.event_free = event_free;
}
