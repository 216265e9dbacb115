/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the driver: which streams are captured, and what that forbids. While none is, all of this
 * is nothing.
 */
#ifndef SIM_DRIVER_CAPTURED_H
#define SIM_DRIVER_CAPTURED_H

#include <pthread.h>

#include "driver_graphs.h"

enum driver_capture_mode {
    DRIVER_CAPTURE_GLOBAL,
    DRIVER_CAPTURE_OF_THREAD,
    DRIVER_CAPTURE_RELAXED,
};

struct driver_capture {
    unsigned long long id;
    struct driver_graph_of *graph; /* which is not destroyed before */
    bool is_own, invalid;          /* is_own: the graph was made for it */
    enum driver_capture_mode mode;
    pthread_t thread;
    struct driver_capture *next;
};

/* Nodes that the next one comes behind. */
struct driver_nodes {
    driver_node *at;
    size_t n;
};

struct driver_branch {
    adi_sim_queue queue; /* NULL: destroyed; what it has captured is still to be joined */
    adi_sim_context context;
    struct driver_capture *capture;
    bool is_origin, is_blocking;
    struct driver_nodes after;
    struct driver_branch *next;
};

/* An event that was recorded in a capture. */
struct driver_mark {
    driver_event event;
    unsigned long long id; /* of the capture, which may have ended */
    struct driver_nodes after;
    struct driver_mark *next;
};

/* The one; NULL: there is none. */
struct driver_branch *driver_branch_of(adi_sim_queue queue);
struct driver_mark *driver_mark_of(driver_event event);
struct driver_capture *driver_capture_by(unsigned long long id);
/* That of the event, which may be new. NULL: no memory. */
struct driver_mark *driver_mark_new(driver_event event);
extern struct driver_branch *driver_branches; /* all of them */

/* DRIVER_OUT_OF_MEMORY. One that is there already is not added again. */
driver_code driver_nodes_add(struct driver_nodes *nodes, const driver_node *more, size_t n);
/* NULL: no memory. */
struct driver_branch *driver_branch_new(adi_sim_queue queue, struct driver_capture *capture);
/* Numbers it, and lists it. */
void driver_capture_begin(struct driver_capture *capture);
void driver_capture_end(struct driver_capture *capture);

/* The queue is used by what cannot be captured: DRIVER_STREAM_CAPTURE_UNSUPPORTED if it is
 * captured, DRIVER_STREAM_CAPTURE_IMPLICIT if it is the legacy stream beside a blocking one that
 * is. The capture is invalid from then on. */
driver_code driver_capture_forbid(adi_sim_queue queue, const struct driver_scope *scope);
/* The same of a whole context. */
driver_code driver_capture_forbid_context(adi_sim_context context);
/* A call that may wait for streams behind the program's back: some captures do not allow it. */
driver_code driver_capture_unsafe(void);
/* It is destroyed. */
void driver_capture_forget_stream(adi_sim_queue queue);

/* It has ended, and the streams in it. */
void driver_capture_forget_context(adi_sim_context context);

/* ---- events ---- */

/* DRIVER_CAPTURED_EVENT: it was recorded in a capture last. */
driver_code driver_capture_forbid_event(driver_event event);
/* It was recorded otherwise, or destroyed. */
void driver_capture_forget_event(driver_event event);

#endif /* SIM_DRIVER_CAPTURED_H */
