/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to guarded_input.c: the event of a guarded array, which ends with the base structure as
 * it does in the documents' example. Children that were moved out have none.
 */
#ifndef ADI_GUARDED_EVENT_H
#define ADI_GUARDED_EVENT_H

#include "guarded_input.h"

/* Before anything is produced on it: an event of the input's `producing` is freed once. */
void adi_guarded_event_begin(struct adi_guarded *input, const struct adi_device *device);
/* The array was produced: which handle is it that its sync_event points to? */
void adi_guarded_event_find(struct adi_guarded *input);
/* The base structure is being released: is the handle still there? From now on its place is closed.
 * Any thread. */
void adi_guarded_event_end(struct adi_guarded *input);
/* The base structure was released, and children that were moved out were not: frees the event. What
 * the device's thread reads of them later, to see whether it was changed, comes behind it all the
 * same. Any thread. */
void adi_guarded_event_free(struct adi_guarded *input);

#endif /* ADI_GUARDED_EVENT_H */
