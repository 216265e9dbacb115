/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan layer: what has been recorded into command buffers, step by step. All under
 * the lock of vk_objects.h.
 */
#ifndef ADI_VULKAN_RECORD_H
#define ADI_VULKAN_RECORD_H

#include "stages.h"
#include "vk_objects.h"

enum step {
    STEP_READ,    /* a buffer */
    STEP_WRITE,   /* a buffer */
    STEP_TOUCH,   /* a buffer: it is read, or written, or both */
    STEP_SET,     /* an event */
    STEP_RESET,   /* an event */
    STEP_WAIT,    /* for an event */
    STEP_BARRIER, /* for what was submitted before */
};

struct recorded {
    enum step step;
    uint64_t handle;
    const char *call;         /* static */
    VkDeviceSize from, bytes; /* of a buffer; of 0 bytes: all from there on */
    bool is_within;           /* it may use less than that */
    /* Of a command on a buffer: `first`, the stages that it runs in. Of a dependency: whose work is
     * waited for, and whose waits. */
    struct stages stages;
};

/* The command buffer has nothing in it. */
void record_begin(VkCommandBuffer commands);
void record_add(VkCommandBuffer commands, const struct recorded *step);

/* Its steps in their order, a run of `*n` at a time: `from` is NULL, then what was given last; NULL
 * after the last run. */
struct record_run;
const struct record_run *record_next(VkCommandBuffer commands, const struct record_run *from);
const struct recorded *record_steps(const struct record_run *run, size_t *n);
/* What is bound for the next shader; NULL: it is not known. */
struct record_bound {
    uint64_t pipeline, sets[MOST_SETS]; /* 0: none */
};
void record_pipeline(VkCommandBuffer commands, uint64_t pipeline);
void record_set(VkCommandBuffer commands, uint32_t index, uint64_t set);
const struct record_bound *record_bound(VkCommandBuffer commands);

/* Some of them are not known. */
void record_truncate(VkCommandBuffer commands);
/* Was there no room for some of them? */
bool record_is_truncated(VkCommandBuffer commands);

#endif /* ADI_VULKAN_RECORD_H */
