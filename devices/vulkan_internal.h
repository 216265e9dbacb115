/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the Vulkan backend: one VkDevice with one queue, and what has been made on it.
 *
 * Each submission raises the timeline semaphore `done` by one; what may still be in use on the
 * queue is given back once `done` has passed the last submission of that time. `mutex` guards the
 * lists and numbers, for `free` and `event_free` may come from any thread; all else is the business
 * of the one thread that calls the device.
 */
#ifndef ADI_VULKAN_INTERNAL_H
#define ADI_VULKAN_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "vulkan.h"
#include "vulkan_instance.h"
#include "vulkan_layer.h"

/* A VkBuffer and its memory. */
struct adi_vulkan_block {
    VkBuffer buffer;
    VkDeviceMemory memory; /* NULL: the buffer is somebody else's */
    VkDeviceAddress address;
    int64_t bytes;
    void *map; /* NULL: the host cannot reach it */
};

/* What was made for somebody: a buffer (`block`), an event (`event`, whose address is the
 * sync_event), or a submission (`commands`, and its staging memory in `block`). One struct, so that
 * giving back in the queue's order takes no allocation. */
struct adi_vulkan_item {
    VkEvent event;
    struct adi_vulkan_item *next, **link;
    uint64_t at; /* the submission that uses it last, once it has been given back */
    VkCommandBuffer commands;
    struct adi_vulkan_block block;
    int64_t used; /* of the staging memory, by what has been recorded */
};

struct adi_vulkan_checksum {
    VkShaderModule shader;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct adi_vulkan_block input, result;
};

struct adi_vulkan {
    int64_t id;
    int users;
    const struct adi_vulkan_instance *instance;
    struct adi_vulkan_physical physical;
    VkDevice device;
    bool borrowed; /* it is not destroyed with this */
    VkQueue queue;
    VkCommandPool pool;
    VkSemaphore done, pause_semaphore;
    int64_t limit; /* milliseconds */
    struct adi_vulkan_checksum checksum;
    struct adi_vulkan_block foreign; /* the last of somebody else's that was looked at */

    pthread_mutex_t mutex;
    uint64_t last;                       /* submission */
    struct adi_vulkan_item *recorded;    /* what will be the next one; NULL: nothing yet */
    uint64_t pause_wanted, pause_raised; /* the value of `pause_semaphore` that the queue waits for,
                                            and the one it has */
    struct adi_vulkan_item *live;        /* buffers and events that somebody owns */
    struct adi_vulkan_item *past, **end; /* given back, in the queue's order */
    struct adi_vulkan_item *spare;       /* submissions that are over */
    struct adi_vulkan *next;             /* open, or abandoned because its queue never ended */
};

/* One opening of it. */
struct adi_vulkan_opening {
    struct adi_vulkan *vulkan;
    uint64_t last; /* submission by this opening */
    bool batches;
};

/* ---- vulkan_device.c ---- */

/* The VkDevice of that id, made at its first opening; each is ended by `close`. Errors of
 * adi_vulkan_instance_get; ENODEV: there is no such id. */
int adi_vulkan_open(int64_t id, struct adi_vulkan **out, struct adi_error *error);
/* Resumes the queue and waits for it. A queue that does not end within the limit is abandoned with
 * all that it may still use, for destroying it would hang; a later opening or closing of any device
 * destroys it if it has ended by then. */
void adi_vulkan_close(struct adi_vulkan *vulkan);
/* The open device that the event was made on by `event`; NULL: none. */
const struct adi_vulkan *adi_vulkan_owner(const void *sync_event);

/* ---- vulkan_memory.c ---- */

enum adi_vulkan_location {
    ADI_VULKAN_ON_DEVICE,
    ADI_VULKAN_STAGING /* mapped */
};

/* ENOMEM. Destroying takes a block that was never made or only half. Any thread. */
int adi_vulkan_block_make(struct adi_vulkan *vulkan, enum adi_vulkan_location location,
                          int64_t bytes, struct adi_vulkan_block *out, struct adi_error *error);
