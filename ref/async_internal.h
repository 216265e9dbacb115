/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: the lock of a party of an asynchronous stream. Nobody reaches a point of the
 * schedule while he holds it, so that who goes one at a time never blocks on it.
 */
#ifndef ADI_ASYNC_INTERNAL_H
#define ADI_ASYNC_INTERNAL_H

#include <pthread.h>

#include "async.h"

struct adi_async_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct adi_async_schedule *schedule; /* NULL: none */
};

/* An errno value, as pthread_mutex_init answers it. */
int adi_async_lock_open(struct adi_async_lock *lock, struct adi_async_schedule *schedule);
void adi_async_lock_close(struct adi_async_lock *lock);

/* `what` is what its holder does, for the schedule: "request". */
void adi_async_lock(struct adi_async_lock *lock, const char *what);
void adi_async_unlock(struct adi_async_lock *lock, const char *what);
/* Within the lock: wakes those who wait, and waits until somebody may have changed something. */
void adi_async_changed(struct adi_async_lock *lock);
void adi_async_wait(struct adi_async_lock *lock, const char *what);

/* Tells the schedule, if there is one. */
void adi_async_point(struct adi_async_schedule *schedule, enum adi_async_point point,
                     const char *what);

#endif /* ADI_ASYNC_INTERNAL_H */
