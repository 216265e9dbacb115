/* SPDX-License-Identifier: Apache-2.0 */
#include "execution_internal.h"

#include <errno.h>

#include "device_types.h"
#include "grace_period.h"
#include "import.h"
#include "move.h"
#include "play.h"

#define GRACE_MS   100
#define AT_ONCE_MS 20

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_execution *p = (struct adi_execution *)(void *)sink;
    if (p->muted) return;
    struct adi_found told = *finding;
    p->n_findings++;
    adi_mistake_takes(&p->mistake, &told);
    p->out->violated(p->out, &told);
}

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

/* Tells the monitor what is about to be done where. */
static bool may(const struct adi_execution_slot *slot, enum adi_life_operation operation,
                const void *address) {
    if (slot->exported == NULL || slot->exported->watch != NULL) return true;
    return adi_monitor_judge(&slot->exported->guarded.monitor, operation, address);
}

/* Is any of what the array stands on guarded memory that has been released? Nothing is read of it.
 */
static bool is_gone(const struct ArrowArray *array) {
    bool gone = adi_guard_is_retired(array) || adi_guard_is_retired(array->buffers) ||
                adi_guard_is_retired(array->children);
    if (gone || array->release == NULL) return gone;
    for (int64_t i = 0; i < array->n_buffers && !gone; i++)
        gone = adi_guard_is_retired(array->buffers[i]);
    for (int64_t i = 0; i < array->n_children && !gone; i++) gone = is_gone(array->children[i]);
    return gone || (array->dictionary != NULL && is_gone(array->dictionary));
}

/* What was relayed stands on what the relay was given. false: that is gone while its export is
 * live, and a finding; the harness is not to touch it either. */
static bool stands(struct adi_execution *p, const struct adi_execution_slot *slot) {
    if (p->binding.relay == NULL || !slot->lives || slot->exported->watch == NULL) return true;
    if (!is_gone(&slot->array->array)) return true;
    adi_report(&p->sink, slot->part ? "life/child-depends-on-parent" : "life/use-after-release",
               ADI_CONSUMER, "a released input", "an input that lives as long as what stands on it",
               "what was relayed points to what the relay has released by now");
    return false;
}

/* ---- slots ---- */

static struct adi_execution_slot *slot_of(struct adi_execution *p, int slot) {
    return &p->slots[slot];
}

/* May something be put into the slot? */
static bool may_receive(const struct adi_execution_slot *slot, enum adi_life_operation operation) {
    return !slot->lives || may(slot, operation, &slot->array->array);
}

/* ---- the operations ---- */

static int do_export(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!may_receive(slot, step->operation)) return 0;
    bool pending = step->operation == ADI_DO_export_pending;
    return (p->binding.produce != NULL ? adi_export_produce : adi_export_guard)(p, slot, pending);
}

/* What is at `from`, of the slot or of one of its children, goes to the slot. */
static void go(struct adi_execution_slot *slot, struct ArrowArray *from,
               struct adi_execution_slot *to) {
    bool whole = from == &slot->array->array;
    adi_execution_slot_fill(to);
    *to->array = *slot->array;
    to->callback = slot->callback;
    to->exported = slot->exported;
    to->schema = slot->schema;
    to->wanted = slot->wanted;
    to->held = slot->held;
    to->part = slot->part;
    to->parted = slot->parted;
    to->moved = true;
    if (!whole) to->array->sync_event = NULL; /* a child has no event of its own */
    adi_array_move(from, &to->array->array);
    adi_export_moved(slot->exported, from, &to->array->array);
    if (whole) adi_execution_slot_empty(slot);
}

static int do_move(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = slot_of(p, step->slot), *to = slot_of(p, step->to);
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    go(from, &from->array->array, to);
    return 0;
}

