/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between contexts. cuMemcpyPeer comes behind all work of the three contexts that it has to
 * do with, and before all that comes later. The legacy default stream of a context stands for the
 * blocking ones; the others are kept in mind here.
 */
#include <pthread.h>
#include <stdlib.h>

#include "driver.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The streams of a context that do not block. */
static struct row {
    adi_sim_context context; /* whose they are */
    adi_sim_queue *at;
    size_t n, capacity;
    bool destroyed; /* one of them, with work in it perhaps */
} rows[CUDA_CONTEXTS];

/* With the lock, as whatever has to do with rows. */
static struct row *row_of(const struct cuda_scope *scope) {
    struct row *row = &rows[scope->slot];
    if (row->context == scope->context) return row;
    row->context = scope->context;
    row->n = 0;
    row->destroyed = false;
    return row;
}

static int add(struct row *row, adi_sim_queue queue) {
    if (row->n == row->capacity) {
        size_t capacity = row->capacity * 2 + 8;
        adi_sim_queue *grown = realloc(row->at, capacity * sizeof(adi_sim_queue));
        if (grown == NULL) return ENOMEM;
        row->at = grown;
        row->capacity = capacity;
    }
    row->at[row->n++] = queue;
    return 0;
}

int cuda_keep_queue(const struct cuda_scope *scope, adi_sim_queue queue) {
    pthread_mutex_lock(&lock);
    int code = add(row_of(scope), queue);
    pthread_mutex_unlock(&lock);
    return code;
}

static void forget(struct row *row, adi_sim_queue queue) {
    for (size_t i = 0; i < row->n; i++) {
        if (row->at[i] != queue) continue;
        row->at[i] = row->at[--row->n];
        row->destroyed = true;
        return;
    }
}

/* Under the lock, so that none goes while another thread's copy has to do with it. */
int cuda_destroy_queue(adi_sim_queue queue) {
    pthread_mutex_lock(&lock);
    int code = adi_sim_queue_destroy(queue);
    for (size_t i = 0; code == 0 && i < CUDA_CONTEXTS; i++) forget(&rows[i], queue);
    pthread_mutex_unlock(&lock);
    return code;
}

/* ---- order ---- */

/* What a stream that is no more has left can be waited for by the host only. */
static int settle(const struct cuda_scope *scope) {
    pthread_mutex_lock(&lock);
    struct row *row = row_of(scope);
    bool destroyed = row->destroyed;
    row->destroyed = false;
    pthread_mutex_unlock(&lock);
    return destroyed ? adi_sim_context_sync(scope->context) : 0;
}

static int order(adi_sim_queue first, adi_sim_queue second, adi_sim_event event) {
    if (first == second) return 0;
    int code = adi_sim_event_record(event, first);
    return code == 0 ? adi_sim_event_wait(second, event) : code;
}

/* Of the queue and all streams of the context: which comes behind which. `event` is one of the
 * context of those that come first. */
static int order_with(const struct cuda_scope *scope, adi_sim_queue queue, bool queue_first,
                      adi_sim_event event) {
    pthread_mutex_lock(&lock);
    const struct row *row = row_of(scope);
    int code = 0;
    for (size_t i = 0; code == 0 && i <= row->n; i++) {
        adi_sim_queue other = i < row->n ? row->at[i] : scope->legacy;
        code = queue_first ? order(queue, other, event) : order(other, queue, event);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int put_behind(const struct cuda_scope *scope, adi_sim_queue queue) {
    adi_sim_event event;
    int code = settle(scope);
    if (code == 0) code = adi_sim_event_create(scope->context, &event);
    if (code != 0) return code;
    code = order_with(scope, queue, false, event);
    adi_sim_event_destroy(event);
    return code;
}

static int put_before(const struct cuda_scope *scope, adi_sim_queue queue, adi_sim_context own) {
    adi_sim_event event;
    int code = adi_sim_event_create(own, &event);
    if (code != 0) return code;
    code = order_with(scope, queue, true, event);
    adi_sim_event_destroy(event);
    return code;
}

/* ---- copies ---- */

CUresult cuda_cuMemcpyPeer(bool per_thread, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes) {
    struct cuda_scope scopes[3]; /* the first is the current one */
    adi_sim_queue queue;
    int error = 0;
    CUresult code = cuda_find_context(to_context, &scopes[1]);
    if (code == CUDA_SUCCESS) code = cuda_find_context(from_context, &scopes[2]);
    if (code == CUDA_SUCCESS) code = cuda_queue(per_thread, NULL, &scopes[0], &queue);
    if (code != CUDA_SUCCESS || bytes == 0) return code;
    for (size_t i = 0; error == 0 && i < 3; i++) error = put_behind(&scopes[i], queue);
    if (error != 0) return cuda_error(error);
    code = cuda_cuMemcpyDtoD_v2(per_thread, to, from, bytes);
    if (code != CUDA_SUCCESS) return code;
    for (size_t i = 0; error == 0 && i < 3; i++)
        error = put_before(&scopes[i], queue, scopes[0].context);
    return cuda_error(error);
}

CUresult cuda_cuMemcpyPeerAsync(bool per_thread, CUdeviceptr to, CUcontext to_context,
                                CUdeviceptr from, CUcontext from_context, size_t bytes,
                                CUstream stream) {
    struct cuda_scope scope;
    CUresult code = cuda_find_context(to_context, &scope);
    if (code == CUDA_SUCCESS) code = cuda_find_context(from_context, &scope);
    if (code != CUDA_SUCCESS) return code;
    return cuda_cuMemcpyDtoDAsync_v2(per_thread, to, from, bytes, stream);
}
