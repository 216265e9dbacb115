/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and callbacks. The engine's host functions stay away when a device is lost, as
 * those of cuLaunchHostFunc do; callbacks are called all the same, with the error, and so they are
 * kept in mind here until they have been called.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "driver.h"

struct call {
    CUstreamCallback function;
    CUstream stream;
    void *data;
};

/* Oldest first. One that was told of a lost device is kept until the engine lets go of it. */
static struct callback {
    struct call call;
    adi_sim_context context;
    int device;
    bool told;
    struct callback *next;
} * first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult cuda_cuLaunchHostFunc(bool per_thread, CUstream stream, CUhostFn function, void *data) {
    adi_sim_queue queue;
    if (function == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_host(queue, function, data)) : code;
}

/* With the lock. */
static void end(struct callback *callback) {
    struct callback **link = &first;
    while (*link != callback) link = &(*link)->next;
    *link = callback->next;
    free(callback);
}

static void call_back(void *data) {
    pthread_mutex_lock(&lock);
    struct callback callback = *(struct callback *)data;
    end(data);
    pthread_mutex_unlock(&lock);
    if (!callback.told)
        callback.call.function(callback.call.stream, CUDA_SUCCESS, callback.call.data);
}

/* With the lock, so that it is not told of a lost device before it is in the queue. */
static int put(adi_sim_queue queue, struct callback *callback) {
    struct callback **last = &first;
    while (*last != NULL) last = &(*last)->next;
    *last = callback;
    int code = adi_sim_host(queue, call_back, callback);
    if (code != 0) end(callback);
    return code;
}

CUresult cuda_cuStreamAddCallback(bool per_thread, CUstream stream, CUstreamCallback function,
                                  void *data, unsigned flags) {
    adi_sim_queue queue;
    if (function == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS) return code;
    struct callback *callback = malloc(sizeof *callback);
    if (callback == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    *callback = (struct callback){.call = {function, stream, data}};
    int error = adi_sim_queue_info(queue, &callback->device, &callback->context);
    if (error != 0) {
        free(callback);
        return cuda_error(error);
    }
    pthread_mutex_lock(&lock);
    error = put(queue, callback);
    pthread_mutex_unlock(&lock);
    return cuda_error(error);
}

/* ---- a lost device ---- */

struct calls {
    size_t n;
    struct call at[];
};

static bool is_lost(int device) {
    adi_sim_context context;
    int code = adi_sim_context_open(CUDA_FAMILY, device, &context);
    if (code == 0) adi_sim_context_discard(context);
    return code == EOWNERDEAD;
}

static bool is_meant(const struct callback *callback, adi_sim_context context, const bool *lost) {
    return !callback->told && (callback->context == context || lost[callback->device]);
}

/* What has to be called: of a context, or of devices that are lost. NULL: nothing. */
static struct calls *gather(adi_sim_context context, const bool *lost) {
    size_t n = 0;
    struct calls *calls = NULL;
    pthread_mutex_lock(&lock);
    for (const struct callback *at = first; at != NULL; at = at->next)
        if (is_meant(at, context, lost)) n++;
    if (n > 0) calls = malloc(sizeof *calls + n * sizeof *calls->at);
    if (calls != NULL) calls->n = 0;
    for (struct callback *at = first; calls != NULL && at != NULL; at = at->next) {
        if (!is_meant(at, context, lost)) continue;
        at->told = true;
        calls->at[calls->n++] = at->call;
    }
    pthread_mutex_unlock(&lock);
    return calls;
}

static void *tell(void *data) {
    struct calls *calls = data;
    for (size_t i = 0; i < calls->n; i++)
        calls->at[i].function(calls->at[i].stream, CUDA_ERROR_LAUNCH_FAILED, calls->at[i].data);
    free(calls);
    return NULL;
}

/* On a thread of its own, whose signals are the program's: the caller may hold a lock that a
 * callback takes, unless it waits for the stream. */
static void tell_by_thread(struct calls *calls, bool wait) {
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&thread, NULL, tell, calls);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        tell(calls);
    else if (wait)
        pthread_join(thread, NULL);
    else
        pthread_detach(thread);
}

void cuda_tell_of_loss(bool wait) {
    bool lost[ADI_SIM_DEVICES], pending[ADI_SIM_DEVICES] = {false};
    pthread_mutex_lock(&lock);
    for (const struct callback *at = first; at != NULL; at = at->next)
        if (!at->told) pending[at->device] = true;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < ADI_SIM_DEVICES; i++) lost[i] = pending[i] && is_lost(i);
    struct calls *calls = gather(NULL, lost);
    if (calls != NULL) tell_by_thread(calls, wait);
}

void cuda_end_callbacks(adi_sim_context context) {
    static const bool none[ADI_SIM_DEVICES];
    struct calls *calls = gather(context, none);
    if (calls != NULL) tell_by_thread(calls, true);
    pthread_mutex_lock(&lock);
    for (struct callback *at = first, *next; at != NULL; at = next) {
        next = at->next;
        if (at->context == context) end(at);
    }
    pthread_mutex_unlock(&lock);
}
