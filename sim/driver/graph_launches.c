/* SPDX-License-Identifier: Apache-2.0
 *
 * Instances of graphs, and their launches. A launch is in the order of its stream, and comes behind
 * the last one of the same instance. Its nodes are in no order but that of the graph: each that
 * does not simply go on where another has ended has a queue of its own, which is gone when the call
 * returns.
 */
#include <stdlib.h>
#include <string.h>

#include "captures.h"

struct step {
    struct driver_work work;
    size_t *after, n_after; /* steps before this one */
};

struct driver_exec_of {
    struct driver_object object;
    struct step *steps; /* each behind what it depends on */
    size_t n;
    struct driver_users users;
    adi_sim_event last; /* of its last launch; NULL: there was none */
    unsigned callers;   /* launches that are in the midst of it: one may wait */
};

/* ---- instances ---- */

static void free_exec(struct driver_exec_of *exec) {
    if (exec->callers > 0) return;
    for (size_t i = 0; i < exec->n; i++) {
        driver_work_free(&exec->steps[i].work);
        free(exec->steps[i].after);
    }
    free(exec->steps);
    free(exec);
}

/* The places of the graph's nodes in an order that their edges allow; false: there is none. */
static bool sort(const struct driver_graph_of *graph, size_t *steps,
                 struct driver_node_of **order) {
    size_t done = 0;
    for (size_t i = 0; i < graph->n; i++) steps[i] = SIZE_MAX;
    for (size_t before = SIZE_MAX; done < graph->n && done != before;) {
        before = done;
        for (size_t i = 0; i < graph->n; i++) {
            struct driver_node_of *node = graph->nodes[i];
            bool ready = steps[i] == SIZE_MAX;
            for (size_t k = 0; ready && k < node->n_after; k++)
                ready = steps[node->after[k]->place] != SIZE_MAX;
            if (!ready) continue;
            steps[i] = done;
            order[done++] = node;
        }
    }
    return done == graph->n;
}

static driver_code take_step(const struct driver_node_of *node, const size_t *steps,
                             struct step *out) {
    SIM_TRY(driver_work_copy(&node->work, &out->work));
    out->after = malloc((node->n_after + 1) * sizeof *out->after);
    if (out->after == NULL) return DRIVER_OUT_OF_MEMORY;
    for (size_t i = 0; i < node->n_after; i++)
        out->after[out->n_after++] = steps[node->after[i]->place];
    return DRIVER_SUCCESS;
}

static driver_code take_steps(const struct driver_graph_of *graph, size_t *steps,
                              struct driver_node_of **order, struct driver_exec_of *out) {
    if (!sort(graph, steps, order)) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < graph->n; i++) {
        out->n++;
        SIM_TRY(take_step(order[i], steps, &out->steps[i]));
    }
    return DRIVER_SUCCESS;
}

driver_code driver_graph_instantiate(driver_exec *exec, driver_graph handle,
                                     unsigned long long flags) {
    struct driver_graph_of *graph;
    SIM_TRY(driver_graph_find(handle, &graph));
    if (exec == NULL || flags > DRIVER_GRAPH_INSTANTIATE_FLAGS_MASK || graph->captured)
        return DRIVER_INVALID_VALUE;
    struct driver_exec_of *made = driver_object_new(DRIVER_EXEC, sizeof *made);
    if (made == NULL) return DRIVER_OUT_OF_MEMORY;
    size_t *steps = calloc(graph->n + 1, sizeof *steps);
    struct driver_node_of **order = calloc(graph->n + 1, sizeof(void *));
    made->steps = calloc(graph->n + 1, sizeof *made->steps);
    bool room = steps != NULL && order != NULL && made->steps != NULL;
    driver_code code = room ? take_steps(graph, steps, order, made) : DRIVER_OUT_OF_MEMORY;
    free(steps);
    free(order);
    if (code == DRIVER_SUCCESS) code = driver_users_copy(&graph->users, &made->users);
    if (code == DRIVER_SUCCESS) {
        *exec = DRIVER_HANDLE(made);
    } else {
        driver_object_retire(made);
        free_exec(made);
    }
    return code;
}

