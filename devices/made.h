/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: what a device has made and not yet ended, so that neither the runtime nor
 * memory that somebody else names has to be asked about it. Any thread.
 */
#ifndef ADI_MADE_H
#define ADI_MADE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- buffers: all of them ---- */

#define ADI_MADE_BUCKETS 64

struct adi_made_buffer;

struct adi_made_buffers {
    pthread_mutex_t lock;
    struct adi_made_buffer *buckets[ADI_MADE_BUCKETS];
};

void adi_made_begin(struct adi_made_buffers *made);
void adi_made_end(struct adi_made_buffers *made);

/* At this address are so many bytes (> 0) now, whatever was there before. ENOMEM. */
int adi_made_add(struct adi_made_buffers *made, const void *at, size_t bytes);
/* How many there are, if they begin at this address; 0: nothing of the device's own does. `take`:
 * nothing does from now on. */
size_t adi_made_bytes(struct adi_made_buffers *made, const void *at);
size_t adi_made_take(struct adi_made_buffers *made, const void *at);

/* ---- a queue, and its events ---- */

#define ADI_MADE_EVENTS 64

/* Begins as zeros. Of each place the newest event is known: one that is not may be of the queue,
 * too. */
struct adi_made_queue {
    _Atomic(const void *) events[ADI_MADE_EVENTS];
    atomic_bool is_lent; /* others may queue what they like */
    /* So many waits for events that are not known were queued; so many had been when the queue came
     * to its end the last time. */
    atomic_uint waits, passed;
};

void adi_made_keep_event(struct adi_made_queue *queue, const void *sync_event);
bool adi_made_has_event(const struct adi_made_queue *queue, const void *sync_event);
void adi_made_drop_event(struct adi_made_queue *queue, const void *sync_event);
/* Is it known, and behind nothing but the device's own work? Then it completes. */
bool adi_made_is_sure(const struct adi_made_queue *queue, const void *sync_event);

#endif /* ADI_MADE_H */
