/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call into the implementation under test goes through here: the guard must know whose code
 * runs.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "attribution.h"
#include "device_types.h"
#include "export.h"
#include "move.h"
#include "play.h"
#include "unwind.h"

/* ---- what the adapter says of its imports ---- */

static struct adi_log *importing; /* NULL: nobody has said that he is */

void adi_call_imports(struct adi_log *log, bool begins) {
    if (log == NULL || begins == (importing != NULL)) return;
    importing = begins ? log : NULL;
    adi_log_write(log, ADI_LOG_CRASH_RULE, -1, begins ? ADI_CONSUMER : ADI_BOTH, 0, NULL, NULL,
                  NULL, NULL);
}

/* The call is over: whoever was importing no longer is. */
static void end_import(void) {
    adi_call_imports(importing, false);
}

/* ---- whose code runs ---- */

static void enter(const char *phase) {
    adi_attribution_phase(phase);
    adi_queue_push_context();
    adi_guard_enter_implementation();
}

static void leave(void) {
    adi_guard_leave_implementation();
    end_import();
    adi_queue_restore_context();
    adi_attribution_phase(NULL);
}

/* ---- the adapter's slots ---- */

static int fill(const struct adi_call *call) {
    struct adi_adapter *adapter = call->adapter;
    if (call->role == ADI_PRODUCES)
        return adapter->produce(adapter, call->device->ops->type, call->device->id, call->schema,
                                call->host, call->schema_out, call->out);
    if (call->role == ADI_CONSUMES)
        return adapter->consume(adapter, call->schema, call->in, call->schema_out, call->copy);
    if (call->role == ADI_PRODUCES_STREAM)
        return adapter->produce_stream(adapter, call->device->ops->type, call->device->id,
                                       call->host_stream, call->stream_out);
    if (call->role == ADI_CONSUMES_STREAM)
        return adapter->consume_stream(adapter, call->stream_in, call->copy_stream);
    if (call->role == ADI_RELAYS_STREAM)
        return adapter->relay_stream(adapter, call->stream_in, call->stream_out);
    return adapter->relay(adapter, call->schema, call->in, call->schema_out, call->out);
}

int adi_call(const char *phase, const struct adi_call *call) {
    enter(phase);
    int code = fill(call);
    leave();
    return code;
}

void adi_call_code(const char *phase, void (*code)(void *context), void *context) {
    enter(phase);
    code(context);
    leave();
}

unsigned adi_call_roles(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id) {
    bool before = adi_attribution_enter(true);
    unsigned roles = adapter->roles == NULL ? 0 : adapter->roles(adapter, type, id);
    adi_attribution_enter(before);
    return roles;
}

int adi_call_open(struct adi_adapter *adapter, const struct adi_host *host) {
    bool before = adi_attribution_enter(true);
    int code = adapter->open == NULL ? 0 : adapter->open(adapter, host);
    adi_attribution_enter(before);
    return code;
}

void adi_call_end(struct adi_adapter *adapter) {
    bool before = adi_attribution_enter(true);
    if (adapter->close != NULL) adapter->close(adapter);
    adi_attribution_enter(before);
}

const char *adi_call_error(struct adi_adapter *adapter) {
    const char *text = adapter->last_error == NULL ? NULL : adapter->last_error(adapter);
    return text == NULL ? "" : text;
}

void adi_play_refused(struct adi_test *test, int code) {
    adi_play_refused_so(test, code, adi_call_error(test->adapter));
}

void adi_play_refused_so(struct adi_test *test, int code, const char *text) {
    char message[ADI_FINDING_SIZE];
    snprintf(message, sizeof message, "%s (%s)", *text != '\0' ? text : "refused", strerror(code));
    test->refused = true;
    if (adi_play_device_is_lost(test)) return;
    if (test->refusal != NULL)
        adi_error_set(test->refusal, code, "%s", message);
    else
        adi_play_say(test, ADI_LOG_REFUSED, 0, NULL, message);
}

void adi_call_close(struct adi_adapter *adapter) {
    enter("close");
    if (adapter->close != NULL) adapter->close(adapter);
    leave();
}

static void (*collector)(void);

void adi_call_collect_by(void (*collect)(void)) {
    collector = collect;
}

void adi_call_collect(void) {
    if (collector == NULL) return;
    enter("collect");
    collector();
    leave();
}

/* ---- the same as steps of a case ---- */

static int play(struct adi_test *test, const char *phase, struct adi_call call) {
    if (call.in == NULL)
        adi_play_step(test, phase, "format \"%s\", length %lld", call.schema->format,
                      (long long)call.host->length);
    else
        adi_play_step(test, phase, "an array on %s:%lld",
                      adi_device_type_name(call.in->device_type), (long long)call.in->device_id);
    call.adapter = test->adapter;
    call.device = test->device;
    int code = adi_call(phase, &call);
    if (code != 0) adi_play_step(test, phase, "returned %d (%s)", code, strerror(code));
    return code;
}

int adi_call_produce(struct adi_test *test, struct adi_input *input, struct adi_exported *out) {
    struct adi_call call = {.role = ADI_PRODUCES, .schema = &input->schema, .host = &input->host};
    call.schema_out = out->schema;
    call.out = out->array;
    return play(test, "produce", call);
}

int adi_call_consume(struct adi_test *test, struct adi_guarded_pair *in,
                     struct ArrowSchema *schema_out, struct ArrowArray *host_out) {
    struct adi_call call = {.role = ADI_CONSUMES, .schema = in->schema, .in = in->array};
    call.schema_out = schema_out;
    call.copy = host_out;
    return play(test, "consume", call);
}

int adi_call_relay(struct adi_test *test, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct adi_exported *out) {
    struct adi_call call = {.role = ADI_RELAYS, .schema = schema, .in = in};
    call.schema_out = out->schema;
    call.out = out->array;
    return play(test, "relay", call);
}

/* ---- release callbacks ---- */

void adi_call_release_callback(struct ArrowArray *array) {
    adi_unwind_enter();
    array->release(array);
    adi_unwind_leave();
}

void adi_call_release_array(struct ArrowArray *array) {
    enter("release");
    adi_call_release_callback(array);
    leave();
}

void adi_call_release_schema(struct ArrowSchema *schema) {
    enter("release");
    adi_unwind_enter();
    schema->release(schema);
    adi_unwind_leave();
    leave();
}

static void *release_here(void *array_at) {
    adi_call_release_callback(array_at);
    return NULL;
}

void adi_call_release_elsewhere(struct ArrowArray *array) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, release_here, array) != 0) {
        adi_call_release_array(array);
        return;
    }
    pthread_join(thread, NULL);
}

__attribute__((noinline)) void adi_play_scribble_stack(void) {
    volatile char dead[32768];
    for (size_t i = 0; i < sizeof dead; i++) dead[i] = (char)0xA5;
}