void adi_vulkan_block_destroy(struct adi_vulkan *vulkan, struct adi_vulkan_block *block);

/* Puts the item among the live ones; takes it out again, to be destroyed behind all that has been
 * submitted so far. Any thread. */
void adi_vulkan_item_own(struct adi_vulkan *vulkan, struct adi_vulkan_item *item);
void adi_vulkan_item_give_back(struct adi_vulkan *vulkan, struct adi_vulkan_item *item);
/* The live buffer that the value names and the offset in it; NULL: it names none. The value is
 * never followed. Any thread. */
struct adi_vulkan_item *adi_vulkan_find_buffer(struct adi_vulkan *vulkan, const void *value,
                                               int64_t *offset);
struct adi_vulkan_item *adi_vulkan_find_event(struct adi_vulkan *vulkan, const void *sync_event);
/* Destroys what the queue has passed, or is known to have passed. Any thread. */
void adi_vulkan_reap(struct adi_vulkan *vulkan);
void adi_vulkan_reap_to(struct adi_vulkan *vulkan, uint64_t passed);
/* Destroys everything; the queue is at its end. */
void adi_vulkan_reap_all(struct adi_vulkan *vulkan);

/* The block that the value names, with `*offset` made one from its beginning. EFAULT: there are no
 * `bytes` bytes there. */
int adi_vulkan_locate(struct adi_vulkan *vulkan, const void *value, int64_t *offset, int64_t bytes,
                      const struct adi_vulkan_block **out, struct adi_error *error);

/* ---- vulkan_queue.c ---- */

/* What is recorded into: its command buffer, and so many bytes of its staging memory, which are the
 * last that are `used`. It is the queue's again after `submit` or `drop`; after `keep` the next one
 * who begins adds to it, which spares a submission. */
int adi_vulkan_begin(struct adi_vulkan *vulkan, int64_t staging, struct adi_vulkan_item **out,
                     struct adi_error *error);
int adi_vulkan_submit(struct adi_vulkan_opening *opening, struct adi_error *error);
void adi_vulkan_keep(struct adi_vulkan_opening *opening);
/* Ends when the submission `at`, be it kept yet, has run. ETIMEDOUT: not within the limit. */
int adi_vulkan_await(struct adi_vulkan *vulkan, uint64_t at, struct adi_error *error);
/* Waits a little until the queue has no more than so many submissions to run, and reaps. Whoever
 * has a reason to stop the queue may do so nevertheless. Any thread. */
void adi_vulkan_throttle(struct adi_vulkan *vulkan, uint64_t ahead);
/* Makes what was copied visible to everything behind, the host included. */
void adi_vulkan_publish(VkCommandBuffer commands);

int adi_vulkan_pause(struct adi_vulkan *vulkan, struct adi_error *error);
int adi_vulkan_resume(struct adi_vulkan *vulkan, struct adi_error *error);
bool adi_vulkan_is_paused(struct adi_vulkan *vulkan);

/* ---- vulkan_event.c ---- */

int adi_vulkan_event(struct adi_device *device, void **sync_event, struct adi_error *error);
int adi_vulkan_wait(struct adi_device *device, void *sync_event, struct adi_error *error);
int adi_vulkan_wait_host(struct adi_device *device, void *sync_event, struct adi_error *error);
int adi_vulkan_record_again(struct adi_device *device, void *sync_event, struct adi_error *error);
void adi_vulkan_event_free(struct adi_device *device, void *sync_event);

/* ---- vulkan_checksum.c ---- */

int adi_vulkan_checksum(struct adi_device *device, const void *buffer, int64_t offset,
                        int64_t bytes, uint64_t *sum, struct adi_error *error);
/* Can the shader be built? ENOTSUP: no, and the sentence says why. */
int adi_vulkan_builds(struct adi_vulkan *vulkan, struct adi_error *error);
void adi_vulkan_checksum_destroy(struct adi_vulkan *vulkan);

#endif /* ADI_VULKAN_INTERNAL_H */
