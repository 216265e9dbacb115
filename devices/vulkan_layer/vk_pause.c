/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue is stopped by a batch that waits for the device's `pause_semaphore`, of a timeline. Where
 * both sides submit to one queue all that comes later is stopped with it, so order is judged by
 * what was recorded: a wait for an event, or a barrier.
 */
#include "vk_pause.h"

#include "vk_accesses.h"
#include "vk_trace.h"

static struct {
    uint64_t steps; /* of all pauses, counted */
    /* Who waited for an event has not waited for what was written behind it. */
    bool waits_in_others; /* a secondary command buffer has waited for an event */
    struct access_events
        set; /* the one that ended the pause, and those that were asked for since */
} stopping;

static const struct access_events none;

/* What a buffer value or the handle of an event means. */
static const struct object *find(const void *value) {
    uint64_t number = (uintptr_t)value;
    const struct object *found = tracked_find(number, ADI_VULKAN_BUFFER);
    if (found == NULL) found = tracked_find(number, ADI_VULKAN_EVENT);
    return found != NULL ? found : objects_find_at(number, NULL);
}

static bool is_behind(const struct object *object) {
    bool behind = stopping.set.n > 0 && object->pending == paused.number;
    for (size_t i = 0; i < stopping.set.n; i++)
        behind = behind && object->order > stopping.set.orders[i];
    return behind;
}

static bool is_pending(const struct object *object) {
    return object != NULL && (is_paused(object->pending) || is_behind(object));
}

static bool is_used(const struct object *buffer) {
    return buffer != NULL && is_paused(buffer->used);
}

static bool is_written(const struct object *buffer) {
    return buffer != NULL && buffer->written;
}

static struct access_query asked(const void *value, int64_t offset, int64_t bytes) {
    const struct object *found = find(value);
    bool is_buffer = found != NULL && found->kind == ADI_VULKAN_BUFFER;
    bool by_handle = is_buffer && found->handle == (uintptr_t)value;
    VkDeviceSize base = is_buffer && !by_handle ? (uintptr_t)value - found->address : 0;
    return (struct access_query){is_buffer ? found : NULL, base + (VkDeviceSize)offset,
                                 (VkDeviceSize)bytes};
}

static bool are(struct access_query about, enum access_use use, const struct access_events *set) {
    return accesses_are(&about, use, use == ACCESS_MUTATED ? 0 : paused.number, set);
}

/* clang-format off */
#define PART (const void *buffer, int64_t offset, int64_t bytes)
UNDER_LOCK(bool, object_is_pending, (const void *object), is_pending(find(object)))
UNDER_LOCK(bool, buffer_is_used, (const void *buffer), is_used(find(buffer)))
UNDER_LOCK(bool, buffer_is_written, (const void *buffer), is_written(find(buffer)))
UNDER_LOCK(bool, bytes_are_pending, PART,
           (paused.active || stopping.set.n > 0) &&
           are(asked(buffer, offset, bytes), ACCESS_WRITTEN, paused.active ? &none : &stopping.set))
UNDER_LOCK(bool, bytes_are_used, PART,
           paused.active && are(asked(buffer, offset, bytes), ACCESS_USED, &none))
UNDER_LOCK(bool, bytes_are_written, PART, are(asked(buffer, offset, bytes), ACCESS_MUTATED, &none))
UNDER_LOCK(bool, queues_are_stopped, (const struct device *device),
           paused.active && device->wanted > device->raised)
UNDER_LOCK(bool, steps_wait_in_others, (void), stopping.waits_in_others)
UNDER_LOCK(bool, object_name, (const void *value, char out[48]), trace_name(find(value), out))
/* clang-format on */

/* ---- ending ---- */

static void raise_pause_semaphore(struct device *device) {
    objects_lock();
    VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                  .semaphore = device->pause_semaphore,
                                  .value = device->wanted};
    bool raises = device->wanted > device->raised;
    device->raised = device->wanted;
    objects_unlock();
    if (raises) device->next.SignalSemaphore(device->handle, &info);
}

static void end_number(uint64_t number, bool expires) {
    objects_lock();
    bool ends = pause_end(number, expires);
    objects_unlock();
    if (!ends) return;
    for (struct device *device = chain_each(NULL); device != NULL; device = chain_each(device))
        raise_pause_semaphore(device);
}

void queues_resume(void) {
    end_number(paused.number, false);
    objects_lock();
    stopping.set = none;
    objects_unlock();
}

static void expire(uint64_t number) {
    end_number(number, true);
}

/* ---- beginning ---- */

void queues_pause(bool implementation) {
    static const struct pause_watch watch = {.expire = expire};
    queues_resume();
    pause_begin(implementation, &watch);
}

