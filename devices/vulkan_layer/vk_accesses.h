/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: which bytes of a buffer commands write and use. All under the lock
 * of vk_objects.h.
 */
#ifndef ADI_VK_ACCESSES_H
#define ADI_VK_ACCESSES_H

#include "record.h"

enum access_use {
    ACCESS_WRITTEN, /* by a command that was stopped */
    ACCESS_USED,    /* by a command of the implementation that was stopped */
    ACCESS_MUTATED, /* written by the implementation, and made by the harness */
};

/* What a step does to its buffer, in the pause of that number; `order`: of the step among all. Of
 * what there is no room for nothing is known. */
void accesses_note(const struct object *buffer, const struct recorded *step, enum access_use use,
                   uint64_t number, uint64_t order);

/* Bytes of a buffer value, `bytes` > 0. */
struct access_query {
    const struct object *buffer; /* NULL: nothing is known */
    VkDeviceSize from, bytes;
};

/* The steps that set events which are known to be set. */
struct access_events {
    uint64_t orders[8];
    size_t n;
};

/* Is one of them used so, in the pause of that number, by a step that no such event stands for?
 */
bool accesses_are(const struct access_query *asked, enum access_use use, uint64_t number,
                  const struct access_events *events);
/* That step sets an event, which stands for what was written before it and has come to one of these
 * stages. */
void accesses_set(uint64_t number, uint64_t order, VkPipelineStageFlags2 stages);
/* All that was written so far, in the pause of that number, and has come to one of the stages
 * `first` comes to those of `second` as well. */
void accesses_reach(uint64_t number, const struct stages *stages);

#endif /* ADI_VK_ACCESSES_H */
