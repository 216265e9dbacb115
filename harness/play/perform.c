/* SPDX-License-Identifier: Apache-2.0 */
#include "perform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "export.h"
#include "import.h"
#include "move.h"

static void hear(struct adi_sink *sink, const struct adi_rule *rule, enum adi_party party,
                 const struct adi_sight *sight) {
    struct adi_performance *p = (struct adi_performance *)(void *)sink;
    if (p->muted) return;
    p->broken++;
    p->out->broken(p->out, rule, party, sight);
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

static void tell_moved(struct adi_piece *piece, const void *from, void *to) {
    if (piece->watch != NULL)
        adi_watch_moved(piece->watch, from, to);
    else
        adi_monitor_moved(&piece->stage.monitor, from, to);
}

/* ---- slots ---- */

static struct adi_actor *actor_of(struct adi_performance *p, int slot) {
    return &p->actors[slot];
}

static void wake(struct adi_actor *actor) {
    adi_guard_reopen(actor->array);
    actor->lives = true;
}

static void sleep_on(struct adi_actor *actor) {
    actor->lives = false;
    adi_guard_retire(actor->array);
}

/* May something be put into the slot? */
static bool may_receive(const struct adi_actor *actor, enum adi_life_operation operation) {
    return !actor->lives || may(actor, operation, &actor->array->array);
}

/* ---- the operations ---- */

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

static void settle_in(struct adi_performance *p, struct adi_actor *actor, struct adi_piece *piece) {
    actor->piece = piece;
    actor->schema = &p->schema;
    actor->wanted = &p->wanted;
    actor->callback = actor->array->array.release;
    actor->moved = false;
}

static int stage_piece(struct adi_performance *p, struct adi_actor *actor, bool pending) {
    struct adi_piece *piece = add_piece(p);
    struct ArrowArray host;
    struct adi_staged staged;
    if (piece == NULL) return ENOMEM;
    ADI_TRY(adi_export(&p->wanted, (struct adi_owner){0}, &host, &p->error));
    adi_stage_open(&piece->stage, p->device, &p->sink);
    piece->stage.monitor.refuses = true;
    piece->from = adi_guard_mark();
    int code =
        adi_stage_put(&piece->stage, &p->schema, &host, ADI_STAGE_NO_SCHEMA, &staged, &p->error);
    piece->to = adi_guard_mark();
    void *event = piece->stage.real.sync_event;
    if (code == 0 && !pending && event != NULL)
        code = p->device->ops->wait_host(p->device, event, &p->error);
    if (code != 0) return code;
    wake(actor);
    adi_device_array_move(staged.array, actor->array);
    tell_moved(piece, &staged.array->array, &actor->array->array);
    if (!pending) actor->array->sync_event = NULL;
    if (pending) adi_monitor_pending(&piece->stage.monitor, 0);
    if (pending && actor->array->sync_event == NULL) {
        actor->array->sync_event = adi_guard_alloc(ADI_REGION_STRUCTURE, 1, 1, "the event");
        adi_guard_hold(piece->from, piece->to, true);
    }
    settle_in(p, actor, piece);
    return 0;
}

/* What comes from elsewhere is waited on at once: whether it had to be is not the program's. */
static int await_event(struct adi_performance *p, const struct ArrowDeviceArray *array) {
    return p->device->ops->wait(p->device, array->sync_event, &p->error);
}

static int produce_piece(struct adi_performance *p, struct adi_actor *actor) {
    struct adi_piece *piece = add_piece(p);
    struct ArrowArray host;
    if (piece == NULL) return ENOMEM;
    ADI_TRY(adi_export(&p->wanted, (struct adi_owner){0}, &host, &p->error));
    wake(actor);
    memset(actor->array, ADI_POISON_BYTE, sizeof *actor->array);
    int code = p->troupe.produce(p->troupe.context, &host, actor->array);
    if (code == 0)
        piece->watch = adi_watch_open(&adi_kind_array, &actor->array->array, &p->sink, true, false);
    if (code == 0 && piece->watch == NULL) code = ENOMEM;
    if (code != 0) {
        sleep_on(actor);
        return code;
    }
    settle_in(p, actor, piece);
    return await_event(p, actor->array);
}

static int do_export(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!may_receive(actor, step->operation)) return 0;
    if (p->troupe.produce != NULL) return produce_piece(p, actor);
    return stage_piece(p, actor, step->operation == ADI_DO_export_pending);
}

