/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: nodes, and which come behind which.
 */
#include <stdlib.h>
#include <string.h>

#include "driver_graphs.h"

driver_code driver_graph_find(driver_graph handle, struct driver_graph_of **out) {
    *out = driver_object_find(DRIVER_GRAPH, handle);
    return *out == NULL ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

driver_code driver_node_find(driver_node handle, struct driver_node_of **out) {
    *out = driver_object_find(DRIVER_NODE, handle);
    return *out == NULL ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

/* ---- what a node holds ---- */

driver_code driver_work_copy(const struct driver_work *work, struct driver_work *out) {
    *out = *work;
    if (work->type != DRIVER_GRAPH_NODE_TYPE_KERNEL) return DRIVER_SUCCESS;
    out->launch.pointers = NULL;
    if (work->launch.n == 0) return DRIVER_SUCCESS;
    size_t bytes = work->launch.n * sizeof *work->launch.pointers;
    out->launch.pointers = malloc(bytes);
    if (out->launch.pointers == NULL) return DRIVER_OUT_OF_MEMORY;
    memcpy(out->launch.pointers, work->launch.pointers, bytes);
    return DRIVER_SUCCESS;
}

void driver_work_free(struct driver_work *work) {
    if (work->type != DRIVER_GRAPH_NODE_TYPE_KERNEL) return;
    free(work->launch.pointers);
    work->launch.pointers = NULL;
}

/* ---- their life ---- */

driver_code driver_graph_create(driver_graph *graph, unsigned flags) {
    if (graph == NULL || flags != 0) return DRIVER_INVALID_VALUE;
    struct driver_graph_of *made = driver_object_new(DRIVER_GRAPH, sizeof *made);
    if (made == NULL) return DRIVER_OUT_OF_MEMORY;
    *graph = DRIVER_HANDLE(made);
    return DRIVER_SUCCESS;
}

static void end_node(struct driver_node_of *node) {
    driver_work_free(&node->work);
    free(node->after);
    node->after = NULL;
    driver_object_end(node);
}

driver_code driver_graph_destroy(driver_graph handle) {
    struct driver_graph_of *graph = driver_object_find_to_end(DRIVER_GRAPH, handle);
    if (graph == NULL || graph->captured) return DRIVER_INVALID_VALUE;
    driver_users_end(&graph->users, NULL);
    for (size_t i = 0; i < graph->n; i++) end_node(graph->nodes[i]);
    free(graph->nodes);
    driver_object_end(graph);
    return DRIVER_SUCCESS;
}

/* ---- edges ---- */

static size_t place_after(const struct driver_node_of *node, const struct driver_node_of *before) {
    size_t i = 0;
    while (i < node->n_after && node->after[i] != before) i++;
    return i;
}

static driver_code connect(struct driver_node_of *from, struct driver_node_of *to) {
    if (from->graph != to->graph || from == to || place_after(to, from) < to->n_after)
        return DRIVER_INVALID_VALUE;
    void *grown = realloc(to->after, (to->n_after + 1) * sizeof(void *));
    if (grown == NULL) return DRIVER_OUT_OF_MEMORY;
    to->after = grown;
    to->after[to->n_after++] = from;
    return DRIVER_SUCCESS;
}

static driver_code disconnect(struct driver_node_of *from, struct driver_node_of *to) {
    size_t i = place_after(to, from);
    if (i == to->n_after) return DRIVER_INVALID_VALUE;
    memmove(to->after + i, to->after + i + 1, (to->n_after - i - 1) * sizeof(void *));
    to->n_after--;
    return DRIVER_SUCCESS;
}

static driver_code
each_edge(driver_graph handle, const driver_node *from, const driver_node *to, size_t n,
          driver_code (*change)(struct driver_node_of *from, struct driver_node_of *to)) {
    struct driver_graph_of *graph;
    struct driver_node_of *one, *other;
    SIM_TRY(driver_graph_find(handle, &graph));
    if (n > 0 && (from == NULL || to == NULL)) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        SIM_TRY(driver_node_find(from[i], &one));
        SIM_TRY(driver_node_find(to[i], &other));
        if (one->graph != graph) return DRIVER_INVALID_VALUE;
        SIM_TRY(change(one, other));
    }
    return DRIVER_SUCCESS;
}

driver_code driver_graph_connect(driver_graph graph, const driver_node *from, const driver_node *to,
                                 size_t n) {
    return each_edge(graph, from, to, n, connect);
}

driver_code driver_graph_disconnect(driver_graph graph, const driver_node *from,
                                    const driver_node *to, size_t n) {
    return each_edge(graph, from, to, n, disconnect);
}

/* ---- nodes ---- */

static driver_code join(struct driver_graph_of *graph, struct driver_node_of *node,
                        const driver_node *after, size_t n) {
    struct driver_node_of *before;
    for (size_t i = 0; i < n; i++) {
        SIM_TRY(driver_node_find(after[i], &before));
        SIM_TRY(connect(before, node));
    }
    void *grown = realloc(graph->nodes, (graph->n + 1) * sizeof(void *));
    if (grown == NULL) return DRIVER_OUT_OF_MEMORY;
    graph->nodes = grown;
    node->place = graph->n;
    graph->nodes[graph->n++] = node;
    return DRIVER_SUCCESS;
}

driver_code driver_graph_add_work(driver_node *node, driver_graph handle, const driver_node *after,
                                  size_t n, struct driver_work *work) {
    struct driver_graph_of *graph;
    driver_code code = driver_graph_find(handle, &graph);
    if (code == DRIVER_SUCCESS && (node == NULL || (n > 0 && after == NULL)))
        code = DRIVER_INVALID_VALUE;
    struct driver_node_of *made = NULL;
    if (code == DRIVER_SUCCESS && (made = driver_object_new(DRIVER_NODE, sizeof *made)) == NULL)
        code = DRIVER_OUT_OF_MEMORY;
    if (code != DRIVER_SUCCESS) {
        driver_work_free(work);
        return code;
    }
    made->graph = graph;
    made->work = *work;
    code = join(graph, made, after, n);
    if (code == DRIVER_SUCCESS)
        *node = DRIVER_HANDLE(made);
    else
        end_node(made);
    return code;
}

driver_code driver_node_destroy(driver_node handle) {
    struct driver_node_of *node;
    SIM_TRY(driver_node_find(handle, &node));
    struct driver_graph_of *graph = node->graph;
    for (size_t i = 0; i < graph->n; i++) disconnect(node, graph->nodes[i]);
    for (size_t i = node->place; i + 1 < graph->n; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->place = i;
    }
    graph->n--;
    end_node(node);
    return DRIVER_SUCCESS;
}

/* ---- what there is ---- */

/* A list that is handed out: as much of it as there is room for, the rest NULL, and its length. */
struct list {
    driver_node *out;
    size_t room, n;
};

static void put(struct list *list, struct driver_node_of *node) {
    if (list->out != NULL && list->n < list->room) list->out[list->n] = DRIVER_HANDLE(node);
    list->n++;
}

static void finish(struct list *list, size_t *n) {
    for (size_t i = list->n; list->out != NULL && i < list->room; i++) list->out[i] = NULL;
    *n = list->out != NULL && list->n > list->room ? list->room : list->n;
}

driver_code driver_graph_nodes(driver_graph handle, driver_node *nodes, size_t *n) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    if (n == NULL) return DRIVER_INVALID_VALUE;
    struct list list = {nodes, *n, 0};
    for (size_t i = 0; i < graph->n; i++) put(&list, graph->nodes[i]);
    finish(&list, n);
    return DRIVER_SUCCESS;
}

