/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "execution_async.h"
#include "move.h"
#include "schema.h"

/* ---- the harness's own: guarded arrays, as a device stream ---- */

static int give_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    const struct adi_exported_async *stream = self->private_data;
    return adi_schema_export(&stream->p->schema, out, NULL);
}

static int give_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct adi_exported_async *stream = self->private_data;
    if (stream->given < stream->n) {
        adi_device_array_move(stream->pairs[stream->given++].array, out);
        return 0;
    }
    out->array.release = NULL;
    return stream->fails ? ADI_SOURCE_FAILURE : 0;
}

static const char *give_error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return adi_source_failure_text;
}

static void release_rest(struct ArrowDeviceArrayStream *self) {
    struct adi_exported_async *stream = self->private_data;
    while (stream->given < stream->n)
        adi_array_release(&stream->pairs[stream->given++].array->array);
    self->release = NULL;
}

static int put_arrays(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    for (size_t i = 0; i < stream->n; i++) {
        struct adi_exported_array *part = adi_export_add(p);
        if (part == NULL) return ENOMEM;
        part->from = stream->self;
        stream->parts[i] = part;
        ADI_TRY(adi_export_put(p, part, stream->pending, &stream->pairs[i], &stream->values[i]));
    }
    return 0;
}

/* Tasks that were requested before a cancel come after it, too. */
int adi_async_make_own(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    static const struct adi_async_produce how = {.after_cancel = ADI_EXPORTED_TASKS};
    ADI_TRY(put_arrays(stream));
    struct ArrowDeviceArrayStream in = {.device_type = p->device->ops->type,
                                        .get_schema = give_schema,
                                        .get_next = give_next,
                                        .get_last_error = give_error,
                                        .release = release_rest,
                                        .private_data = stream};
    int code = adi_async_producer_open(&how, &in, stream->handler->structure, &stream->producer,
                                       &p->error);
    adi_device_array_stream_release(&in);
    return code;
}

/* ---- an implementation's ---- */

int adi_async_make_host(struct adi_exported_async *stream, struct ArrowArrayStream *out) {
    return adi_export_host_stream(stream->p, stream->values, stream->n, stream->fails, out);
}

/* No document lets a producer call what it has refused. */
static void judge_refusal(struct adi_exported_async *stream) {
    adi_async_handler_refused(stream->handler);
    if (stream->handler->calls > 0)
        adi_async_handler_report(stream->handler, "async/called-after-failure", "a callback",
                                 "none", "produce_async has failed, and callbacks were called");
}

int adi_async_produce(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    struct ArrowArrayStream host;
    ADI_TRY(adi_async_make_host(stream, &host));
    const size_t before = p->n_findings;
    int code = p->binding.produce_async(p->binding.context, &host, stream->handler->structure);
    if (code != 0 && p->n_findings > before) return code; /* none was refused, and `host` is used */
    if (code != 0) judge_refusal(stream);
    adi_array_stream_release(&host);
    return code;
}

/* ---- from the first to the last ---- */

/* On this thread, what the step may follow from counts. */
static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    struct adi_exported_async *stream = (struct adi_exported_async *)(void *)sink;
    struct adi_execution *p = stream->p;
    if (finding->aside || pthread_equal(pthread_self(), stream->thread)) {
        p->sink.violated(&p->sink, finding);
    } else if (!p->muted) {
        p->n_findings++;
        p->out->violated(p->out, finding);
    }
}

bool adi_async_is_over(const struct adi_async_handler *handler) {
    return handler->is_over && handler->within == 0;
}

/* May it still be called? */
static bool is_lost(const struct adi_async_handler *handler) {
    const bool never = handler->is_refused && handler->calls == 0;
    return handler->structure != NULL && !never && !adi_async_is_over(handler);
}

static void close_stream(void *stream_at) {
    struct adi_exported_async *stream = stream_at;
    const struct adi_execution *p = stream->p;
    adi_async_producer_close(stream->producer);
    if (is_lost(stream->handler)) {
        adi_guard_stay(stream->handler->structure);
        stream->self->own = NULL;
        if (p->binding.stay != NULL) p->binding.stay(p->binding.context);
        return;
    }
    if (stream->self->theirs && p->n_findings > 0 && stream->handler->structure != NULL)
        adi_guard_stay(stream->handler->structure); /* it may be called late */
    adi_guard_keep(1);
    adi_async_handler_close(stream->handler);
    adi_guard_keep(-1);
    free(stream->handler);
    adi_monitor_free(&stream->monitor);
}

struct adi_exported_async *adi_async_add(struct adi_execution *p,
                                         enum adi_life_operation operation) {
    struct adi_exported_array *exported = adi_export_add(p);
    struct adi_exported_async *stream = calloc(1, sizeof *stream);
    struct adi_async_handler *handler = calloc(1, sizeof *handler);
    if (exported == NULL || stream == NULL || handler == NULL) {
        adi_error_set(&p->error, ENOMEM, "out of memory");
        free(stream);
        free(handler);
        return NULL;
    }
    *stream = (struct adi_exported_async){.sink = {.violated = on_finding},
                                          .p = p,
                                          .self = exported,
                                          .handler = handler,
                                          .thread = pthread_self(),
                                          .n = ADI_EXPORTED_TASKS};
    stream->fails = operation == ADI_DO_async_begin_failing;
    stream->pending = operation == ADI_DO_async_begin_pending;
    if (stream->fails) stream->n = 1;
    adi_monitor_init(&stream->monitor, &p->sink, false, true);
    exported->own = stream;
    exported->monitor = &stream->monitor;
    exported->close = close_stream;
    exported->outlived = "async/chunk-depends-on-stream";
    exported->theirs = p->binding.produce_async != NULL;
    return stream;
}
