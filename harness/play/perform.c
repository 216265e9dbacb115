/* SPDX-License-Identifier: Apache-2.0 */
#include "perform_internal.h"

#include <errno.h>

#include "compare.h"
#include "device_types.h"
#include "import.h"
#include "move.h"
#include "patience.h"
#include "play.h"

#define GRACE_MS   100
#define AT_ONCE_MS 20

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_performance *p = (struct adi_performance *)(void *)sink;
    if (p->muted) return;
    struct adi_found told = *finding;
    p->broken++;
    adi_mistake_takes(&p->mistake, &told);
    p->out->violated(p->out, &told);
}

/* ---- touching, judging ---- */

/* false: that was a finding. */
static bool touch_buffers(const struct ArrowArray *array) {
    if (array->release == NULL) return true;
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (array->buffers[i] != NULL && !adi_guard_touch(array->buffers[i])) return false;
    for (int64_t i = 0; i < array->n_children; i++)
        if (!touch_buffers(array->children[i])) return false;
    return array->dictionary == NULL || touch_buffers(array->dictionary);
}

/* Tells the monitor what is about to be done where. */
static bool may(const struct adi_actor *actor, enum adi_life_operation operation,
                const void *place) {
    if (actor->piece == NULL || actor->piece->watch != NULL) return true;
    return adi_monitor_judge(&actor->piece->stage.monitor, operation, place);
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
static bool stands(struct adi_performance *p, const struct adi_actor *actor) {
    if (p->troupe.relay == NULL || !actor->lives || actor->piece->watch == NULL) return true;
    if (!is_gone(&actor->array->array)) return true;
    adi_report(&p->sink, actor->part ? "life/child-depends-on-parent" : "life/use-after-release",
               ADI_CONSUMER, "a released input", "an input that lives as long as what stands on it",
               "what was relayed points to what the relay has released by now");
    return false;
}

/* ---- slots ---- */

static struct adi_actor *actor_of(struct adi_performance *p, int slot) {
    return &p->actors[slot];
}

/* May something be put into the slot? */
static bool may_receive(const struct adi_actor *actor, enum adi_life_operation operation) {
    return !actor->lives || may(actor, operation, &actor->array->array);
}

/* ---- the operations ---- */

static int do_export(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!may_receive(actor, step->operation)) return 0;
    bool pending = step->operation == ADI_DO_export_pending;
    return (p->troupe.produce != NULL ? adi_piece_produce : adi_piece_stage)(p, actor, pending);
}

/* What is at `from`, of the actor or of one of its children, goes to the slot. */
static void go(struct adi_actor *actor, struct ArrowArray *from, struct adi_actor *to) {
    bool whole = from == &actor->array->array;
    adi_actor_wake(to);
    *to->array = *actor->array;
    to->callback = actor->callback;
    to->piece = actor->piece;
    to->schema = actor->schema;
    to->wanted = actor->wanted;
    to->part = actor->part;
    to->parted = actor->parted;
    to->moved = true;
    if (!whole) to->array->sync_event = NULL; /* a child has no event of its own */
    adi_array_move(from, &to->array->array);
    adi_piece_moved(actor->piece, from, &to->array->array);
    if (whole) adi_actor_sleep(actor);
}

static int do_move(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    go(from, &from->array->array, to);
    return 0;
}

static int do_relay(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    struct ArrowDeviceArray imported;
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    if (!stands(p, from)) return 0;
    if (p->troupe.relay != NULL) return adi_piece_relay(p, from, to);
    struct ArrowArray before = from->array->array;
    ADI_TRY(adi_import(p->device, from->schema, from->array, &imported, &p->error));
    from->array->array = before; /* the move is told once, from slot to slot */
    go(from, &from->array->array, to);
    return 0;
}

