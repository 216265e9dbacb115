/* SPDX-License-Identifier: Apache-2.0
 *
 * What the nodes of a graph do: taken in, and done.
 */
#include <stdlib.h>
#include <string.h>

#include "driver_graphs.h"

/* ---- doing ---- */

static driver_code copy_box(const driver_box_kind *box, adi_sim_queue queue) {
    driver_code code = DRIVER_SUCCESS;
    for (size_t z = 0; code == DRIVER_SUCCESS && z < box->depth; z++)
        for (size_t y = 0; code == DRIVER_SUCCESS && y < box->height && box->width > 0; y++) {
            const void *from = driver_row_of(&box->from, y, z);
            unsigned flags = driver_memory_of(from) == DRIVER_PAGEABLE ? ADI_SIM_LATE : 0;
            code = driver_copy(queue, driver_row_of(&box->to, y, z), from, box->width, flags);
        }
    return code;
}

static driver_code fill_rows(const driver_fill_kind *fill, adi_sim_queue queue) {
    driver_code code = DRIVER_SUCCESS;
    for (size_t y = 0; code == DRIVER_SUCCESS && y < fill->height; y++)
        code =
            driver_fill(queue, fill->to + y * fill->pitch, fill->value, fill->element, fill->width);
    return code;
}

driver_code driver_work_do(const struct driver_work *work, adi_sim_queue queue) {
    switch (work->type) {
    case DRIVER_GRAPH_NODE_TYPE_MEMCPY:
        return copy_box(&work->box, queue);
    case DRIVER_GRAPH_NODE_TYPE_MEMSET:
        return fill_rows(&work->fill, queue);
    case DRIVER_GRAPH_NODE_TYPE_HOST:
        return driver_error(adi_sim_host(queue, work->host.function, work->host.data));
    case DRIVER_GRAPH_NODE_TYPE_WAIT_EVENT:
        return driver_error(adi_sim_event_wait(queue, (adi_sim_event)work->event));
    case DRIVER_GRAPH_NODE_TYPE_EVENT_RECORD:
        return driver_error(adi_sim_event_record((adi_sim_event)work->event, queue));
    case DRIVER_GRAPH_NODE_TYPE_KERNEL:
        return driver_launch_on(queue, &work->launch);
    }
    return DRIVER_SUCCESS;
}

/* An event is recorded where it is at home, a function of a module is called there. */
driver_code driver_work_context(const struct driver_work *work, adi_sim_context otherwise,
                                adi_sim_context *out) {
    struct driver_scope scope;
    *out = otherwise;
    if (work->type == DRIVER_GRAPH_NODE_TYPE_EVENT_RECORD)
        return driver_error(adi_sim_event_label((adi_sim_event)work->event, out, NULL));
    if (work->type == DRIVER_GRAPH_NODE_TYPE_KERNEL) {
        const struct driver_kernel_of *kernel =
            driver_object_find(DRIVER_KERNEL, work->launch.kernel);
        if (kernel == NULL) return DRIVER_INVALID_HANDLE;
        if (kernel->module->object.context != NULL) *out = kernel->module->object.context;
    }
    if (work->context == NULL) return DRIVER_SUCCESS;
    SIM_TRY(driver_find_context(work->context, &scope));
    *out = scope.context;
    return DRIVER_SUCCESS;
}

/* ---- taking in ---- */

/* NULL is the current one. */
static driver_code settle_context(driver_context *context) {
    struct driver_scope scope;
    if (*context != NULL) return driver_find_context(*context, &scope);
    driver_code code = driver_current(&scope);
    if (code == DRIVER_SUCCESS) *context = scope.name;
    return code;
}

driver_code driver_graph_add_empty(driver_node *node, driver_graph graph, const driver_node *after,
                                   size_t n) {
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_EMPTY};
    return driver_graph_add_work(node, graph, after, n, &work);
}

driver_code driver_graph_add_copy(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_box_kind *box, driver_context context) {
    if (box == NULL) return DRIVER_INVALID_VALUE;
    struct driver_work work = {
        .type = DRIVER_GRAPH_NODE_TYPE_MEMCPY, .context = context, .box = *box};
    SIM_TRY(settle_context(&work.context));
    if (box->from.type == DRIVER_MEMORYTYPE_ARRAY || box->to.type == DRIVER_MEMORYTYPE_ARRAY)
        return driver_unserved();
    if (box->width == 0 || box->height == 0 || box->depth == 0 || !driver_box_is_sound(box))
        return DRIVER_INVALID_VALUE;
    return driver_graph_add_work(node, graph, after, n, &work);
}

