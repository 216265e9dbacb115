/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the stage: the event of a staged array, which ends with the base structure as it does
 * in the documents' example. Children that were moved out have none.
 */
#ifndef ADI_STAGE_EVENT_H
#define ADI_STAGE_EVENT_H

#include "stage.h"

/* Before anything is produced on it: an event of the stage's `producing` is freed once. */
void adi_stage_event_begin(struct adi_stage *stage, const struct adi_device *device);
/* The array was produced: which handle is it that its sync_event points to? */
void adi_stage_event_find(struct adi_stage *stage);
/* The base structure is being released: is the handle still there? From now on its place is closed.
 * Any thread. */
void adi_stage_event_end(struct adi_stage *stage);
/* The base structure was released, and children that were moved out were not: frees the event. What
 * the device's thread reads of them later, to see whether it was changed, comes behind it all the
 * same. Any thread. */
void adi_stage_event_free(struct adi_stage *stage);

#endif /* ADI_STAGE_EVENT_H */
