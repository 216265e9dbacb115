/* SPDX-License-Identifier: Apache-2.0 */
#include "binding.h"

#include <errno.h>

#include "attribution.h"
#include "binding_stream.h"
#include "check.h"
#include "move.h"
#include "play.h"
#include "schema.h"

static const struct {
    const char *name;
    unsigned role;
} roles[] = {{"producer", ADI_PRODUCES},
             {"consumer", ADI_CONSUMES},
             {"relay", ADI_RELAYS},
             {"stream-producer", ADI_PRODUCES_STREAM},
             {"stream-consumer", ADI_CONSUMES_STREAM},
             {"stream-relay", ADI_RELAYS_STREAM},
             {"array-stream-producer", ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS},
             {"array-stream-consumer", ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS},
             {"async-producer", ADI_PRODUCES_ASYNC}};

const char *adi_role_name_at(size_t index) {
    return index < sizeof roles / sizeof *roles ? roles[index].name : NULL;
}

unsigned adi_role_at(size_t index) {
    return roles[index].role;
}

/* ---- calls ---- */

/* Asks the implementation to do its part with a schema of that type. p->error has its refusal. */
static int ask(struct adi_binding_context *context, const char *phase,
               const struct ArrowSchema *type, struct adi_call call) {
    struct adi_execution *p = context->execution;
    struct ArrowSchema schema = {.release = NULL};
    ADI_TRY(adi_schema_export(type, &schema, &p->error));
    call.adapter = context->adapter;
    call.device = p->device;
    call.role = context->role;
    call.schema = &schema;
    int code = adi_call(phase, &call);
    adi_schema_release(&schema);
    context->refused = context->refused || code != 0;
    return code == 0 ? 0 : adi_error_set(&p->error, code, "%s", adi_call_error(context->adapter));
}

/* p->error says why. */
static int unidentified(struct adi_binding_context *context) {
    context->unidentified = true;
    return ENOTSUP;
}

/* The schema that came out with an array: looked at, and released under a watch. */
static void judge_schema(struct adi_execution *p, struct ArrowSchema *schema) {
    if (!adi_check_schema(schema, &p->sink)) return;
    struct adi_watch *watch = adi_watch_open(&adi_kind_schema, schema, &p->sink, true, false);
    adi_call_release_schema(schema);
    adi_watch_close(watch);
}

/* Whether the event covers all that writes the array is judged where queues are paused; what is
 * read here is what is there in the end. */
static bool is_sound(struct adi_execution *p, const struct ArrowSchema *type,
                     struct ArrowDeviceArray *out, const struct ArrowArray *wanted) {
    const struct adi_text_of text = {type, out, type, wanted};
    const struct adi_device_ops *ops = p->device->ops;
    if (adi_interceptor_drains() && out->device_type == ops->type &&
        ops->wait_host(p->device, out->sync_event, NULL) == 0)
        adi_interceptor_drain();
    bool is_starved,
        sound = adi_play_check_text(&p->sink, &text, p->device, &p->before, &is_starved);
    if (is_starved) p->binding.wait_in_vain(p->binding.context, true);
    return sound;
}

static int produce(void *context_at, struct ArrowArray *host, const struct ArrowArray *wanted,
                   struct ArrowDeviceArray *out) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct ArrowSchema schema_out = {.release = NULL};
    int code = ask(context, "produce", &p->schema,
                   (struct adi_call){.host = host, .schema_out = &schema_out, .out = out});
    adi_array_release(host);
    if (code != 0) return code;
    if (!adi_play_is_identified(p->device, &schema_out, out, &p->error))
        return unidentified(context);
    judge_schema(p, &schema_out);
    if (p->n_findings == 0 && (p->defers || is_sound(p, &p->schema, out, wanted))) return 0;
    return adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

static int relay(void *context_at, const struct ArrowSchema *type, struct ArrowDeviceArray *in,
                 const struct ArrowArray *wanted, struct ArrowDeviceArray *out) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct ArrowSchema schema_out = {.release = NULL};
    ADI_TRY(ask(context, "relay", type,
                (struct adi_call){.in = in, .schema_out = &schema_out, .out = out}));
    adi_inputs_judge_taken(&p->sink, "array", in->array.release == NULL);
    if (!adi_play_is_identified(p->device, &schema_out, out, &p->error))
        return unidentified(context);
    judge_schema(p, &schema_out);
    if (p->n_findings == 0 && adi_play_judge_move(&p->sink, type, out) &&
        is_sound(p, type, out, wanted))
        return 0;
    return adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

static int consume(void *context_at, const struct ArrowSchema *type, struct ArrowDeviceArray *in,
                   const struct ArrowArray *wanted) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct ArrowSchema schema_out = {.release = NULL};
    struct ArrowArray copy = {.release = NULL};
    struct adi_error why = {""};
    ADI_TRY(ask(context, "consume", type,
                (struct adi_call){.in = in, .schema_out = &schema_out, .copy = &copy}));
    adi_inputs_judge_taken(&p->sink, "array", in->array.release == NULL);
    const bool has_none = schema_out.release == NULL && copy.release == NULL;
    if (has_none && context->test != NULL && context->test->leaves_values) return 0;
    int code = adi_play_judge_copy(&p->sink, adi_play_exports_on_cpu(context->adapter), &schema_out,
                                   &copy, type, wanted, &why);
    /* What is unsound is not to be trusted any further. */
    bool sound = code != EINVAL && code != EBADMSG;
    if (sound && copy.release != NULL) adi_call_release_array(&copy);
    if (code != EINVAL && schema_out.release != NULL) adi_call_release_schema(&schema_out);
    return code != ENOMEM ? 0 : adi_error_set(&p->error, code, "%s", why.text); /* ours */
}

