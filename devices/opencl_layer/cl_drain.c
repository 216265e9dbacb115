/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_drain.h"

#include <sched.h>
#include <time.h>

#define QUEUES  64 /* with more, some are not waited for */
#define LOOKS   50 /* before it is said that something is due */
#define MOST_MS 2000

static struct {
    cl_command_queue queues[QUEUES]; /* with commands of the implementation */
    cl_event ends[QUEUES];           /* of what other queues have been told, and is still to come */
    int n_queues, n_ends;
} last;

void drain_note(struct object *queue) {
    if (adi_caller_party() == 0 || queue->noted || last.n_queues == QUEUES) return;
    queue->noted = true;
    last.queues[last.n_queues++] = (cl_command_queue)(uintptr_t)queue->handle;
}

/* The end of what the queue has been told so far; NULL: it cannot be seen. */
static cl_event end_of(cl_command_queue queue) {
    cl_event end = NULL;
    if (next_layer->clEnqueueMarkerWithWaitList(queue, 0, NULL, &end) != CL_SUCCESS) return NULL;
    next_layer->clFlush(queue);
    return end;
}

/* Is it among them? It is not any more. */
static bool take_out(const void *handle) {
    for (int i = 0; i < last.n_queues; i++)
        if (last.queues[i] == handle) {
            last.queues[i] = last.queues[--last.n_queues];
            return true;
        }
    return false;
}

static bool has_ended(cl_event end) {
    cl_int status = CL_COMPLETE;
    next_layer->clGetEventInfo(end, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                               NULL);
    return status <= CL_COMPLETE;
}

/* Keeps an end (NULL: none) that is to come, and forgets those that have. Are there any left? */
static bool keep(cl_event end) {
    cl_event ends[QUEUES + 1], over[QUEUES + 1];
    int n_over = 0;
    objects_lock();
    int n = last.n_ends;
    for (int i = 0; i < n; i++) ends[i] = last.ends[i];
    last.n_ends = 0;
    objects_unlock();
    if (end != NULL) ends[n++] = end;
    for (int i = 0; i < n; i++)
        if (has_ended(ends[i])) {
            over[n_over++] = ends[i];
            ends[i] = NULL;
        }
    objects_lock();
    for (int i = 0; i < n; i++)
        if (ends[i] != NULL && last.n_ends < QUEUES)
            last.ends[last.n_ends++] = ends[i];
        else if (ends[i] != NULL)
            over[n_over++] = ends[i];
    bool left = last.n_ends > 0;
    objects_unlock();
    while (n_over > 0) next_layer->clReleaseEvent(over[--n_over]);
    return left;
}

void drain_queue_released(cl_command_queue queue) {
    objects_lock();
    const struct object *object = objects_find(queue);
    bool noted = object != NULL && object->dead && take_out(queue);
    objects_unlock();
    if (noted) keep(end_of(queue));
}

/* Takes the queues out of the list, and keeps their ends. */
static void keep_all(void) {
    for (;;) {
        objects_lock();
        cl_command_queue queue = last.n_queues > 0 ? last.queues[--last.n_queues] : NULL;
        struct object *object = objects_find(queue);
        if (object != NULL) object->noted = false;
        objects_unlock();
        if (queue == NULL) return;
        keep(end_of(queue));
    }
}

bool drain_has_pending_work(void) {
    keep_all();
    if (queues_are_stopped()) return true;
    bool left = keep(NULL);
    for (int looks = 0; looks < LOOKS && left; looks++) {
        sched_yield();
        left = keep(NULL);
    }
    return left;
}

static int64_t now_in_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void drain_all(void) {
    const struct timespec pause = {0, 200000};
    const int64_t end = now_in_ms() + MOST_MS;
    queues_resume();
    while (drain_has_pending_work() && now_in_ms() < end) nanosleep(&pause, NULL);
}
