/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to streams. One of the harness's own is guarded_stream.h's; its chunks are exports
 * like any other, made with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "check.h"
#include "device_types.h"
#include "execution_internal.h"
#include "move.h"
#include "node.h"
#include "play_stream.h"
#include "schema.h"

static const char failure_text[] = "the source has failed: \xc3\xa9";

#define CHUNKS 2 /* chunks of a stream that does not fail; as life/stream.def has it */

/* What is known of a stream: the harness's own, or an implementation's. */
struct adi_exported_stream {
    struct adi_execution *p;
    struct adi_exported_array *self;
    size_t n, next;                          /* chunks that it has, and that were handed out */
    bool pending, fails;                     /* its chunks come so; after its first it does */
    bool ended;                              /* its end has come; it was released */
    size_t n_schemas;                        /* that it has handed out */
    const struct ArrowArray *values[CHUNKS]; /* of its chunks */
    /* The harness's own. */
    struct adi_guarded_stream guarded;
    struct adi_guarded_stream_hooks hooks;
    struct adi_guarded_chunk chunks[CHUNKS];
    struct adi_exported_array *parts[CHUNKS];
    struct adi_exported_array *schema; /* the last that it has handed out */
};

static struct adi_exported_stream *stream_of(const struct adi_exported_array *exported) {
    return exported->own;
}

static struct adi_exported_array *add(struct adi_execution *p, enum adi_life_operation operation) {
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return NULL;
    struct adi_exported_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        adi_error_set(&p->error, ENOMEM, "out of memory");
        return NULL;
    }
    stream->p = p;
    stream->self = exported;
    stream->fails = operation == ADI_DO_stream_export_failing;
    stream->pending = operation == ADI_DO_stream_export_pending;
    stream->n = stream->fails ? 1 : CHUNKS;
    exported->own = stream;
    return exported;
}

/* ---- exporting: the harness's own ---- */

/* Each schema is one of its own, in guarded memory. */
static struct ArrowSchema *give_schema(void *stream_at, struct adi_guarded **input) {
    struct adi_exported_stream *stream = stream_at;
    struct adi_execution *p = stream->p;
    struct ArrowSchema *schema = NULL;
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return NULL;
    adi_guarded_open(&exported->guarded, p->device, &p->sink);
    exported->guarded.monitor.refuses = p->binding.context == NULL;
    if (adi_guarded_put_schema(&exported->guarded, &p->schema, &schema, &p->error) != 0)
        return NULL;
    stream->schema = exported;
    *input = &exported->guarded;
    return schema;
}

static int put_chunks(struct adi_execution *p, struct adi_exported_stream *stream) {
    for (size_t i = 0; i < stream->n; i++) {
        struct adi_exported_array *part = adi_export_add(p);
        if (part == NULL) return ENOMEM;
        part->from = stream->self;
        stream->parts[i] = part;
        stream->chunks[i].input = &part->guarded;
        ADI_TRY(
            adi_export_put(p, part, stream->pending, &stream->chunks[i].pair, &stream->values[i]));
        stream->chunks[i].pair.schema = NULL;
    }
    return 0;
}

static void close_guarded(void *stream_at) {
    struct adi_exported_stream *stream = stream_at;
    adi_guarded_stream_close(&stream->guarded);
}

static int export_guarded(struct adi_execution *p, struct adi_execution_slot *slot,
                          struct adi_exported_array *exported) {
    struct adi_exported_stream *stream = stream_of(exported);
    const struct adi_kind *kind = &adi_kind_device_array_stream;
    ADI_TRY(put_chunks(p, stream));
    stream->hooks = (struct adi_guarded_stream_hooks){.context = stream, .schema = give_schema};
    const struct adi_guarded_stream_plan plan = {.schema = &p->schema,
                                                 .chunks = stream->chunks,
                                                 .n_chunks = stream->n,
                                                 .type = p->device->ops->type,
                                                 .failure = stream->fails ? EIO : 0,
                                                 .text = stream->fails ? failure_text : NULL,
                                                 .hooks = &stream->hooks};
    void *made = adi_guarded_stream_open(&stream->guarded, kind, &plan, &p->sink);
    if (made == NULL) return adi_error_set(&p->error, ENOMEM, "the guarded memory is full");
    exported->monitor = &stream->guarded.monitor;
    exported->close = close_guarded;
    stream->guarded.is_told = true;
    stream->guarded.may_go_on = true;
    stream->guarded.monitor.refuses = p->binding.context == NULL;
    adi_execution_slot_fill(slot);
    memcpy(slot->array, made, kind->size);
    adi_kind_set_release(kind, made, NULL);
    adi_guarded_stream_moved(&stream->guarded, made, slot->array);
    adi_export_settle(slot, exported, kind, &p->schema, NULL);
    return 0;
}

/* ---- exporting: an implementation's ---- */

