/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams are queues of the engine. The default stream of a thread is one of the runtime's own,
 * made when the thread first uses it in a context.
 */
#include <pthread.h>

#include "driver.h"

/* What is kept with a queue: that it is a stream, its flags, and its priority, from the least. */
enum label {
    IS_STREAM = 1 << 8,
    PRIORITY_SHIFT = 16,
    PRIORITIES = 6,
};

static _Thread_local struct {
    adi_sim_context context; /* of which it is */
    adi_sim_queue queue;
} own[CUDA_CONTEXTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* ---- the default streams ---- */

/* The thread ends; what is in its streams still runs. With a context its streams have gone, and
 * their handles may be those of others. */
static void end_thread(void *unused) {
    (void)unused;
    for (size_t i = 0; i < CUDA_CONTEXTS; i++)
        if (adi_sim_is_live(own[i].context, NULL)) adi_sim_queue_destroy(own[i].queue);
}

static void make_key(void) {
    pthread_key_create(&key, end_thread);
}

static CUresult queue_of_thread(const struct cuda_scope *scope, adi_sim_queue *out) {
    if (own[scope->item].context != scope->context) {
        unsigned flags = ADI_SIM_BLOCKING_QUEUE | ADI_SIM_OWN_QUEUE;
        int code = adi_sim_queue_create(scope->context, flags, &own[scope->item].queue);
        if (code != 0) return cuda_error(code);
        own[scope->item].context = scope->context;
        pthread_once(&once, make_key);
        pthread_setspecific(key, own);
    }
    *out = own[scope->item].queue;
    return CUDA_SUCCESS;
}

static bool is_default(CUstream stream) {
    return stream == NULL || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

/* One that the program has made. */
static CUresult queue_of(CUstream stream, adi_sim_queue *out) {
    uint64_t label;
    *out = (adi_sim_queue)stream;
    int error = adi_sim_queue_label(*out, NULL, &label);
    if (error != 0) return cuda_error(error);
    return label & IS_STREAM ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuda_queue(bool per_thread, CUstream stream, struct cuda_scope *scope,
                    adi_sim_queue *out) {
    struct cuda_scope here;
    if (scope == NULL) scope = &here;
    SIM_TRY(cuda_current(scope));
    if (stream == NULL) stream = per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
    if (stream == CU_STREAM_PER_THREAD) return queue_of_thread(scope, out);
    if (stream == CU_STREAM_LEGACY) {
        *out = scope->legacy;
        return CUDA_SUCCESS;
    }
    return queue_of(stream, out);
}

/* ---- their life ---- */

/* Priorities outside of the range are the nearest within it. */
CUresult cuda_cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    struct cuda_scope scope;
    adi_sim_queue queue;
    if (stream == NULL || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_current(&scope));
    unsigned kind = flags & CU_STREAM_NON_BLOCKING ? 0 : ADI_SIM_BLOCKING_QUEUE;
    int error = adi_sim_queue_create(scope.context, kind, &queue);
    if (error != 0) return cuda_error(error);
    uint64_t rank = priority > 0              ? 0
                    : priority <= -PRIORITIES ? PRIORITIES - 1
                                              : 0U - (unsigned)priority;
    adi_sim_queue_set_label(queue, IS_STREAM | flags | rank << PRIORITY_SHIFT);
    *stream = (CUstream)queue;
    return CUDA_SUCCESS;
}

CUresult cuda_cuStreamCreate(CUstream *stream, unsigned flags) {
    return cuda_cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuda_cuStreamDestroy_v2(CUstream stream) {
    uint64_t label;
    bool of_others = adi_sim_is_live(stream, &label) && !(label & IS_STREAM);
    if (is_default(stream) || of_others) return CUDA_ERROR_INVALID_HANDLE;
    return cuda_error(adi_sim_queue_destroy((adi_sim_queue)stream));
}

/* ---- waiting: any context may be current, or none; only a default stream is that of one ---- */

static CUresult queue_anywhere(bool per_thread, CUstream stream, adi_sim_queue *out) {
    return is_default(stream) ? cuda_queue(per_thread, stream, NULL, out) : queue_of(stream, out);
}

/* Whether a wait for the legacy stream is an action in it, which comes behind the blocking streams,
 * NVIDIA leaves open: here it is one, since a program may rely on that. */
static CUresult act(const struct cuda_scope *scope) {
    adi_sim_event event;
    int code = adi_sim_event_create(scope->context, &event);
    if (code != 0) return cuda_error(code);
    code = adi_sim_event_record(event, scope->legacy);
    adi_sim_event_destroy(event);
    return cuda_error(code);
}

static bool is_legacy(adi_sim_queue queue, struct cuda_scope *scope) {
    return cuda_current(scope) == CUDA_SUCCESS && scope->legacy == queue;
}

CUresult cuda_cuStreamSynchronize(bool per_thread, CUstream stream) {
    struct cuda_scope scope;
    adi_sim_queue queue;
    CUresult code = queue_anywhere(per_thread, stream, &queue);
    if (code == CUDA_SUCCESS && is_legacy(queue, &scope)) code = act(&scope);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_queue_sync(queue)) : code;
}

/* The action comes once the stream has run dry: each query would add one else, and run one. */
CUresult cuda_cuStreamQuery(bool per_thread, CUstream stream) {
    struct cuda_scope scope;
    adi_sim_queue queue;
    CUresult code = queue_anywhere(per_thread, stream, &queue);
    if (code == CUDA_SUCCESS) code = cuda_error(adi_sim_queue_query(queue));
    if (code != CUDA_SUCCESS || !is_legacy(queue, &scope)) return code;
    code = act(&scope);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_queue_query(queue)) : code;
}

/* ---- what there is to know of one ---- */

static CUresult look(bool per_thread, CUstream stream, uint64_t *label) {
    adi_sim_queue queue;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_queue_label(queue, NULL, label)) : code;
}

