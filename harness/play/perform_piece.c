/* SPDX-License-Identifier: Apache-2.0 */
#include "perform_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "device_types.h"
#include "export.h"
#include "move.h"
#include "play.h"

void adi_piece_moved(struct adi_piece *piece, const void *from, void *to) {
    if (piece->watch != NULL)
        adi_watch_moved(piece->watch, from, to);
    else
        adi_monitor_moved(&piece->stage.monitor, from, to);
}

void adi_actor_wake(struct adi_actor *actor) {
    adi_guard_reopen(actor->array);
    actor->lives = true;
}

/* The harness touches no place that it moved an implementation's structure from: only what exported
 * to there can still know of it. */
void adi_actor_sleep(struct adi_actor *actor) {
    bool theirs = actor->piece != NULL && actor->piece->watch != NULL;
    actor->lives = false;
    adi_guard_leave(actor->array, theirs);
    adi_guard_retire(actor->array);
}

static struct adi_piece *add_piece(struct adi_performance *p) {
    struct adi_piece *piece = p->spare;
    if (piece == NULL && (piece = malloc(sizeof *piece)) == NULL) {
        adi_error_set(&p->error, ENOMEM, "out of memory");
        return NULL;
    }
    if (piece == p->spare) p->spare = piece->next;
    memset(piece, 0, sizeof *piece);
    piece->next = p->pieces;
    p->pieces = piece;
    return piece;
}

/* Which values the next export has. Where an implementation takes part no two that may be live at
 * once have the same: what lies in one's block by mistake is not what belongs there. */
static size_t next_values(struct adi_performance *p) {
    return p->troupe.context == NULL ? 0 : p->n_exports++ % ADI_PERFORM_VALUES;
}

static int make_values(struct adi_performance *p, size_t which, const struct ArrowArray **out) {
    struct ArrowArray *values = &p->values[which];
    struct ArrowSchema schema;
    *out = values;
    if (values->release != NULL) return 0;
    ADI_TRY(adi_sample(p->type, p->shape, p->seed + which, &schema, values, &p->error));
    adi_schema_release(&schema);
    return 0;
}

static void settle_in(struct adi_actor *actor, struct adi_piece *piece,
                      const struct ArrowSchema *schema, const struct ArrowArray *values) {
    actor->piece = piece;
    actor->schema = schema;
    actor->wanted = values;
    actor->callback = actor->array->array.release;
    actor->moved = actor->part = actor->parted = false;
}

/* ---- what is pending ---- */

/* An implementation waits in ways of its own: what sees its calls lets go. */
static int hold(struct adi_performance *p) {
    const struct adi_device_ops *ops = p->device->ops;
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    if (p->holds || !adi_device_type_has_event(ops->type)) return 0;
    if (p->troupe.context != NULL && interceptor != NULL) {
        adi_interceptor_pause(p->troupe.produce != NULL);
        p->holds = true;
    } else if (p->troupe.context == NULL && ADI_DEVICE_HAS(ops, pause)) {
        ADI_TRY(ops->pause(p->device, &p->error));
        p->holds = true;
    }
    return 0;
}

int adi_pieces_let(struct adi_performance *p) {
    if (!p->holds) return 0;
    p->holds = false;
    for (struct adi_piece *piece = p->pieces; piece != NULL; piece = piece->next)
        piece->held = false;
    if (p->troupe.context == NULL) return p->device->ops->resume(p->device, &p->error);
    adi_interceptor_resume();
    return 0;
}

int adi_piece_await(struct adi_performance *p, void *event) {
    const struct adi_device_ops *ops = p->device->ops;
    bool theirs = p->troupe.relay != NULL || p->troupe.consume != NULL;
    return (theirs ? ops->wait_host : ops->wait)(p->device, event, &p->error);
}

/* ---- the harness's own ---- */

int adi_piece_stage(struct adi_performance *p, struct adi_actor *actor, bool pending) {
    struct adi_piece *piece = add_piece(p);
    const struct ArrowArray *values;
    struct ArrowArray host;
    struct adi_staged staged;
    if (piece == NULL) return ENOMEM;
    if (pending && p->troupe.context != NULL && !adi_device_type_has_event(p->device->ops->type))
        return adi_error_set(&p->error, ENOTSUP,
                             "%s has no events: nobody could wait for what is "
                             "pending",
                             p->device->ops->name);
    ADI_TRY((pending ? hold : adi_pieces_let)(p));
    piece->held = p->holds;
    ADI_TRY(make_values(p, next_values(p), &values));
    ADI_TRY(adi_export(values, (struct adi_owner){0}, &host, &p->error));
    adi_stage_open(&piece->stage, p->device, &p->sink);
    piece->stage.monitor.refuses = p->troupe.context == NULL;
    piece->from = adi_guard_mark();
    int code =
        adi_stage_put(&piece->stage, &p->schema, &host, ADI_STAGE_NO_SCHEMA, &staged, &p->error);
    piece->to = adi_guard_mark();
    void *event = piece->stage.real.sync_event;
    if (code == 0 && !pending && event != NULL)
        code = p->device->ops->wait_host(p->device, event, &p->error);
    if (code != 0) return code;
    adi_actor_wake(actor);
    adi_device_array_move(staged.array, actor->array);
    adi_piece_moved(piece, &staged.array->array, &actor->array->array);
    if (!pending) actor->array->sync_event = NULL;
    if (pending) adi_monitor_pending(&piece->stage.monitor, 0);
    if (pending && actor->array->sync_event == NULL) {
        actor->array->sync_event = adi_guard_alloc(ADI_REGION_STRUCTURE, 1, 1, "the event");
        adi_guard_withhold(piece->from, piece->to, true);
    }
    settle_in(actor, piece, &p->schema, values);
    return 0;
}