void queue_stop(struct device *device, VkQueue handle) {
    static const VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    objects_lock();
    struct queue *queue = chain_queue(device, handle);
    bool wanted = queue != NULL && device->pause_semaphore != VK_NULL_HANDLE && paused.active &&
                  paused.party == adi_caller_party() && queue->stopped_in != paused.number;
    if (wanted) {
        queue->stopped_in = paused.number;
        device->wanted = device->raised + 1;
    }
    uint64_t value = device->wanted;
    objects_unlock();
    if (!wanted) return;
    VkTimelineSemaphoreSubmitInfo values = {.sType =
                                                VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = 1,
                                            .pWaitSemaphoreValues = &value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = 1,
                         .pWaitSemaphores = &device->pause_semaphore,
                         .pWaitDstStageMask = &everything};
    device->next.QueueSubmit(handle, 1, &info, VK_NULL_HANDLE);
}

/* ---- recording ---- */

void steps_begin(VkCommandBuffer commands) {
    objects_lock();
    record_begin(commands);
    objects_unlock();
}

void steps_add(VkCommandBuffer commands, const struct recorded *step) {
    objects_lock();
    record_add(commands, step);
    objects_unlock();
}

void steps_take_over(VkCommandBuffer commands, VkCommandBuffer other) {
    const struct record_run *run = NULL;
    objects_lock();
    while ((run = record_next(other, run)) != NULL) {
        size_t n;
        const struct recorded *steps = record_steps(run, &n);
        for (size_t i = 0; i < n; i++) {
            record_add(commands, &steps[i]);
            stopping.waits_in_others = stopping.waits_in_others || steps[i].step == STEP_WAIT;
        }
    }
    if (record_is_truncated(other)) record_truncate(commands);
    objects_unlock();
}

/* ---- submitting ---- */

/* The stages of what is submitted from now on that come after what is paused. */
static VkPipelineStageFlags2 reached(const struct queue *queue) {
    return is_paused(queue->ordered) ? queue->reached : 0;
}

/* The harness writes by copies; a barrier goes on from where an earlier one has come to. */
static bool waits_for_paused(const struct queue *queue, const struct recorded *recorded,
                             bool pending) {
    bool barrier = recorded->step == STEP_BARRIER && is_paused(queue->stopped_in);
    return (recorded->step == STEP_WAIT && pending) ||
           (barrier && (recorded->stages.first & (STAGES_COPY | reached(queue))) != 0);
}

/* Does the step use what is not written yet, without a wait? `is_first`: none before it did. */
static bool play_step(struct queue *queue, const struct recorded *recorded, bool is_first) {
    const enum step step = recorded->step;
    const uint64_t handle = recorded->handle;
    bool is_buffer = step <= STEP_TOUCH, stopped = is_paused(queue->stopped_in);
    struct object *object = tracked_find(handle, is_buffer ? ADI_VULKAN_BUFFER : ADI_VULKAN_EVENT);
    bool pending = object != NULL && is_paused(object->pending);
    bool other = paused.party != adi_caller_party(); /* than the one that is paused */
    bool early = (step == STEP_READ || step == STEP_TOUCH) && pending && other &&
                 object->pending_by == paused.party &&
                 (reached(queue) & recorded->stages.first) == 0;
    trace_step(queue, recorded, object, early && is_first);
    if ((step == STEP_BARRIER || step == STEP_WAIT) && stopped)
        accesses_reach(paused.number, &recorded->stages);
    if (other && waits_for_paused(queue, recorded, pending)) {
        queue->reached = reached(queue) | recorded->stages.second;
        queue->ordered = paused.number;
    }
    if (object != NULL && step == STEP_WRITE && adi_caller_party() == 1) {
        object->written = true;
        if (object->party == 0) accesses_note(object, recorded, ACCESS_MUTATED, 0, 0);
    }
    if (object == NULL || !stopped) return early;
    /* Who touches a buffer of its own that nobody else writes has written it. */
    bool fills = step == STEP_TOUCH && !pending && !other && object->party == adi_caller_party();
    /* What is set twice triggers when the first of the two has run, whatever the host did between.
     */
    bool again = step == STEP_SET && pending && object->pending_by == adi_caller_party();
    if ((step == STEP_WRITE || step == STEP_SET || fills) && !again) {
        object->pending = paused.number;
        object->pending_by = adi_caller_party();
        object->order = ++stopping.steps;
        if (step == STEP_SET) accesses_set(paused.number, object->order, recorded->stages.first);
        if (is_buffer)
            accesses_note(object, recorded, ACCESS_WRITTEN, paused.number, object->order);
    }
    if (is_buffer && adi_caller_party() == 1) {
        object->used = paused.number;
        accesses_note(object, recorded, ACCESS_USED, paused.number, ++stopping.steps);
    }
    return early;
}

