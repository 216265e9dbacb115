/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to streams, and who takes one over: what remains of it is consumed, or relayed. The
 * harness consumes one chunk after the other, as an array is consumed; what an implementation does
 * is binding_stream.c's.
 */
#include <errno.h>
#include <string.h>

#include "execution_stream.h"

/* ---- by the harness ---- */

static int act_on(const struct adi_acts *acts, struct adi_execution *p,
                  enum adi_life_operation operation, int slot) {
    const struct adi_step step = {.operation = operation, .slot = slot};
    const struct adi_act *act = acts->acts;
    while (act->operation != operation) act++;
    return act->act(p, &step);
}

/* Waits for the chunk in the slot that no program has, reads it, and releases it. */
static int consume_chunk(struct adi_execution *p) {
    static const enum adi_life_operation steps[] = {ADI_DO_wait, ADI_DO_read};
    const size_t before = p->n_findings;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && p->n_findings == before; i++)
        ADI_TRY(act_on(&adi_acts_array, p, steps[i], ADI_PROGRAM_SLOTS));
    if (p->n_findings > before) return 0;
    return act_on(&adi_acts_place, p, ADI_DO_release, ADI_PROGRAM_SLOTS);
}

static int consume_here(struct adi_execution *p, const struct adi_step *step) {
    const struct adi_step next = {
        .operation = ADI_DO_stream_next, .slot = step->slot, .to = ADI_PROGRAM_SLOTS};
    const size_t before = p->n_findings;
    const struct adi_execution_slot *chunk = &p->slots[ADI_PROGRAM_SLOTS];
    for (;;) {
        ADI_TRY(adi_act_stream_next(p, &next));
        if (!chunk->lives || p->n_findings > before) break;
        ADI_TRY(consume_chunk(p));
        if (p->n_findings > before) break;
    }
    return p->n_findings > before ? 0 : adi_execution_release(p, step);
}

/* ---- by an implementation ---- */

static struct adi_stream_rest rest_of(struct adi_exported_stream *stream) {
    return (struct adi_stream_rest){.guarded = stream->source == NULL ? &stream->guarded
                                                                      : &stream->source->guarded,
                                    .values = &stream->values[stream->next],
                                    .n = stream->n - stream->next,
                                    .failure = stream->fails ? ADI_SOURCE_FAILURE : 0};
}

static int consume_theirs(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    const struct adi_stream_rest rest = rest_of(adi_exported_stream(slot->exported));
    adi_export_hand_over(slot);
    adi_exported_stream_let_take(adi_exported_stream(slot->exported));
    int code = p->binding.consume_stream(p->binding.context, slot->array, &rest);
    adi_exports_resume(p); /* whoever waits resumes everything */
    if (adi_kind_release(slot->kind, slot->array) == NULL) {
        slot->exported->gone = true;
        adi_execution_slot_empty(slot);
    }
    return code;
}

static int relay_theirs(struct adi_execution *p, struct adi_execution_slot *from,
                        struct adi_execution_slot *to) {
    struct ArrowDeviceArrayStream *in = (struct ArrowDeviceArrayStream *)(void *)from->array;
    adi_export_hand_over(from);
    int code = adi_exported_stream_relay(p, adi_exported_stream(from->exported), in, to);
    if (in->release == NULL) adi_execution_slot_empty(from);
    return code;
}

/* ---- both ---- */

static bool may_take(const struct adi_execution_slot *slot, const struct adi_step *step) {
    return adi_guard_touch(slot->array) && adi_execution_may(slot, step->operation, slot->array);
}

static int do_consume(struct adi_execution *p, const struct adi_step *step) {
    if (!may_take(&p->slots[step->slot], step)) return 0;
    return (p->binding.consume_stream != NULL ? consume_theirs : consume_here)(p, step);
}

static int do_relay(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *from = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!may_take(from, step) || !adi_execution_may_receive(to, ADI_DO_receive)) return 0;
    if (p->binding.relay_stream != NULL) return relay_theirs(p, from, to);
    adi_execution_go(from, &from->array->array, to);
    return 0;
}

/* ---- what a failure would be ---- */

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    if (adi_exported_stream(slot->exported)->ended && operation == ADI_DO_stream_next)
        return "stream/next-after-end";
    if (operation == ADI_DO_release && p->elsewhere) return "stream/bound-to-thread";
    return slot->moved ? "life/depends-on-address" : NULL;
}

const struct adi_acts adi_acts_stream = {&adi_kind_device_array_stream,
                                         cause,
                                         {
                                             {ADI_DO_stream_export, adi_act_stream_export},
                                             {ADI_DO_stream_export_pending, adi_act_stream_export},
                                             {ADI_DO_stream_export_failing, adi_act_stream_export},
                                             {ADI_DO_stream_schema, adi_act_stream_schema},
                                             {ADI_DO_stream_next, adi_act_stream_next},
                                             {ADI_DO_stream_error, adi_act_stream_error},
                                             {ADI_DO_stream_relay, do_relay},
                                             {ADI_DO_stream_consume, do_consume},
                                             {.act = NULL},
                                         }};
