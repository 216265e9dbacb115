/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures: what is put into a stream becomes a node of a graph. One begins in a stream, others
 * join it by an event that was recorded in one of its streams, and come back by one.
 */
#include "captures.h"

#include <stdlib.h>
#include <string.h>

enum status {
    NONE,
    ACTIVE,
    INVALIDATED,
};

static driver_code invalidate(struct driver_capture *capture, driver_code code) {
    capture->invalid = true;
    return code;
}

/* ---- streams ---- */

driver_code driver_capture_of(bool per_thread, driver_stream stream, struct driver_branch **out) {
    adi_sim_queue queue;
    *out = NULL;
    if (driver_branches == NULL) return DRIVER_SUCCESS;
    SIM_TRY(driver_queue_quietly(per_thread, stream, NULL, &queue));
    *out = driver_branch_of(queue);
    return *out != NULL && (*out)->capture->invalid ? DRIVER_STREAM_CAPTURE_INVALIDATED
                                                    : DRIVER_SUCCESS;
}

driver_code driver_capture_work(struct driver_branch *branch, struct driver_work *work) {
    driver_node node = NULL;
    driver_code code = driver_graph_add_work(&node, DRIVER_HANDLE(branch->capture->graph),
                                             branch->after.at, branch->after.n, work);
    if (code != DRIVER_SUCCESS) return invalidate(branch->capture, code);
    branch->after.n = 0;
    return driver_nodes_add(&branch->after, &node, 1);
}

/* ---- events ---- */

driver_code driver_capture_record(struct driver_branch *branch, driver_event event) {
    struct driver_mark *mark = driver_mark_new(event);
    if (mark == NULL) return DRIVER_OUT_OF_MEMORY;
    mark->id = branch->capture->id;
    mark->after.n = 0;
    return driver_nodes_add(&mark->after, branch->after.at, branch->after.n);
}

/* What has no capture yet has joined that of the event. */
static driver_code join(struct driver_branch *branch, adi_sim_queue queue,
                        const struct driver_mark *mark) {
    struct driver_capture *capture = driver_capture_by(mark->id);
    if (capture == NULL) return DRIVER_CAPTURED_EVENT;
    if (capture->invalid) return DRIVER_STREAM_CAPTURE_INVALIDATED;
    if (branch != NULL && branch->capture != capture) {
        capture->invalid = true;
        return invalidate(branch->capture, DRIVER_STREAM_CAPTURE_MERGE);
    }
    if (branch == NULL) branch = driver_branch_new(queue, capture);
    if (branch == NULL) return DRIVER_OUT_OF_MEMORY;
    return driver_nodes_add(&branch->after, mark->after.at, mark->after.n);
}

driver_code driver_capture_wait(bool per_thread, driver_stream stream, driver_event event,
                                bool external, bool *taken) {
    struct driver_branch *branch;
    struct driver_scope scope;
    adi_sim_queue queue;
    const struct driver_mark *mark = driver_mark_of(event);
    *taken = false;
    if (driver_branches == NULL && mark == NULL) return DRIVER_SUCCESS;
    *taken = true;
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    SIM_TRY(driver_queue_quietly(per_thread, stream, &scope, &queue));
    if (branch != NULL && external) {
        struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event};
        return driver_capture_work(branch, &work);
    }
    if (branch != NULL && mark == NULL)
        return invalidate(branch->capture, DRIVER_STREAM_CAPTURE_ISOLATION);
    if (mark != NULL && queue == scope.legacy) {
        struct driver_capture *capture = driver_capture_by(mark->id);
        return capture == NULL ? DRIVER_CAPTURED_EVENT
                               : invalidate(capture, DRIVER_STREAM_CAPTURE_IMPLICIT);
    }
    if (mark != NULL) return join(branch, queue, mark);
    *taken = false;
    return DRIVER_SUCCESS;
}

/* ---- begin and end ---- */

static driver_code begin(bool per_thread, driver_stream stream, int mode, driver_graph graph,
                         struct driver_branch **out) {
    struct driver_scope scope;
    struct driver_graph_of *found;
    adi_sim_queue queue;
    if (mode < DRIVER_CAPTURE_GLOBAL || mode > DRIVER_CAPTURE_RELAXED) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_queue_quietly(per_thread, stream, &scope, &queue));
    if (queue == scope.legacy) return DRIVER_STREAM_CAPTURE_UNSUPPORTED;
    if (driver_branch_of(queue) != NULL) return DRIVER_ILLEGAL_STATE;
    SIM_TRY(driver_graph_find(graph, &found));
    if (found->captured) return DRIVER_INVALID_VALUE;
    struct driver_capture *made = calloc(1, sizeof *made);
    *out = made == NULL ? NULL : driver_branch_new(queue, made);
    if (*out == NULL) {
        free(made);
        return DRIVER_OUT_OF_MEMORY;
    }
    *made = (struct driver_capture){
        .graph = found, .mode = (enum driver_capture_mode)mode, .thread = pthread_self()};
    driver_capture_begin(made);
    (*out)->is_origin = true;
    return DRIVER_SUCCESS;
}

driver_code driver_stream_begin_capture(bool per_thread, driver_stream stream, int mode) {
    struct driver_branch *branch;
    driver_graph graph;
    SIM_TRY(driver_graph_create(&graph, 0));
    driver_code code = begin(per_thread, stream, mode, graph, &branch);
    if (code == DRIVER_SUCCESS) {
        branch->capture->is_own = true;
        branch->capture->graph->object.kept = true; /* until the program gets it */
    } else {
        driver_graph_destroy(graph);
    }
    return code;
}

