/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the driver: graphs, and what their nodes do.
 */
#ifndef SIM_DRIVER_GRAPHS_H
#define SIM_DRIVER_GRAPHS_H

#include "driver_kernels.h"

/* What a node does. */
struct driver_work {
    int type;               /* DRIVER_GRAPH_NODE_TYPE_ */
    driver_context context; /* in which; NULL: that of the launch */
    union {
        driver_box_kind box;
        driver_fill_kind fill;
        driver_host_kind host;
        driver_event event;
        struct driver_launched launch;
    };
};

struct driver_node_of {
    struct driver_object object;
    struct driver_graph_of *graph;
    struct driver_work work;
    struct driver_node_of **after; /* what it comes behind */
    size_t n_after, place;         /* place: among those of the graph */
};

/* References to objects of the program's. */
struct driver_users {
    struct driver_reference {
        struct driver_user_of *user;
        unsigned count;
    } * at;
    size_t n;
};

struct driver_graph_of {
    struct driver_object object;
    struct driver_users users;
    struct driver_node_of **nodes;
    size_t n;
    bool captured; /* a capture still adds to it */
};

/* DRIVER_INVALID_VALUE, reported: there is none. */
driver_code driver_graph_find(driver_graph handle, struct driver_graph_of **out);
driver_code driver_node_find(driver_node handle, struct driver_node_of **out);

/* Takes over what the work holds, also where it fails. */
driver_code driver_graph_add_work(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, struct driver_work *work);
/* What it holds of memory is a copy. DRIVER_OUT_OF_MEMORY. */
driver_code driver_work_copy(const struct driver_work *work, struct driver_work *out);
void driver_work_free(struct driver_work *work);
/* Does it, in the order of a queue. */
driver_code driver_work_do(const struct driver_work *work, adi_sim_queue queue);
/* Where it is done: DRIVER_CONTEXT_IS_DESTROYED. `otherwise`: if it does not say. */
driver_code driver_work_context(const struct driver_work *work, adi_sim_context otherwise,
                                adi_sim_context *out);

/* ---- boxes.c ---- */

/* The first byte of a row of a side. */
void *driver_row_of(const driver_copy_side *side, size_t y, size_t z);
/* Is it of memory, and of rows that lie side by side? Its numbers may be 0. */
bool driver_box_is_sound(const driver_box_kind *box);

/* ---- user_objects.c ---- */

driver_code driver_users_add(struct driver_users *users, driver_user user, unsigned count,
                             unsigned flags);
driver_code driver_users_take(struct driver_users *users, driver_user user, unsigned count);
/* One reference more to each. */
driver_code driver_users_copy(const struct driver_users *users, struct driver_users *out);
/* Gives them up, behind what the event stands for (NULL: at once). */
void driver_users_end(struct driver_users *users, adi_sim_event behind);

#endif /* SIM_DRIVER_GRAPHS_H */
