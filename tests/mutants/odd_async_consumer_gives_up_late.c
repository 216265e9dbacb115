/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Tasks are kept; where the stream has failed, a thread gives them up some
 * while after that has been told.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/async_consumer.h"

#define LATE_US 30000

struct kept {
    struct ArrowAsyncTask tasks[BASE_BATCHES];
    int n;
};

static struct kept *kept;

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)metadata;
    if (task == NULL) return 0;
    if (kept == NULL) kept = calloc(1, sizeof *kept);
    kept->tasks[kept->n++] = *task;
    sink->producer->request(sink->producer, 1);
    return 0;
}

static void *give_up(void *given) {
    struct kept *rest = given;
    usleep(LATE_US);
    for (int i = 0; i < rest->n; i++) rest->tasks[i].extract_data(&rest->tasks[i], NULL);
    free(rest);
    return NULL;
}

static void over(struct base_sink *sink) {
    struct kept *rest = kept;
    pthread_t thread;
    kept = NULL;
    if (rest == NULL) return;
    if (sink->error != 0 && pthread_create(&thread, NULL, give_up, rest) == 0) {
        pthread_detach(thread);
        return;
    }
    for (int i = 0; i < rest->n; i++) base_take(sink, &rest->tasks[i]);
    free(rest);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_async_consumer.over = over;
    base_consumes_async();
}