/* ---- streams ---- */

static int look_at_chunk(void *context_at, struct ArrowDeviceArray *chunk,
                         const struct ArrowArray *wanted) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    if (!adi_play_can_identify(p->device, &p->schema, chunk, &p->error)) {
        adi_call_release_array(&chunk->array);
        return unidentified(context);
    }
    const bool stands =
        context->role != ADI_RELAYS_STREAM || adi_play_judge_move(&p->sink, &p->schema, chunk);
    if (stands && (p->defers || is_sound(p, &p->schema, chunk, wanted))) return 0;
    return adi_error_set(&p->error, EINVAL, "what was handed out is unsound");
}

static int look_at_schema(void *context_at, const struct ArrowSchema *schema) {
    struct adi_binding_context *context = context_at;
    return adi_check_schema(schema, &context->execution->sink) ? 0 : EINVAL;
}

struct asynchronous {
    struct adi_binding_context *context;
    struct ArrowArrayStream *host;
    struct ArrowAsyncDeviceStreamHandler *handler;
    int code;
};

static void call_async(void *asynchronous_at) {
    struct asynchronous *a = asynchronous_at;
    struct adi_adapter *adapter = a->context->adapter;
    const struct adi_device *device = a->context->execution->device;
    a->code = adapter->produce_async(adapter, device->ops->type, device->id, a->host, a->handler);
}

static int produce_async(void *context_at, struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct asynchronous call = {context, host, handler, 0};
    adi_call_code("produce_async", call_async, &call);
    context->refused = context->refused || call.code != 0;
    if (call.code != 0)
        return adi_error_set(&p->error, call.code, "%s", adi_call_error(context->adapter));
    if (host->release == NULL) return 0;
    adi_inputs_judge_taken(&p->sink, "stream", false);
    return adi_error_set(&p->error, EINVAL, "its input is still there");
}

static void tell_crash(void *context_at, const char *rule) {
    const struct adi_binding_context *context = context_at;
    context->tell(context->of, rule);
}

static void move_on(void *context_at) {
    adi_log_move_on(((struct adi_binding_context *)context_at)->test->log);
}

static void wait_in_vain(void *context_at, bool starved) {
    const struct adi_binding_context *context = context_at;
    if (starved && context->test->muted)
        context->test->strays++; /* it was not the same that was played */
    else if (starved)
        adi_play_starved(context->test);
    else
        adi_play_waited(context->test);
}

static void stay(void *context_at) {
    ((struct adi_binding_context *)context_at)->stays = true;
}

static void refuse(void *context_at) {
    ((struct adi_binding_context *)context_at)->refused = true;
}

/* ---- its end ---- */

static void import_once_more(void *context_at) {
    struct adi_binding_context *context = context_at;
    const struct adi_execution *p = context->execution;
    if (context->role == ADI_PRODUCES_ASYNC) return; /* it imports nothing */
    if (context->ends) return; /* what keeps only the newest is to release that when it ends */
    const struct adi_importer importer = {
        context->adapter, context->test->device, adi_role_slot(context->role), p->type, p->shape,
        p->seed};
    adi_import_once_more(&importer);
}

static void end(void *context_at) {
    struct adi_binding_context *context = context_at;
    context->closed = true;
    adi_call_close(context->adapter);
}

void adi_binding_set(struct adi_binding_context *context, unsigned role) {
    const bool copies = role == (ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    const bool relays = copies || role == ADI_RELAYS_STREAM;
    const bool takes =
        role == ADI_CONSUMES_STREAM || role == (ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    enum adi_async_layout layout = ADI_ASYNC_SHIPPED;
    const struct adi_device *device = context->execution->device;
    context->role = role;
    adi_async_layout_at(context->adapter->async_layout, &layout);
    context->execution->binding = (struct adi_binding){
        .context = context,
        .import_once_more = import_once_more,
        .close = end,
        .produce = role == ADI_PRODUCES ? produce : NULL,
        .relay = role == ADI_RELAYS ? relay : NULL,
        .consume = role == ADI_CONSUMES ? consume : NULL,
        .produce_stream = role == ADI_PRODUCES_STREAM ? adi_binding_produce_stream : NULL,
        .consume_stream = takes ? adi_binding_consume_stream : NULL,
        .takes_host = (adi_call_roles(context->adapter, device->ops->type, device->id) &
                       ADI_ARRAY_STREAMS) != 0,
        .relay_stream = relays ? adi_binding_relay_stream : NULL,
        .copies = copies,
        .tell = adi_binding_tell,
        .calm = adi_binding_calm,
        .look_at_chunk = copies ? adi_binding_look_at_copy : look_at_chunk,
        .produce_async = role == ADI_PRODUCES_ASYNC ? produce_async : NULL,
        .layout = layout,
        .limit_ms = context->limit_ms,
        .tell_crash = tell_crash,
        .move_on = move_on,
        .wait_in_vain = wait_in_vain,
        .stay = stay,
        .look_at_schema = look_at_schema,
        .refuse = refuse,
    };
}