/* What is at `from`, of the actor or of one of its children, goes to the slot. */
static void go(struct adi_actor *actor, struct ArrowArray *from, struct adi_actor *to) {
    bool whole = from == &actor->array->array;
    wake(to);
    *to->array = *actor->array;
    to->callback = actor->callback;
    to->piece = actor->piece;
    to->schema = actor->schema;
    to->wanted = actor->wanted;
    to->moved = true;
    if (!whole) to->array->sync_event = NULL; /* a child has no event of its own */
    adi_array_move(from, &to->array->array);
    tell_moved(actor->piece, from, &to->array->array);
    if (whole) sleep_on(actor);
}

static int do_move(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    go(from, &from->array->array, to);
    return 0;
}

static int relay_piece(struct adi_performance *p, struct adi_actor *from, struct adi_actor *to) {
    struct adi_piece *piece = add_piece(p);
    if (piece == NULL) return ENOMEM;
    wake(to);
    memset(to->array, ADI_POISON_BYTE, sizeof *to->array);
    int code = p->troupe.relay(p->troupe.context, from->schema, from->array, to->array);
    bool taken = from->array->array.release == NULL;
    if (taken) sleep_on(from);
    if (code == 0)
        piece->watch = adi_watch_open(&adi_kind_array, &to->array->array, &p->sink, true, false);
    if (code == 0 && piece->watch == NULL) code = ENOMEM;
    if (code != 0) {
        sleep_on(to);
        return code;
    }
    to->piece = piece;
    to->schema = from->schema;
    to->wanted = from->wanted;
    to->callback = to->array->array.release;
    to->moved = false;
    return await_event(p, to->array);
}

static int do_relay(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    struct ArrowDeviceArray imported;
    if (!adi_guard_touch(from->array)) return 0;
    if (!may(from, step->operation, &from->array->array)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    if (p->troupe.relay != NULL) return relay_piece(p, from, to);
    struct ArrowArray before = from->array->array;
    ADI_TRY(adi_import(p->device, from->schema, from->array, &imported, &p->error));
    from->array->array = before; /* the move is told once, from slot to slot */
    go(from, &from->array->array, to);
    return 0;
}

static int do_move_child(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *from = actor_of(p, step->slot), *to = actor_of(p, step->to);
    bool dictionary = step->operation == ADI_DO_move_dictionary;
    if (!adi_guard_touch(from->array)) return 0;
    struct ArrowArray *parent = &from->array->array;
    if (dictionary ? parent->dictionary == NULL : step->child >= parent->n_children) return 0;
    struct ArrowArray *child = dictionary ? parent->dictionary : parent->children[step->child];
    bool gone = child->release == NULL;
    if (!may(from, gone ? ADI_DO_move : step->operation, gone ? child : parent)) return 0;
    if (!may_receive(to, ADI_DO_receive)) return 0;
    const struct ArrowSchema *schema = from->schema;
    const struct ArrowArray *wanted = from->wanted;
    go(from, child, to);
    to->schema = dictionary ? schema->dictionary : schema->children[step->child];
    to->wanted = dictionary ? wanted->dictionary : wanted->children[step->child];
    return 0;
}

static int do_wait(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (!may(actor, ADI_DO_wait, &actor->array->array)) return 0;
    void *event = actor->array->sync_event;
    if (event != NULL) {
        if (actor->piece->stage.real.sync_event != event && actor->piece->watch == NULL) {
            if (!adi_guard_touch(event)) return 0;
            adi_guard_hold(actor->piece->from, actor->piece->to, false);
        } else {
            ADI_TRY(p->device->ops->wait(p->device, event, &p->error));
        }
    }
    if (actor->piece->watch == NULL)
        adi_monitor_waited(&actor->piece->stage.monitor, &actor->array->array);
    return 0;
}

/* The rule that is broken where a sound array holds other values: what has happened to it? */
static const char *mismatch_of(const struct adi_performance *p, const struct adi_actor *actor) {
    if (actor->schema != &p->schema) return "life/child-depends-on-parent";
    return actor->moved ? "life/depends-on-address" : "array/data-differs";
}

static int compare(struct adi_performance *p, const struct adi_actor *actor) {
    struct ArrowArray copy = {.release = NULL};
    struct ArrowDeviceArray now = *actor->array;
    now.sync_event = NULL; /* it has been waited on */
    int code = adi_copy_to_host(p->device, actor->schema, &now, &copy, &p->error);
    if (code == 0)
        code = adi_array_compare(actor->schema, &copy, actor->schema, actor->wanted, &p->error);
    adi_array_release(&copy);
    if (code == 0 || p->broken > 0) return 0;
    if (actor->piece->watch == NULL) return code; /* ours: a mistake of the harness */
    adi_report(&p->sink, mismatch_of(p, actor), ADI_PRODUCER, NULL, NULL, "%s", p->error.text);
    return 0;
}

static int do_read(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (p->device->ops->type == ARROW_DEVICE_CPU && p->troupe.produce == NULL &&
        !touch_buffers(&actor->array->array))
        return 0;
    if (!may(actor, ADI_DO_read, &actor->array->array)) return 0;
    return compare(p, actor);
}

/* ---- releasing ---- */

static void call_release(struct adi_performance *p, struct ArrowArray *array,
                         void (*callback)(struct ArrowArray *)) {
    if (!p->elsewhere || !adi_helper_call(&p->helper, array, callback)) callback(array);
}

static int do_release(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!actor->lives && actor->callback == NULL && !adi_guard_touch(actor->array)) return 0;
    if (!actor->lives) adi_guard_reopen(actor->array); /* a wrong consumer kept the callback */
    struct ArrowArray *array = &actor->array->array;
    call_release(p, array, actor->lives ? array->release : actor->callback);
    if (!actor->lives || array->release == NULL) sleep_on(actor);
    return 0;
}