driver_code driver_graph_add_fill(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_fill_kind *fill, driver_context context) {
    if (fill == NULL) return DRIVER_INVALID_VALUE;
    struct driver_work work = {
        .type = DRIVER_GRAPH_NODE_TYPE_MEMSET, .context = context, .fill = *fill};
    SIM_TRY(settle_context(&work.context));
    bool width = fill->element == 1 || fill->element == 2 || fill->element == 4;
    if (!width || fill->width == 0 || fill->height == 0 || fill->to % fill->element != 0)
        return DRIVER_INVALID_VALUE;
    if (fill->height > 1 && fill->pitch / fill->element < fill->width) return DRIVER_INVALID_VALUE;
    return driver_graph_add_work(node, graph, after, n, &work);
}

driver_code driver_graph_add_host(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_host_kind *host) {
    if (host == NULL || host->function == NULL) return DRIVER_INVALID_VALUE;
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_HOST, .host = *host};
    return driver_graph_add_work(node, graph, after, n, &work);
}

static driver_code add_event(driver_node *node, driver_graph graph, const driver_node *after,
                             size_t n, driver_event event, int type) {
    struct driver_work work = {.type = type, .event = event};
    uint64_t label;
    SIM_TRY(driver_error(adi_sim_event_label((adi_sim_event)event, NULL, &label)));
    if (!driver_owns(label)) return DRIVER_INVALID_HANDLE;
    return driver_graph_add_work(node, graph, after, n, &work);
}

driver_code driver_graph_add_record(driver_node *node, driver_graph graph, const driver_node *after,
                                    size_t n, driver_event event) {
    return add_event(node, graph, after, n, event, DRIVER_GRAPH_NODE_TYPE_EVENT_RECORD);
}

driver_code driver_graph_add_wait(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, driver_event event) {
    return add_event(node, graph, after, n, event, DRIVER_GRAPH_NODE_TYPE_WAIT_EVENT);
}

driver_code driver_graph_add_launch(driver_node *node, driver_graph graph, const driver_node *after,
                                    size_t n, const driver_node_launch *launch) {
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_KERNEL};
    SIM_TRY(driver_kernels_served());
    if (launch == NULL) return DRIVER_INVALID_VALUE;
    driver_kernel kernel = launch->function != NULL ? launch->function : launch->kernel;
    SIM_TRY(driver_launch_prepare(kernel, launch->grid, launch->block, launch->shared,
                                  launch->parameters, launch->extra, &work.launch));
    const struct driver_kernel_of *found = driver_object_find(DRIVER_KERNEL, kernel);
    bool own = found->module->object.context != NULL;
    work.context = launch->function != NULL ? NULL : launch->context;
    driver_code code = own ? DRIVER_SUCCESS : settle_context(&work.context);
    if (code == DRIVER_SUCCESS) return driver_graph_add_work(node, graph, after, n, &work);
    driver_work_free(&work);
    return code;
}

driver_code driver_graph_add_launch_v1(driver_node *node, driver_graph graph,
                                       const driver_node *after, size_t n,
                                       const driver_node_launch *launch) {
    driver_node_launch whole = {0};
    if (launch != NULL) memcpy(&whole, launch, offsetof(driver_node_launch, kernel));
    return driver_graph_add_launch(node, graph, after, n, launch == NULL ? NULL : &whole);
}

driver_code driver_graph_add(driver_node *node, driver_graph graph, const driver_node *after,
                             size_t n, const driver_node_kind *kind) {
    if (kind == NULL) return DRIVER_INVALID_VALUE;
    switch (kind->type) {
    case DRIVER_GRAPH_NODE_TYPE_KERNEL:
        return driver_graph_add_launch(node, graph, after, n, &kind->launch);
    case DRIVER_GRAPH_NODE_TYPE_MEMCPY:
        return driver_graph_add_copy(node, graph, after, n, &kind->copy.box, kind->copy.context);
    case DRIVER_GRAPH_NODE_TYPE_MEMSET:
        return driver_graph_add_fill(node, graph, after, n, &kind->fill.kind, kind->fill.context);
    case DRIVER_GRAPH_NODE_TYPE_HOST:
        return driver_graph_add_host(node, graph, after, n, &kind->host);
    case DRIVER_GRAPH_NODE_TYPE_EMPTY:
        return driver_graph_add_empty(node, graph, after, n);
    case DRIVER_GRAPH_NODE_TYPE_WAIT_EVENT:
        return driver_graph_add_wait(node, graph, after, n, kind->event);
    case DRIVER_GRAPH_NODE_TYPE_EVENT_RECORD:
        return driver_graph_add_record(node, graph, after, n, kind->event);
    }
    return driver_unserved();
}