driver_code driver_graph_instantiate_with(bool per_thread, driver_exec *exec, driver_graph graph,
                                          driver_instance_kind *kind) {
    (void)per_thread;
    if (kind == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = driver_graph_instantiate(exec, graph, kind->flags);
    kind->failed = NULL;
    kind->result = code == DRIVER_SUCCESS ? 0 : 1; /* CUDA_GRAPH_INSTANTIATE_ERROR */
    return code;
}

static driver_code find(driver_exec handle, struct driver_exec_of **out) {
    *out = driver_object_find(DRIVER_EXEC, handle);
    return *out == NULL ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

static void forget_last(struct driver_exec_of *exec) {
    if (exec->last != NULL && adi_sim_is_live(exec->last, NULL)) adi_sim_event_destroy(exec->last);
    exec->last = NULL;
}

/* What of it is under way goes on. */
driver_code driver_exec_destroy(driver_exec handle) {
    struct driver_exec_of *exec = driver_object_find_to_end(DRIVER_EXEC, handle);
    if (exec == NULL) return DRIVER_INVALID_VALUE;
    driver_users_end(&exec->users, exec->last);
    forget_last(exec);
    driver_object_retire(exec);
    free_exec(exec);
    return DRIVER_SUCCESS;
}

driver_code driver_exec_upload(bool per_thread, driver_exec handle, driver_stream stream) {
    struct driver_exec_of *exec;
    adi_sim_queue queue;
    SIM_TRY(find(handle, &exec));
    return driver_queue(per_thread, stream, NULL, &queue);
}

/* ---- launches ---- */

/* A step that is under way. */
struct running {
    adi_sim_queue queue;
    adi_sim_context context;
    adi_sim_event end;
    bool continued; /* another step has its queue now */
};

struct launch {
    adi_sim_queue stream;
    adi_sim_context context; /* of the stream */
    adi_sim_event begin;
    struct running *steps;
};

/* A queue for it: that of the step before, if it goes on from there. */
static int take_queue(struct launch *launch, const struct step *step, struct running *out) {
    for (size_t i = 0; i < step->n_after; i++) {
        struct running *before = &launch->steps[step->after[i]];
        if (before->continued || before->context != out->context) continue;
        before->continued = true;
        out->queue = before->queue;
        return 0;
    }
    int error = adi_sim_queue_create(out->context, ADI_SIM_OWN_QUEUE, &out->queue);
    return error == 0 ? adi_sim_event_wait(out->queue, launch->begin) : error;
}

static driver_code run_step(struct launch *launch, const struct step *step, struct running *out) {
    SIM_TRY(driver_work_context(&step->work, launch->context, &out->context));
    int error = take_queue(launch, step, out);
    for (size_t i = 0; error == 0 && i < step->n_after; i++) {
        const struct running *before = &launch->steps[step->after[i]];
        if (before->queue != out->queue) error = adi_sim_event_wait(out->queue, before->end);
    }
    if (error != 0) return driver_error(error);
    SIM_TRY(driver_work_do(&step->work, out->queue));
    error = adi_sim_event_create(out->context, &out->end);
    return driver_error(error == 0 ? adi_sim_event_record(out->end, out->queue) : error);
}

/* The stream goes on behind all of them, as far as they got. */
static driver_code join(struct launch *launch, size_t n) {
    int error = 0;
    for (size_t i = 0; i < n; i++) {
        struct running *step = &launch->steps[i];
        if (step->end != NULL && !step->continued && error == 0)
            error = adi_sim_event_wait(launch->stream, step->end);
    }
    for (size_t i = 0; i < n; i++) {
        struct running *step = &launch->steps[i];
        if (step->end != NULL) adi_sim_event_destroy(step->end);
        if (step->queue != NULL && !step->continued) adi_sim_queue_destroy(step->queue);
    }
    return driver_error(error);
}

static driver_code run(const struct driver_exec_of *exec, struct launch *launch) {
    driver_code code = DRIVER_SUCCESS;
    size_t n = 0;
    while (code == DRIVER_SUCCESS && n < exec->n) {
        code = run_step(launch, &exec->steps[n], &launch->steps[n]);
        n++;
    }
    driver_code joined = join(launch, n);
    return code == DRIVER_SUCCESS ? joined : code;
}

static driver_code begin(struct driver_exec_of *exec, struct launch *launch) {
    int error = 0;
    SIM_TRY(driver_error(adi_sim_queue_info(launch->stream, NULL, &launch->context)));
    if (exec->last != NULL && adi_sim_is_live(exec->last, NULL))
        error = adi_sim_event_wait(launch->stream, exec->last);
    if (error == 0) error = adi_sim_event_create(launch->context, &launch->begin);
    return driver_error(error == 0 ? adi_sim_event_record(launch->begin, launch->stream) : error);
}

static driver_code end(struct driver_exec_of *exec, const struct launch *launch) {
    forget_last(exec);
    int error = adi_sim_event_create(launch->context, &exec->last);
    if (error == 0) error = adi_sim_own(exec->last);
    return driver_error(error == 0 ? adi_sim_event_record(exec->last, launch->stream) : error);
}

driver_code driver_exec_launch(bool per_thread, driver_exec handle, driver_stream stream) {
    struct driver_exec_of *exec;
    struct driver_branch *branch;
    struct launch launch = {0};
    SIM_TRY(find(handle, &exec));
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL) return driver_unserved(); /* a child graph */
    SIM_TRY(driver_queue(per_thread, stream, NULL, &launch.stream));
    exec->callers++;
    launch.steps = calloc(exec->n + 1, sizeof *launch.steps);
    driver_code code = launch.steps == NULL ? DRIVER_OUT_OF_MEMORY : begin(exec, &launch);
    if (code == DRIVER_SUCCESS) code = run(exec, &launch);
    exec->callers--;
    if (exec->object.ended)
        free_exec(exec);
    else if (code == DRIVER_SUCCESS)
        code = end(exec, &launch);
    if (launch.begin != NULL) adi_sim_event_destroy(launch.begin);
    free(launch.steps);
    return code;
}