static int do_relay(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = slot_of(p, step->slot), *to = slot_of(p, step->to);
    struct ArrowDeviceArray imported;
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    if (!stands(p, from)) return 0;
    if (p->binding.relay != NULL) return adi_export_relay(p, from, to);
    struct ArrowArray before = from->array->array;
    ADI_TRY(adi_import(p->device, from->schema, from->array, &imported, &p->error));
    from->array->array = before; /* the move is told once, from slot to slot */
    go(from, &from->array->array, to);
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
    struct adi_execution_slot *from = slot_of(p, step->slot), *to = slot_of(p, step->to);
    bool dictionary = step->operation == ADI_DO_move_dictionary;
    if (!adi_guard_touch(from->array) || !stands(p, from)) return 0;
    struct ArrowArray *parent = &from->array->array;
    if (dictionary ? parent->dictionary == NULL : step->child >= parent->n_children) return 0;
    struct ArrowArray *child = dictionary ? parent->dictionary : parent->children[step->child];
    bool gone = child->release == NULL;
    if (!may(from, gone ? ADI_DO_move : step->operation, gone ? child : parent)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    const size_t before = p->n_findings;
    ADI_TRY(hold_whole(p, from));
    if (p->n_findings > before) return 0;
    const struct ArrowSchema *schema = from->schema;
    const struct ArrowArray *wanted = from->wanted;
    go(from, child, to);
    from->parted = true;
    to->part = true;
    to->parted = false;
    to->schema = dictionary ? schema->dictionary : schema->children[step->child];
    if (wanted != NULL)
        to->wanted = dictionary ? wanted->dictionary : wanted->children[step->child];
    return hold_part(p, from, to);
}

static int do_wait(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!adi_guard_touch(slot->array)) return 0;
    if (!may(slot, ADI_DO_wait, &slot->array->array)) return 0;
    void *event = slot->array->sync_event;
    if (event != NULL && slot->exported->deferred) {
        if (!adi_export_complete(p, slot)) return 0;
        ADI_TRY(adi_export_await(p, event));
        ADI_TRY(adi_execution_hold_parts(p, slot->exported));
    } else if (event != NULL) {
        const struct adi_guarded *guarded = &slot->exported->guarded;
        if (slot->exported->watch == NULL && !adi_guard_touch(event)) return 0;
        if (event == guarded->handle_at) event = guarded->real.sync_event;
        if (guarded->real.sync_event != event && slot->exported->watch == NULL)
            adi_guard_withhold(slot->exported->from, slot->exported->to, false);
        else
            ADI_TRY(adi_export_await(p, event));
        if (slot->exported->paused) ADI_TRY(adi_exports_resume(p));
    }
    if (slot->exported->watch == NULL)
        adi_monitor_waited(&slot->exported->guarded.monitor, &slot->array->array);
    return 0;
}

static int do_read(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!adi_guard_touch(slot->array) || !stands(p, slot)) return 0;
    if (adi_device_type_is_cpu(p->device->ops->type) && slot->exported->watch == NULL &&
        !touch_buffers(&slot->array->array))
        return 0;
    if (!may(slot, ADI_DO_read, &slot->array->array)) return 0;
    return adi_execution_compare(p, slot);
}

/* ---- releasing ---- */

/* Calls a callback of the harness's own, or that of an implementation. */
static void call_release(struct adi_execution *p, const struct adi_execution_slot *slot,
                         struct ArrowArray *array, void (*callback)(struct ArrowArray *)) {
    bool theirs = slot->exported != NULL && slot->exported->watch != NULL;
    if (theirs) {
        adi_guard_enter_implementation();
        callback = adi_call_release_callback;
    }
    if (!p->elsewhere || !adi_helper_call(&p->helper, array, callback)) callback(array);
    if (theirs) adi_guard_leave_implementation();
}

static int do_release(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!slot->lives && slot->callback == NULL && !adi_guard_touch(slot->array)) return 0;
    if (!slot->lives) adi_guard_reopen(slot->array); /* a wrong consumer kept the callback */
    struct ArrowArray *array = &slot->array->array;
    call_release(p, slot, array, slot->lives ? array->release : slot->callback);
    if (!slot->lives || array->release == NULL) adi_execution_slot_empty(slot);
    return 0;
}

static int do_release_child(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!adi_guard_touch(slot->array)) return 0;
    if (step->child >= slot->array->array.n_children) return 0;
    struct ArrowArray *child = slot->array->array.children[step->child];
    call_release(p, slot, child, child->release != NULL ? child->release : slot->callback);
    return 0;
}

static int do_consume(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (!adi_guard_touch(slot->array)) return 0;
    if (!may(slot, ADI_DO_consume, &slot->array->array)) return 0;
    if (p->binding.consume != NULL) {
        adi_export_hand_over(slot);
        int code = p->binding.consume(p->binding.context, slot->schema, slot->array, slot->wanted);
        adi_exports_resume(p); /* whoever waits resumes everything */
        if (slot->array->array.release == NULL) adi_execution_slot_empty(slot);
        return code;
    }
    ADI_TRY(do_wait(p, step));
    ADI_TRY(adi_execution_compare(p, slot));
    return do_release(p, step);
}

static int do_drop(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = slot_of(p, step->slot);
    if (slot->lives) may(slot, ADI_DO_drop, &slot->array->array);
    return 0;
}

static int do_switch(struct adi_execution *p, const struct adi_step *step) {
    p->elsewhere = step->slot == 1;
    return 0;
}

static int (*const acts[ADI_LIFE_OPERATIONS])(struct adi_execution *, const struct adi_step *) = {
    [ADI_DO_export] = do_export,
    [ADI_DO_export_pending] = do_export,
    [ADI_DO_move] = do_move,
    [ADI_DO_move_child] = do_move_child,
    [ADI_DO_move_dictionary] = do_move_child,
    [ADI_DO_wait] = do_wait,
    [ADI_DO_read] = do_read,
    [ADI_DO_relay] = do_relay,
    [ADI_DO_consume] = do_consume,
    [ADI_DO_release] = do_release,
    [ADI_DO_release_elsewhere] = do_switch,
    [ADI_DO_release_child] = do_release_child,
    [ADI_DO_drop] = do_drop,
};