driver_code driver_stream_begin_capture_to(bool per_thread, driver_stream stream,
                                           driver_graph graph, const driver_node *after, size_t n,
                                           int mode) {
    struct driver_branch *branch;
    struct driver_graph_of *found;
    struct driver_node_of *node;
    adi_sim_queue queue;
    SIM_TRY(driver_queue_quietly(per_thread, stream, NULL, &queue));
    SIM_TRY(driver_graph_find(graph, &found));
    if (n > 0 && after == NULL) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        SIM_TRY(driver_node_find(after[i], &node));
        if (node->graph != found) return DRIVER_INVALID_VALUE;
    }
    SIM_TRY(begin(per_thread, stream, mode, graph, &branch));
    return driver_nodes_add(&branch->after, after, n);
}

static void mark_nodes(const struct driver_nodes *nodes, bool *marked) {
    struct driver_node_of *node;
    for (size_t i = 0; i < nodes->n; i++)
        if (driver_node_find(nodes->at[i], &node) == DRIVER_SUCCESS) marked[node->place] = true;
}

/* Does what the streams that have joined have captured come before the end of the one in which all
 * began? A capture adds nodes behind those that they depend on. */
static bool is_joined(const struct driver_branch *origin) {
    const struct driver_graph_of *graph = origin->capture->graph;
    bool *before = calloc(2 * graph->n + 1, sizeof *before), *wanted = before + graph->n;
    bool joined = before != NULL;
    for (struct driver_branch *branch = driver_branches; joined && branch != NULL;
         branch = branch->next)
        if (branch->capture == origin->capture) mark_nodes(&branch->after, wanted);
    if (joined) mark_nodes(&origin->after, before);
    for (size_t i = graph->n; joined && i-- > 0;)
        for (size_t k = 0; before[i] && k < graph->nodes[i]->n_after; k++)
            before[graph->nodes[i]->after[k]->place] = true;
    for (size_t i = 0; joined && i < graph->n; i++) joined = before[i] || !wanted[i];
    free(before);
    return joined;
}

driver_code driver_stream_end_capture(bool per_thread, driver_stream stream, driver_graph *graph) {
    adi_sim_queue queue;
    SIM_TRY(driver_queue_quietly(per_thread, stream, NULL, &queue));
    if (graph == NULL) return DRIVER_INVALID_VALUE;
    *graph = NULL;
    struct driver_branch *branch = driver_branch_of(queue);
    if (branch == NULL) return DRIVER_ILLEGAL_STATE;
    struct driver_capture *capture = branch->capture;
    if (!branch->is_origin) return invalidate(capture, DRIVER_STREAM_CAPTURE_UNMATCHED);
    if (capture->mode != DRIVER_CAPTURE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        return invalidate(capture, DRIVER_STREAM_CAPTURE_WRONG_THREAD);
    driver_code code = capture->invalid     ? DRIVER_STREAM_CAPTURE_INVALIDATED
                       : !is_joined(branch) ? DRIVER_STREAM_CAPTURE_UNJOINED
                                            : DRIVER_SUCCESS;
    bool is_own = capture->is_own;
    struct driver_graph_of *made = capture->graph;
    driver_capture_end(capture);
    if (code == DRIVER_SUCCESS) *graph = DRIVER_HANDLE(made);
    if (code == DRIVER_SUCCESS && is_own)
        driver_object_hand_out(made);
    else if (is_own)
        driver_graph_destroy(DRIVER_HANDLE(made));
    return code;
}

/* ---- questions ---- */

driver_code driver_stream_capture(bool per_thread, driver_stream stream, int *status,
                                  unsigned long long *id, driver_graph *graph,
                                  const driver_node **after, size_t *n) {
    struct driver_scope scope;
    adi_sim_queue queue;
    if (status == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_queue_quietly(per_thread, stream, &scope, &queue));
    const struct driver_branch *branch = driver_branch_of(queue);
    if (branch == NULL && queue == scope.legacy)
        for (branch = driver_branches; branch != NULL; branch = branch->next)
            if (branch->is_blocking && branch->context == scope.context)
                return DRIVER_STREAM_CAPTURE_IMPLICIT;
    *status = branch == NULL ? NONE : branch->capture->invalid ? INVALIDATED : ACTIVE;
    if (*status != ACTIVE) return DRIVER_SUCCESS;
    if (id != NULL) *id = branch->capture->id;
    if (graph != NULL) *graph = DRIVER_HANDLE(branch->capture->graph);
    if (after != NULL) *after = branch->after.at;
    if (n != NULL) *n = branch->after.n;
    return DRIVER_SUCCESS;
}

driver_code driver_stream_capturing(bool per_thread, driver_stream stream, int *status) {
    return driver_stream_capture(per_thread, stream, status, NULL, NULL, NULL, NULL);
}

driver_code driver_stream_set_capture(bool per_thread, driver_stream stream,
                                      const driver_node *after, size_t n, unsigned flags) {
    struct driver_branch *branch;
    struct driver_node_of *node;
    adi_sim_queue queue;
    SIM_TRY(driver_queue_quietly(per_thread, stream, NULL, &queue));
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch == NULL) return DRIVER_ILLEGAL_STATE;
    if (flags > DRIVER_STREAM_SET_CAPTURE_DEPENDENCIES || (n > 0 && after == NULL))
        return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) SIM_TRY(driver_node_find(after[i], &node));
    if (flags == DRIVER_STREAM_SET_CAPTURE_DEPENDENCIES) branch->after.n = 0;
    return driver_nodes_add(&branch->after, after, n);
}
