/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to arrays.
 */
#include <errno.h>

#include "device_types.h"
#include "execution_internal.h"
#include "import.h"

/* ---- touching, judging ---- */

/* Of the harness's own export, where a buffer without bytes is NULL or in guarded memory. false:
 * that was a finding. */
static bool touch_buffers(const struct ArrowArray *array) {
    if (array->release == NULL) return true;
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (array->buffers[i] != NULL && !adi_guard_touch(array->buffers[i])) return false;
    for (int64_t i = 0; i < array->n_children; i++)
        if (!touch_buffers(array->children[i])) return false;
    return array->dictionary == NULL || touch_buffers(array->dictionary);
}

/* ---- the operations ---- */

static int do_export(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_execution_may_receive(slot, step->operation)) return 0;
    bool pending = step->operation == ADI_DO_export_pending;
    return (p->binding.produce != NULL ? adi_export_produce : adi_export_guard)(p, slot, pending);
}

static int do_relay(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = &p->slots[step->slot], *to = &p->slots[step->to];
    struct ArrowDeviceArray imported;
    if (!adi_guard_touch(from->array)) return 0;
    if (!adi_execution_may(from, step->operation, &from->array->array)) return 0;
    if (!adi_execution_may_receive(to, ADI_DO_receive)) return 0;
    if (!adi_execution_stands(p, from)) return 0;
    if (p->binding.relay != NULL) return adi_export_relay(p, from, to);
    struct ArrowArray before = from->array->array;
    ADI_TRY(adi_import(p->device, from->schema, from->array, &imported, &p->error));
    from->array->array = before; /* the move is told once, from slot to slot */
    adi_execution_go(from, &from->array->array, to);
    return 0;
}

/* What a part holds that is about to leave, or has left, is known by then; unless nobody has
 * waited.
 */
static int hold_whole(struct adi_execution *p, struct adi_execution_slot *from) {
    bool theirs = from->exported->watch != NULL;
    return theirs && !from->parted && !from->exported->deferred ? adi_execution_hold(p, from) : 0;
}

static int hold_part(struct adi_execution *p, const struct adi_execution_slot *from,
                     struct adi_execution_slot *to) {
    if (from->exported->watch == NULL || from->held) return 0;
    to->wanted = NULL;
    return from->exported->deferred ? 0 : adi_execution_hold_parts(p, from->exported);
}

static int do_move_child(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = &p->slots[step->slot], *to = &p->slots[step->to];
    bool dictionary = step->operation == ADI_DO_move_dictionary;
    if (!adi_guard_touch(from->array) || !adi_execution_stands(p, from)) return 0;
    struct ArrowArray *parent = &from->array->array;
    if (dictionary ? parent->dictionary == NULL : step->child >= parent->n_children) return 0;
    struct ArrowArray *child = dictionary ? parent->dictionary : parent->children[step->child];
    bool gone = child->release == NULL;
    if (!adi_execution_may(from, gone ? ADI_DO_move : step->operation, gone ? child : parent))
        return 0;
    if (!adi_execution_may_receive(to, ADI_DO_receive)) return 0;
    const size_t before = p->n_findings;
    ADI_TRY(hold_whole(p, from));
    if (p->n_findings > before) return 0;
    const struct ArrowSchema *schema = from->schema;
    const struct ArrowArray *wanted = from->wanted;
    adi_execution_go(from, child, to);
    from->parted = true;
    to->part = true;
    to->parted = false;
    to->schema = dictionary ? schema->dictionary : schema->children[step->child];
    if (wanted != NULL)
        to->wanted = dictionary ? wanted->dictionary : wanted->children[step->child];
    return hold_part(p, from, to);
}

/* An event itself is its runtime's, and nothing to look at. */
static bool can_touch_event(const struct ArrowDeviceArray *array) {
    bool is_object = adi_device_type_of((int)array->device_type)->event == ADI_EVENT_OBJECT;
    return is_object || adi_guard_touch(array->sync_event);
}

