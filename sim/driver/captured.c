/* SPDX-License-Identifier: Apache-2.0 */
#include "captured.h"

#include <stdlib.h>

static struct driver_capture *captures;
struct driver_branch *driver_branches;
static struct driver_mark *marks;
static _Thread_local enum driver_capture_mode thread_mode;

/* ---- lists ---- */

static bool add_node(struct driver_nodes *nodes, driver_node node) {
    for (size_t i = 0; i < nodes->n; i++)
        if (nodes->at[i] == node) return true;
    void *grown = realloc(nodes->at, (nodes->n + 1) * sizeof(void *));
    if (grown == NULL) return false;
    nodes->at = grown;
    nodes->at[nodes->n++] = node;
    return true;
}

driver_code driver_nodes_add(struct driver_nodes *nodes, const driver_node *more, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!add_node(nodes, more[i])) return DRIVER_OUT_OF_MEMORY;
    return DRIVER_SUCCESS;
}

struct driver_branch *driver_branch_of(adi_sim_queue queue) {
    struct driver_branch *found = driver_branches;
    while (found != NULL && found->queue != queue) found = found->next;
    return found;
}

struct driver_mark *driver_mark_of(driver_event event) {
    struct driver_mark *found = marks;
    while (found != NULL && found->event != event) found = found->next;
    return found;
}

struct driver_capture *driver_capture_by(unsigned long long id) {
    struct driver_capture *found = captures;
    while (found != NULL && found->id != id) found = found->next;
    return found;
}

struct driver_branch *driver_branch_new(adi_sim_queue queue, struct driver_capture *capture) {
    struct driver_branch *made = calloc(1, sizeof *made);
    uint64_t label = 0;
    if (made == NULL) return NULL;
    adi_sim_queue_label(queue, &made->context, &label);
    made->queue = queue;
    made->capture = capture;
    made->is_blocking = !(label & DRIVER_STREAM_NON_BLOCKING);
    made->next = driver_branches;
    return driver_branches = made;
}

static void end_branch(struct driver_branch *branch) {
    struct driver_branch **link = &driver_branches;
    while (*link != branch) link = &(*link)->next;
    *link = branch->next;
    free(branch->after.at);
    free(branch);
}

void driver_capture_begin(struct driver_capture *capture) {
    static unsigned long long ids;
    capture->id = ++ids;
    capture->graph->captured = true;
    capture->next = captures;
    captures = capture;
}

void driver_capture_end(struct driver_capture *capture) {
    struct driver_capture **link = &captures;
    for (struct driver_branch *branch = driver_branches, *next; branch != NULL; branch = next) {
        next = branch->next;
        if (branch->capture == capture) end_branch(branch);
    }
    while (*link != capture) link = &(*link)->next;
    *link = capture->next;
    capture->graph->captured = false;
    free(capture);
}

static driver_code invalidate(struct driver_capture *capture, driver_code code) {
    capture->invalid = true;
    return code;
}

driver_code driver_capture_forbid(adi_sim_queue queue, const struct driver_scope *scope) {
    driver_code code = DRIVER_SUCCESS;
    bool legacy = queue == scope->legacy;
    for (struct driver_branch *branch = driver_branches; branch != NULL; branch = branch->next) {
        bool implied = legacy && branch->is_blocking && branch->context == scope->context;
        if (branch->queue == queue)
            code = invalidate(branch->capture, branch->capture->invalid
                                                   ? DRIVER_STREAM_CAPTURE_INVALIDATED
                                                   : DRIVER_STREAM_CAPTURE_UNSUPPORTED);
        else if (implied)
            code = invalidate(branch->capture, DRIVER_STREAM_CAPTURE_IMPLICIT);
    }
    return code;
}

driver_code driver_capture_forbid_context(adi_sim_context context) {
    driver_code code = DRIVER_SUCCESS;
    for (struct driver_branch *branch = driver_branches; branch != NULL; branch = branch->next)
        if (branch->queue != NULL && branch->context == context)
            code = invalidate(branch->capture, DRIVER_STREAM_CAPTURE_UNSUPPORTED);
    return code;
}

driver_code driver_capture_unsafe(void) {
    driver_code code = DRIVER_SUCCESS;
    if (thread_mode == DRIVER_CAPTURE_RELAXED) return code;
    for (struct driver_capture *capture = captures; capture != NULL; capture = capture->next) {
        bool own = pthread_equal(capture->thread, pthread_self());
        bool forbids =
            own ? capture->mode != DRIVER_CAPTURE_RELAXED
                : capture->mode == DRIVER_CAPTURE_GLOBAL && thread_mode == DRIVER_CAPTURE_GLOBAL;
        if (forbids) code = invalidate(capture, DRIVER_STREAM_CAPTURE_UNSUPPORTED);
    }
    return code;
}

void driver_capture_forget_stream(adi_sim_queue queue) {
    struct driver_branch *branch = driver_branch_of(queue);
    if (branch == NULL) return;
    if (branch->is_origin) {
        driver_capture_end(branch->capture);
    } else {
        branch->queue = NULL;
        branch->is_blocking = false;
    }
}

void driver_capture_forget_context(adi_sim_context context) {
    struct driver_branch *branch = driver_branches;
    while (branch != NULL) {
        bool ended = branch->queue != NULL && branch->context == context;
        if (ended) driver_capture_forget_stream(branch->queue);
        branch = ended ? driver_branches : branch->next;
    }
}

/* ---- events ---- */

driver_code driver_capture_forbid_event(driver_event event) {
    const struct driver_mark *mark = driver_mark_of(event);
    if (mark == NULL) return DRIVER_SUCCESS;
    struct driver_capture *capture = driver_capture_by(mark->id);
    if (capture != NULL) capture->invalid = true;
    return DRIVER_CAPTURED_EVENT;
}

struct driver_mark *driver_mark_new(driver_event event) {
    struct driver_mark *made = driver_mark_of(event);
    if (made != NULL) return made;
    made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->event = event;
    made->next = marks;
    marks = made;
    return made;
}

void driver_capture_forget_event(driver_event event) {
    struct driver_mark **link = &marks;
    while (*link != NULL && (*link)->event != event) link = &(*link)->next;
    struct driver_mark *mark = *link;
    if (mark == NULL) return;
    *link = mark->next;
    free(mark->after.at);
    free(mark);
}

/* ---- the mode of a thread ---- */

driver_code driver_thread_exchange_mode(int *mode) {
    if (mode == NULL || *mode < DRIVER_CAPTURE_GLOBAL || *mode > DRIVER_CAPTURE_RELAXED)
        return DRIVER_INVALID_VALUE;
    enum driver_capture_mode before = thread_mode;
    thread_mode = (enum driver_capture_mode) * mode;
    *mode = (int)before;
    return DRIVER_SUCCESS;
}
