/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer. apache/arrow-nanoarrow#509, NVIDIA/cudf#6706: the array is handed
 * out before the copy has ended.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/implementation.h"

struct late {
    void *to, *from;
    size_t bytes;
};

static void *copy_late(void *late_at) {
    struct late *late = late_at;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    memcpy(late->to, late->from, late->bytes);
    free(late->from);
    free(late);
    return NULL;
}

static void delay(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    pthread_t thread;
    struct late *late = malloc(sizeof *late);
    if (late == NULL) return;
    late->to = (void *)out->array.buffers[1];
    late->bytes = (size_t)base_buffer_bytes(schema, &out->array, 1);
    late->from = base_copy_bytes(late->to, late->bytes);
    memset(late->to, 0, late->bytes);
    if (pthread_create(&thread, NULL, copy_late, late) == 0) pthread_detach(thread);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = delay;
}
