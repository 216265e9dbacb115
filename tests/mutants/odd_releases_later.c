/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What was imported is released by another thread, within 20 ms.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/implementation.h"

static void *release_later(void *array_at) {
    struct ArrowArray *array = array_at;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    array->release(array);
    free(array);
    return NULL;
}

static int hand_over(struct ArrowArray *array) {
    pthread_t thread;
    struct ArrowArray *moved = malloc(sizeof *moved);
    if (moved == NULL) return ENOMEM;
    *moved = *array;
    array->release = NULL;
    int code = pthread_create(&thread, NULL, release_later, moved);
    return code == 0 ? pthread_detach(thread) : code;
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    schema->release(schema);
    return hand_over(&in->array);
}

void mutate(void) {
    base.adapter.consume = consume;
}
