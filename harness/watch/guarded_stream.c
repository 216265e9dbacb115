/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_stream.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "attribution.h"
#include "move.h"
#include "schema.h"
#include "stream_callbacks.h"

#define KEY_BYTES 16

/* A callback has only the structure to go by. */
static struct adi_guarded_stream *streams;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER; /* of those that are open */
static _Atomic size_t called;                            /* callbacks that run, on any thread */

static struct adi_guarded_stream *look_up(const struct adi_kind *kind, const void *self,
                                          const char *key) {
    struct adi_guarded_stream *best = NULL;
    int likeliest = 0;
    if (adi_guard_has_ended(key)) return NULL; /* that comes late, when its case is over */
    for (struct adi_guarded_stream *stream = streams; stream != NULL; stream = stream->opened) {
        int likeness;
        if (stream->kind != kind) continue;
        if (key == stream->private_data) return stream;
        if (adi_monitor_find(&stream->monitor, kind, self, &likeness) < 0 || likeness <= likeliest)
            continue;
        best = stream;
        likeliest = likeness;
    }
    return best;
}

/* By its key; where that was changed, by what else is known. */
static struct adi_guarded_stream *stream_of(const struct adi_kind *kind, const void *self) {
    pthread_mutex_lock(&list);
    struct adi_guarded_stream *stream =
        look_up(kind, self, adi_kind_pointer(self, kind->private_data));
    pthread_mutex_unlock(&list);
    return stream;
}

/* ---- a callback begins and ends ---- */

struct call {
    struct adi_guarded_stream *stream; /* NULL: it is to answer an error */
    bool attributed;                   /* to the implementation, before */
};

/* CS-013, DV-057: a text is valid until the next call of one of the stream's callbacks. */
static void retire_text(struct adi_guarded_stream *stream) {
    size_t n = stream->n_texts;
    if (n > 0 && n <= ADI_STREAM_TEXTS && stream->texts[n - 1] != NULL)
        adi_guard_retire(stream->texts[n - 1]);
}

#define LINGER_NS 200000

/* A call is short, and two of them seldom meet. Once a second thread has called, each takes its
 * time. */
static void linger(struct adi_guarded_stream *stream) {
    static _Thread_local char here;
    uintptr_t before = atomic_exchange(&stream->last, (uintptr_t)&here);
    if (before != 0 && before != (uintptr_t)&here) stream->has_several = true;
    if (stream->has_several) nanosleep(&(struct timespec){.tv_nsec = LINGER_NS}, NULL);
}

/* CS-004, CS-009, CS-010, DV-048, DV-053, DV-054: which callback may be called is in the table of
 * the stream's life. */
/* CS-022, DV-064: calls are serialized by the consumer. */
/* CS-023: calls may come on any thread, one at a time. */
static struct call begin(const struct adi_kind *kind, void *self,
                         enum adi_life_operation operation) {
    atomic_fetch_add(&called, 1);
    struct call call = {.stream = stream_of(kind, self),
                        .attributed = adi_attribution_enter(false)};
    struct adi_guarded_stream *stream = call.stream;
    if (stream == NULL) return call;
    if (atomic_fetch_add(&stream->inside, 1) > 0)
        adi_report(stream->monitor.sink, "stream/calls-overlap", ADI_CONSUMER,
                   "a second call before the first has returned", "one call at a time",
                   "callbacks of the stream were called at once");
    linger(stream);
    if (!adi_monitor_call(&stream->monitor, 0, self, operation)) {
        atomic_fetch_sub(&stream->inside, 1);
        call.stream = NULL;
        return call;
    }
    retire_text(stream);
    return call;
}

static void end(const struct call *call) {
    if (call->stream != NULL) atomic_fetch_sub(&call->stream->inside, 1);
    adi_attribution_enter(call->attributed);
    atomic_fetch_sub(&called, 1);
}

/* ---- what the callbacks do ---- */

static void tell(const struct adi_guarded_stream *stream, const char *rule) {
    if (stream->hooks != NULL && stream->hooks->tell != NULL)
        stream->hooks->tell(stream->hooks->context, rule);
}

