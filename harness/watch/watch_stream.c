/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_stream.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "device_types.h"
#include "devices.h"
#include "move.h"
#include "schema.h"
#include "stream_callbacks.h"

#define FIRST_ROOM 64 /* so many are kept before those that were released are forgotten */

struct adi_stream_watch {
    struct adi_monitor monitor; /* of the stream structure alone */
    const struct adi_kind *kind;
    union {
        struct ArrowArrayStream host;
        struct ArrowDeviceArrayStream device;
    } original;                /* moved from where the watch's own callbacks are now */
    struct ArrowSchema schema; /* a copy of what it gives; released: not known */
    bool is_asked;             /* for that */
    bool has_ended;
    pthread_mutex_t lock;     /* of what follows */
    struct adi_watch **given; /* over what came out of it */
    size_t n_given, room;
    bool is_closed;
    size_t inside; /* callbacks that run; of this and of the next one `list` is the lock */
    struct adi_stream_watch *next;
};

/* A callback has only the structure to go by. */
static struct adi_stream_watch *streams;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

static void ignore_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink, (void)finding;
}

static struct adi_sink ignoring = {.violated = ignore_finding};

static bool is_on_device(const struct adi_stream_watch *watch) {
    return watch->kind == &adi_kind_device_array_stream;
}

/* ---- what comes out ---- */

struct verdict {
    struct adi_sink sink; /* first */
    bool is_broken;
};

static void note_binding(struct adi_sink *sink, const struct adi_found *finding) {
    struct verdict *verdict = (struct verdict *)sink;
    verdict->is_broken = verdict->is_broken || adi_rule_binds(finding->rule);
}

static bool is_sound(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                     struct adi_device *device) {
    struct verdict verdict = {.sink.violated = note_binding};
    return adi_check_schema(schema, &verdict.sink) &&
           (array == NULL || adi_check_array(schema, array, device, &verdict.sink)) &&
           !verdict.is_broken;
}

static void forget_released(struct adi_stream_watch *watch) {
    size_t kept = 0;
    for (size_t i = 0; i < watch->n_given; i++)
        if (adi_watch_live(watch->given[i]) == 0)
            adi_watch_close(watch->given[i]);
        else
            watch->given[kept++] = watch->given[i];
    watch->n_given = kept;
}

/* Those that were released last are still known: they might be released again. */
static bool make_room(struct adi_stream_watch *watch) {
    if (watch->n_given < watch->room) return true;
    forget_released(watch);
    if (watch->n_given < watch->room / 2) return true;
    size_t room = watch->room == 0 ? FIRST_ROOM : 2 * watch->room;
    struct adi_watch **given = realloc(watch->given, room * sizeof *given);
    if (given == NULL) return false;
    watch->given = given;
    watch->room = room;
    return true;
}

/* Takes `before` over. Its consumer moves it where he will. Where there is no memory, nothing is
 * watched. */
static void watch_given(struct adi_stream_watch *stream, const struct adi_kind *kind,
                        void *structure, struct adi_node *before) {
    struct adi_watch *watch = NULL;
    pthread_mutex_lock(&stream->lock);
    if (!stream->is_closed && make_room(stream))
        watch = adi_watch_open(kind, structure, stream->monitor.sink, false, true);
    if (watch != NULL) {
        adi_watch_compare(watch, before);
        adi_watch_hand_over(watch, structure);
        stream->given[stream->n_given++] = watch;
    }
    pthread_mutex_unlock(&stream->lock);
    if (watch == NULL) adi_tree_free(before);
}

static void learn(struct adi_stream_watch *watch, const struct ArrowSchema *schema) {
    watch->is_asked = true;
    if (watch->schema.release == NULL && adi_schema_export(schema, &watch->schema, NULL) != 0)
        watch->schema.release = NULL;
}

static void watch_schema(struct adi_stream_watch *watch, struct ArrowSchema *schema) {
    if (!is_sound(schema, NULL, NULL)) return;
    learn(watch, schema);
    watch_given(watch, &adi_kind_schema, schema, NULL);
}