/* ---- an implementation's ---- */

/* What came out of a call that returned `code` is put under a watch. */
static int settle_theirs(struct adi_performance *p, struct adi_actor *actor,
                         struct adi_piece *piece, const struct ArrowSchema *schema,
                         const struct ArrowArray *values, int code) {
    if (code == 0)
        piece->watch = adi_watch_open(&adi_kind_array, &actor->array->array, &p->sink, true, false);
    if (code == 0 && piece->watch == NULL) code = ENOMEM;
    if (code == 0)
        settle_in(actor, piece, schema, values);
    else
        adi_actor_sleep(actor);
    return code;
}

bool adi_piece_complete(struct adi_performance *p, const struct adi_actor *actor) {
    const struct ArrowDeviceArray *array = actor->array;
    if (!actor->piece->deferred) return true;
    if (adi_queue_is_pending(p->device, actor->schema, array)) {
        adi_queue_report_pending(&p->sink, false, array);
        return false;
    }
    actor->piece->deferred = false;
    adi_pieces_let(p); /* what else is pending is judged where it is waited for first */
    return true;
}

int adi_piece_produce(struct adi_performance *p, struct adi_actor *actor, bool pending) {
    struct adi_piece *piece = add_piece(p);
    const struct ArrowArray *values;
    struct ArrowSchema schema;
    struct ArrowArray host;
    size_t which = next_values(p);
    if (piece == NULL) return ENOMEM;
    ADI_TRY(make_values(p, which, &values));
    /* A sample of its own: the implementation may keep it for as long as it likes. */
    ADI_TRY(adi_sample(p->type, p->shape, p->seed + which, &schema, &host, &p->error));
    adi_schema_release(&schema);
    ADI_TRY((pending ? hold : adi_pieces_let)(p));
    adi_actor_wake(actor);
    memset(actor->array, ADI_POISON_BYTE, sizeof *actor->array);
    p->defers = pending;
    int code = p->troupe.produce(p->troupe.context, &host, actor->array);
    ADI_TRY(settle_theirs(p, actor, piece, &p->schema, values, code));
    piece->deferred = pending;
    if (!pending) return adi_piece_await(p, actor->array->sync_event);
    if (actor->array->sync_event == NULL) adi_piece_complete(p, actor);
    return 0;
}

/* The implementation takes over what is in the slot. */
void adi_piece_hand_over(struct adi_actor *actor) {
    if (actor->piece->watch != NULL)
        adi_watch_hand_over(actor->piece->watch, &actor->array->array);
    else
        adi_monitor_hand_over(&actor->piece->stage.monitor, &actor->array->array);
}

int adi_piece_relay(struct adi_performance *p, struct adi_actor *from, struct adi_actor *to) {
    struct adi_piece *piece = add_piece(p);
    if (piece == NULL) return ENOMEM;
    adi_piece_hand_over(from);
    adi_actor_wake(to);
    memset(to->array, ADI_POISON_BYTE, sizeof *to->array);
    int code = p->troupe.relay(p->troupe.context, from->schema, from->array, to->array);
    bool taken = from->array->array.release == NULL;
    if (taken) adi_actor_sleep(from);
    ADI_TRY(settle_theirs(p, to, piece, from->schema, from->wanted, code));
    return adi_piece_await(p, to->array->sync_event);
}

size_t adi_pieces_live(const struct adi_performance *p) {
    size_t live = 0;
    for (struct adi_piece *piece = p->pieces; piece != NULL; piece = piece->next)
        if (piece->watch == NULL) live += adi_monitor_live(&piece->stage.monitor);
    return live;
}

void adi_pieces_close(struct adi_performance *p) {
    while (p->pieces != NULL) {
        struct adi_piece *piece = p->pieces;
        p->pieces = piece->next;
        if (piece->watch != NULL)
            adi_watch_close(piece->watch);
        else if (piece->stage.arrays != NULL)
            adi_stage_close(&piece->stage);
        piece->next = p->spare;
        p->spare = piece;
    }
}

void adi_pieces_free(struct adi_performance *p) {
    while (p->spare != NULL) {
        struct adi_piece *piece = p->spare;
        p->spare = piece->next;
        free(piece);
    }
}
