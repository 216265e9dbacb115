/* SPDX-License-Identifier: Apache-2.0
 *
 * All arrays that one call produces share the event of the first, which is behind the first alone.
 */
#ifndef EXT_DEV_EVENT_OF_FIRST_H
#define EXT_DEV_EVENT_OF_FIRST_H

#include <stdlib.h>

#include "ext_dev.h"

static adi_sim_event first;

static void forget_first(void) {
    first = NULL;
}

static int first_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
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

/* The first lives as long as the last array might: it is lost. */
static void free_all_but_first(struct adi_device *device, void *sync_event) {
    if (*(adi_sim_event *)sync_event == first)
        free(sync_event);
    else
        base.right.event_free(device, sync_event);
}

static inline void share_first_event(void) {
    base.begins = forget_first;
    base.ops.event = first_event;
    base.ops.event_free = free_all_but_first;
}

#endif /* EXT_DEV_EVENT_OF_FIRST_H */