static int do_move_child(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    bool dictionary = step->operation == ADI_DO_move_dictionary;
    if (!adi_guard_touch(from->array) || !stands(p, from)) return 0;
    struct ArrowArray *parent = &from->array->array;
    if (dictionary ? parent->dictionary == NULL : step->child >= parent->n_children) return 0;
    struct ArrowArray *child = dictionary ? parent->dictionary : parent->children[step->child];
    bool gone = child->release == NULL;
    if (!may(from, gone ? ADI_DO_move : step->operation, gone ? child : parent)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    const struct ArrowSchema *schema = from->schema;
    const struct ArrowArray *wanted = from->wanted;
    go(from, child, to);
    from->parted = true;
    to->part = true;
    to->parted = false;
    to->schema = dictionary ? schema->dictionary : schema->children[step->child];
    to->wanted = dictionary ? wanted->dictionary : wanted->children[step->child];
    return 0;
}

static int do_wait(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (!may(actor, ADI_DO_wait, &actor->array->array)) return 0;
    void *event = actor->array->sync_event;
    if (event != NULL && actor->piece->deferred) {
        if (adi_piece_complete(p, actor)) ADI_TRY(adi_piece_await(p, event));
    } else if (event != NULL) {
        const struct adi_stage *stage = &actor->piece->stage;
        if (actor->piece->watch == NULL && !adi_guard_touch(event)) return 0;
        if (event == stage->place) event = stage->real.sync_event;
        if (stage->real.sync_event != event && actor->piece->watch == NULL)
            adi_guard_withhold(actor->piece->from, actor->piece->to, false);
        else
            ADI_TRY(adi_piece_await(p, event));
        if (actor->piece->held) ADI_TRY(adi_pieces_let(p));
    }
    if (actor->piece->watch == NULL)
        adi_monitor_waited(&actor->piece->stage.monitor, &actor->array->array);
    return 0;
}

struct comparison {
    struct adi_performance *p;
    const struct adi_actor *actor;
    struct ArrowDeviceArray now;
    struct adi_error why;
    int code;
};

static bool is_equal(void *comparison_at) {
    struct comparison *c = comparison_at;
    const struct adi_actor *actor = c->actor;
    struct ArrowArray copy = {.release = NULL};
    c->code = adi_copy_to_host(c->p->device, actor->schema, &c->now, &copy, &c->why);
    if (c->code == 0)
        c->code = adi_array_compare(actor->schema, &copy, actor->schema, actor->wanted, &c->why);
    adi_array_release(&copy);
    return c->code == 0;
}

static int compare(struct adi_performance *p, const struct adi_actor *actor) {
    struct comparison comparison = {.p = p, .actor = actor, .now = *actor->array};
    comparison.now.sync_event = NULL; /* it has been waited on */
    ADI_TRY(adi_pieces_let(p));
    if (is_equal(&comparison) || p->broken > 0) return 0;
    p->error = comparison.why;
    if (actor->piece->watch == NULL) return comparison.code; /* ours: a mistake of the harness */
    bool produced = p->troupe.produce != NULL;
    if (produced && adi_play_is_late(p->device, actor->array, is_equal, &comparison)) {
        adi_play_report_late(&p->sink, p->error.text);
        return 0;
    }
    p->differs = true;
    adi_report(&p->sink, "array/data-differs", ADI_PRODUCER, NULL, NULL, "%s", p->error.text);
    return 0;
}

static int do_read(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array) || !stands(p, actor)) return 0;
    if (adi_device_type_is_cpu(p->device->ops->type) && p->troupe.produce == NULL &&
        !touch_buffers(&actor->array->array))
        return 0;
    if (!may(actor, ADI_DO_read, &actor->array->array)) return 0;
    return compare(p, actor);
}

/* ---- releasing ---- */

/* Calls a callback of the harness's own, or that of an implementation. */
static void call_release(struct adi_performance *p, const struct adi_actor *actor,
                         struct ArrowArray *array, void (*callback)(struct ArrowArray *)) {
    bool theirs = actor->piece != NULL && actor->piece->watch != NULL;
    if (theirs) {
        adi_guard_enter_implementation();
        callback = adi_call_release_callback;
    }
    if (!p->elsewhere || !adi_helper_call(&p->helper, array, callback)) callback(array);
    if (theirs) adi_guard_leave_implementation();
}

static int do_release(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!actor->lives && actor->callback == NULL && !adi_guard_touch(actor->array)) return 0;
    if (!actor->lives) adi_guard_reopen(actor->array); /* a wrong consumer kept the callback */
    struct ArrowArray *array = &actor->array->array;
    call_release(p, actor, array, actor->lives ? array->release : actor->callback);
    if (!actor->lives || array->release == NULL) adi_actor_sleep(actor);
    return 0;
}

static int do_release_child(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (step->child >= actor->array->array.n_children) return 0;
    struct ArrowArray *child = actor->array->array.children[step->child];
    call_release(p, actor, child, child->release != NULL ? child->release : actor->callback);
    return 0;
}

static int do_consume(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (!may(actor, ADI_DO_consume, &actor->array->array)) return 0;
    if (p->troupe.consume != NULL) {
        adi_piece_hand_over(actor);
        int code = p->troupe.consume(p->troupe.context, actor->schema, actor->array, actor->wanted);
        adi_pieces_let(p); /* whoever waits lets go of everything */
        if (actor->array->array.release == NULL) adi_actor_sleep(actor);
        return code;
    }
    ADI_TRY(do_wait(p, step));
    ADI_TRY(compare(p, actor));
    return do_release(p, step);
}