/* What it makes its stream of. It is plain: what it does with that is judged elsewhere. */
static int make_source(struct adi_execution *p, struct adi_exported_stream *stream,
                       struct ArrowArrayStream *out) {
    struct adi_batches batches = {0};
    struct ArrowArray host;
    int code = adi_schema_export(&p->schema, &batches.schema, &p->error);
    for (size_t i = 0; i < stream->n && code == 0; i++) {
        code = adi_export_values(p, &stream->values[i], &host);
        if (code != 0) break;
        code = adi_batches_add(&batches, &host, 1, &p->error);
        if (code != 0) adi_array_release(&host);
    }
    if (stream->fails) adi_last_error_set(&batches.error, EIO, failure_text);
    if (code == 0) code = adi_batches_stream(&batches, out, &p->error);
    adi_batches_release(&batches);
    return code;
}

static int export_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                         struct adi_exported_array *exported) {
    struct adi_exported_stream *stream = stream_of(exported);
    struct ArrowArrayStream host;
    ADI_TRY(make_source(p, stream, &host));
    ADI_TRY(adi_exports_pause(p, stream->pending));
    adi_execution_slot_fill(slot);
    memset(slot->array, ADI_POISON_BYTE, sizeof *slot->array);
    int code = p->binding.produce_stream(p->binding.context, &host,
                                         (struct ArrowDeviceArrayStream *)(void *)slot->array);
    adi_array_stream_release(&host);
    return adi_export_watch(p, slot, exported, &adi_kind_device_array_stream, &p->schema, NULL,
                            code);
}

static int do_export(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_execution_may_receive(slot, step->operation)) return 0;
    struct adi_exported_array *exported = add(p, step->operation);
    if (exported == NULL) return ENOMEM;
    return (p->binding.produce_stream != NULL ? export_theirs : export_guarded)(p, slot, exported);
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

/* Asks a stream for all that one of its kind was asked for. */
static bool answers_all(const struct adi_kind *kind, void *stream, size_t chunks, size_t schemas) {
    bool answers = true;
    for (size_t i = 0; i < schemas && answers; i++) {
        struct ArrowSchema type = {.release = NULL};
        answers = adi_call_stream_schema(kind, stream, &type, false) == 0;
        if (answers && type.release != NULL) adi_call_release_schema(&type);
    }
    for (size_t i = 0; i < chunks && answers; i++) {
        struct ArrowDeviceArray chunk = {.array.release = NULL};
        answers = adi_call_stream_next(kind, stream, &chunk, false) == 0;
        if (answers && chunk.array.release != NULL) adi_call_release_array(&chunk.array);
    }
    return answers;
}

/* Does one that is like it, and stays where it was made, answer? */
static bool answers_unmoved(struct adi_execution *p, const struct adi_execution_slot *slot,
                            bool schema) {
    struct adi_exported_stream like = *stream_of(slot->exported);
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream made;
    const size_t n_exports = p->n_exports;
    const bool muted = p->muted;
    memset(&made, ADI_POISON_BYTE, sizeof made);
    p->muted = true;
    bool answers = make_source(p, &like, &host) == 0;
    if (answers) answers = p->binding.produce_stream(p->binding.context, &host, &made) == 0;
    adi_array_stream_release(&host);
    if (answers) {
        answers = answers_all(slot->kind, &made, like.next + !schema, like.n_schemas + schema);
        adi_call_stream_release(slot->kind, &made, false);
    }
    p->muted = muted;
    p->n_exports = n_exports;
    return answers;
}

/* As play_stream_output.c has it of a whole stream. */
static bool judge_failure(struct adi_execution *p, const struct adi_exported_stream *stream,
                          bool schema, int code) {
    const bool is_end = stream->next == stream->n && !stream->fails;
    const struct adi_words what =
        adi_words("the stream alone failed after %zu of %zu chunks", stream->next, stream->n);
    if (code == ENOMEM || stream->ended) return false;
    if ((schema ? stream->n_schemas : stream->next) == 0) return false;
    if (!schema && !is_end && adi_stream_code_refuses(code)) return false;
    if (schema)
        adi_stream_report_no_schema(&p->sink, code);
    else if (is_end)
        adi_stream_report_no_end(&p->sink, code);
    else
        adi_stream_report_lost(&p->sink, false, strerror(code), what.text);
    return true;
}

/* A callback of an implementation's has answered an error that nothing is to blame for, unless it
 * answers where it was made. */