static void watch_chunk(struct adi_stream_watch *watch, void *out) {
    struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    struct ArrowDeviceArray chunk;
    if (watch->schema.release == NULL) return;
    if (is_on_device(watch))
        chunk = *(struct ArrowDeviceArray *)out;
    else
        chunk = adi_device_array_of_cpu(out);
    bool is_on_cpu = adi_device_type_is_cpu(chunk.device_type);
    struct adi_node *copy = adi_tree_copy(&watch->schema, &chunk, is_on_cpu ? &cpu : NULL);
    if (copy == NULL) return;
    if (adi_check_is_clean(copy) || is_sound(&watch->schema, &chunk, is_on_cpu ? &cpu : NULL))
        watch_given(watch, &adi_kind_array, out, copy);
    else
        adi_tree_free(copy);
}

/* ---- the original's callbacks ---- */

static int ask_schema(struct adi_stream_watch *watch, struct ArrowSchema *out) {
    if (is_on_device(watch)) return watch->original.device.get_schema(&watch->original.device, out);
    return watch->original.host.get_schema(&watch->original.host, out);
}

static int ask_next(struct adi_stream_watch *watch, void *out) {
    if (is_on_device(watch)) return watch->original.device.get_next(&watch->original.device, out);
    return watch->original.host.get_next(&watch->original.host, out);
}

static const char *ask_error(struct adi_stream_watch *watch) {
    if (is_on_device(watch)) return watch->original.device.get_last_error(&watch->original.device);
    return watch->original.host.get_last_error(&watch->original.host);
}

/* A consumer may know the schema by himself; of a chunk it is needed. */
static void ask_for_oneself(struct adi_stream_watch *watch) {
    struct ArrowSchema schema = {.release = NULL};
    if (watch->is_asked) return;
    watch->is_asked = true;
    if (ask_schema(watch, &schema) != 0) return;
    if (is_sound(&schema, NULL, NULL)) learn(watch, &schema);
    adi_schema_release(&schema);
}

/* ---- a callback begins and ends ---- */

/* The one that knows the structure best; NULL: none does. One callback more runs then, and
 * `*others` before. */
static struct adi_stream_watch *find(const struct adi_kind *kind, const void *self,
                                     size_t *others) {
    struct adi_stream_watch *best = NULL;
    int likeliest = 0;
    pthread_mutex_lock(&list);
    for (struct adi_stream_watch *watch = streams; watch != NULL; watch = watch->next) {
        int likeness = 0;
        if (watch->kind != kind || adi_monitor_find(&watch->monitor, kind, self, &likeness) < 0 ||
            likeness <= likeliest)
            continue;
        best = watch;
        likeliest = likeness;
    }
    if (best != NULL) *others = best->inside++;
    pthread_mutex_unlock(&list);
    return best;
}

static void free_watch(struct adi_stream_watch *watch) {
    adi_schema_release(&watch->schema);
    adi_monitor_free(&watch->monitor);
    pthread_mutex_destroy(&watch->lock);
    free(watch->given);
    free(watch);
}

/* A callback less runs. What was closed goes with the last one of its life. */
static void leave(struct adi_stream_watch *watch) {
    struct adi_stream_watch **at = &streams;
    pthread_mutex_lock(&list);
    watch->inside--;
    bool is_over = watch->is_closed && watch->inside == 0 && adi_monitor_live(&watch->monitor) == 0;
    if (is_over) {
        while (*at != watch) at = &(*at)->next;
        *at = watch->next;
    }
    pthread_mutex_unlock(&list);
    if (is_over) free_watch(watch);
}

/* CS-004, CS-009, CS-010, DV-048, DV-053, DV-054: which callback may be called is in the table of
 * the stream's life. */
/* CS-022, DV-064: calls are serialized by the consumer. */
/* NULL: it is not handed on. */
static struct adi_stream_watch *enter(const struct adi_kind *kind, const void *self,
                                      enum adi_life_operation operation) {
    size_t others = 0;
    struct adi_stream_watch *watch = find(kind, self, &others);
    if (watch == NULL) return NULL;
    if (others > 0)
        adi_report(watch->monitor.sink, "stream/calls-overlap", ADI_CONSUMER,
                   "a second call before the first has returned", "one call at a time",
                   "callbacks of the stream were called at once");
    if (adi_monitor_call(&watch->monitor, 0, self, operation)) return watch;
    leave(watch);
    return NULL;
}

/* ---- the watch's own callbacks ---- */