/* The call that does so, of the first step that does; NULL: none. */
static const char *play(struct queue *queue, VkCommandBuffer commands) {
    const char *call = NULL;
    const struct record_run *run = NULL;
    trace_begin();
    while ((run = record_next(commands, run)) != NULL) {
        size_t n;
        const struct recorded *steps = record_steps(run, &n);
        for (size_t i = 0; i < n; i++)
            if (play_step(queue, &steps[i], call == NULL) && call == NULL) call = steps[i].call;
    }
    return call;
}

void queue_waits_semaphore(struct device *device, VkQueue handle, VkPipelineStageFlags mask) {
    const struct stages stages = {STAGES_ALL, stages_second(mask)};
    objects_lock();
    struct queue *queue = chain_queue(device, handle);
    accesses_reach(paused.number, &stages);
    if (queue != NULL && reached(queue) != 0) queue->reached |= stages.second;
    objects_unlock();
}

void queue_submits(struct device *device, VkQueue handle, VkCommandBuffer commands) {
    objects_lock();
    struct queue *queue = chain_queue(device, handle);
    uint64_t number = paused.number;
    bool is_known = queue != NULL && !record_is_truncated(commands);
    const char *call = is_known ? play(queue, commands) : NULL;
    objects_unlock();
    if (!is_known) end_number(number, true);
    if (call != NULL)
        adi_misused(ADI_MISUSE_EARLY, false,
                    "%s uses a buffer that is not written yet, and waits for no event that says so",
                    call);
}

/* ---- blocking ---- */

void caller_polls(void) {
    objects_lock();
    bool loop = paused.active && ++paused.asked > 1;
    objects_unlock();
    if (loop) queues_resume();
}

void caller_polls_event(VkEvent event) {
    objects_lock();
    const struct object *object = tracked_find((uint64_t)event, ADI_VULKAN_EVENT);
    bool loop = object != NULL && is_paused(object->pending) && ++paused.asked > 1;
    if (loop) stopping.set = (struct access_events){{object->order}, 1};
    uint64_t number = paused.number;
    objects_unlock();
    if (loop) end_number(number, false);
}

void caller_sees_set(VkEvent event) {
    objects_lock();
    const struct object *object = tracked_find((uint64_t)event, ADI_VULKAN_EVENT);
    bool later = object != NULL && is_behind(object);
    trace_told("vkGetEventStatus", object);
    if (later && stopping.set.n < sizeof stopping.set.orders / sizeof *stopping.set.orders)
        stopping.set.orders[stopping.set.n++] = object->order;
    objects_unlock();
}

void host_sets(VkEvent event) {
    objects_lock();
    struct object *object = tracked_find((uint64_t)event, ADI_VULKAN_EVENT);
    if (object != NULL) object->pending = 0;
    trace_set(object);
    objects_unlock();
}

/* ---- what the host waits for, and what lines call things ---- */

void queue_signals_fence(struct device *device, VkQueue handle, VkFence fence) {
    objects_lock();
    struct queue *queue = chain_queue(device, handle);
    if (queue != NULL) {
        queue->fence = fence;
        queue->fence_at = trace_count();
    }
    objects_unlock();
}

void queue_raises_semaphore(struct device *device, VkQueue handle, VkSemaphore semaphore,
                            uint64_t value) {
    objects_lock();
    struct queue *queue = chain_queue(device, handle);
    if (queue != NULL) {
        queue->semaphore = semaphore;
        queue->value = value;
        queue->semaphore_at = trace_count();
    }
    objects_unlock();
}

void host_waited(struct device *device, const char *call, VkQueue handle) {
    objects_lock();
    for (size_t i = 0; i < MOST_QUEUES && device->queues[i].handle != NULL; i++)
        if (handle == NULL || device->queues[i].handle == handle)
            trace_waited(call, &device->queues[i], trace_count());
    objects_unlock();
}

void host_waited_fence(struct device *device, const char *call, VkFence fence) {
    objects_lock();
    for (size_t i = 0; i < MOST_QUEUES && device->queues[i].handle != NULL; i++)
        if (device->queues[i].fence == fence)
            trace_waited(call, &device->queues[i], device->queues[i].fence_at);
    objects_unlock();
}

/* Of an earlier value it is not known what it stood for. */
void host_waited_value(struct device *device, const char *call, VkSemaphore semaphore,
                       uint64_t value) {
    objects_lock();
    for (size_t i = 0; i < MOST_QUEUES && device->queues[i].handle != NULL; i++)
        if (device->queues[i].semaphore == semaphore && value >= device->queues[i].value)
            trace_waited(call, &device->queues[i], device->queues[i].semaphore_at);
    objects_unlock();
}

void host_destroys(VkBuffer buffer) {
    objects_lock();
    trace_destroyed(tracked_find((uint64_t)buffer, ADI_VULKAN_BUFFER));
    objects_unlock();
}
