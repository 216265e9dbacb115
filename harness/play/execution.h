/* SPDX-License-Identifier: Apache-2.0
 *
 * A program played on real memory. The slots are pages of their own, closed while nothing lives in
 * them; what lies there is the harness's own, put into guarded memory (guarded_input.h,
 * guarded_stream.h), or what an implementation exports, under a watch (watch.h). Nothing here knows
 * what is legal: a forbidden touch is a fault, a forbidden release or move is the monitor's to see,
 * and each is one finding. A step that breaks a rule is not carried out: everything is as it was
 * before it.
 */
#ifndef ADI_EXECUTION_H
#define ADI_EXECUTION_H

#include "guarded_input.h"
#include "helper.h"
#include "program.h"
#include "sample.h"
#include "watch.h"

struct adi_execution;

/* One export, or what a callback of one has handed out: the harness's own, or an implementation's.
 */
struct adi_exported_array {
    struct adi_exported_array *next;
    struct adi_exported_array *from; /* what has handed it out; NULL: nothing has */
    bool gone;                       /* it was released, all of it */
    struct adi_guarded guarded;      /* an array or a schema of the harness's own */
    struct adi_monitor *monitor;     /* of the harness's own, whatever it is */
    struct adi_watch *watch;         /* an implementation's; NULL: the harness's own */
    void *own;                       /* what its kind knows of it besides: freed with it */
    void (*close)(void *own);        /* ends it, before what it has handed out; NULL: no need */
    size_t first, last;              /* marks of the guard: its buffers */
    bool paused;                     /* its writes are queued behind what pauses the queue */
    bool deferred; /* an implementation's, and nobody has waited for its event or looked at it */
    struct adi_held *held; /* copies of what an implementation's held; newest first */
};

struct adi_execution_slot {
    struct ArrowDeviceArray *array; /* the slot: whatever lies there begins where it does */
    const struct adi_kind *kind;    /* of what lies there, or last lay; NULL: nothing did */
    bool lives;
    bool is_end;       /* what marks the end of a stream was put there: it never lived */
    bool moved;        /* it is not where it was exported to */
    bool part, parted; /* it was moved out of its parent; a part of it was */
    struct adi_exported_array *exported; /* what it is, or last was, part of */
    adi_release_fn *callback;            /* what `release` last was */
    const struct ArrowSchema *schema;    /* of what is there */
    const struct ArrowArray *wanted;     /* the values that belong there; NULL: not known */
    bool held; /* `wanted` is a copy of what is there, and not the sample: children are as long, and
                  the dictionary is in the order, that the implementation chose */
};

/* How an implementation takes part; NULL slots: the harness does it itself. */
struct adi_binding {
    void *context;
    /* Exports the sample to `out`, which is poison; takes over or releases `host`. An errno value:
     * refused, or unsound, and that has been reported. */
    int (*produce)(void *context, struct ArrowArray *host, struct ArrowDeviceArray *out);
    /* Takes `in` over and exports it again. */
    int (*relay)(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowDeviceArray *out);
    /* Takes `in` over and compares its copy with `wanted`. */
    int (*consume)(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   const struct ArrowArray *wanted);
    /* Makes a stream of `host`, which it takes over or not, in `out`, which is poison. */
    int (*produce_stream)(void *context, struct ArrowArrayStream *host,
                          struct ArrowDeviceArrayStream *out);
    /* Looks at what a callback of a stream has handed out. An errno value: it is unsound, and that
     * has been reported, or nobody can say. */
    int (*look_at_chunk)(void *context, struct ArrowDeviceArray *chunk);
    int (*look_at_schema)(void *context, const struct ArrowSchema *schema);
    /* A callback has answered no, which is no mistake. */
    void (*refuse)(void *context);
    /* It may keep what it has taken over until it imports the next, or until it ends: both, or
     * neither. */
    void (*import_once_more)(void *context);
    void (*close)(void *context);
};

#define ADI_EXECUTION_VALUES                                                                       \
    8 /* exports of a program with values of their own; then from the first */

struct adi_execution {
    struct adi_sink sink; /* counts, and passes on to `out` */
    struct adi_sink *out;
    size_t n_findings; /* findings so far */
    bool differs;      /* one was that an implementation's export holds other values than wanted */
    bool muted;
    bool paused;   /* the queue, until somebody waits, or has to read */
    bool defers;   /* what an implementation exports now is looked at when it was waited for */
    bool recovers; /* a fault in guarded memory is a finding, and not the end */
    struct adi_device *device;
    struct adi_binding binding;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    uint64_t seed;
    struct ArrowSchema schema;                      /* of the sample */
    struct ArrowArray values[ADI_EXECUTION_VALUES]; /* of the exports so far, and the first */
    size_t n_exports;                               /* of the program so far */
    struct adi_execution_slot slots[ADI_PROGRAM_SLOTS];
    struct adi_exported_array *exports, *spare;
    struct adi_mistake mistake; /* that what this step does may follow from */
    bool elsewhere;             /* releases come from another thread: */
    struct adi_helper helper;
    enum adi_party party;
    struct adi_error error; /* why the last step could not be done at all */
};

/* Opens an execution with the sample on an open device; findings go to `sink`, and begin with
 * the guard: `log` is where a fault in somebody else's code ends the worker, NULL where all code is
 * ours. One execution at a time in a process. An errno value: nothing is left to close. */
int adi_execution_open(struct adi_execution *execution, struct adi_device *device,
                       const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                       uint64_t seed, struct adi_sink *sink, struct adi_log *log,
                       struct adi_error *error);
/* Does one step, whatever it is; where there is no such child, or another kind, nothing. 0, or an
 * errno value: refused, or not possible here, and execution->error says why. */
int adi_execution_step(struct adi_execution *execution, const struct adi_step *step);
/* The rule that an implementation's array breaks if it fails in the step that is next,
 * after what has been done to it; NULL: none in particular. */
const char *adi_execution_cause(const struct adi_execution *execution, const struct adi_step *step);
/* The end of the program: what lives in the slots is forgotten, and the first of it is a finding.
 */
void adi_execution_finish(struct adi_execution *execution);
/* Cleans up, without a further finding, and begins anew: every slot is empty. */
int adi_execution_restart(struct adi_execution *execution);
/* Cleans up, without a further finding. */
void adi_execution_close(struct adi_execution *execution);

#endif /* ADI_EXECUTION_H */
