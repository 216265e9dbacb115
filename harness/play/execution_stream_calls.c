/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of streams, and what they answer.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compare.h"
#include "device_types.h"
#include "execution_stream.h"
#include "import.h"
#include "move.h"
#include "node.h"
#include "play_stream.h"
#include "schema.h"
#include "stream.h"

/* Are streams made of streams, so that a consumer's mistake comes out of what a producer gives? */
static bool relays(const struct adi_execution *p) {
    return p->binding.relay_stream != NULL;
}

/* ---- the callbacks ---- */

/* May it be called, and what it gives be put into the slot `to`? */
static bool may_call(struct adi_execution_slot *slot, enum adi_life_operation operation,
                     const struct adi_execution_slot *to) {
    return adi_guard_touch(slot->array) && adi_execution_may(slot, operation, slot->array) &&
           (to == NULL || adi_execution_may_receive(to, ADI_DO_receive));
}

/* What was there before is what a callback of an implementation's finds: poison. The harness's own
 * leave it where they fail. */
static void make_room(const struct adi_execution_slot *slot, struct adi_execution_slot *to) {
    adi_execution_slot_fill(to);
    if (slot->exported->watch != NULL) memset(to->array, ADI_POISON_BYTE, sizeof *to->array);
}

int adi_exported_stream_source(struct adi_execution *p, struct adi_exported_stream *stream,
                               struct ArrowArrayStream *out) {
    return adi_export_host_stream(p, stream->values, stream->n, stream->fails, out);
}

/* Makes one that is like it: from its source, or by relaying another. */
static int make_like(struct adi_execution *p, struct adi_exported_stream *like,
                     struct ArrowDeviceArrayStream *made) {
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream in = {.release = NULL};
    const struct adi_stream_plan plan = {&p->device, 1, NULL, 0};
    const struct adi_binding *binding = &p->binding;
    int code = adi_exported_stream_source(p, like, &host);
    if (code == 0 && binding->produce_stream != NULL)
        code = binding->produce_stream(binding->context, &host, made);
    else if (code == 0 && (code = adi_stream_produce(&plan, &host, &in, &p->error)) == 0)
        code = binding->relay_stream(binding->context, &in, made);
    adi_array_stream_release(&host);
    adi_device_array_stream_release(&in);
    return code;
}

/* Asks one that is like it, and stays where it was made, on this thread. */
static bool ask_unmoved(const struct adi_exported_stream *stream, const struct adi_kind *kind,
                        bool (*ask)(const struct adi_exported_stream *like,
                                    const struct adi_kind *kind, void *made)) {
    struct adi_execution *p = stream->p;
    struct adi_exported_stream like = *stream;
    struct ArrowDeviceArrayStream made;
    const size_t n_exports = p->n_exports;
    const bool muted = p->muted;
    memset(&made, ADI_POISON_BYTE, sizeof made);
    p->muted = true;
    bool answer = make_like(p, &like, &made) == 0 && ask(&like, kind, &made);
    p->muted = muted;
    p->n_exports = n_exports;
    return answer;
}

static bool ask_the_same(const struct adi_exported_stream *like, const struct adi_kind *kind,
                         void *made) {
    bool answers = adi_stream_calls_answered(&like->calls, kind, made);
    adi_call_stream_release(kind, made, false);
    return answers;
}

static bool answers_unmoved(const struct adi_execution_slot *slot) {
    return ask_unmoved(adi_exported_stream(slot->exported), slot->kind, ask_the_same);
}

static bool release_it(const struct adi_exported_stream *like, const struct adi_kind *kind,
                       void *made) {
    (void)like;
    adi_call_stream_release(kind, made, false);
    return adi_kind_release(kind, made) == NULL;
}

struct counting {
    struct adi_sink sink; /* first */
    size_t found;
};

static void count(struct adi_sink *sink, const struct adi_found *finding) {
    (void)finding;
    ((struct counting *)(void *)sink)->found++;
}

/* Nothing is read of a chunk that is not sound. */
static bool is_sound(struct adi_execution *p, const struct ArrowDeviceArray *chunk) {
    struct counting counting = {.sink.violated = count};
    bool is_starved; /* then nothing is said of its values, which are compared */
    adi_play_check_ready(&counting.sink, &p->schema, chunk, p->device, &is_starved);
    return counting.found == 0;
}

static bool holds(struct adi_execution *p, const struct ArrowDeviceArray *chunk,
                  const struct ArrowArray *values) {
    struct ArrowArray copy = {.release = NULL};
    struct adi_error why;
    bool equal = adi_copy_to_host(p->device, &p->schema, chunk, &copy, &why) == 0 &&
                 adi_array_compare(&p->schema, &copy, &p->schema, values, &why) == 0;
    adi_array_release(&copy);
    return equal;
}

