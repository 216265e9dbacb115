/* SPDX-License-Identifier: Apache-2.0 */
#include "async_extract.h"

#include <string.h>

#include "async_call.h"
#include "async_judge.h"
#include "attribution.h"
#include "guard.h"
#include "move.h"

static _Thread_local int extracting;

int adi_async_extracting(void) {
    return extracting;
}

static void keep(struct adi_async_handler *handler, struct ArrowDeviceArray *array,
                 int64_t number) {
    bool kept = handler->n_taken < ADI_ASYNC_TASKS;
    if (kept) {
        struct adi_async_taken *taken = &handler->taken[handler->n_taken++];
        taken->number = number;
        taken->array = *array;
    } else {
        adi_device_array_release(array);
    }
}

/* Is there an array? */
/* AS-014, AS-015: what is extracted later, or elsewhere, is a copy of the task. */
/* AS-034, AS-036, AS-040: a task that is given up by NULL cleans up what belongs to it. */
static bool call(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                 struct ArrowDeviceArray *out, int *code) {
    bool gives_up = out == NULL;
    if (!gives_up) memset(out, ADI_POISON_BYTE, sizeof *out);
    if (gives_up) adi_async_tell(handler, "async/give-up-fails");
    adi_async_extraction_begins(handler);
    bool before = adi_attribution_enter(true);
    *code = task->extract_data(task, out);
    adi_attribution_enter(before);
    adi_async_extraction_ends(handler, *code);
    if (gives_up) adi_async_tell(handler, NULL);
    return adi_async_judge_extracted(handler, *code, out);
}

int adi_async_handler_extract(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                              struct ArrowDeviceArray *out) {
    int code;
    call(handler, task, out, &code);
    pthread_mutex_lock(&handler->lock);
    adi_async_wake(handler);
    pthread_mutex_unlock(&handler->lock);
    return code;
}

void adi_async_extract(struct adi_async_handler *handler, struct ArrowAsyncTask *task,
                       int64_t number) {
    struct ArrowDeviceArray array;
    int code;
    bool gives_up = handler->conduct.gives_up || handler->n_taken == ADI_ASYNC_TASKS;
    bool has_array = call(handler, task, gives_up ? NULL : &array, &code);
    pthread_mutex_lock(&handler->lock);
    if (has_array) keep(handler, &array, number);
    pthread_cond_broadcast(&handler->changed);
    pthread_mutex_unlock(&handler->lock);
}

struct elsewhere {
    struct adi_async_handler *handler;
    struct ArrowAsyncTask task;
    int64_t number;
};

static void *extract_here(void *elsewhere_at) {
    struct elsewhere *elsewhere = elsewhere_at;
    adi_async_extract(elsewhere->handler, &elsewhere->task, elsewhere->number);
    return NULL;
}

void adi_async_extract_elsewhere(struct adi_async_handler *handler,
                                 const struct ArrowAsyncTask *task, int64_t number) {
    pthread_t thread;
    struct elsewhere elsewhere = {handler, *task, number};
    if (pthread_create(&thread, NULL, extract_here, &elsewhere) == 0)
        pthread_join(thread, NULL);
    else
        extract_here(&elsewhere);
}

bool adi_async_handler_serve(struct adi_async_handler *handler) {
    struct adi_async_kept_task kept = {.number = 0};
    pthread_mutex_lock(&handler->lock);
    if (handler->n_waiting > 0) kept = handler->waiting[--handler->n_waiting];
    handler->calling += kept.number != 0;
    pthread_mutex_unlock(&handler->lock);
    if (kept.number == 0) return false;
    extracting++;
    adi_async_extract(handler, &kept.task, kept.number);
    extracting--;
    pthread_mutex_lock(&handler->lock);
    handler->calling--;
    adi_async_wake(handler);
    pthread_mutex_unlock(&handler->lock);
    return true;
}

bool adi_async_handler_take(struct adi_async_handler *handler, struct adi_async_kept_task *out) {
    pthread_mutex_lock(&handler->lock);
    bool is_there = handler->n_waiting > 0;
    if (is_there) {
        *out = handler->waiting[0];
        memmove(&handler->waiting[0], &handler->waiting[1],
                --handler->n_waiting * sizeof handler->waiting[0]);
        adi_async_wake(handler);
    }
    pthread_mutex_unlock(&handler->lock);
    return is_there;
}

bool adi_async_keep(struct adi_async_handler *handler, const struct ArrowAsyncTask *task,
                    int64_t number) {
    pthread_mutex_lock(&handler->lock);
    bool kept = handler->n_waiting < ADI_ASYNC_TASKS;
    if (kept) handler->waiting[handler->n_waiting++] = (struct adi_async_kept_task){number, *task};
    adi_async_wake(handler);
    pthread_mutex_unlock(&handler->lock);
    return kept;
}
