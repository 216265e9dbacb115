/* SPDX-License-Identifier: Apache-2.0
 *
 * One static place for the handle of the newest event, or several in turn.
 */
#ifndef ONE_PLACE_H
#define ONE_PLACE_H

#include <stdlib.h>

#include "device.h"

#ifndef PLACES
#define PLACES 1 /* in turn */
#endif

static void *places[PLACES];
static size_t turn;
static int (*make_event)(struct adi_device *, void **, struct adi_error *);
static void (*free_event)(struct adi_device *, void *);

static int event_in_place(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *made;
    ADI_TRY(make_event(device, &made, error));
    void **place = &places[turn++ % PLACES];
    *place = *(void **)made;
    free(made);
    *sync_event = place;
    return 0;
}

static void free_in_place(struct adi_device *device, void *sync_event) {
    void **box = malloc(sizeof *box), **place = sync_event;
    if (box == NULL || *place == NULL) {
        free(box);
        return;
    }
    *box = *place;
    *place = NULL;
    free_event(device, box);
}

static void use_one_place(struct adi_device_ops *ops) {
    make_event = ops->event;
    free_event = ops->event_free;
    ops->event = event_in_place;
    ops->event_free = free_in_place;
}

#endif /* ONE_PLACE_H */
