/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA says of the edges of graphs, of which one kind is served, and the older forms.
 */
#include <string.h>

#include "cuda_facade.h"
#include "try.h"

/* Of a whole node behind a whole node. */
static driver_code check(const driver_edge_kind *edges, size_t n) {
    static const driver_edge_kind whole = {0};
    for (size_t i = 0; edges != NULL && i < n; i++)
        if (memcmp(&edges[i], &whole, sizeof whole) != 0) return driver_unserved();
    return DRIVER_SUCCESS;
}

static void clear(driver_edge_kind *edges, const size_t *room) {
    if (edges != NULL) memset(edges, 0, *room * sizeof *edges);
}

driver_code cuda_graph_add(driver_node *node, driver_graph graph, const driver_node *after,
                           const driver_edge_kind *edges, size_t n, const driver_node_kind *kind) {
    SIM_TRY(check(edges, n));
    return driver_graph_add(node, graph, after, n, kind);
}

driver_code cuda_graph_connect(driver_graph graph, const driver_node *first,
                               const driver_node *then, const driver_edge_kind *edges, size_t n) {
    SIM_TRY(check(edges, n));
    return driver_graph_connect(graph, first, then, n);
}

driver_code cuda_graph_disconnect(driver_graph graph, const driver_node *first,
                                  const driver_node *then, const driver_edge_kind *edges,
                                  size_t n) {
    SIM_TRY(check(edges, n));
    return driver_graph_disconnect(graph, first, then, n);
}

driver_code cuda_graph_edges(driver_graph graph, driver_node *firsts, driver_node *thens,
                             driver_edge_kind *edges, size_t *room) {
    SIM_TRY(driver_graph_edges(graph, firsts, thens, room));
    if (firsts != NULL) clear(edges, room);
    return DRIVER_SUCCESS;
}

driver_code cuda_node_dependencies(driver_node node, driver_node *nodes, driver_edge_kind *edges,
                                   size_t *room) {
    SIM_TRY(driver_node_dependencies(node, nodes, room));
    if (nodes != NULL) clear(edges, room);
    return DRIVER_SUCCESS;
}

driver_code cuda_node_dependents(driver_node node, driver_node *nodes, driver_edge_kind *edges,
                                 size_t *room) {
    SIM_TRY(driver_node_dependents(node, nodes, room));
    if (nodes != NULL) clear(edges, room);
    return DRIVER_SUCCESS;
}

driver_code cuda_graph_instantiate(driver_exec *exec, driver_graph graph, driver_node *failed,
                                   char *log, size_t room) {
    if (failed != NULL) *failed = NULL;
    if (log != NULL && room > 0) *log = '\0';
    return driver_graph_instantiate(exec, graph, 0);
}

/* ---- captures ---- */

driver_code cuda_begin_capture_to(bool per_thread, driver_stream stream, driver_graph graph,
                                  const driver_node *after, const driver_edge_kind *edges, size_t n,
                                  int mode) {
    SIM_TRY(check(edges, n));
    return driver_stream_begin_capture_to(per_thread, stream, graph, after, n, mode);
}

/* Of edges that have nothing to say there is no list. */
driver_code cuda_stream_capture(bool per_thread, driver_stream stream, int *status,
                                unsigned long long *id, driver_graph *graph,
                                const driver_node **after, const driver_edge_kind **edges,
                                size_t *n) {
    SIM_TRY(driver_stream_capture(per_thread, stream, status, id, graph, after, n));
    if (edges != NULL) *edges = NULL;
    return DRIVER_SUCCESS;
}

driver_code cuda_set_capture(bool per_thread, driver_stream stream, const driver_node *after,
                             const driver_edge_kind *edges, size_t n, unsigned flags) {
    SIM_TRY(check(edges, n));
    return driver_stream_set_capture(per_thread, stream, after, n, flags);
}
