/* SPDX-License-Identifier: Apache-2.0
 *
 * All arrays that one call produces share the event of the first, which is behind the first alone.
 */
#ifndef EXT_DEV_EVENT_OF_FIRST_H
#define EXT_DEV_EVENT_OF_FIRST_H

#include <stdlib.h>

#include "ext_dev.h"

#define FIRSTS 16

/* A first event, and how many arrays have it. It lives as long as one of them. */
static struct first {
    adi_sim_event event;
    size_t shared;
} firsts[FIRSTS], *first;

static void forget_first(void) {
    first = NULL;
}

static struct first *find(adi_sim_event event) {
    struct first *at = firsts;
    while (at < firsts + FIRSTS - 1 && (at->shared == 0 || at->event != event)) at++;
    return at;
}

static int first_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (first != NULL && first->shared > 0) {
        adi_sim_event *handle = malloc(sizeof *handle);
        if (handle == NULL) return adi_error_set(error, 12, "no memory for a handle");
        *handle = first->event;
        first->shared++;
        *sync_event = handle;
        return 0;
    }
    int code = base.right.event(device, sync_event, error);
    for (first = firsts; code == 0 && first->shared > 0;) first++;
    if (code == 0) *first = (struct first){*(adi_sim_event *)*sync_event, 1};
    return code;
}

static void free_with_last(struct adi_device *device, void *sync_event) {
    if (--find(*(adi_sim_event *)sync_event)->shared > 0)
        free(sync_event);
    else
        base.right.event_free(device, sync_event);
}

static inline void share_first_event(void) {
    base.begins = forget_first;
    base.ops.event = first_event;
    base.ops.event_free = free_with_last;
}

#endif /* EXT_DEV_EVENT_OF_FIRST_H */
