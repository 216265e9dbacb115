/* SPDX-License-Identifier: Apache-2.0 */
#include "async.h"

#include "async_internal.h"

bool adi_async_layout_at(size_t metadata_offset, enum adi_async_layout *out) {
    if (metadata_offset == offsetof(struct adi_shipped_producer, additional_metadata))
        *out = ADI_ASYNC_SHIPPED;
    else if (metadata_offset == offsetof(struct adi_published_producer, additional_metadata))
        *out = ADI_ASYNC_WITH_RELEASE;
    else
        return false;
    return true;
}

static void release_nothing(struct ArrowAsyncProducer *self) {
    (void)self;
}

void adi_async_fill(enum adi_async_layout layout, const struct adi_shipped_producer *from,
                    union adi_any_producer *out) {
    if (layout == ADI_ASYNC_SHIPPED)
        out->shipped = *from;
    else
        out->published = (struct adi_published_producer){
            from->device_type,         from->request,     from->cancel, release_nothing,
            from->additional_metadata, from->private_data};
}

const char *adi_async_metadata(const struct ArrowAsyncProducer *producer,
                               enum adi_async_layout layout) {
    const union adi_any_producer *any = (const void *)producer;
    return layout == ADI_ASYNC_SHIPPED ? any->shipped.additional_metadata
                                       : any->published.additional_metadata;
}

void *adi_async_private_data(const struct ArrowAsyncProducer *producer,
                             enum adi_async_layout layout) {
    const union adi_any_producer *any = (const void *)producer;
    return layout == ADI_ASYNC_SHIPPED ? any->shipped.private_data : any->published.private_data;
}

/* ---- locks and points ---- */

void adi_async_point(struct adi_async_schedule *schedule, enum adi_async_point point,
                     const char *what) {
    if (schedule != NULL) schedule->point(schedule, point, what);
}

int adi_async_lock_open(struct adi_async_lock *lock, struct adi_async_schedule *schedule) {
    lock->schedule = schedule;
    int code = pthread_mutex_init(&lock->mutex, NULL);
    if (code != 0) return code;
    code = pthread_cond_init(&lock->changed, NULL);
    if (code != 0) pthread_mutex_destroy(&lock->mutex);
    return code;
}

void adi_async_lock_close(struct adi_async_lock *lock) {
    pthread_cond_destroy(&lock->changed);
    pthread_mutex_destroy(&lock->mutex);
}

void adi_async_lock(struct adi_async_lock *lock, const char *what) {
    adi_async_point(lock->schedule, ADI_ASYNC_BEFORE_LOCK, what);
    pthread_mutex_lock(&lock->mutex);
}

void adi_async_unlock(struct adi_async_lock *lock, const char *what) {
    struct adi_async_schedule *schedule = lock->schedule; /* the lock may be gone at once */
    pthread_mutex_unlock(&lock->mutex);
    adi_async_point(schedule, ADI_ASYNC_AFTER_UNLOCK, what);
}

void adi_async_changed(struct adi_async_lock *lock) {
    pthread_cond_broadcast(&lock->changed);
}

void adi_async_wait(struct adi_async_lock *lock, const char *what) {
    if (lock->schedule == NULL || !lock->schedule->drives) {
        pthread_cond_wait(&lock->changed, &lock->mutex);
        return;
    }
    pthread_mutex_unlock(&lock->mutex);
    adi_async_point(lock->schedule, ADI_ASYNC_WAITS, what);
    pthread_mutex_lock(&lock->mutex);
}
