/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer whose content comes after the array was handed out: when whoever was given the array has
 * gone to sleep a few times, waiting for it. He has surely looked by then, however long that took
 * him.
 */
#ifndef COMES_LATE_H
#define COMES_LATE_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/implementation.h"

#define NAPS 8

struct late {
    void *to, *from;
    size_t bytes;
    long reader, slept; /* the thread that was given the array; how often it had slept by then */
};

/* How often a thread has given up the processor by itself, as Linux counts; -1: unknown. */
static long count_sleeps(long thread) {
    char path[64], line[128];
    long count = -1;
    snprintf(path, sizeof path, "/proc/self/task/%ld/status", thread);
    FILE *file = fopen(path, "re");
    if (file == NULL) return -1;
    while (count < 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) != 1) count = -1;
    fclose(file);
    return count;
}

static void *copy_late(void *late_at) {
    struct late *late = late_at;
    while (count_sleeps(late->reader) < late->slept + NAPS)
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    memcpy(late->to, late->from, late->bytes);
    free(late->from);
    free(late);
    return NULL;
}

static void delay_buffer(const struct ArrowSchema *schema, struct ArrowDeviceArray *out,
                         int64_t index) {
    pthread_t thread;
    struct late *late = malloc(sizeof *late);
    if (late == NULL || out->array.buffers[index] == NULL) {
        free(late);
        return;
    }
    late->to = (void *)out->array.buffers[index];
    late->bytes = (size_t)base_buffer_bytes(schema, &out->array, index);
    late->from = base_copy_bytes(late->to, late->bytes);
    late->reader = syscall(SYS_gettid);
    late->slept = count_sleeps(late->reader);
    memset(late->to, 0, late->bytes);
    if (pthread_create(&thread, NULL, copy_late, late) == 0) pthread_detach(thread);
}

#endif /* COMES_LATE_H */
