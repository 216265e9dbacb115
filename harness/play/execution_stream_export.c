/* SPDX-License-Identifier: Apache-2.0
 *
 * How streams come about: the harness's own is guarded_stream.h's, and its chunks are exports like
 * any other, made with it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "device_types.h"
#include "execution_stream.h"
#include "move.h"
#include "schema.h"

#define GIVEN_MOST 4

struct adi_exported_array *adi_exported_stream_add(struct adi_execution *p) {
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return NULL;
    struct adi_exported_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        adi_error_set(&p->error, ENOMEM, "out of memory");
        return NULL;
    }
    stream->p = p;
    stream->self = exported;
    exported->own = stream;
    exported->outlived = "stream/chunk-depends-on-stream";
    exported->clears = adi_exported_stream_clears;
    return exported;
}

static struct adi_exported_array *add(struct adi_execution *p, enum adi_life_operation operation) {
    struct adi_exported_array *exported = adi_exported_stream_add(p);
    if (exported == NULL) return NULL;
    struct adi_exported_stream *stream = adi_exported_stream(exported);
    stream->fails = operation == ADI_DO_stream_export_failing;
    stream->pending = operation == ADI_DO_stream_export_pending;
    stream->n = stream->fails ? 1 : ADI_STREAM_OF;
    return exported;
}

/* ---- exporting: the harness's own ---- */

/* Who has taken it over is not the harness. */
static bool is_taken(const struct adi_exported_stream *stream) {
    return !stream->guarded.is_told;
}

static void tell(void *stream_at, const char *rule) {
    const struct adi_exported_stream *stream = stream_at;
    const struct adi_binding *binding = &stream->p->binding;
    if (is_taken(stream) && binding->tell != NULL) binding->tell(binding->context, rule);
}

/* Each schema is one of its own, in guarded memory: where an implementation asks, the first few,
 * and on the harness's own thread. */
static struct ArrowSchema *give_schema(void *stream_at, struct adi_guarded **input) {
    struct adi_exported_stream *stream = stream_at;
    struct adi_execution *p = stream->p;
    struct ArrowSchema *schema = NULL;
    if (is_taken(stream) &&
        (!pthread_equal(pthread_self(), stream->guarded.thread) || stream->given++ >= GIVEN_MOST))
        return NULL;
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

static int make_guarded(struct adi_execution *p, struct adi_exported_array *exported,
                        const struct adi_kind *kind, void **out) {
    struct adi_exported_stream *stream = adi_exported_stream(exported);
    ADI_TRY(put_chunks(p, stream));
    stream->hooks =
        (struct adi_guarded_stream_hooks){.context = stream, .tell = tell, .schema = give_schema};
    const struct adi_guarded_stream_plan plan = {.schema = &p->schema,
                                                 .chunks = stream->chunks,
                                                 .n_chunks = stream->n,
                                                 .type = p->device->ops->type,
                                                 .failure = stream->fails ? ADI_SOURCE_FAILURE : 0,
                                                 .text =
                                                     stream->fails ? adi_source_failure_text : NULL,
                                                 .hooks = &stream->hooks};
    *out = adi_guarded_stream_open(&stream->guarded, kind, &plan, &p->sink);
    if (*out == NULL) return adi_error_set(&p->error, ENOMEM, "the guarded memory is full");
    exported->monitor = &stream->guarded.monitor;
    exported->close = close_guarded;
    stream->guarded.is_told = true;
    stream->guarded.may_go_on = true;
    stream->guarded.monitor.refuses = p->binding.context == NULL;
    return 0;
}

static int export_guarded(struct adi_execution *p, struct adi_execution_slot *slot,
                          struct adi_exported_array *exported) {
    struct adi_exported_stream *stream = adi_exported_stream(exported);
    const struct adi_kind *kind = adi_execution_stream_kind(p);
    void *made;
    ADI_TRY(make_guarded(p, exported, kind, &made));
    adi_execution_slot_fill(slot);
    memcpy(slot->array, made, kind->size);
    adi_kind_set_release(kind, made, NULL);
    adi_guarded_stream_moved(&stream->guarded, made, slot->array);
    adi_export_settle(slot, exported, kind, &p->schema, NULL);
    return 0;
}

/* ---- exporting: an implementation's ---- */

static int export_theirs(struct adi_execution *p, struct adi_execution_slot *slot,
                         struct adi_exported_array *exported) {
    struct adi_exported_stream *stream = adi_exported_stream(exported);
    struct ArrowArrayStream host;
    ADI_TRY(adi_exported_stream_source(p, stream, &host));
    ADI_TRY(adi_exports_pause(p, stream->pending));
    adi_execution_slot_fill(slot);
    memset(slot->array, ADI_POISON_BYTE, sizeof *slot->array);
    int code = p->binding.produce_stream(p->binding.context, &host, slot->array);
    adi_array_stream_release(&host);
    return adi_export_watch(p, slot, exported, adi_execution_stream_kind(p), &p->schema, NULL,
                            code);
}

void adi_exported_stream_let_take(struct adi_exported_stream *stream) {
    struct adi_guarded_stream *own =
        stream->source == NULL ? &stream->guarded : &stream->source->guarded;
    own->is_told = false;
    own->may_go_on = own->has_ended = false;
}

int adi_exported_stream_relay(struct adi_execution *p, struct adi_exported_stream *of, void *in,
                              struct adi_execution_slot *to) {
    struct adi_exported_array *exported = adi_exported_stream_add(p);
    if (exported == NULL) return ENOMEM;
    struct adi_exported_stream *stream = adi_exported_stream(exported);
    stream->source = of->source == NULL ? of : of->source;
    stream->n = of->n - of->next;
    stream->pending = of->pending;
    stream->fails = of->fails;
    memcpy(stream->values, &of->values[of->next], stream->n * sizeof *stream->values);
    adi_exported_stream_let_take(of);
    adi_execution_slot_fill(to);
    memset(to->array, ADI_POISON_BYTE, sizeof *to->array);
    int code = p->binding.relay_stream != NULL
                   ? p->binding.relay_stream(p->binding.context, in, to->array)
                   : p->binding.produce_stream(p->binding.context, in, to->array);
    return adi_export_watch(p, to, exported, adi_execution_stream_kind(p), &p->schema, NULL, code);
}

/* What an implementation makes its stream of is in guarded memory where it is judged as the
 * consumer of that, though no program sees it. */
static int export_of_guarded(struct adi_execution *p, struct adi_execution_slot *slot,
                             struct adi_exported_array *of) {
    void *in;
    ADI_TRY(make_guarded(
        p, of, p->binding.copies ? &adi_kind_device_array_stream : &adi_kind_array_stream, &in));
    adi_monitor_hand_over(of->monitor, in);
    return adi_exported_stream_relay(p, adi_exported_stream(of), in, slot);
}

/* A host stream is on the CPU, where not all is that is exported. */
static bool guards(const struct adi_execution *p) {
    const bool takes = p->binding.produce_stream != NULL && p->binding.takes_host;
    return p->binding.copies || (takes && adi_device_type_is_cpu(p->device->ops->type));
}

int adi_act_stream_export(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot];
    if (!adi_execution_may_receive(slot, step->operation)) return 0;
    struct adi_exported_array *exported = add(p, step->operation);
    if (exported == NULL) return ENOMEM;
    if (guards(p)) return export_of_guarded(p, slot, exported);
    return (p->binding.produce_stream != NULL ? export_theirs : export_guarded)(p, slot, exported);
}