static int do_wait(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_guard_touch(slot->array)) return 0;
    if (!adi_execution_may(slot, ADI_DO_wait, &slot->array->array)) return 0;
    void *event = slot->array->sync_event;
    if (event != NULL && slot->exported->deferred) {
        if (!adi_export_complete(p, slot)) return 0;
        ADI_TRY(adi_export_await(p, event));
        ADI_TRY(adi_execution_hold_parts(p, slot->exported));
    } else if (event != NULL) {
        const struct adi_guarded *guarded = &slot->exported->guarded;
        if (slot->exported->watch == NULL && !can_touch_event(slot->array)) return 0;
        if (event == guarded->handle_at) event = guarded->real.sync_event;
        if (guarded->real.sync_event != event && slot->exported->watch == NULL)
            adi_guard_withhold(slot->exported->first, slot->exported->last, false);
        else
            ADI_TRY(adi_export_await(p, event));
        if (slot->exported->paused) ADI_TRY(adi_exports_resume(p));
    }
    if (slot->exported->watch == NULL)
        adi_monitor_waited(&slot->exported->guarded.monitor, &slot->array->array);
    return 0;
}

static int do_read(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_guard_touch(slot->array) || !adi_execution_stands(p, slot)) return 0;
    if (adi_device_type_is_cpu(p->device->ops->type) && slot->exported->watch == NULL &&
        !touch_buffers(&slot->array->array))
        return 0;
    if (!adi_execution_may(slot, ADI_DO_read, &slot->array->array)) return 0;
    if (slot->exported->right_unmoved != NULL) p->looked_at = slot->exported;
    return adi_execution_compare(p, slot);
}

static int do_release_child(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_guard_touch(slot->array)) return 0;
    if (step->child >= slot->array->array.n_children) return 0;
    struct ArrowArray *child = slot->array->array.children[step->child];
    adi_release_fn *callback = adi_kind_release(&adi_kind_array, child);
    adi_execution_call_release(p, slot, child, callback != NULL ? callback : slot->callback);
    return 0;
}

static int do_consume(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_guard_touch(slot->array)) return 0;
    if (!adi_execution_may(slot, ADI_DO_consume, &slot->array->array)) return 0;
    if (p->binding.consume != NULL) {
        adi_export_hand_over(slot);
        int code = p->binding.consume(p->binding.context, slot->schema, slot->array, slot->wanted);
        adi_exports_resume(p); /* whoever waits resumes everything */
        if (slot->array->array.release == NULL) adi_execution_slot_empty(slot);
        return code;
    }
    ADI_TRY(do_wait(p, step));
    ADI_TRY(adi_execution_compare(p, slot));
    return adi_execution_release(p, step);
}

/* ---- what a failure would be ---- */

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    bool releases = operation == ADI_DO_release, relays = operation == ADI_DO_relay;
    bool parts = operation == ADI_DO_move_child || operation == ADI_DO_move_dictionary;
    if (!releases && !relays && !parts && operation != ADI_DO_read && operation != ADI_DO_consume)
        return NULL;
    if (releases && slot->parted) return "life/moved-child-released";
    if (slot->part) return adi_execution_cause_of_part(slot);
    if (relays) return NULL;
    if (slot->exported->from != NULL && slot->exported->from->gone)
        return slot->exported->from->outlived;
    if (releases && p->elsewhere) return "life/release-on-other-thread";
    const bool of_moved = operation == ADI_DO_read && slot->exported->right_unmoved != NULL;
    return slot->moved || of_moved ? "life/depends-on-address" : NULL;
}

const struct adi_acts adi_acts_array = {&adi_kind_array,
                                        cause,
                                        {
                                            {ADI_DO_export, do_export},
                                            {ADI_DO_export_pending, do_export},
                                            {ADI_DO_move_child, do_move_child},
                                            {ADI_DO_move_dictionary, do_move_child},
                                            {ADI_DO_wait, do_wait},
                                            {ADI_DO_read, do_read},
                                            {ADI_DO_relay, do_relay},
                                            {ADI_DO_consume, do_consume},
                                            {ADI_DO_release_child, do_release_child},
                                            {.act = NULL},
                                        }};
