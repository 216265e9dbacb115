/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call into the implementation under test goes through here: the guard must know whose code
 * runs.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "play.h"
#include "unwind.h"
#include "whose.h"

static int refused(struct adi_trial *trial, const char *call, int code) {
    if (code != 0) adi_play_step(trial, call, "returned %d (%s)", code, strerror(code));
    return code;
}

void adi_call_enter(const char *phase) {
    adi_whose_phase(phase);
    adi_queue_lend();
    adi_guard_enter_implementation();
}

void adi_call_leave(void) {
    adi_guard_leave_implementation();
    adi_call_imported();
    adi_queue_regain();
    adi_whose_phase(NULL);
}

int adi_call_produce(struct adi_trial *trial, struct adi_goods *goods, struct adi_exported *out) {
    adi_play_step(trial, "produce", "%s, length %lld", goods->schema.format,
                  (long long)goods->host.length);
    adi_call_enter("produce");
    int code = trial->adapter->produce(trial->adapter, trial->device->ops->type, trial->device->id,
                                       &goods->schema, &goods->host, out->schema, out->array);
    adi_call_leave();
    return refused(trial, "produce", code);
}

int adi_call_consume(struct adi_trial *trial, struct adi_staged *in, struct ArrowSchema *schema_out,
                     struct ArrowArray *host_out) {
    adi_play_step(trial, "consume", "device type %d, id %lld", in->array->device_type,
                  (long long)in->array->device_id);
    adi_call_enter("consume");
    int code = trial->adapter->consume(trial->adapter, in->schema, in->array, schema_out, host_out);
    adi_call_leave();
    return refused(trial, "consume", code);
}

int adi_call_relay(struct adi_trial *trial, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   struct adi_exported *out) {
    adi_play_step(trial, "relay", "device type %d, id %lld", in->device_type,
                  (long long)in->device_id);
    adi_call_enter("relay");
    int code = trial->adapter->relay(trial->adapter, schema, in, out->schema, out->array);
    adi_call_leave();
    return refused(trial, "relay", code);
}

static void release_array(struct ArrowArray *array) {
    adi_unwind_enter();
    array->release(array);
    adi_unwind_leave();
}

void adi_call_release_array(struct ArrowArray *array) {
    adi_call_enter("release");
    release_array(array);
    adi_call_leave();
}

void adi_call_release_schema(struct ArrowSchema *schema) {
    adi_call_enter("release");
    adi_unwind_enter();
    schema->release(schema);
    adi_unwind_leave();
    adi_call_leave();
}

static void *release_here(void *array_at) {
    release_array(array_at);
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
