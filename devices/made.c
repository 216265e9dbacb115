/* SPDX-License-Identifier: Apache-2.0 */
#include "made.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct adi_made_buffer {
    struct adi_made_buffer *next;
    const void *at;
    size_t bytes;
};

void adi_made_begin(struct adi_made_buffers *made) {
    *made = (struct adi_made_buffers){.buckets = {NULL}};
    pthread_mutex_init(&made->lock, NULL);
}

void adi_made_end(struct adi_made_buffers *made) {
    for (size_t i = 0; i < ADI_MADE_BUCKETS; i++)
        while (made->buckets[i] != NULL) {
            struct adi_made_buffer *buffer = made->buckets[i];
            made->buckets[i] = buffer->next;
            free(buffer);
        }
    pthread_mutex_destroy(&made->lock);
}

/* Where it hangs, or would: runtimes align what they allocate to 256 bytes. */
static struct adi_made_buffer **find(struct adi_made_buffers *made, const void *at) {
    struct adi_made_buffer **link = &made->buckets[(uintptr_t)at / 256 % ADI_MADE_BUCKETS];
    while (*link != NULL && (*link)->at != at) link = &(*link)->next;
    return link;
}

int adi_made_add(struct adi_made_buffers *made, const void *at, size_t bytes) {
    struct adi_made_buffer *buffer = malloc(sizeof *buffer);
    if (buffer == NULL) return ENOMEM;
    pthread_mutex_lock(&made->lock);
    struct adi_made_buffer **link = find(made, at), *before = *link;
    *buffer = (struct adi_made_buffer){before == NULL ? NULL : before->next, at, bytes};
    *link = buffer;
    pthread_mutex_unlock(&made->lock);
    free(before);
    return 0;
}

size_t adi_made_bytes(struct adi_made_buffers *made, const void *at) {
    pthread_mutex_lock(&made->lock);
    const struct adi_made_buffer *buffer = *find(made, at);
    size_t bytes = buffer == NULL ? 0 : buffer->bytes;
    pthread_mutex_unlock(&made->lock);
    return bytes;
}

size_t adi_made_take(struct adi_made_buffers *made, const void *at) {
    pthread_mutex_lock(&made->lock);
    struct adi_made_buffer **link = find(made, at), *buffer = *link;
    if (buffer != NULL) *link = buffer->next;
    pthread_mutex_unlock(&made->lock);
    size_t bytes = buffer == NULL ? 0 : buffer->bytes;
    free(buffer);
    return bytes;
}

/* ---- a queue, and its events ---- */

static size_t place_of(const void *sync_event) {
    return (uintptr_t)sync_event / 16 % ADI_MADE_EVENTS;
}

void adi_made_keep_event(struct adi_made_queue *queue, const void *sync_event) {
    atomic_store(&queue->events[place_of(sync_event)], sync_event);
}

bool adi_made_has_event(const struct adi_made_queue *queue, const void *sync_event) {
    return atomic_load(&queue->events[place_of(sync_event)]) == sync_event;
}

void adi_made_drop_event(struct adi_made_queue *queue, const void *sync_event) {
    atomic_compare_exchange_strong(&queue->events[place_of(sync_event)], &sync_event, NULL);
}

bool adi_made_is_sure(const struct adi_made_queue *queue, const void *sync_event) {
    return adi_made_has_event(queue, sync_event) && !queue->is_lent &&
           queue->waits == queue->passed;
}
