/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams are queues of the engine. The default stream of a thread is one of the runtime's own,
 * made when the thread first uses it in a context.
 */
#include <pthread.h>

#include "captured.h"

/* What is kept with a stream besides whose it is: its flags, and its priority, from the least. */
enum label {
    PRIORITY_SHIFT = 16,
    PRIORITY_MASK = 0xff,
};

static _Thread_local struct {
    adi_sim_context context; /* of which it is */
    adi_sim_queue queue;
} own[DRIVER_CONTEXTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* ---- the default streams ---- */

/* The thread ends; what is in its streams still runs. With a context its streams have gone, and
 * their handles may be those of others. */
static void end_thread(void *unused) {
    (void)unused;
    for (size_t i = 0; i < DRIVER_CONTEXTS; i++)
        if (adi_sim_is_live(own[i].context, NULL)) adi_sim_queue_destroy(own[i].queue);
}

static void make_key(void) {
    pthread_key_create(&key, end_thread);
}

static driver_code queue_of_thread(const struct driver_scope *scope, adi_sim_queue *out) {
    if (own[scope->item].context != scope->context) {
        unsigned flags = ADI_SIM_BLOCKING_QUEUE | ADI_SIM_OWN_QUEUE;
        int code = adi_sim_queue_create(scope->context, flags, &own[scope->item].queue);
        if (code != 0) return driver_error(code);
        own[scope->item].context = scope->context;
        pthread_once(&once, make_key);
        pthread_setspecific(key, own);
    }
    *out = own[scope->item].queue;
    return DRIVER_SUCCESS;
}

static bool is_default(driver_stream stream) {
    return stream == NULL || stream == DRIVER_STREAM_LEGACY || stream == DRIVER_STREAM_PER_THREAD;
}

/* One that the program has made. */
static driver_code queue_of(driver_stream stream, adi_sim_queue *out) {
    uint64_t label;
    *out = (adi_sim_queue)stream;
    int error = adi_sim_queue_label(*out, NULL, &label);
    if (error != 0) return driver_error(error);
    return driver_owns(label) ? DRIVER_SUCCESS : DRIVER_INVALID_HANDLE;
}

driver_code driver_queue_quietly(bool per_thread, driver_stream stream, struct driver_scope *scope,
                                 adi_sim_queue *out) {
    struct driver_scope here;
    if (scope == NULL) scope = &here;
    SIM_TRY(driver_current(scope));
    if (stream == NULL) stream = per_thread ? DRIVER_STREAM_PER_THREAD : DRIVER_STREAM_LEGACY;
    if (stream == DRIVER_STREAM_PER_THREAD) return queue_of_thread(scope, out);
    if (stream == DRIVER_STREAM_LEGACY) {
        *out = scope->legacy;
        return DRIVER_SUCCESS;
    }
    return queue_of(stream, out);
}

driver_code driver_queue(bool per_thread, driver_stream stream, struct driver_scope *scope,
                         adi_sim_queue *out) {
    struct driver_scope here;
    if (scope == NULL) scope = &here;
    SIM_TRY(driver_queue_quietly(per_thread, stream, scope, out));
    return driver_capture_forbid(*out, scope);
}

/* ---- their life ---- */

/* Priorities outside of the range are the nearest within it. */
driver_code driver_stream_create(driver_stream *stream, unsigned flags, int priority) {
    struct driver_scope scope;
    adi_sim_queue queue;
    if (stream == NULL || flags > DRIVER_STREAM_NON_BLOCKING) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_current(&scope));
    unsigned kind = flags & DRIVER_STREAM_NON_BLOCKING ? 0 : ADI_SIM_BLOCKING_QUEUE;
    int error = adi_sim_queue_create(scope.context, kind, &queue);
    if (error != 0) return driver_error(error);
    int least = driver_facade.least, greatest = driver_facade.greatest;
    int rank = priority > least ? 0 : least - (priority < greatest ? greatest : priority);
    adi_sim_queue_set_label(queue, DRIVER_OWN | flags | (uint64_t)rank << PRIORITY_SHIFT);
    *stream = (driver_stream)queue;
    return DRIVER_SUCCESS;
}

driver_code driver_stream_destroy(driver_stream stream) {
    uint64_t label;
    bool of_others = adi_sim_is_live(stream, &label) && !driver_owns(label);
    if (is_default(stream) || of_others) return DRIVER_INVALID_HANDLE;
    driver_capture_forget_stream((adi_sim_queue)stream);
    return driver_error(adi_sim_queue_destroy((adi_sim_queue)stream));
}