/* CS-005: the code of a callback that fails is not 0. */
static int fail(struct adi_guarded_stream *stream, int code) {
    stream->has_failed = true;
    tell(stream, "stream/error-overlooked");
    adi_monitor_arrive(&stream->monitor, 0, ADI_IS_stream_failed);
    return code;
}

/* What is handed out is its consumer's, who moves it where he will. */
static void hand_over(const struct adi_guarded_stream *stream, struct adi_monitor *monitor,
                      const void *from, void *to) {
    adi_monitor_moved(monitor, from, to);
    if (!stream->is_told) adi_monitor_hand_over(monitor, to);
}

/* A schema in guarded memory, while there is one; NULL: there is none. */
static struct ArrowSchema *next_schema(struct adi_guarded_stream *stream,
                                       struct adi_guarded **input) {
    const struct adi_guarded_stream_hooks *hooks = stream->hooks;
    if (hooks != NULL && hooks->schema != NULL) return hooks->schema(hooks->context, input);
    if (stream->n_schemas == stream->n_chunks ||
        stream->chunks[stream->n_schemas].pair.schema == NULL)
        return NULL;
    struct adi_guarded_chunk *chunk = &stream->chunks[stream->n_schemas++];
    *input = chunk->input;
    return chunk->pair.schema;
}

static int put_schema(struct adi_guarded_stream *stream, struct ArrowSchema *out) {
    struct adi_guarded *input;
    struct ArrowSchema *from = next_schema(stream, &input);
    if (from == NULL) return adi_schema_export(stream->schema, out, NULL);
    adi_schema_move(from, out);
    hand_over(stream, &input->monitor, from, out);
    return 0;
}

static int give_schema(const struct adi_kind *kind, void *self, struct ArrowSchema *out) {
    struct call call = begin(kind, self, ADI_DO_stream_schema);
    struct adi_guarded_stream *stream = call.stream;
    int code = stream == NULL ? EINVAL : 0;
    if (stream != NULL && stream->schema_failure != 0)
        code = fail(stream, stream->schema_failure);
    else if (stream != NULL)
        code = put_schema(stream, out);
    end(&call);
    return code;
}

static void give_chunk(struct adi_guarded_stream *stream, void *out) {
    const struct adi_guarded_stream_hooks *hooks = stream->hooks;
    if (hooks != NULL && hooks->ask != NULL && pthread_equal(pthread_self(), stream->thread))
        hooks->ask(hooks->context, stream->next);
    struct adi_guarded_chunk *chunk = &stream->chunks[stream->next++];
    struct ArrowDeviceArray *from = chunk->pair.array;
    bool last = stream->next == stream->n_chunks;
    struct ArrowArray *to = out;
    if (stream->kind == &adi_kind_device_array_stream) {
        to = &((struct ArrowDeviceArray *)out)->array;
        adi_device_array_move(from, out);
    } else {
        adi_array_move(&from->array, to);
    }
    hand_over(stream, &chunk->input->monitor, &from->array, to);
    adi_monitor_arrive(&stream->monitor, 0,
                       stream->failure != 0 ? ADI_IS_failing_begun
                       : last               ? ADI_IS_stream_all
                                            : ADI_IS_stream_begun);
}

/* CS-006, DV-050: a consumer looks whether the array is released, and at nothing else of it. */
static void give_end(struct adi_guarded_stream *stream, void *out) {
    if (stream->has_ended && !stream->may_go_on)
        adi_report(stream->monitor.sink, "stream/next-after-end", ADI_CONSUMER,
                   "a call of get_next", "no call after the end",
                   "%s was asked for a chunk after it had ended", stream->kind->name);
    stream->has_ended = true;
    tell(stream, "stream/end-overlooked");
    bool on_device = stream->kind == &adi_kind_device_array_stream;
    struct ArrowArray *array = on_device ? &((struct ArrowDeviceArray *)out)->array : out;
    memset(out, ADI_POISON_BYTE, on_device ? sizeof(struct ArrowDeviceArray) : sizeof *array);
    array->buffers = stream->end;
    array->children = stream->end;
    array->dictionary = stream->end;
    array->private_data = stream->end;
    array->release = NULL;
    if (on_device) ((struct ArrowDeviceArray *)out)->sync_event = stream->end;
    adi_monitor_arrive(&stream->monitor, 0, ADI_IS_stream_ended);
}