/* Is the chunk right that came last? What is unsound is let be. */
static bool ask_for_chunk(const struct adi_exported_stream *like, const struct adi_kind *kind,
                          void *made) {
    struct adi_execution *p = like->p;
    bool sound = true, right = false;
    for (size_t i = 0; i < like->next && sound; i++) {
        struct ArrowDeviceArray chunk = {.array.release = NULL};
        right = false;
        if (adi_call_stream_next(kind, made, &chunk, false) != 0 || chunk.array.release == NULL)
            break;
        sound = adi_export_await(p, chunk.sync_event) == 0 && is_sound(p, &chunk);
        right = sound && holds(p, &chunk, like->values[i]);
        if (sound) adi_call_release_array(&chunk.array);
    }
    adi_call_stream_release(kind, made, false);
    return right;
}

static bool is_right_unmoved(const struct adi_exported_array *chunk) {
    struct adi_exported_stream like = *adi_exported_stream(chunk->from);
    like.next = chunk->number + 1;
    return ask_unmoved(&like, chunk->by, ask_for_chunk);
}

bool adi_exported_stream_clears(struct adi_execution *p, const struct adi_execution_slot *slot) {
    (void)p;
    return ask_unmoved(adi_exported_stream(slot->exported), slot->kind, release_it);
}

/* Of one that has nothing the type may still be refused. */
static bool has_all(const struct adi_exported_stream *stream) {
    return stream->n > 0 && stream->next == stream->n;
}

/* The harness's own that it was relayed from has given all that it has, and its end. */
static bool is_consumed(const struct adi_exported_stream *stream) {
    return relays(stream->p) && has_all(stream) && stream->source->guarded.has_ended;
}

static bool judge_failure(struct adi_execution *p, const struct adi_exported_stream *stream,
                          bool schema, int code) {
    const struct adi_words what =
        adi_words("the stream alone failed after %zu of %zu chunks", stream->next, stream->n);
    const struct adi_stream_so_far so_far = {.schema = stream->n_schemas > 0,
                                             .begun = stream->next > 0,
                                             .whole = has_all(stream) && !stream->fails,
                                             .over = stream->ended || stream->failed,
                                             .consumes = p->binding.copies,
                                             .lost = what.text};
    return adi_stream_judge_failure(&so_far, schema, code, &p->sink, &p->sink);
}

/* A callback of an implementation's has answered an error that nothing is to blame for, unless it
 * answers where it was made. */
static int refuse(struct adi_execution *p, struct adi_execution_slot *slot, const char *what,
                  int code) {
    const char *text = adi_call_stream_error(slot->kind, slot->array, false);
    adi_stream_judge_text(&p->sink, text);
    char *copy = adi_stream_text_copy(text);
    adi_error_set(&p->error, code, "%s answered %d%s%s", what, code, copy == NULL ? "" : ": ",
                  copy == NULL ? "" : copy);
    free(copy);
    const struct adi_error why = p->error;
    const bool schema = strcmp(what, "get_schema") == 0;
    if (p->n_findings > 0) return 0; /* it is known what is wrong */
    if (slot->moved && answers_unmoved(slot)) {
        adi_report(&p->sink, "life/depends-on-address", ADI_PRODUCER, strerror(code), "0",
                   "%s of a stream that was moved fails, and does not where it was made", what);
        return 0;
    }
    p->error = why;
    if (!schema && is_consumed(adi_exported_stream(slot->exported))) {
        adi_report(&p->sink, "stream/end-overlooked", ADI_CONSUMER, strerror(code),
                   "the end of what was made of it", "the end of a stream came out as an error");
        return 0;
    }
    if (judge_failure(p, adi_exported_stream(slot->exported), schema, code)) return 0;
    p->binding.refuse(p->binding.context);
    return code;
}

/* Programs know how many chunks there are, and how long. */
static int refuse_anew(struct adi_execution *p) {
    p->binding.refuse(p->binding.context);
    return adi_error_set(&p->error, ENOTSUP,
                         "the stream has other chunks than it was made of, or some elsewhere, as "
                         "it may: programs are about those that are as they were");
}

/* ---- get_schema ---- */

