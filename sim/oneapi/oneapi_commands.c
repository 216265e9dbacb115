/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands, each of which makes an event. Memory of the program is read and written when a command
 * runs, as SYCL has it: the program waits before it touches it again.
 */
#include <stdlib.h>
#include <string.h>

#include "oneapi.h"

static int await_all(adi_sim_queue lane, const DPCTLSyclEventRef *events, size_t n) {
    for (size_t i = 0; events != NULL && i < n; i++) /* NULL is skipped, as in dpctl */
        if (events[i] != NULL) SIM_TRY(adi_sim_event_wait(lane, (adi_sim_event)events[i]));
    return 0;
}

/* `lane` comes behind all that is in `before` now. */
static int follow(const struct oneapi_queue *queue, adi_sim_queue lane, adi_sim_queue before) {
    adi_sim_event event;
    SIM_TRY(adi_sim_event_create(queue->engine, &event));
    int code = adi_sim_event_record(event, before);
    if (code == 0) code = adi_sim_event_wait(lane, event);
    adi_sim_event_destroy(event);
    return code;
}

static bool is_in_order(const struct oneapi_queue *queue) {
    return (queue->properties & DPCTL_IN_ORDER) != 0;
}

/* Where the next command goes. */
static int open_lane(const struct oneapi_queue *queue, const DPCTLSyclEventRef *events, size_t n,
                     adi_sim_queue *lane) {
    *lane = queue->lane;
    if (is_in_order(queue)) return await_all(*lane, events, n);
    SIM_TRY(adi_sim_queue_create(queue->engine, ADI_SIM_OWN_QUEUE, lane));
    int code = queue->gate == NULL ? 0 : follow(queue, *lane, queue->gate);
    if (code == 0) code = await_all(*lane, events, n);
    if (code != 0) adi_sim_queue_destroy(*lane);
    return code;
}

/* `code`: of the command. Its event; NULL: there is none. */
static void *close_lane(const struct oneapi_queue *queue, adi_sim_queue lane, int code) {
    void *event = code == 0 ? oneapi_event_on(queue->context, queue->engine, lane) : NULL;
    if (is_in_order(queue)) return event;
    if (event != NULL) adi_sim_event_wait(queue->lane, event);
    adi_sim_queue_destroy(lane);
    return event;
}

void *oneapi_memcpy(const void *reference, void *to, const void *from, size_t bytes,
                    const DPCTLSyclEventRef *events, size_t n) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    adi_sim_queue lane;
    if (queue == NULL) return NULL;
    if (oneapi_check_context(queue->context, to, "a queue of another context") != 0 ||
        oneapi_check_context(queue->context, from, "a queue of another context") != 0)
        return NULL;
    if (open_lane(queue, events, n, &lane) != 0) return NULL;
    unsigned late = ADI_SIM_LATE | ADI_SIM_LATE_TARGET;
    return close_lane(queue, lane, adi_sim_copy(lane, to, from, bytes, late));
}

void *oneapi_fill(const void *reference, void *to, uint32_t value, size_t width, size_t count,
                  const DPCTLSyclEventRef *events, size_t n) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    adi_sim_queue lane;
    if (queue == NULL) return NULL;
    if (oneapi_check_context(queue->context, to, "a queue of another context") != 0) return NULL;
    if (open_lane(queue, events, n, &lane) != 0) return NULL;
    return close_lane(queue, lane, adi_sim_fill(lane, to, value, width, count));
}

/* The engine fills no more than four bytes at once: what is wider is a copy. */
void *oneapi_fill_wide(const void *reference, void *to, const uint64_t *value, size_t width,
                       size_t count) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    adi_sim_queue lane;
    if (queue == NULL || value == NULL || count > SIZE_MAX / width) return NULL;
    if (oneapi_check_context(queue->context, to, "a queue of another context") != 0) return NULL;
    char *pattern = malloc(width * count + 1);
    if (pattern == NULL) return NULL;
    for (size_t i = 0; i < count; i++) memcpy(pattern + i * width, value, width);
    void *event = NULL;
    if (open_lane(queue, NULL, 0, &lane) == 0)
        event = close_lane(queue, lane,
                           adi_sim_copy(lane, to, pattern, width * count, ADI_SIM_TO_ALLOCATION));
    free(pattern);
    return event;
}

/* A hint changes nothing that can be seen. */
void *oneapi_advise(const void *reference, const void *pointer, size_t bytes, int advice) {
    (void)advice;
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    adi_sim_queue lane;
    if (queue == NULL) return NULL;
    if (oneapi_check_context(queue->context, pointer, "a queue of another context") != 0)
        return NULL;
    if (open_lane(queue, NULL, 0, &lane) != 0) return NULL;
    return close_lane(queue, lane, adi_sim_reach(lane, pointer, bytes));
}

/* ---- barriers ---- */

static int open_gate(struct oneapi_queue *queue) {
    if (queue->gate != NULL) return 0;
    return adi_sim_queue_create(queue->engine, ADI_SIM_OWN_QUEUE, &queue->gate);
}

void *oneapi_barrier(const void *reference) {
    struct oneapi_queue *queue = oneapi_queue_find(reference);
    if (queue == NULL) return NULL;
    if (!is_in_order(queue) &&
        (open_gate(queue) != 0 || follow(queue, queue->gate, queue->lane) != 0))
        return NULL;
    return oneapi_event_on(queue->context, queue->engine, queue->lane);
}

/* What comes later in the queue comes behind these events; what came before has no part in it. */
void *oneapi_barrier_for(const void *reference, const DPCTLSyclEventRef *events, size_t n) {
    struct oneapi_queue *queue = oneapi_queue_find(reference);
    if (queue == NULL || (!is_in_order(queue) && open_gate(queue) != 0)) return NULL;
    adi_sim_queue lane = is_in_order(queue) ? queue->lane : queue->gate;
    if (await_all(lane, events, n) != 0) return NULL;
    return oneapi_event_on(queue->context, queue->engine, lane);
}