static int do_drop(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (actor->lives) may(actor, ADI_DO_drop, &actor->array->array);
    return 0;
}

static int do_switch(struct adi_performance *p, const struct adi_step *step) {
    p->elsewhere = step->slot == 1;
    return 0;
}

static int (*const acts[ADI_LIFE_OPERATIONS])(struct adi_performance *, const struct adi_step *) = {
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

const char *adi_performance_cause(const struct adi_performance *p, const struct adi_step *step) {
    const struct adi_actor *actor = &p->actors[step->slot];
    bool releases = step->operation == ADI_DO_release, relays = step->operation == ADI_DO_relay;
    if (!releases && !relays && step->operation != ADI_DO_read && step->operation != ADI_DO_consume)
        return NULL;
    if (!actor->lives || actor->piece->watch == NULL) return NULL;
    if (releases && actor->parted) return "life/moved-child-released";
    if (actor->part) return "life/child-depends-on-parent";
    if (relays) return NULL;
    if (releases && p->elsewhere) return "life/release-on-other-thread";
    return actor->moved ? "life/depends-on-address" : NULL;
}

int adi_performance_step(struct adi_performance *p, const struct adi_step *step) {
    static sigjmp_buf point;
    volatile int code = 0;
    bool ours = p->troupe.context == NULL;
    p->error.text[0] = '\0';
    p->mistake = adi_mistake(adi_performance_cause(p, step), false);
    if (p->recovers) adi_guard_recover(&point);
    if (ours) adi_guard_enter_implementation();
    if (sigsetjmp(point, 0) == 0) code = acts[step->operation](p, step);
    if (ours) adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    p->mistake = adi_mistake(NULL, false);
    return code;
}

/* An implementation's release may come late, from a thread or a finalizer. */
static bool await_release(const struct adi_performance *p, int most_ms) {
    struct adi_patience patience = adi_patience(most_ms);
    while (adi_pieces_live(p) > 0 && adi_other_threads() > 0 && adi_patience_nap(&patience))
        continue;
    return adi_pieces_live(p) == 0;
}

void adi_performance_finish(struct adi_performance *p) {
    bool theirs = p->troupe.close != NULL;
    for (int i = 0; i < ADI_PROGRAM_SLOTS && p->broken == 0; i++)
        adi_performance_step(p, &(struct adi_step){.operation = ADI_DO_drop, .slot = i});
    if (theirs && p->broken == 0 && !await_release(p, AT_ONCE_MS)) {
        p->troupe.import_once_more(p->troupe.context);
        if (!await_release(p, GRACE_MS)) {
            p->troupe.close(p->troupe.context);
            await_release(p, GRACE_MS);
        }
    }
    for (struct adi_piece *piece = p->pieces; piece != NULL && p->broken == 0; piece = piece->next)
        if (piece->watch == NULL) adi_monitor_finish(&piece->stage.monitor);
}

/* Lets go of everything that was exported. */
static void clear(struct adi_performance *p) {
    p->muted = true;
    adi_pieces_let(p);
    for (struct adi_piece *piece = p->pieces; piece != NULL; piece = piece->next)
        piece->stage.monitor.refuses = false;
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (p->actors[i].lives && p->actors[i].array->array.release != NULL)
            p->actors[i].array->array.release(&p->actors[i].array->array);
    adi_pieces_close(p);
    adi_guard_reset();
    p->muted = false;
}

static int set_slots(struct adi_performance *p, struct adi_error *error) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_actor *actor = &p->actors[i];
        *actor = (struct adi_actor){.lives = false};
        actor->array = adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof *actor->array, 1, "a slot");
        if (actor->array == NULL) return adi_error_set(error, ENOMEM, "the guard is full");
        adi_guard_retire_soon(actor->array);
    }
    adi_guard_settle();
    return 0;
}

int adi_performance_restart(struct adi_performance *p) {
    clear(p);
    p->broken = 0;
    p->differs = false;
    p->n_exports = 0;
    p->elsewhere = false;
    return set_slots(p, &p->error);
}

void adi_performance_close(struct adi_performance *p) {
    clear(p);
    adi_pieces_free(p);
    adi_helper_dismiss(&p->helper);
    for (size_t i = 0; i < ADI_PERFORM_VALUES; i++) adi_array_release(&p->values[i]);
    adi_schema_release(&p->schema);
}

int adi_performance_open(struct adi_performance *p, struct adi_device *device,
                         const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                         uint64_t seed, struct adi_sink *sink, struct adi_log *log,
                         struct adi_error *error) {
    *p = (struct adi_performance){.sink = {.violated = on_finding},
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