static int schema_of_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                            struct adi_execution_slot *to) {
    struct ArrowSchema *schema = (struct ArrowSchema *)(void *)to->array;
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    struct adi_exported_array *exported = adi_export_add(p);
    struct adi_error why = {""};
    if (exported == NULL) return ENOMEM;
    exported->from = slot->exported;
    int code = adi_call_stream_schema(slot->kind, slot->array, schema, false);
    adi_stream_calls_add(&stream->calls, true, code, false);
    if (p->binding.calm != NULL) p->binding.calm(p->binding.context);
    if (code != 0) {
        adi_execution_slot_empty(to);
        return refuse(p, slot, "get_schema", code);
    }
    if (p->binding.look_at_schema(p->binding.context, schema) != 0) {
        adi_execution_slot_empty(to);
        return adi_error_set(&p->error, EINVAL, "the schema is unsound");
    }
    const bool first = stream->n_schemas == 0 && stream->next == 0;
    if (adi_schema_compare_type(schema, &p->schema, &why) != 0)
        adi_report(&p->sink, first ? "schema/type-differs" : "stream/schema-changes", ADI_PRODUCER,
                   NULL, NULL, "schema.%s", why.text);
    stream->n_schemas++;
    return adi_export_watch(p, to, exported, &adi_kind_schema, &p->schema, NULL, 0);
}

int adi_act_stream_schema(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!may_call(slot, step->operation, to)) return 0;
    make_room(slot, to);
    if (slot->exported->watch != NULL) return schema_of_theirs(p, slot, to);
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    int code = adi_stream_schema(slot->kind, slot->array, (struct ArrowSchema *)(void *)to->array);
    if (code != 0) {
        adi_execution_slot_empty(to);
        return adi_error_set(&p->error, code, "the harness's get_schema answered %d", code);
    }
    stream->schema->from = slot->exported;
    adi_export_settle(to, stream->schema, &adi_kind_schema, &p->schema, NULL);
    return 0;
}

/* ---- get_next ---- */

static void mark_end(struct adi_execution_slot *to) {
    adi_execution_slot_empty(to);
    to->is_end = true;
}

/* Did it have to give a chunk, or an error? Then its end is one that nothing explains. */
static int end_of_theirs(struct adi_execution *p, const struct adi_execution_slot *slot,
                         struct adi_execution_slot *to) {
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    const bool imports = relays(p);
    mark_end(to);
    stream->ended = true;
    const struct adi_words what =
        adi_words("the stream ended after %zu of %zu chunks", stream->next, stream->n);
    const bool lost = stream->next < stream->n && stream->values[stream->next]->length > 0;
    if (lost && slot->moved && !answers_unmoved(slot)) p->mistake = adi_mistake(NULL, false);
    if (lost)
        adi_stream_report_lost(&p->sink, p->binding.copies, "the end of the stream", what.text);
    else if (stream->next < stream->n)
        return refuse_anew(p);
    else if (stream->fails)
        adi_report(&p->sink, imports ? "stream/error-overlooked" : "stream/source-error-lost",
                   imports ? ADI_CONSUMER : ADI_PRODUCER, "the end of the stream", "an error",
                   "what the stream is made of has failed, and the stream ended as if nothing had "
                   "happened");
    return 0;
}

/* What comes behind the end is the end again. */
static int behind_end(struct adi_execution *p, struct adi_execution_slot *to, int code) {
    const bool written = !adi_poisoned(&to->array->array.release, sizeof(void *));
    if (code == 0 && written) adi_call_release_array(&to->array->array);
    adi_execution_slot_empty(to);
    adi_report(&p->sink, "stream/next-after-end", ADI_PRODUCER,
               code != 0 ? strerror(code) : "an array", "the end again",
               "get_next was called once more, and did not give the end again");
    return 0;
}

/* A chunk is as it was made: else programs have nothing to say of it. */
static bool is_as_made(const struct adi_execution *p, const struct adi_exported_stream *stream,
                       const struct ArrowDeviceArray *chunk) {
    const struct adi_device_type *type = adi_device_type_find(p->device->ops->type);
    bool here = type == NULL || type->ids != ADI_IDS_EXACT || chunk->device_id == p->device->id;
    return stream->next < stream->n && here && chunk->device_type == p->device->ops->type &&
           chunk->array.length == stream->values[stream->next]->length;
}

/* A relay has taken the end, or an error, for a chunk. */
static bool is_overlooked(struct adi_execution *p, const struct adi_exported_stream *stream) {
    if (!relays(p) || stream->next < stream->n) return false;
    const struct adi_guarded_stream *guarded = &stream->source->guarded;
    if (!guarded->has_ended && !guarded->has_failed) return false;
    adi_report(&p->sink, guarded->has_ended ? "stream/end-overlooked" : "stream/error-overlooked",
               ADI_CONSUMER, NULL, NULL, "there are more chunks than the %zu that went in",
               stream->n);
    return true;
}

