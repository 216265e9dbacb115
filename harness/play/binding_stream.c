/* SPDX-License-Identifier: Apache-2.0 */
#include "binding_stream.h"

#include <errno.h>
#include <string.h>

#include "play_stream.h"

/* ---- what is found, and what is said ---- */

/* The case that a program belongs to, with a sink that leads to the program's. */
struct trial {
    struct adi_test test;
    struct adi_case now;
    struct adi_scenario scenario;
    struct adi_binding_context *context;
    struct adi_error refusal;
};

static void pass_on(struct adi_sink *sink, const struct adi_found *finding) {
    struct trial *trial = (struct trial *)(void *)adi_trial_of(sink);
    struct adi_execution *p = trial->context->execution;
    if (trial->test.muted && !trial->context->test->muted) return; /* nobody is to blame for it */
    trial->test.n_findings++;
    p->sink.violated(&p->sink, finding);
}

static void open_trial(struct adi_binding_context *context, struct trial *trial) {
    *trial = (struct trial){.test = *context->test, .context = context};
    /* Whose the ArrowArrayStreams are, the scenarios ask the adapter. */
    trial->scenario = *context->test->now->scenario;
    trial->scenario.role = adi_role_slot(trial->scenario.role);
    trial->now = *context->test->now;
    trial->now.scenario = &trial->scenario;
    trial->test.now = &trial->now;
    trial->test.sink = (struct adi_sink){.violated = pass_on};
    trial->test.mistake = adi_mistake(NULL, false);
    trial->test.n_findings = 0;
    trial->test.refused = trial->test.skipped = false;
    trial->test.brief = true;
    trial->test.refusal = &trial->refusal;
}

/* The implementation's answer: 0, or why the program cannot go on. */
static int close_trial(struct trial *trial) {
    struct adi_binding_context *context = trial->context;
    struct adi_execution *p = context->execution;
    context->test->skipped = context->test->skipped || trial->test.skipped;
    context->refused = context->refused || trial->test.refused || trial->test.skipped;
    if (!trial->test.refused && !trial->test.skipped) return 0;
    p->error = trial->refusal;
    return ENOTSUP;
}

void adi_binding_tell(void *context_at, const char *rule) {
    struct adi_binding_context *context = context_at;
    if (context->input != NULL) context->input->is_told = true;
    context->is_told = true;
    adi_play_crash_rule(context->test, rule);
}

void adi_binding_calm(void *context_at) {
    struct adi_binding_context *context = context_at;
    const struct adi_rule *rule = context->execution->mistake.rule;
    if (context->is_told) adi_play_crash_rule(context->test, rule == NULL ? NULL : rule->id);
    context->is_told = false;
}

/* ---- giving ---- */

/* Asks it for a stream of `in`. */
static int give(struct adi_binding_context *context, const char *phase, void *in, void *out) {
    struct adi_execution *p = context->execution;
    const struct adi_call call = {.adapter = context->adapter,
                                  .device = p->device,
                                  .role = adi_role_slot(context->role),
                                  .host_stream = in,
                                  .stream_in = in,
                                  .copy_stream = out,
                                  .stream_out = out};
    int code = adi_call(phase, &call);
    adi_binding_calm(context);
    context->refused = context->refused || code != 0;
    if (code != 0) return adi_error_set(&p->error, code, "%s", adi_call_error(context->adapter));
    if (context->test->leaves_values) { /* there is no stream that a program could go on with */
        context->refused = true;
        return adi_error_set(&p->error, ENOTSUP, "it gives nothing back of what it has read");
    }
    if (adi_stream_judge_structure(p->on_host ? &adi_kind_array_stream
                                              : &adi_kind_device_array_stream,
                                   out, p->device->ops->type, &p->sink))
        return 0;
    return adi_error_set(&p->error, EINVAL, "what was exported is unsound");
}

int adi_binding_produce_stream(void *context_at, struct ArrowArrayStream *host, void *out) {
    struct adi_binding_context *context = context_at;
    int code = give(context, "produce_stream", host, out);
    if (code == 0 && context->execution->binding.takes_host)
        adi_inputs_judge_taken(&context->execution->sink, "stream", host->release == NULL);
    return code;
}

int adi_binding_relay_stream(void *context_at, struct ArrowDeviceArrayStream *in, void *out) {
    struct adi_binding_context *context = context_at;
    const bool copies = context->execution->binding.copies;
    int code = give(context, copies ? "consume_stream" : "relay_stream", in, out);
    if (code == 0) adi_inputs_judge_taken(&context->execution->sink, "stream", in->release == NULL);
    return code;
}

/* A chunk of its copies is looked at, and compared, as a host copy is. */
int adi_binding_look_at_copy(void *context_at, struct ArrowDeviceArray *chunk,
                             const struct ArrowArray *wanted) {
    struct adi_binding_context *context = context_at;
    struct adi_execution *p = context->execution;
    struct adi_error why = {""};
    int code = adi_play_judge_copy(&p->sink, adi_play_exports_on_cpu(context->adapter), &p->schema,
                                   &chunk->array, &p->schema, wanted, &why);
    return code == 0 ? 0 : adi_error_set(&p->error, code, "%s", why.text);
}

/* ---- consuming ---- */

/* What is wanted is the program's, and lent. */
static void lend(struct adi_execution *p, const struct adi_stream_rest *rest, void *in,
                 struct adi_stream_trial *made) {
    struct adi_stream_input *input = &made->input;
    input->test = made->test;
    input->kind = p->on_host ? &adi_kind_array_stream : &adi_kind_device_array_stream;
    input->structure = in;
    input->given = rest->guarded;
    input->is_judged = true;
    input->may_refuse = rest->n == 0;
    input->device = *p->device;
    input->design.n = rest->n;
    input->design.failure = rest->failure;
    input->wanted = (struct adi_column){.schema = p->schema, .n = rest->n};
    for (size_t i = 0; i < rest->n; i++) input->wanted.chunks[i] = *rest->values[i];
}

/* What has failed surfaces as a refusal, too. */
static void judge_refusal(struct trial *trial, struct adi_stream_trial *made, int code) {
    adi_stream_output_untouched(&made->output);
    if (made->input.design.failure == 0) adi_play_refused(&trial->test, code);
}

static void read_copies(struct adi_stream_trial *made) {
    if (!adi_stream_output_schema(&made->output)) return;
    adi_stream_trial_rest(made, "array/data-differs");
    if (made->test->n_findings == 0) adi_stream_output_ask_again(&made->output);
}

int adi_binding_consume_stream(void *context_at, void *in, const struct adi_stream_rest *rest) {
    struct adi_binding_context *context = context_at;
    struct trial trial;
    struct adi_stream_trial made = {.test = &trial.test};
    open_trial(context, &trial);
    lend(context->execution, rest, in, &made);
    context->input = &made.input;
    if (adi_stream_output_prepare(&trial.test, &made.input, &made.output)) {
        int code = adi_stream_trial_call(&made);
        adi_stream_input_judge(&made.input, code);
        if (code != 0)
            judge_refusal(&trial, &made, code);
        else if (!context->test->leaves_values)
            made.is_open = adi_stream_output_check(&made.output);
        if (made.is_open) read_copies(&made);
    }
    trial.test.muted = trial.test.muted || made.output.unsound;
    if (made.output.structure != NULL) adi_stream_output_close(&made.output);
    context->input = NULL;
    adi_binding_calm(context);
    return close_trial(&trial);
}