/* ---- from the first step to the last ---- */

const char *adi_execution_cause(const struct adi_execution *p, const struct adi_step *step) {
    const struct adi_execution_slot *slot = &p->slots[step->slot];
    bool releases = step->operation == ADI_DO_release, relays = step->operation == ADI_DO_relay;
    bool parts = step->operation == ADI_DO_move_child || step->operation == ADI_DO_move_dictionary;
    if (!releases && !relays && !parts && step->operation != ADI_DO_read &&
        step->operation != ADI_DO_consume)
        return NULL;
    if (!slot->lives || slot->exported->watch == NULL) return NULL;
    if (releases && slot->parted) return "life/moved-child-released";
    if (slot->part) return "life/child-depends-on-parent";
    if (relays) return NULL;
    if (releases && p->elsewhere) return "life/release-on-other-thread";
    return slot->moved ? "life/depends-on-address" : NULL;
}

int adi_execution_step(struct adi_execution *p, const struct adi_step *step) {
    static sigjmp_buf point;
    volatile int code = 0;
    bool ours = p->binding.context == NULL;
    p->error.text[0] = '\0';
    p->mistake = adi_mistake(adi_execution_cause(p, step), false);
    if (p->recovers) adi_guard_recover(&point);
    if (ours) adi_guard_enter_implementation();
    if (sigsetjmp(point, 0) == 0) code = acts[step->operation](p, step);
    if (ours) adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    p->mistake = adi_mistake(NULL, false);
    return code;
}

/* An implementation's release may come late, from a thread or a finalizer. */
static bool await_release(const struct adi_execution *p, int most_ms) {
    struct adi_grace_period grace = adi_grace_period(most_ms);
    while (adi_exports_live(p) > 0 && adi_other_threads() > 0 && adi_grace_period_sleep(&grace))
        continue;
    return adi_exports_live(p) == 0;
}

void adi_execution_finish(struct adi_execution *p) {
    bool theirs = p->binding.close != NULL;
    for (int i = 0; i < ADI_PROGRAM_SLOTS && p->n_findings == 0; i++)
        adi_execution_step(p, &(struct adi_step){.operation = ADI_DO_drop, .slot = i});
    if (theirs && p->n_findings == 0 && !await_release(p, AT_ONCE_MS)) {
        p->binding.import_once_more(p->binding.context);
        if (!await_release(p, GRACE_MS)) {
            p->binding.close(p->binding.context);
            await_release(p, GRACE_MS);
        }
    }
    for (struct adi_exported_array *exported = p->exports; exported != NULL && p->n_findings == 0;
         exported = exported->next)
        if (exported->watch == NULL) adi_monitor_finish(&exported->guarded.monitor);
}

/* Lets go of everything that was exported. */
static void clear(struct adi_execution *p) {
    p->muted = true;
    adi_exports_resume(p);
    for (struct adi_exported_array *exported = p->exports; exported != NULL;
         exported = exported->next)
        exported->guarded.monitor.refuses = false;
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (p->slots[i].lives && p->slots[i].array->array.release != NULL)
            p->slots[i].array->array.release(&p->slots[i].array->array);
    adi_exports_close(p);
    adi_guard_reset();
    p->muted = false;
}

static int set_slots(struct adi_execution *p, struct adi_error *error) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_execution_slot *slot = &p->slots[i];
        *slot = (struct adi_execution_slot){.lives = false};
        slot->array = adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof *slot->array, 1, "a slot");
        if (slot->array == NULL) return adi_error_set(error, ENOMEM, "the guard is full");
        adi_guard_retire_soon(slot->array);
    }
    adi_guard_settle();
    return 0;
}

int adi_execution_restart(struct adi_execution *p) {
    clear(p);
    p->n_findings = 0;
    p->differs = false;
    p->n_exports = 0;
    p->elsewhere = false;
    return set_slots(p, &p->error);
}

void adi_execution_close(struct adi_execution *p) {
    clear(p);
    adi_exports_free(p);
    adi_helper_dismiss(&p->helper);
    for (size_t i = 0; i < ADI_EXECUTION_VALUES; i++) adi_array_release(&p->values[i]);
    adi_schema_release(&p->schema);
}

int adi_execution_open(struct adi_execution *p, struct adi_device *device,
                       const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                       uint64_t seed, struct adi_sink *sink, struct adi_log *log,
                       struct adi_error *error) {
    *p = (struct adi_execution){.sink = {.violated = on_finding},
                                .out = sink,
                                .device = device,
                                .type = type,
                                .shape = shape,
                                .seed = seed,
                                .party = ADI_CONSUMER,
                                .recovers = log == NULL};
    ADI_TRY(adi_guard_start(&p->sink, log, &p->party));
    ADI_TRY(adi_sample(type, shape, seed, &p->schema, &p->values[0], error));
    return set_slots(p, error);
}
