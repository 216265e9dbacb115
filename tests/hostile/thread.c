/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a thread running that crashes later. */
#include "hostile.h"

#include <pthread.h>
#include <unistd.h>

static void *crash_later(void *unused) {
    (void)unused;
    usleep(2000);
    fault();
    return NULL;
}

static void misbehave(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, crash_later, NULL);
    pthread_detach(thread);
}
