/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of an execution share: slots that open and close, and the arrays that are
 * exported.
 */
#ifndef ADI_EXECUTION_INTERNAL_H
#define ADI_EXECUTION_INTERNAL_H

#include "execution.h"

/* A copy of what an implementation's export held. */
struct adi_held {
    struct adi_held *next;
    struct ArrowArray array;
};

/* Something lives in the slot from here on, or no longer. */
void adi_execution_slot_fill(struct adi_execution_slot *slot);
void adi_execution_slot_empty(struct adi_execution_slot *slot);

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

/* How many structures of the harness's own exports are not released yet. */
size_t adi_exports_live(const struct adi_execution *p);
/* Ends all watches and guarded inputs; the records are kept for the next program. */
void adi_exports_close(struct adi_execution *p);
/* Frees the records that are kept. */
void adi_exports_free(struct adi_execution *p);

#endif /* ADI_EXECUTION_INTERNAL_H */