/* Is it of another type of device than its stream? Programs have no more to say of it. */
static bool is_of_other_type(struct adi_execution *p, const struct adi_execution_slot *slot,
                             struct ArrowDeviceArray *chunk) {
    const struct ArrowDeviceArrayStream *stream = (const void *)slot->array;
    struct adi_exported made = {.schema = &p->schema, .array = chunk};
    if (slot->kind != &adi_kind_device_array_stream || chunk->device_type == stream->device_type)
        return false;
    adi_chunk_judge_type(&p->sink, stream, p->device, adi_exported_stream(slot->exported)->next + 1,
                         &made);
    return true;
}

static int take_chunk_of_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                                struct adi_execution_slot *to) {
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    if (is_overlooked(p, stream)) {
        adi_execution_slot_empty(to);
        return 0;
    }
    if (is_of_other_type(p, slot, to->array)) {
        adi_call_release_array(&to->array->array);
        adi_execution_slot_empty(to);
        return 0;
    }
    if (!is_as_made(p, stream, to->array)) {
        adi_call_release_array(&to->array->array);
        adi_execution_slot_empty(to);
        return refuse_anew(p);
    }
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return ENOMEM;
    const bool relayed = relays(p);
    exported->from = slot->exported;
    p->defers = stream->pending && !relayed;
    const struct ArrowArray *values = stream->values[stream->next++];
    if (slot->moved && !stream->pending && !relayed) {
        exported->by = slot->kind;
        exported->number = stream->next - 1;
        exported->right_unmoved = is_right_unmoved;
        p->looked_at = exported;
    }
    int code = p->binding.look_at_chunk(p->binding.context, to->array, values);
    p->looked_at = NULL;
    ADI_TRY(adi_export_watch(p, to, exported, &adi_kind_array, &p->schema, values, code));
    /* What comes from elsewhere is waited on at once: whether it had to be is not the program's. */
    if (relayed) return adi_export_await(p, to->array->sync_event);
    ADI_TRY(adi_export_defer(p, to, stream->pending));
    if (exported->right_unmoved == NULL || p->n_findings > 0) return 0;
    /* Few programs move a stream and read what it gives. */
    p->looked_at = exported;
    ADI_TRY(adi_export_await(p, to->array->sync_event));
    return adi_execution_compare(p, to);
}

static int next_of_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                          struct adi_execution_slot *to) {
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    if (stream->source != NULL && stream->ended) stream->source->guarded.may_go_on = true;
    int code = relays(p) ? 0 : adi_exports_pause(p, stream->pending);
    if (code == 0) code = adi_call_stream_next(slot->kind, slot->array, to->array, false);
    adi_stream_calls_add(&stream->calls, false, code,
                         code == 0 && to->array->array.release == NULL);
    if (p->binding.calm != NULL) p->binding.calm(p->binding.context);
    if (stream->ended && (code != 0 || to->array->array.release != NULL))
        return behind_end(p, to, code);
    if (code != 0) {
        adi_execution_slot_empty(to);
        adi_stream_judge_code(&p->sink, code);
        const bool surfaces = stream->fails && stream->next == stream->n;
        stream->failed = surfaces;
        return surfaces ? 0 : refuse(p, slot, "get_next", code);
    }
    if (adi_poisoned(&to->array->array.release, sizeof(void *))) {
        adi_execution_slot_empty(to);
        adi_report(&p->sink, "stream/end-not-marked", ADI_PRODUCER,
                   "what was there before the call", "NULL",
                   "get_next answered 0, and `release` of the array was not written");
        return 0;
    }
    return to->array->array.release == NULL ? end_of_theirs(p, slot, to)
                                            : take_chunk_of_theirs(p, slot, to);
}

int adi_act_stream_next(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!may_call(slot, step->operation, to)) return 0;
    make_room(slot, to);
    if (slot->exported->watch != NULL) return next_of_theirs(p, slot, to);
    struct adi_exported_stream *stream = adi_exported_stream(slot->exported);
    int code = adi_stream_next(slot->kind, slot->array, to->array);
    if (code != 0) {
        adi_execution_slot_empty(to);
    } else if (to->array->array.release == NULL) {
        mark_end(to);
    } else {
        size_t i = stream->next++;
        adi_export_arrive(p, to, stream->parts[i], stream->pending, stream->values[i]);
    }
    return 0;
}

/* ---- get_last_error ---- */

int adi_act_stream_error(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!may_call(slot, step->operation, NULL)) return 0;
    if (slot->exported->watch == NULL)
        adi_stream_error(slot->kind, slot->array);
    else
        adi_stream_judge_text(&p->sink, adi_call_stream_error(slot->kind, slot->array, false));
    if (p->binding.calm != NULL) p->binding.calm(p->binding.context);
    return 0;
}