static int give_schema(const struct adi_kind *kind, void *self, struct ArrowSchema *out) {
    struct adi_stream_watch *watch = enter(kind, self, ADI_DO_stream_schema);
    if (watch == NULL) return EINVAL;
    int code = ask_schema(watch, out);
    if (code == 0)
        watch_schema(watch, out);
    else
        adi_monitor_arrive(&watch->monitor, 0, ADI_IS_stream_failed);
    leave(watch);
    return code;
}

static void note_end(struct adi_stream_watch *watch) {
    if (watch->has_ended)
        adi_report(watch->monitor.sink, "stream/next-after-end", ADI_CONSUMER, "a call of get_next",
                   "no call after the end", "%s was asked for a chunk after it had ended",
                   watch->kind->name);
    watch->has_ended = true;
    adi_monitor_arrive(&watch->monitor, 0, ADI_IS_stream_ended);
}

static int give_next(const struct adi_kind *kind, void *self, void *out) {
    struct adi_stream_watch *watch = enter(kind, self, ADI_DO_stream_next);
    if (watch == NULL) return EINVAL;
    ask_for_oneself(watch);
    int code = ask_next(watch, out);
    const struct ArrowArray *array = out; /* the first member of a device array */
    if (code != 0) {
        adi_monitor_arrive(&watch->monitor, 0, ADI_IS_stream_failed);
    } else if (array->release == NULL) {
        note_end(watch);
    } else {
        adi_monitor_arrive(&watch->monitor, 0, ADI_IS_stream_begun);
        watch_chunk(watch, out);
    }
    leave(watch);
    return code;
}

static const char *give_error(const struct adi_kind *kind, void *self) {
    struct adi_stream_watch *watch = enter(kind, self, ADI_DO_stream_error);
    if (watch == NULL) return NULL;
    const char *text = ask_error(watch);
    leave(watch);
    return text;
}

/* CS-021, DV-063: a stream is released once. */
static void on_release(const struct adi_kind *kind, void *self) {
    size_t others;
    struct adi_stream_watch *watch = find(kind, self, &others);
    if (watch == NULL || !adi_monitor_enter(&watch->monitor, 0, self)) {
        adi_kind_set_release(kind, self, NULL);
    } else {
        adi_kind_call(kind, adi_kind_release(kind, &watch->original), &watch->original);
        adi_kind_set_release(kind, self, NULL);
        adi_monitor_leave(&watch->monitor, 0, self);
    }
    if (watch != NULL) leave(watch);
}

/* ---- from the first to the last ---- */

/* The original's private_data is not a consumer's to follow, and so is the watch's. */
static void stand_in(struct adi_stream_watch *watch, void *structure) {
    if (is_on_device(watch)) {
        struct ArrowDeviceArrayStream *stream = structure;
        watch->original.device = *stream;
        *stream = (struct ArrowDeviceArrayStream){stream->device_type, device_schema,  device_next,
                                                  device_error,        device_release, watch};
    } else {
        struct ArrowArrayStream *stream = structure;
        watch->original.host = *stream;
        *stream =
            (struct ArrowArrayStream){host_schema, host_next, host_error, host_release, watch};
    }
}

struct adi_stream_watch *adi_stream_watch_open(const struct adi_kind *kind, void *structure,
                                               struct adi_sink *sink) {
    size_t first;
    struct adi_stream_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) return NULL;
    watch->kind = kind;
    pthread_mutex_init(&watch->lock, NULL);
    adi_monitor_init(&watch->monitor, sink, false, true);
    stand_in(watch, structure);
    if (adi_monitor_add(&watch->monitor, kind, structure, &first) != 0) {
        memcpy(structure, &watch->original, kind->size);
        free_watch(watch);
        return NULL;
    }
    pthread_mutex_lock(&list);
    watch->next = streams;
    streams = watch;
    pthread_mutex_unlock(&list);
    return watch;
}

void adi_stream_watch_close(struct adi_stream_watch *watch) {
    if (watch == NULL) return;
    adi_monitor_finish(&watch->monitor);
    pthread_mutex_lock(&list);
    watch->inside++; /* as a callback: it is not freed before this has returned */
    pthread_mutex_unlock(&list);
    pthread_mutex_lock(&watch->lock);
    for (size_t i = 0; i < watch->n_given; i++) adi_watch_close(watch->given[i]);
    watch->n_given = 0;
    watch->monitor.sink = &ignoring;
    watch->is_closed = true;
    pthread_mutex_unlock(&watch->lock);
    leave(watch);
}
