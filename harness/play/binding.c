/* SPDX-License-Identifier: Apache-2.0 */
#include "binding.h"

#include <errno.h>

#include "attribution.h"
#include "check.h"
#include "move.h"
#include "play_stream.h"
#include "schema.h"

static const struct {
    const char *name;
    unsigned role;
} roles[] = {{"producer", ADI_PRODUCES},
             {"consumer", ADI_CONSUMES},
             {"relay", ADI_RELAYS},
             {"stream-producer", ADI_PRODUCES_STREAM}};

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
                     struct ArrowDeviceArray *out) {
    const struct adi_device_ops *ops = p->device->ops;
    if (adi_interceptor_drains() && out->device_type == ops->type &&
        ops->wait_host(p->device, out->sync_event, NULL) == 0)
        adi_interceptor_drain();
    return adi_play_check_ready(&p->sink, type, out, p->device);
}

static int produce(void *context_at, struct ArrowArray *host, struct ArrowDeviceArray *out) {
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
    if (p->n_findings == 0 && (p->defers || is_sound(p, &p->schema, out))) return 0;
    return adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

static int relay(void *context_at, const struct ArrowSchema *type, struct ArrowDeviceArray *in,
                 struct ArrowDeviceArray *out) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct ArrowSchema schema_out = {.release = NULL};
    ADI_TRY(ask(context, "relay", type,
                (struct adi_call){.in = in, .schema_out = &schema_out, .out = out}));
    adi_inputs_judge_taken(&p->sink, "array", in->array.release == NULL);
    if (!adi_play_is_identified(p->device, &schema_out, out, &p->error))
        return unidentified(context);
    judge_schema(p, &schema_out);
    if (p->n_findings == 0 && adi_play_judge_move(&p->sink, type, out) && is_sound(p, type, out))
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
    int code = adi_play_judge_copy(&p->sink, adi_play_exports_on_cpu(context->adapter), &schema_out,
                                   &copy, type, wanted, &why);
    /* What is unsound is not to be trusted any further. */
    bool sound = code != EINVAL && code != EBADMSG;
    if (sound && copy.release != NULL) adi_call_release_array(&copy);
    if (code != EINVAL && schema_out.release != NULL) adi_call_release_schema(&schema_out);
    return code != ENOMEM ? 0 : adi_error_set(&p->error, code, "%s", why.text); /* ours */
}

/* ---- streams ---- */

static int produce_stream(void *context_at, struct ArrowArrayStream *host,
                          struct ArrowDeviceArrayStream *out) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    const struct adi_call call = {.adapter = context->adapter,
                                  .device = p->device,
                                  .role = context->role,
                                  .host_stream = host,
                                  .stream_out = out};
    int code = adi_call("produce_stream", &call);
    context->refused = context->refused || code != 0;
    if (code != 0) return adi_error_set(&p->error, code, "%s", adi_call_error(context->adapter));
    if (adi_stream_judge_structure(&adi_kind_device_array_stream, out, p->device->ops->type,
                                   &p->sink))
        return 0;
    return adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

static int look_at_chunk(void *context_at, struct ArrowDeviceArray *chunk) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    if (!adi_play_can_identify(p->device, &p->schema, chunk, &p->error)) {
        adi_call_release_array(&chunk->array);
        return unidentified(context);
    }
    if (p->defers || is_sound(p, &p->schema, chunk)) return 0;
    return adi_error_set(&p->error, EINVAL, "what was handed out is unsound");
}

static int look_at_schema(void *context_at, const struct ArrowSchema *schema) {
    struct adi_binding_context *context = context_at;
    return adi_check_schema(schema, &context->execution->sink) ? 0 : EINVAL;
}

static void refuse(void *context_at) {
    ((struct adi_binding_context *)context_at)->refused = true;
}

/* ---- its end ---- */

static void import_once_more(void *context_at) {
    struct adi_binding_context *context = context_at;
    const struct adi_execution *p = context->execution;
    if (context->ends) return; /* what keeps only the newest is to release that when it ends */
    const struct adi_importer importer = {context->adapter, p->device, context->role,
                                          p->type,          p->shape,  p->seed};
    adi_import_once_more(&importer);
}

static void end(void *context_at) {
    struct adi_binding_context *context = context_at;
    context->closed = true;
    adi_call_close(context->adapter);
}

void adi_binding_set(struct adi_binding_context *context, unsigned role) {
    context->role = role;
    context->execution->binding = (struct adi_binding){
        .context = context,
        .import_once_more = import_once_more,
        .close = end,
        .produce = role == ADI_PRODUCES ? produce : NULL,
        .relay = role == ADI_RELAYS ? relay : NULL,
        .consume = role == ADI_CONSUMES ? consume : NULL,
        .produce_stream = role == ADI_PRODUCES_STREAM ? produce_stream : NULL,
        .look_at_chunk = look_at_chunk,
        .look_at_schema = look_at_schema,
        .refuse = refuse,
    };
}
