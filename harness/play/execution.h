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

#include "async.h"
#include "guarded_stream.h"
#include "helper.h"
#include "program.h"
#include "sample.h"
#include "watch.h"

struct adi_execution;
struct adi_execution_slot;

/* One export, or what a callback of one has handed out: the harness's own, or an implementation's.
 */
struct adi_exported_array {
    struct adi_exported_array *next;
    struct adi_exported_array *from; /* what has handed it out; NULL: nothing has */
    bool gone;                       /* it was released, but for what was moved out of it */
    /* Does what `release` is to it, and judges whether it may be done: the slot may be one that it
     * was moved away from, or has ended in. NULL: its callback of that name is called. */
    int (*end)(struct adi_execution *execution, struct adi_execution_slot *slot);
    /* (optional) Is one that is like it, and is released where it was made and on this thread,
     * marked released? */
    bool (*clears)(struct adi_execution *execution, const struct adi_execution_slot *slot);
    const char *outlived; /* what a failure of what it has handed out breaks then */
    /* Of a chunk that a moved stream gave: would it be right where that was made? NULL: not moved.
     * Asked once, before what is found follows from the move. */
    bool (*right_unmoved)(const struct adi_exported_array *chunk);
    const struct adi_kind *by;   /* the stream's */
    size_t number;               /* from 0 */
    bool theirs;                 /* an implementation's, of a kind that is not watched */
    struct adi_guarded guarded;  /* an array or a schema of the harness's own */
    struct adi_monitor *monitor; /* of the harness's own, whatever it is */
    struct adi_watch *watch;     /* an implementation's; NULL: the harness's own */
    void *own;                   /* what its kind knows of it besides: freed with it */
    void (*close)(void *own);    /* ends it, before what it has handed out; NULL: no need */
    size_t first, last;          /* marks of the guard: its buffers */
    bool paused;                 /* its writes are queued behind what pauses the queue */
    bool deferred; /* an implementation's, and nobody has waited for its event or looked at it */
    struct adi_held *held; /* copies of what an implementation's held; newest first */
};

/* What remains of a stream that an implementation takes over. */
struct adi_stream_rest {
    struct adi_guarded_stream *guarded;     /* the harness's own that it is, or was relayed from */
    const struct ArrowArray *const *values; /* of its chunks */
    size_t n;
    int failure; /* what get_next answers behind them; 0: the end */
};

