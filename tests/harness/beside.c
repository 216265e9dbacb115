/* SPDX-License-Identifier: Apache-2.0 */
#include "beside.h"

#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

static sem_t over;
static atomic_bool is_over;
static pthread_t thread;

void *sleep_on(void *unused) {
    while (sem_wait(&over) != 0) continue;
    return unused;
}

void *work_on(void *unused) {
    while (!atomic_load(&is_over)) continue;
    return unused;
}

void begin_thread(void *(*run)(void *)) {
    atomic_store(&is_over, false);
    ck_assert_int_eq(sem_init(&over, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, run, NULL), 0);
}

void end_thread(void) {
    atomic_store(&is_over, true);
    sem_post(&over);
    pthread_join(thread, NULL);
}
