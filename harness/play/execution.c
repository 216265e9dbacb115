/* SPDX-License-Identifier: Apache-2.0 */
#include "execution_internal.h"

#include <errno.h>
#include <string.h>

#include "device_types.h"
#include "grace_period.h"
#include "import.h"
#include "move.h"
#include "play.h"

#define GRACE_MS 100

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_execution *p = (struct adi_execution *)(void *)sink;
    if (p->muted) return;
    if (finding->aside) {
        p->out->violated(p->out, finding);
        return;
    }
    struct adi_found told = *finding;
    if (p->releases && strcmp(told.rule->id, "life/release-not-cleared") == 0) {
        p->not_cleared = told; /* the monitor is not to be asked anything now */
        return;
    }
    p->n_findings++;
    const struct adi_exported_array *chunk = p->looked_at;
    p->looked_at = NULL;
    if (chunk != NULL && !chunk->right_unmoved(chunk)) p->mistake = adi_mistake(NULL, false);
    /* What the other party does meanwhile follows from nothing of this one's. */
    if (p->mistake.rule != NULL && told.party == p->mistake.rule->party)
        adi_mistake_takes(&p->mistake, &told);
    p->out->violated(p->out, &told);
}

/* What ends the process is told, whoever cleans up: else that would be a death without a cause. */
static void on_last(struct adi_sink *sink) {
    struct adi_execution *p = (struct adi_execution *)(void *)sink;
    p->muted = false;
    adi_sink_last(p->out);
}

/* ---- what is done ---- */

/* By kind. */
static const struct adi_acts *const all_acts[] = {
#define KIND(name, prefix, what) &adi_acts_##name,
#include "../life/all.def"
};

static enum adi_life_kind kind_in(const struct adi_execution_slot *slot) {
    /* The two streams have one life. */
    const struct adi_kind *handle =
        slot->kind == &adi_kind_array_stream ? &adi_kind_device_array_stream : slot->kind;
    enum adi_life_kind kind = 0;
    while (all_acts[kind]->handle != handle) kind++;
    return kind;
}

const char *adi_execution_cause(const struct adi_execution *p, const struct adi_step *step) {
    const struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!slot->lives || (slot->exported->watch == NULL && !slot->exported->theirs)) return NULL;
    const struct adi_acts *acts = all_acts[kind_in(slot)];
    return acts->cause == NULL ? NULL : acts->cause(p, slot, step->operation);
}

/* Is it about another kind than what lies there, and puts nothing there either? */
static bool does_nothing(const struct adi_execution *p, const struct adi_step *step) {
    const struct adi_execution_slot *slot = &p->slots[step->slot];
    enum adi_life_kind kind = adi_life_kind_of_operation(step->operation);
    return kind != ADI_LIFE_place && (slot->lives || slot->is_over) && kind != kind_in(slot) &&
           !adi_life_puts(step->operation);
}

static int act(struct adi_execution *p, const struct adi_step *step) {
    const struct adi_act *act = all_acts[adi_life_kind_of_operation(step->operation)]->acts;
    if (does_nothing(p, step)) return 0;
    while (act->operation != step->operation) act++;
    return act->act(p, step);
}

/* ---- from the first step to the last ---- */

int adi_execution_step(struct adi_execution *p, const struct adi_step *step) {
    static sigjmp_buf point;
    volatile int code = 0;
    bool ours = p->binding.context == NULL;
    p->error.text[0] = '\0';
    p->mistake = adi_mistake(adi_execution_cause(p, step), false);
    if (p->recovers) adi_guard_recover(&point);
    if (ours) adi_guard_enter_implementation();
    if (sigsetjmp(point, 0) == 0) code = act(p, step);
    if (ours) adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    p->looked_at = NULL;
    p->mistake = adi_mistake(NULL, false);
    return code;
}

static size_t count_live(const void *p) {
    return adi_exports_live(p);
}

/* An implementation's release may come late, from a thread or a finalizer. */
static bool await_release(const struct adi_execution *p, int most_ms, bool *is_starved) {
    return adi_play_await_release(count_live, p, most_ms, is_starved);
}

/* Whatever it keeps may be released by the next import, and by its end. false: nothing can be said,
 * since who may release it had no processor. */
static bool had_its_time(const struct adi_execution *p) {
    bool is_starved = false;
    if (await_release(p, ADI_RELEASE_AT_ONCE_MS, &is_starved)) return true;
    p->binding.import_once_more(p->binding.context);
    if (await_release(p, ADI_RELEASE_NEXT_MS, &is_starved)) return true;
    p->binding.close(p->binding.context);
    await_release(p, ADI_RELEASE_LATE_MS, &is_starved);
    return !is_starved;
}

/* What was never released, or what that still has to hand out; what it holds follows from it. */
static void finish(const struct adi_execution *p, bool handed_out) {
    for (struct adi_exported_array *exported = p->exports; exported != NULL && p->n_findings == 0;
         exported = exported->next)
        if (exported->watch == NULL && (exported->from != NULL) == handed_out)
            adi_monitor_finish(exported->monitor);
}

void adi_execution_finish(struct adi_execution *p) {
    bool theirs = p->binding.close != NULL;
    for (int i = 0; i < ADI_PROGRAM_SLOTS && p->n_findings == 0; i++)
        adi_execution_step(p, &(struct adi_step){.operation = ADI_DO_drop, .slot = i});
    if (theirs && p->n_findings == 0 && !had_its_time(p)) {
        p->binding.wait_in_vain(p->binding.context, true);
        return;
    }
    finish(p, false);
    finish(p, true);
}

/* What was handed out first: what has handed it out may wait for that. */
static void end_all(struct adi_execution *p) {
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
            struct adi_execution_slot *slot = &p->slots[i];
            if (slot->lives && slot->exported->end != NULL &&
                (slot->exported->from == NULL) == (round == 1))
                slot->exported->end(p, slot);
        }
}

/* Lets go of everything that was exported. */
static void clear(struct adi_execution *p) {
    bool is_starved;
    p->muted = true;
    adi_exports_resume(p);
    for (struct adi_exported_array *exported = p->exports; exported != NULL;
         exported = exported->next)
        exported->monitor->refuses = false;
    p->elsewhere = false;
    for (int i = 0; i < ADI_EXECUTION_SLOTS; i++) {
        const struct adi_execution_slot *slot = &p->slots[i];
        if (!slot->lives || slot->exported->end != NULL) continue;
        adi_release_fn *release = adi_kind_release(slot->kind, slot->array);
        if (release != NULL) adi_execution_call_release(p, slot, slot->array, release);
    }
    end_all(p);
    /* What it still holds it may be about to release: the memory is there until then. */
    if (p->binding.context != NULL) await_release(p, GRACE_MS, &is_starved);
    adi_exports_close(p);
    adi_guard_reset();
    p->muted = false;
}

static int set_slots(struct adi_execution *p, struct adi_error *error) {
    for (int i = 0; i < ADI_EXECUTION_SLOTS; i++) {
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
    *p = (struct adi_execution){.sink = {.violated = on_finding, .last = on_last},
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