static int refuse(struct adi_execution *p, struct adi_execution_slot *slot, const char *what,
                  int code) {
    const char *text = adi_call_stream_error(slot->kind, slot->array, false);
    adi_error_set(&p->error, code, "%s answered %d%s%s", what, code, text == NULL ? "" : ": ",
                  text == NULL ? "" : text);
    const struct adi_error why = p->error;
    const bool schema = strcmp(what, "get_schema") == 0;
    if (slot->moved && answers_unmoved(p, slot, schema)) {
        adi_report(&p->sink, "life/depends-on-address", ADI_PRODUCER, strerror(code), "0",
                   "%s of a stream that was moved fails, and does not where it was made", what);
        return 0;
    }
    p->error = why;
    if (judge_failure(p, stream_of(slot->exported), schema, code)) return 0;
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
    struct adi_exported_stream *stream = stream_of(slot->exported);
    struct adi_exported_array *exported = adi_export_add(p);
    struct adi_error why = {""};
    if (exported == NULL) return ENOMEM;
    exported->from = slot->exported;
    int code = adi_call_stream_schema(slot->kind, slot->array, schema, false);
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

static int do_schema(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!may_call(slot, step->operation, to)) return 0;
    make_room(slot, to);
    if (slot->exported->watch != NULL) return schema_of_theirs(p, slot, to);
    struct adi_exported_stream *stream = stream_of(slot->exported);
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
static int end_of_theirs(struct adi_execution *p, struct adi_exported_stream *stream,
                         struct adi_execution_slot *to) {
    mark_end(to);
    stream->ended = true;
    const struct adi_words what =
        adi_words("the stream ended after %zu of %zu chunks", stream->next, stream->n);
    if (stream->next < stream->n && stream->values[stream->next]->length > 0)
        adi_stream_report_lost(&p->sink, false, "the end of the stream", what.text);
    else if (stream->next < stream->n)
        return refuse_anew(p);
    else if (stream->fails)
        adi_report(&p->sink, "stream/source-error-lost", ADI_PRODUCER, "the end of the stream",
                   "an error",
                   "what the stream is made of has failed, and the stream ended as if nothing had "
                   "happened");
    return 0;
}

/* What comes behind the end is the end again. */
static int behind_end(struct adi_execution *p, struct adi_execution_slot *to, int code) {
    if (code == 0) adi_call_release_array(&to->array->array);
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

static int take_chunk_of_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                                struct adi_execution_slot *to) {
    struct adi_exported_stream *stream = stream_of(slot->exported);
    if (!is_as_made(p, stream, to->array)) {
        adi_call_release_array(&to->array->array);
        adi_execution_slot_empty(to);
        return refuse_anew(p);
    }
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return ENOMEM;
    exported->from = slot->exported;
    p->defers = stream->pending;
    int code = p->binding.look_at_chunk(p->binding.context, to->array);
    const struct ArrowArray *values = stream->values[stream->next++];
    ADI_TRY(adi_export_watch(p, to, exported, &adi_kind_array, &p->schema, values, code));
    return adi_export_defer(p, to, stream->pending);
}

static int next_of_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                          struct adi_execution_slot *to) {
    struct adi_exported_stream *stream = stream_of(slot->exported);
    int code = adi_exports_pause(p, stream->pending);
    if (code == 0) code = adi_call_stream_next(slot->kind, slot->array, to->array, false);
    if (stream->ended && (code != 0 || to->array->array.release != NULL))
        return behind_end(p, to, code);
    if (code != 0) {
        adi_execution_slot_empty(to);
        adi_stream_judge_code(&p->sink, code);
        const bool surfaces = stream->fails && stream->next == stream->n;
        return surfaces ? 0 : refuse(p, slot, "get_next", code);
    }
    if (adi_poisoned(&to->array->array.release, sizeof(void *))) {
        adi_execution_slot_empty(to);
        adi_report(&p->sink, "stream/end-not-marked", ADI_PRODUCER,
                   "what was there before the call", "NULL",
                   "get_next answered 0, and `release` of the array was not written");
        return 0;
    }
    return to->array->array.release == NULL ? end_of_theirs(p, stream, to)
                                            : take_chunk_of_theirs(p, slot, to);
}

static int do_next(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!may_call(slot, step->operation, to)) return 0;
    make_room(slot, to);
    if (slot->exported->watch != NULL) return next_of_theirs(p, slot, to);
    struct adi_exported_stream *stream = stream_of(slot->exported);
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

static int do_error(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!may_call(slot, step->operation, NULL)) return 0;
    if (slot->exported->watch == NULL)
        adi_stream_error(slot->kind, slot->array);
    else
        adi_stream_judge_text(&p->sink, adi_call_stream_error(slot->kind, slot->array, false));
    return 0;
}

/* ---- what a failure would be ---- */

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    if (stream_of(slot->exported)->ended && operation == ADI_DO_stream_next)
        return "stream/next-after-end";
    if (operation == ADI_DO_release && p->elsewhere) return "stream/bound-to-thread";
    return slot->moved ? "life/depends-on-address" : NULL;
}

const struct adi_acts adi_acts_stream = {&adi_kind_device_array_stream,
                                         cause,
                                         {
                                             {ADI_DO_stream_export, do_export},
                                             {ADI_DO_stream_export_pending, do_export},
                                             {ADI_DO_stream_export_failing, do_export},
                                             {ADI_DO_stream_schema, do_schema},
                                             {ADI_DO_stream_next, do_next},
                                             {ADI_DO_stream_error, do_error},
                                             {.act = NULL},
                                         }};