static int give_next(const struct adi_kind *kind, void *self, void *out) {
    struct call call = begin(kind, self, ADI_DO_stream_next);
    struct adi_guarded_stream *stream = call.stream;
    int code = 0;
    if (stream == NULL) {
        code = EINVAL;
    } else if (stream->schema_failure != 0) {
        code = fail(stream, stream->schema_failure);
    } else if (stream->ends_early > 0 && stream->next == stream->ends_early && !stream->has_ended) {
        give_end(stream, out);
    } else if (stream->next < stream->n_chunks) {
        give_chunk(stream, out);
    } else if (stream->failure != 0) {
        code = fail(stream, stream->failure);
    } else {
        give_end(stream, out);
    }
    end(&call);
    return code;
}

/* CS-012, DV-056: there may be no text. */
static const char *give_error(const struct adi_kind *kind, void *self) {
    struct call call = begin(kind, self, ADI_DO_stream_error);
    struct adi_guarded_stream *stream = call.stream;
    const char *text = NULL;
    if (stream != NULL) tell(stream, NULL); /* it has not overlooked that */
    if (stream != NULL && stream->n_texts < ADI_STREAM_TEXTS)
        text = stream->texts[stream->n_texts++];
    end(&call);
    return text;
}

/* What nobody has asked for. */
static void release_rest(struct adi_guarded_stream *stream) {
    for (size_t i = 0; i < stream->n_chunks; i++) {
        if (stream->chunks[i].pair.schema != NULL)
            adi_schema_release(stream->chunks[i].pair.schema);
        adi_array_release(&stream->chunks[i].pair.array->array);
    }
}

static void poison(const struct adi_guarded_stream *stream, void *self) {
    for (size_t i = 0; i < sizeof stream->kind->owned / sizeof stream->kind->owned[0]; i++)
        if (stream->kind->owned[i].name != NULL && !adi_guard_spares() &&
            stream->kind->owned[i].bytes == sizeof(void *))
            adi_kind_set(self, stream->kind->owned[i].offset, stream->poison);
    adi_kind_set_release(stream->kind, self, NULL);
}

static void on_release(const struct adi_kind *kind, void *self) {
    atomic_fetch_add(&called, 1);
    bool before = adi_attribution_enter(false);
    struct adi_guarded_stream *stream = stream_of(kind, self);
    if (stream == NULL) {
        adi_kind_set_release(kind, self, NULL);
    } else if (!adi_monitor_enter(&stream->monitor, 0, self)) {
        if (!stream->monitor.refuses) adi_kind_set_release(kind, self, NULL);
    } else {
        retire_text(stream);
        release_rest(stream);
        poison(stream, self);
        adi_monitor_leave(&stream->monitor, 0, self);
    }
    adi_attribution_enter(before);
    atomic_fetch_sub(&called, 1);
}

/* ---- from the first to the last ---- */

static void fill_in(struct adi_guarded_stream *stream, ArrowDeviceType type) {
    if (stream->kind == &adi_kind_device_array_stream)
        *(struct ArrowDeviceArrayStream *)stream->structure =
            (struct ArrowDeviceArrayStream){.device_type = type,
                                            .get_schema = device_schema,
                                            .get_next = device_next,
                                            .get_last_error = device_error,
                                            .release = device_release,
                                            .private_data = stream->private_data};
    else
        *(struct ArrowArrayStream *)stream->structure =
            (struct ArrowArrayStream){.get_schema = host_schema,
                                      .get_next = host_next,
                                      .get_last_error = host_error,
                                      .release = host_release,
                                      .private_data = stream->private_data};
}

