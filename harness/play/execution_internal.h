/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of an execution share: slots that open and close, what is exported, and what an
 * operation does. Each kind of handle has a file of its own (execution_array.c,
 * execution_stream.c), which ends in the table of its acts; operations on whatever there is are in
 * execution_place.c.
 */
#ifndef ADI_EXECUTION_INTERNAL_H
#define ADI_EXECUTION_INTERNAL_H

#include "execution.h"

/* What an operation does. An errno value: refused, or not possible here. */
struct adi_act {
    enum adi_life_operation operation;
    int (*act)(struct adi_execution *p, const struct adi_step *step); /* NULL ends a table */
};

#define ADI_ACTS_MOST 16

/* What can be done to one kind of handle. */
struct adi_acts {
    const struct adi_kind *handle; /* NULL: any */
    /* The rule that an implementation's breaks if it fails in the operation, after what has been
     * done to it; NULL: none in particular. NULL itself: there is never one. */
    const char *(*cause)(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation);
    struct adi_act acts[ADI_ACTS_MOST];
};

#define KIND(name, prefix, what) extern const struct adi_acts adi_acts_##name;
#include "../life/all.def"

/* A copy of what an implementation's export held. */
struct adi_held {
    struct adi_held *next;
    struct ArrowArray array;
};

/* Something lives in the slot from here on, or no longer. */
void adi_execution_slot_fill(struct adi_execution_slot *slot);
void adi_execution_slot_empty(struct adi_execution_slot *slot);

/* Tells the monitor what is about to be done where. false: that was a finding. */
bool adi_execution_may(const struct adi_execution_slot *slot, enum adi_life_operation operation,
                       const void *address);
/* May something be put into the slot by the operation? */
bool adi_execution_may_receive(const struct adi_execution_slot *slot,
                               enum adi_life_operation operation);
/* What is at `from`, of the slot or of one of its children, goes to the other slot. */
void adi_execution_go(struct adi_execution_slot *slot, struct ArrowArray *from,
                      struct adi_execution_slot *to);
/* Calls the release callback of what is in the slot. */
int adi_execution_release(struct adi_execution *p, const struct adi_step *step);
/* Calls a release callback of the harness's own, or an implementation's, here or elsewhere. */
void adi_execution_call_release(struct adi_execution *p, const struct adi_execution_slot *slot,
                                void *structure, adi_release_fn *callback);

/* A record of something that is exported. NULL: out of memory, and p->error says so. */
struct adi_exported_array *adi_export_add(struct adi_execution *p);
/* Something of the kind is in the slot from here on. */
void adi_export_settle(struct adi_execution_slot *slot, struct adi_exported_array *exported,
                       const struct adi_kind *kind, const struct ArrowSchema *schema,
                       const struct ArrowArray *values);
/* Puts the sample of an export into guarded memory, a pending one behind a queue that is paused. */
int adi_export_put(struct adi_execution *p, struct adi_exported_array *exported, bool pending,
                   struct adi_guarded_pair *pair, const struct ArrowArray **values);
/* It lies in the slot now. */
void adi_export_arrive(struct adi_execution *p, struct adi_execution_slot *slot,
                       struct adi_exported_array *exported, bool pending,
                       const struct ArrowArray *values);
/* The values of the next export: `*host` is a sample of its own. */
int adi_export_values(struct adi_execution *p, const struct ArrowArray **values,
                      struct ArrowArray *host);
#define ADI_SOURCE_FAILURE EIO /* what a source that fails answers, and says */
extern const char adi_source_failure_text[];
/* A plain stream over new values, which an implementation makes its own of: what it does with that
 * is judged elsewhere. `fails`: instead of its end comes ADI_SOURCE_FAILURE. */
int adi_export_host_stream(struct adi_execution *p, const struct ArrowArray **values, size_t n,
                           bool fails, struct ArrowArrayStream *out);
/* Pauses the queues that what is pending is behind, or resumes them. */
int adi_exports_pause(struct adi_execution *p, bool pending);
/* What came out of a call of an implementation's that returned `code` is put under a watch. */
int adi_export_watch(struct adi_execution *p, struct adi_execution_slot *slot,
                     struct adi_exported_array *exported, const struct adi_kind *kind,
                     const struct ArrowSchema *schema, const struct ArrowArray *values, int code);
/* It came pending, or is waited for at once. */
int adi_export_defer(struct adi_execution *p, struct adi_execution_slot *slot, bool pending);

/* Puts a new export of the harness's own into the slot: the sample, in guarded memory. What is
 * pending is behind a queue that is paused, where the device can pause one. */
int adi_export_guard(struct adi_execution *p, struct adi_execution_slot *slot, bool pending);
/* Resumes the queue that pending exports of the harness's own are behind: all are complete soon.
 */
int adi_exports_resume(struct adi_execution *p);
/* Waits for an event. Where an implementation may be next to read what comes without one, on queues
 * of its own, the host waits. What comes from elsewhere is waited on at once: whether it had to be
 * is not the program's. */
int adi_export_await(struct adi_execution *p, void *event);
/* The implementation exports the sample to the slot; it is checked and put under a watch. What is
 * pending is behind its queues, which are paused, and not looked at yet. */
int adi_export_produce(struct adi_execution *p, struct adi_execution_slot *slot, bool pending);
/* Waits for the event of what an implementation exported pending: is it behind what it is for?
 * false: no, and that has been reported. */
bool adi_export_complete(struct adi_execution *p, const struct adi_execution_slot *slot);
/* The implementation takes over what is in `from` and exports it to `to`. */
int adi_export_relay(struct adi_execution *p, struct adi_execution_slot *from,
                     struct adi_execution_slot *to);
/* It has been told whom to take it from: what it does with it, nobody is told. */
void adi_export_hand_over(struct adi_execution_slot *slot);
/* A structure of the exported array was moved. */
void adi_export_moved(struct adi_exported_array *exported, const void *from, void *to);

/* ---- reading (execution_read.c) ---- */

/* Reads what is in the slot and compares it with the values that belong there; what differs is a
 * finding. An errno value: that cannot be done, and execution->error says why. */
int adi_execution_compare(struct adi_execution *p, const struct adi_execution_slot *slot);
/* The same before a part of what an implementation exported is moved out: from here on the values
 * that belong there are those that it holds. It is the implementation's how long a child is, where
 * it begins, and what order a dictionary has. */
int adi_execution_hold(struct adi_execution *p, struct adi_execution_slot *slot);
/* The same of those parts of an export that were moved out before anybody had waited for it. */
int adi_execution_hold_parts(struct adi_execution *p, const struct adi_exported_array *exported);

/* What was relayed stands on what the relay was given. false: that is gone while its export is
 * live, and a finding; the harness is not to touch it either (execution_parts.c). */
bool adi_execution_stands(struct adi_execution *p, const struct adi_execution_slot *slot);
/* An implementation's stream, or a chunk of one, is about to be released: looks at what was moved
 * out of its chunks, so that it is known which of the two each part stood on. */
int adi_execution_look_at_parts(struct adi_execution *p, const struct adi_exported_array *exported);
/* The rule that is broken if something is wrong with a part; NULL: nobody can tell. */
const char *adi_execution_cause_of_part(const struct adi_execution_slot *slot);

/* How many structures of the harness's own exports are not released yet. */
size_t adi_exports_live(const struct adi_execution *p);
/* Ends all watches and guarded inputs; the records are kept for the next program. */
void adi_exports_close(struct adi_execution *p);
/* Frees the records that are kept. */
void adi_exports_free(struct adi_execution *p);

#endif /* ADI_EXECUTION_INTERNAL_H */
