/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "implementation.h"

struct late {
    struct ArrowArray array;
    struct timespec after;
};

static void *release(void *late_at) {
    struct late *late = late_at;
    nanosleep(&late->after, NULL);
    late->array.release(&late->array);
    free(late);
    return NULL;
}

int base_release_late(struct ArrowArray *array, long nanoseconds) {
    pthread_t thread;
    struct late *late = malloc(sizeof *late);
    if (late == NULL) return ENOMEM;
    *late = (struct late){*array, {.tv_nsec = nanoseconds}};
    array->release = NULL;
    if (pthread_create(&thread, NULL, release, late) == 0)
        pthread_detach(thread);
    else
        release(late);
    return 0;
}