/* false: the guarded memory is full. */
static bool lay_out(struct adi_guarded_stream *stream, const char *text) {
    size_t bytes = text == NULL ? 0 : strlen(text) + 1;
    stream->private_data = adi_guard_alloc(ADI_REGION_PRIVATE, KEY_BYTES, 1, "private_data");
    stream->end = adi_guard_alloc(ADI_REGION_PRIVATE, 1, 1, "what the end of a stream points to");
    stream->poison = adi_guard_alloc(ADI_REGION_PRIVATE, 1, 1, "what a released stream pointed to");
    stream->structure =
        adi_guard_alloc(ADI_REGION_STRUCTURE, stream->kind->size, 1, stream->kind->name);
    for (size_t i = 0; i < ADI_STREAM_TEXTS && text != NULL; i++) {
        stream->texts[i] = adi_guard_alloc(ADI_REGION_STRING, bytes, 1, "the text of an error");
        if (stream->texts[i] == NULL) return false;
        memcpy(stream->texts[i], text, bytes);
        adi_guard_charge(stream->texts[i], ADI_CHARGE_TOUCH_TEXT);
    }
    return stream->end != NULL && stream->private_data != NULL && stream->poison != NULL &&
           stream->structure != NULL;
}

void *adi_guarded_stream_open(struct adi_guarded_stream *stream, const struct adi_kind *kind,
                              const struct adi_guarded_stream_plan *plan, struct adi_sink *sink) {
    size_t first;
    *stream = (struct adi_guarded_stream){.kind = kind,
                                          .schema = plan->schema,
                                          .chunks = plan->chunks,
                                          .n_chunks = plan->n_chunks,
                                          .failure = plan->failure,
                                          .schema_failure = plan->schema_failure,
                                          .ends_early = plan->ends_early,
                                          .hooks = plan->hooks,
                                          .thread = pthread_self()};
    if (!lay_out(stream, plan->text)) return NULL;
    adi_guard_retire(stream->poison);
    adi_guard_charge(stream->end, ADI_CHARGE_TOUCH_END);
    adi_guard_retire(stream->end);
    fill_in(stream, plan->type);
    adi_monitor_init(&stream->monitor, sink, false, true);
    if (adi_monitor_add(&stream->monitor, kind, stream->structure, &first) != 0) {
        adi_monitor_free(&stream->monitor);
        return NULL;
    }
    if (plan->failure != 0 || plan->schema_failure != 0)
        adi_monitor_arrive(&stream->monitor, 0, ADI_IS_failing);
    adi_guard_seal();
    stream->whole = true;
    pthread_mutex_lock(&list);
    stream->opened = streams;
    streams = stream;
    pthread_mutex_unlock(&list);
    adi_guard_keep(1);
    return stream->structure;
}

void adi_guarded_stream_moved(struct adi_guarded_stream *stream, const void *from, void *to) {
    adi_monitor_moved(&stream->monitor, from, to);
}

bool adi_guarded_stream_is_live(struct adi_guarded_stream *stream) {
    return stream->whole && adi_monitor_live(&stream->monitor) > 0;
}

/* From here on no callback finds it, and none that has found it runs. */
static void take_out(struct adi_guarded_stream *stream) {
    struct adi_guarded_stream **at = &streams;
    pthread_mutex_lock(&list);
    while (atomic_load(&called) > 0) {
        pthread_mutex_unlock(&list);
        sched_yield();
        pthread_mutex_lock(&list);
    }
    adi_guard_end(stream->private_data);
    while (*at != stream) at = &(*at)->opened;
    *at = stream->opened;
    pthread_mutex_unlock(&list);
}

void adi_guarded_stream_close(struct adi_guarded_stream *stream) {
    if (!stream->whole) return;
    take_out(stream);
    bool live = adi_monitor_live(&stream->monitor) > 0;
    adi_monitor_finish(&stream->monitor);
    if (live) release_rest(stream);
    adi_monitor_free(&stream->monitor);
    stream->whole = false;
    adi_guard_keep(-1);
    if (!adi_guard_is_kept() && !adi_guarded_any()) adi_guard_reset();
}
