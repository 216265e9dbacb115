/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What is released is freed by a thread, some milliseconds later.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/implementation.h"

static struct freed {
    struct freed *next;
    void *buffer;
} * list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool runs, ends;

static void *reclaim(void *unused) {
    pthread_mutex_lock(&lock);
    while (list != NULL || !ends) {
        struct freed *freed = list;
        list = NULL;
        if (freed == NULL) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        while (freed != NULL) {
            struct freed *next = freed->next;
            free(freed->buffer);
            free(freed);
            freed = next;
        }
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void free_later(void *buffer) {
    struct freed *freed = buffer == NULL ? NULL : malloc(sizeof *freed);
    if (freed == NULL) {
        free(buffer);
        return;
    }
    pthread_mutex_lock(&lock);
    *freed = (struct freed){list, buffer};
    list = freed;
    if (!runs) runs = pthread_create(&thread, NULL, reclaim, NULL) == 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    if (!runs) return;
    pthread_mutex_lock(&lock);
    ends = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.buffer_free = free_later;
    base.adapter.close = close_adapter;
}