struct adi_execution_slot {
    struct ArrowDeviceArray *array; /* the slot: whatever lies there begins where it does */
    const struct adi_kind *kind;    /* of what lies there, or last lay; NULL: nothing did */
    bool lives;
    bool is_end;       /* what marks the end of a stream was put there: it never lived */
    bool is_over;      /* what lay there has ended in a state of its kind's own */
    bool moved;        /* it is not where it was exported to */
    bool part, parted; /* it was moved out of its parent; a part of it was */
    /* A part of what a stream has handed out: which of the two was gone when it was last right. */
    enum {
        ADI_STANDS_ON_BOTH, /* neither, or that was not looked at */
        ADI_STANDS_ON_STREAM,
        ADI_STANDS_ON_CHUNK
    } stands;
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
    /* Exports the sample to `out`, which is poison; takes over or releases `host`. `wanted` is what
     * is to come out, of this and of the others; NULL: that is not known. An errno value: refused,
     * or unsound, and that has been reported. */
    int (*produce)(void *context, struct ArrowArray *host, const struct ArrowArray *wanted,
                   struct ArrowDeviceArray *out);
    /* Takes `in` over and exports it again. */
    int (*relay)(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 const struct ArrowArray *wanted, struct ArrowDeviceArray *out);
    /* Takes `in` over and compares its copy with `wanted`. */
    int (*consume)(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   const struct ArrowArray *wanted);
    /* Makes a stream of `host`, which it takes over or not, in `out`, which is poison. */
    int (*produce_stream)(void *context, struct ArrowArrayStream *host, void *out);
    bool takes_host; /* and is judged as the consumer of `host`, too */
    /* Takes `in` over, and compares what comes of it with what remains. */
    int (*consume_stream)(void *context, void *in, const struct adi_stream_rest *rest);
    /* Takes `in` over and exports it again, to `out`, which is poison. */
    int (*relay_stream)(void *context, struct ArrowDeviceArrayStream *in, void *out);
    bool copies; /* so as host copies, in an ArrowArrayStream: all streams are; what differs was
                    misread */
    /* A stream of the harness's own that it has taken over is about to give its end, or an error:
     * who overlooks it breaks this rule; NULL: somebody has asked what was wrong. Any thread. */
    void (*tell)(void *context, const char *rule);
    /* The call within which that may have come is over. */
    void (*calm)(void *context);
    /* Looks at what a callback of a stream has handed out. An errno value: it is unsound, and that
     * has been reported, or nobody can say. */
    int (*look_at_chunk)(void *context, struct ArrowDeviceArray *chunk,
                         const struct ArrowArray *wanted);
    int (*look_at_schema)(void *context, const struct ArrowSchema *schema);
    /* Drives the handler with `host`, which it takes over or not. */
    int (*produce_async)(void *context, struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler);
    enum adi_async_layout layout; /* of its ArrowAsyncProducer */
    int limit_ms;                 /* that a callback of its may be waited for */
    /* From here on a crash breaks this rule; NULL: what one would break in the step at hand. */
    void (*tell_crash)(void *context, const char *rule);
    /* No step is too long up to here. */
    void (*move_on)(void *context);
    /* A callback of its was waited for, and has not come; if `starved`, it had no processor, and
     * nothing can be said. */
    void (*wait_in_vain)(void *context, bool starved);
    /* A callback of its may still come when the program is over: the process has to end then. */
    void (*stay)(void *context);
    /* A callback has answered no, which is no mistake. */
    void (*refuse)(void *context);
    /* It may keep what it has taken over until it imports the next, or until it ends: both, or
     * neither. */
    void (*import_once_more)(void *context);
    void (*close)(void *context);
};

#define ADI_EXECUTION_SLOTS (ADI_PROGRAM_SLOTS + 1) /* one for what no program sees */
#define ADI_EXECUTION_VALUES                                                                       \
    8 /* exports of a program with values of their own; then from the first */

struct adi_execution {
    struct adi_sink sink; /* counts, and passes on to `out` */
    struct adi_sink *out;
    _Atomic size_t n_findings; /* so far; on any thread */
    bool differs; /* one was that an implementation's export holds other values than wanted */
    const struct adi_rule *before; /* that the finding at hand broke, before the values that belong
                                      there told what it is; NULL: it is as it was */
    bool muted;
    bool paused;   /* the queue, until somebody waits, or has to read */
    bool defers;   /* what an implementation exports now is looked at when it was waited for */
    bool on_host;  /* its streams are ArrowArrayStreams */
    bool recovers; /* a fault in guarded memory is a finding, and not the end */
    struct adi_device *device;
    struct adi_binding binding;
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    uint64_t seed;
    struct ArrowSchema schema;                      /* of the sample */
    struct ArrowArray values[ADI_EXECUTION_VALUES]; /* of the exports so far, and the first */
    size_t n_exports;                               /* of the program so far */
    struct adi_execution_slot slots[ADI_EXECUTION_SLOTS];
    struct adi_exported_array *exports, *spare;
    enum {
        ADI_ASYNC_UNTRIED,
        ADI_ASYNC_IS_RIGHT,
        ADI_ASYNC_IS_NOT
    } async_within;        /* are tasks right that are extracted within on_next_task? */
    bool is_cut_anew;      /* the stream of these has other batches than it was made of */
    bool one_task_at_once; /* the next comes when the one before it was extracted: that was seen */
    struct adi_mistake mistake;                 /* that what this step does may follow from */
    const struct adi_exported_array *looked_at; /* a chunk that a moved stream gave; NULL: none */
    bool releases; /* its callback is called; it may be asked whether another clears */
    struct adi_found not_cleared; /* that was found meanwhile; its rule NULL: it was not */
    bool elsewhere;               /* releases come from another thread: */
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
/* Before the first step, once an execution: an implementation's tasks are extracted, and given up,
 * within their calls, so that what a copy of one cannot do is told from what none can. As
 * adi_execution_step. */
int adi_execution_try_within(struct adi_execution *execution);
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
