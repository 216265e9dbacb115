/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to whatever lies in a slot, and where it goes.
 */
#include "execution_internal.h"
#include "move.h"
#include "unwind.h"

bool adi_execution_may(const struct adi_execution_slot *slot, enum adi_life_operation operation,
                       const void *address) {
    if (slot->exported == NULL || slot->exported->watch != NULL) return true;
    return adi_monitor_judge(slot->exported->monitor, operation, address);
}

bool adi_execution_may_receive(const struct adi_execution_slot *slot,
                               enum adi_life_operation operation) {
    return !slot->lives || adi_execution_may(slot, operation, slot->array);
}

/* ---- moving ---- */

void adi_execution_go(struct adi_execution_slot *slot, struct ArrowArray *from,
                      struct adi_execution_slot *to) {
    const bool whole = (const void *)from == (const void *)slot->array;
    struct ArrowDeviceArray *at = to->array;
    adi_execution_slot_fill(to);
    *at = *slot->array; /* any kind fits */
    *to = *slot;
    to->array = at;
    to->moved = true;
    if (whole) {
        adi_kind_set_release(slot->kind, slot->array, NULL);
    } else {
        at->sync_event = NULL; /* a child has no event of its own */
        adi_array_move(from, &at->array);
    }
    adi_export_moved(slot->exported, from, at);
    if (whole) adi_execution_slot_empty(slot);
}

static int do_move(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!adi_guard_touch(from->array)) return 0;
    if (!adi_execution_may(from, step->operation, from->array)) return 0;
    if (!adi_execution_may_receive(to, ADI_DO_receive)) return 0;
    adi_execution_go(from, &from->array->array, to);
    return 0;
}

/* ---- releasing ---- */

struct release {
    const struct adi_kind *kind;
    adi_release_fn *callback;
    void *structure;
    bool theirs;
};

static void call(void *release_at) {
    const struct release *release = release_at;
    if (release->theirs) adi_unwind_enter();
    adi_kind_call(release->kind, release->callback, release->structure);
    if (release->theirs) adi_unwind_leave();
}

void adi_execution_call_release(struct adi_execution *p, const struct adi_execution_slot *slot,
                                void *structure, adi_release_fn *callback) {
    struct release release = {slot->kind, callback, structure,
                              slot->exported != NULL && slot->exported->watch != NULL};
    if (release.theirs) adi_guard_enter_implementation();
    if (!p->elsewhere || !adi_helper_call(&p->helper, call, &release)) call(&release);
    if (release.theirs) adi_guard_leave_implementation();
}

/* A wrong consumer takes what marks the end of a stream for something to be released. */
static int release_end(struct adi_execution *p) {
    adi_report(&p->sink, "life/release-twice", p->party, "a call of a callback that is NULL",
               "no call", "what marks the end of a stream is released already");
    return 0;
}

/* Where it is not marked released then, it is asked whether that comes of what has been done to it
 * before. */
static void release_slot(struct adi_execution *p, const struct adi_execution_slot *slot,
                         adi_release_fn *callback) {
    p->releases = p->mistake.rule != NULL && slot->exported->clears != NULL;
    adi_execution_call_release(p, slot, slot->array, callback);
    p->releases = false;
    const struct adi_found found = p->not_cleared;
    p->not_cleared.rule = NULL;
    if (found.rule == NULL) return;
    if (!slot->exported->clears(p, slot)) p->mistake = adi_mistake(NULL, false);
    p->sink.violated(&p->sink, &found);
}

int adi_execution_release(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    const size_t before = p->n_findings;
    if (slot->is_end) return release_end(p);
    if (slot->lives && !slot->part) ADI_TRY(adi_execution_look_at_parts(p, slot->exported));
    if (p->n_findings > before) return 0;
    if (slot->exported != NULL && slot->exported->end != NULL) return slot->exported->end(p, slot);
    if (!slot->lives && slot->callback == NULL && !adi_guard_touch(slot->array)) return 0;
    if (!slot->lives) adi_guard_reopen(slot->array); /* a wrong consumer kept the callback */
    adi_release_fn *callback =
        slot->lives ? adi_kind_release(slot->kind, slot->array) : slot->callback;
    release_slot(p, slot, callback);
    const bool ended = slot->lives && adi_kind_release(slot->kind, slot->array) == NULL;
    if (ended && !slot->part) slot->exported->gone = true;
    if (!slot->lives || ended) adi_execution_slot_empty(slot);
    return 0;
}

static int do_drop(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (slot->lives) adi_execution_may(slot, ADI_DO_drop, slot->array);
    return 0;
}

static int do_switch(struct adi_execution *p, const struct adi_step *step) {
    p->elsewhere = step->slot == 1;
    return 0;
}

const struct adi_acts adi_acts_place = {.acts = {
                                            {ADI_DO_move, do_move},
                                            {ADI_DO_release, adi_execution_release},
                                            {ADI_DO_release_elsewhere, do_switch},
                                            {ADI_DO_drop, do_drop},
                                            {.act = NULL},
                                        }};