CUresult cuda_cuStreamGetPriority(bool per_thread, CUstream stream, int *priority) {
    uint64_t label;
    if (priority == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = look(per_thread, stream, &label);
    if (code == CUDA_SUCCESS) *priority = -(int)(label >> PRIORITY_SHIFT);
    return code;
}

CUresult cuda_cuStreamGetFlags(bool per_thread, CUstream stream, unsigned *flags) {
    uint64_t label;
    if (flags == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = look(per_thread, stream, &label);
    if (code == CUDA_SUCCESS) *flags = label & CU_STREAM_NON_BLOCKING;
    return code;
}

CUresult cuda_cuStreamGetCtx(bool per_thread, CUstream stream, CUcontext *context) {
    adi_sim_queue queue;
    adi_sim_context in;
    if (context == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code == CUDA_SUCCESS) code = cuda_error(adi_sim_queue_info(queue, NULL, &in));
    if (code == CUDA_SUCCESS) *context = cuda_context_name(in);
    return code;
}

CUresult cuda_cuStreamGetDevice(bool per_thread, CUstream stream, CUdevice *device) {
    adi_sim_queue queue;
    if (device == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    int index;
    if (code == CUDA_SUCCESS) code = cuda_error(adi_sim_queue_info(queue, &index, NULL));
    if (code == CUDA_SUCCESS) *device = cuda_device(index);
    return code;
}

CUresult cuda_cuStreamGetId(bool per_thread, CUstream stream, unsigned long long *id) {
    adi_sim_queue queue;
    uint64_t ordinal;
    if (id == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code == CUDA_SUCCESS) code = cuda_error(adi_sim_queue_ordinal(queue, &ordinal));
    if (code == CUDA_SUCCESS) *id = ordinal;
    return code;
}

/* Nothing is captured here. */
CUresult cuda_cuStreamIsCapturing(bool per_thread, CUstream stream, int *status) {
    adi_sim_queue queue;
    if (status == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code == CUDA_SUCCESS) *status = 0;
    return code;
}