driver_code driver_graph_roots(driver_graph handle, driver_node *nodes, size_t *n) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    if (n == NULL) return DRIVER_INVALID_VALUE;
    struct list list = {nodes, *n, 0};
    for (size_t i = 0; i < graph->n; i++)
        if (graph->nodes[i]->n_after == 0) put(&list, graph->nodes[i]);
    finish(&list, n);
    return DRIVER_SUCCESS;
}

driver_code driver_graph_edges(driver_graph handle, driver_node *from, driver_node *to, size_t *n) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    if (n == NULL || (from == NULL) != (to == NULL)) return DRIVER_INVALID_VALUE;
    struct list firsts = {from, *n, 0}, seconds = {to, *n, 0};
    for (size_t i = 0; i < graph->n; i++)
        for (size_t k = 0; k < graph->nodes[i]->n_after; k++) {
            put(&firsts, graph->nodes[i]->after[k]);
            put(&seconds, graph->nodes[i]);
        }
    finish(&firsts, n);
    finish(&seconds, n);
    return DRIVER_SUCCESS;
}

driver_code driver_node_dependencies(driver_node handle, driver_node *nodes, size_t *n) {
    struct driver_node_of *node;
    SIM_TRY(driver_node_find(handle, &node));
    if (n == NULL) return DRIVER_INVALID_VALUE;
    struct list list = {nodes, *n, 0};
    for (size_t i = 0; i < node->n_after; i++) put(&list, node->after[i]);
    finish(&list, n);
    return DRIVER_SUCCESS;
}

driver_code driver_node_dependents(driver_node handle, driver_node *nodes, size_t *n) {
    struct driver_node_of *node;
    SIM_TRY(driver_node_find(handle, &node));
    if (n == NULL) return DRIVER_INVALID_VALUE;
    struct list list = {nodes, *n, 0};
    for (size_t i = 0; i < node->graph->n; i++) {
        struct driver_node_of *other = node->graph->nodes[i];
        if (place_after(other, node) < other->n_after) put(&list, other);
    }
    finish(&list, n);
    return DRIVER_SUCCESS;
}

driver_code driver_node_type(driver_node handle, int *type) {
    struct driver_node_of *node;
    SIM_TRY(driver_node_find(handle, &node));
    if (type == NULL) return DRIVER_INVALID_VALUE;
    *type = node->work.type;
    return DRIVER_SUCCESS;
}

/* Of the kind that is asked for. */
static driver_code look(driver_node handle, int type, const void *out,
                        const struct driver_work **work) {
    struct driver_node_of *node;
    SIM_TRY(driver_node_find(handle, &node));
    *work = &node->work;
    return out == NULL || node->work.type != type ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

#define GIVES(name, type, kind, member)                                                            \
    driver_code driver_node_##name(driver_node node, type *out) {                                  \
        const struct driver_work *work;                                                            \
        SIM_TRY(look(node, DRIVER_GRAPH_NODE_TYPE_##kind, out, &work));                            \
        *out = work->member;                                                                       \
        return DRIVER_SUCCESS;                                                                     \
    }

GIVES(copy, driver_box_kind, MEMCPY, box)
GIVES(fill, driver_fill_kind, MEMSET, fill)
GIVES(host, driver_host_kind, HOST, host)
GIVES(recorded, driver_event, EVENT_RECORD, event)
GIVES(awaited, driver_event, WAIT_EVENT, event)

/* ---- what it keeps alive ---- */

driver_code driver_graph_retain_user(driver_graph handle, driver_user user, unsigned count,
                                     unsigned flags) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    return driver_users_add(&graph->users, user, count, flags);
}

driver_code driver_graph_release_user(driver_graph handle, driver_user user, unsigned count) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    return driver_users_take(&graph->users, user, count);
}
