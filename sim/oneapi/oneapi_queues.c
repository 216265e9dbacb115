/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "oneapi.h"

struct oneapi_queue *oneapi_queue_find(const void *reference) {
    adi_sim_context engine;
    uint64_t label;
    if (reference == NULL) {
        adi_sim_remark("queue", "a reference is NULL");
        return NULL;
    }
    adi_sim_queue handle = (adi_sim_queue)(uintptr_t)reference;
    if (adi_sim_queue_label(handle, &engine, &label) != 0) return NULL;
    return (struct oneapi_queue *)(uintptr_t)label;
}

static int add_handle(struct oneapi_queue *queue, adi_sim_queue *out) {
    adi_sim_queue *more = realloc(queue->handles, (queue->n + 1) * sizeof *more);
    if (more == NULL) return ENOMEM;
    queue->handles = more;
    SIM_TRY(adi_sim_queue_create(queue->engine, 0, out));
    adi_sim_queue_set_label(*out, (uintptr_t)queue);
    queue->handles[queue->n++] = *out;
    return 0;
}

static void *make(struct oneapi_context *context, int device, int properties) {
    struct oneapi_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL) return NULL;
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    int code = oneapi_engine(context, device, &queue->engine);
    if (code == 0) code = add_handle(queue, &queue->lane);
    if (code == 0) {
        context->refs++;
        return queue->lane;
    }
    free(queue->handles);
    free(queue);
    return NULL;
}

void *oneapi_queue(const void *context, const void *device, error_handler_callback *handler,
                   int properties) {
    (void)handler;
    const struct oneapi_object *in = oneapi_find(context, ONEAPI_CONTEXT);
    const struct oneapi_object *on = oneapi_find(device, ONEAPI_DEVICE);
    return in == NULL || on == NULL ? NULL : make(in->context, on->device, properties);
}

void *oneapi_queue_for(const void *device, error_handler_callback *handler, int properties) {
    (void)handler;
    const struct oneapi_object *on = oneapi_find(device, ONEAPI_DEVICE);
    return on == NULL ? NULL : make(oneapi_default(), on->device, properties);
}

void *oneapi_queue_copy(const void *reference) {
    struct oneapi_queue *queue = oneapi_queue_find(reference);
    adi_sim_queue copy;
    return queue == NULL || add_handle(queue, &copy) != 0 ? NULL : copy;
}

/* The next handle goes on where the first has come to. */
static void hand_on(struct oneapi_queue *queue) {
    adi_sim_event event;
    adi_sim_queue next = queue->handles[1];
    if (adi_sim_event_create(queue->engine, &event) != 0) return;
    if (adi_sim_event_record(event, queue->lane) == 0) adi_sim_event_wait(next, event);
    adi_sim_event_destroy(event);
    queue->lane = next;
}

static void forget_handle(struct oneapi_queue *queue, adi_sim_queue handle) {
    size_t at = 0;
    while (queue->handles[at] != handle) at++;
    for (queue->n--; at < queue->n; at++) queue->handles[at] = queue->handles[at + 1];
}

/* What is in it still runs. */
void oneapi_queue_delete(const void *reference) {
    if (reference == NULL) return;
    adi_sim_queue handle = (adi_sim_queue)(uintptr_t)reference;
    struct oneapi_queue *queue =
        adi_sim_is_live(reference, NULL) ? oneapi_queue_find(reference) : NULL;
    if (queue != NULL && queue->lane == handle && queue->n > 1) hand_on(queue);
    if (adi_sim_queue_destroy(handle) != 0 || queue == NULL) return;
    forget_handle(queue, handle);
    if (queue->n > 0) return;
    if (queue->gate != NULL) adi_sim_queue_destroy(queue->gate);
    oneapi_context_release(queue->context);
    free(queue->handles);
    free(queue);
}

bool oneapi_queues_equal(const void *one, const void *other) {
    const struct oneapi_queue *queue = oneapi_queue_find(one);
    return queue != NULL && queue == oneapi_queue_find(other);
}

size_t oneapi_queue_hash(const void *reference) {
    return (size_t)(uintptr_t)oneapi_queue_find(reference);
}

int oneapi_queue_backend(const void *reference) {
    return oneapi_queue_find(reference) == NULL ? 0 : DPCTL_LEVEL_ZERO;
}

void *oneapi_queue_context(const void *reference) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    return queue == NULL ? NULL : oneapi_context_reference(queue->context);
}

void *oneapi_queue_device(const void *reference) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    return queue == NULL ? NULL : oneapi_device(queue->device);
}

bool oneapi_queue_has(const void *reference, int property) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    return queue != NULL && (queue->properties & property) != 0;
}

void oneapi_queue_wait(const void *reference) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    if (queue != NULL) adi_sim_queue_sync(queue->lane);
}