/* ---- waiting: any context may be current, or none; only a default stream is that of one ---- */

static driver_code queue_anywhere(bool per_thread, driver_stream stream, adi_sim_queue *out) {
    static const struct driver_scope nowhere;
    if (is_default(stream)) return driver_queue(per_thread, stream, NULL, out);
    SIM_TRY(queue_of(stream, out));
    return driver_capture_forbid(*out, &nowhere);
}

/* Whether a wait for the legacy stream is an action in it, which comes behind the blocking streams,
 * NVIDIA leaves open: here it is one, since a program may rely on that. */
static driver_code act(const struct driver_scope *scope) {
    adi_sim_event event;
    int code = adi_sim_event_create(scope->context, &event);
    if (code != 0) return driver_error(code);
    code = adi_sim_event_record(event, scope->legacy);
    adi_sim_event_destroy(event);
    return driver_error(code);
}

static bool is_legacy(adi_sim_queue queue, struct driver_scope *scope) {
    return driver_current(scope) == DRIVER_SUCCESS && scope->legacy == queue;
}

driver_code driver_stream_sync(bool per_thread, driver_stream stream) {
    struct driver_scope scope;
    adi_sim_queue queue;
    driver_code code = queue_anywhere(per_thread, stream, &queue);
    if (code == DRIVER_SUCCESS && is_legacy(queue, &scope)) code = act(&scope);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_queue_sync(queue)) : code;
}

/* The action comes once the stream has run dry: each query would add one else, and run one. */
driver_code driver_stream_query(bool per_thread, driver_stream stream) {
    struct driver_scope scope;
    adi_sim_queue queue;
    driver_code code = queue_anywhere(per_thread, stream, &queue);
    if (code == DRIVER_SUCCESS) code = driver_error(adi_sim_queue_query(queue));
    if (code != DRIVER_SUCCESS || !is_legacy(queue, &scope)) return code;
    code = act(&scope);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_queue_query(queue)) : code;
}

/* ---- what there is to know of one ---- */

static driver_code look(bool per_thread, driver_stream stream, uint64_t *label) {
    adi_sim_queue queue;
    driver_code code = driver_queue_quietly(per_thread, stream, NULL, &queue);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_queue_label(queue, NULL, label)) : code;
}

driver_code driver_stream_priority(bool per_thread, driver_stream stream, int *priority) {
    uint64_t label;
    if (priority == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = look(per_thread, stream, &label);
    if (code == DRIVER_SUCCESS)
        *priority = driver_owns(label)
                        ? driver_facade.least - (int)(label >> PRIORITY_SHIFT & PRIORITY_MASK)
                        : 0;
    return code;
}

driver_code driver_stream_flags(bool per_thread, driver_stream stream, unsigned *flags) {
    uint64_t label;
    if (flags == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = look(per_thread, stream, &label);
    if (code == DRIVER_SUCCESS) *flags = label & DRIVER_STREAM_NON_BLOCKING;
    return code;
}

driver_code driver_stream_context(bool per_thread, driver_stream stream, driver_context *context) {
    adi_sim_queue queue;
    adi_sim_context in;
    if (context == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = driver_queue_quietly(per_thread, stream, NULL, &queue);
    if (code == DRIVER_SUCCESS) code = driver_error(adi_sim_queue_info(queue, NULL, &in));
    if (code == DRIVER_SUCCESS) *context = driver_context_name(in);
    return code;
}

driver_code driver_stream_device(bool per_thread, driver_stream stream, int *device) {
    adi_sim_queue queue;
    if (device == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = driver_queue_quietly(per_thread, stream, NULL, &queue);
    int index;
    if (code == DRIVER_SUCCESS) code = driver_error(adi_sim_queue_info(queue, &index, NULL));
    if (code == DRIVER_SUCCESS) *device = driver_device(index);
    return code;
}

driver_code driver_stream_id(bool per_thread, driver_stream stream, unsigned long long *id) {
    adi_sim_queue queue;
    uint64_t ordinal;
    if (id == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = driver_queue_quietly(per_thread, stream, NULL, &queue);
    if (code == DRIVER_SUCCESS) code = driver_error(adi_sim_queue_ordinal(queue, &ordinal));
    if (code == DRIVER_SUCCESS) *id = ordinal;
    return code;
}