static int do_release_child(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (step->child >= actor->array->array.n_children) return 0;
    struct ArrowArray *child = actor->array->array.children[step->child];
    call_release(p, child, child->release != NULL ? child->release : actor->callback);
    return 0;
}

static int do_consume(struct adi_performance *p, const struct adi_step *step) {
    struct adi_actor *actor = actor_of(p, step->slot);
    if (!adi_guard_touch(actor->array)) return 0;
    if (!may(actor, ADI_DO_consume, &actor->array->array)) return 0;
    if (p->troupe.consume != NULL) {
        int code = p->troupe.consume(p->troupe.context, actor->schema, actor->array, actor->wanted);
        if (actor->array->array.release == NULL) sleep_on(actor);
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

int adi_performance_step(struct adi_performance *p, const struct adi_step *step) {
    static sigjmp_buf point;
    volatile int code = 0;
    bool ours = p->troupe.context == NULL;
    p->error.text[0] = '\0';
    if (p->recovers) adi_guard_recover(&point);
    if (ours) adi_guard_enter_implementation();
    if (sigsetjmp(point, 0) == 0) code = acts[step->operation](p, step);
    if (ours) adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    return code;
}

void adi_performance_finish(struct adi_performance *p) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS && p->broken == 0; i++)
        adi_performance_step(p, &(struct adi_step){.operation = ADI_DO_drop, .slot = i});
    for (struct adi_piece *piece = p->pieces; piece != NULL && p->broken == 0; piece = piece->next)
        if (piece->watch == NULL) adi_monitor_finish(&piece->stage.monitor);
}

/* Lets go of everything that was exported. */
static void clear(struct adi_performance *p) {
    p->muted = true;
    for (struct adi_piece *piece = p->pieces; piece != NULL; piece = piece->next)
        piece->stage.monitor.refuses = false;
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (p->actors[i].lives && p->actors[i].array->array.release != NULL)
            p->actors[i].array->array.release(&p->actors[i].array->array);
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
    adi_guard_reset();
    p->muted = false;
}

static int set_slots(struct adi_performance *p, struct adi_error *error) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_actor *actor = &p->actors[i];
        *actor = (struct adi_actor){.lives = false};
        actor->array = adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof *actor->array, 1, "a slot");
        if (actor->array == NULL) return adi_error_set(error, ENOMEM, "the guard is full");
        sleep_on(actor);
    }
    return 0;
}

int adi_performance_restart(struct adi_performance *p) {
    clear(p);
    p->broken = 0;
    p->elsewhere = false;
    return set_slots(p, &p->error);
}

void adi_performance_close(struct adi_performance *p) {
    clear(p);
    while (p->spare != NULL) {
        struct adi_piece *piece = p->spare;
        p->spare = piece->next;
        free(piece);
    }
    adi_helper_dismiss(&p->helper);
    adi_array_release(&p->wanted);
    adi_schema_release(&p->schema);
}

int adi_performance_open(struct adi_performance *p, struct adi_device *device,
                         const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                         uint64_t seed, struct adi_sink *sink, struct adi_log *log,
                         struct adi_error *error) {
    *p = (struct adi_performance){.sink = {.broken = hear},
                                  .out = sink,
                                  .device = device,
                                  .party = ADI_CONSUMER,
                                  .recovers = log == NULL};
    ADI_TRY(adi_guard_start(&p->sink, log, &p->party));
    ADI_TRY(adi_sample(type, shape, seed, &p->schema, &p->wanted, error));
    return set_slots(p, error);
}
