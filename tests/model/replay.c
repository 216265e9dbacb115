/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays traces of tests/model/async.pml with the producer of ref/: whatever the consumer does there
 * is done here, and the producer has to call what it calls there, in that order. What a thread does
 * between two events it does where the trace has its step.
 *
 *   replay < SCRIPTS
 *
 * A line is a script: name, batches, fails, and events as tests/model/traces.c prints them; an
 * event 0 is a step, `of` 1 if it was decided after a cancel. Exits with 1 at the first one that
 * goes otherwise, and says where.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "async_observer.h"
#include "async_producer.h"
#include "move.h"
#include "source.h"
#include "stream.h"

#define STEP         0
#define MOST_ENTRIES 400
#define MOST_TASKS   8
#define CONSUMERS    2
#define MOST_SECONDS 60
#define FAILS(event) ((event) + OBSERVED_ENDS + OBSERVED_FAILED)

struct entry {
    int me, event, of;
};

static struct script {
    char name[40];
    int batches, fails;
    int count, at; /* `at` within the lock */
    struct entry entries[MOST_ENTRIES];
} script;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local int self;

static struct ArrowAsyncTask tasks[MOST_TASKS];
static int n_tasks;

/* ---- turns ---- */

static _Noreturn void differ(const char *what, int event, int of) {
    fprintf(stderr, "replay: %s: entry %d: %s, %d:%d:%d came\n", script.name, script.at, what, self,
            event, of);
    exit(1);
}

/* Within the lock. */
static const struct entry *next(void) {
    return script.at < script.count ? &script.entries[script.at] : NULL;
}

/* Within the lock: until the next entry is of this thread, or there is none. */
static const struct entry *await(int event, int of) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += MOST_SECONDS;
    while (next() != NULL && next()->me != self)
        if (pthread_cond_timedwait(&changed, &lock, &end) != 0)
            differ("nobody goes on when", event, of);
    return next();
}

static void go_on(void) {
    script.at++;
    pthread_cond_broadcast(&changed);
}

/* This thread is where the event comes. Returns when it is to go on. */
static void reach(int event, int of) {
    pthread_mutex_lock(&lock);
    const struct entry *entry = await(event, of);
    while (entry != NULL && entry->event == STEP) {
        go_on();
        entry = await(event, of);
    }
    if (entry == NULL || entry->event != event || entry->of != of)
        differ("another event is next, when", event, of);
    go_on();
    await(event, of);
    pthread_mutex_unlock(&lock);
}

static struct entry look(void) {
    pthread_mutex_lock(&lock);
    const struct entry *entry = next();
    struct entry copy = entry == NULL || entry->me != self ? (struct entry){-1, -1, -1} : *entry;
    pthread_mutex_unlock(&lock);
    return copy;
}

static void point(struct adi_async_schedule *schedule, enum adi_async_point at, const char *what) {
    (void)schedule;
    if (at != ADI_ASYNC_WAITS) return;
    fprintf(stderr, "replay: %s: entry %d: the reference waits (%s), and the model goes on\n",
            script.name, script.at, what);
    exit(1);
}

/* ---- the consumer ---- */

static void extract(int number) {
    struct ArrowDeviceArray array;
    reach(OBSERVED_EXTRACT, number);
    int code = tasks[number].extract_data(&tasks[number], &array);
    if (code == 0) adi_device_array_release(&array);
    reach(code != 0 ? FAILS(OBSERVED_EXTRACT) : OBSERVED_EXTRACT + OBSERVED_ENDS, number);
}

/* Does what it is that the consumer does next on this thread. False: something else is next. */
static bool do_next(struct ArrowAsyncProducer *producer) {
    struct entry entry = look();
    switch (entry.event) {
    case OBSERVED_REQUEST:
        reach(OBSERVED_REQUEST, entry.of);
        producer->request(producer, entry.of);
        reach(OBSERVED_REQUEST + OBSERVED_ENDS, 0);
        return true;
    case OBSERVED_CANCEL:
        reach(OBSERVED_CANCEL, 0);
        producer->cancel(producer);
        reach(OBSERVED_CANCEL + OBSERVED_ENDS, 0);
        return true;
    case OBSERVED_EXTRACT:
        extract(entry.of);
        return true;
    default:
        return false;
    }
}

/* A callback, with all that is done in it. */
static int be_called(struct ArrowAsyncDeviceStreamHandler *self_, int event, int of) {
    reach(event, of);
    while (do_next(self_->producer)) continue;
    bool fails = look().event == FAILS(event);
    reach(fails ? FAILS(event) : event + OBSERVED_ENDS, of);
    return fails ? EPROTO : 0;
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *handler, struct ArrowSchema *schema) {
    (void)schema;
    return be_called(handler, OBSERVED_ON_SCHEMA, 0);
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *handler, struct ArrowAsyncTask *task,
                        const char *metadata) {
    (void)metadata;
    if (task == NULL) return be_called(handler, OBSERVED_ON_END, 0);
    if (n_tasks == MOST_TASKS) differ("there are too many tasks", OBSERVED_ON_NEXT_TASK, n_tasks);
    tasks[n_tasks] = *task;
    return be_called(handler, OBSERVED_ON_NEXT_TASK, n_tasks++);
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *handler, int code, const char *message,
                     const char *metadata) {
    (void)message, (void)metadata;
    if (code == 0) differ("no code is told", OBSERVED_ON_ERROR, 0);
    be_called(handler, OBSERVED_ON_ERROR, 0);
}

static void release(struct ArrowAsyncDeviceStreamHandler *handler) {
    be_called(handler, OBSERVED_RELEASE, 0);
}

struct consumer {
    int me;
    struct ArrowAsyncProducer *producer;
};

static void *consume(void *state) {
    const struct consumer *consumer = state;
    self = consumer->me;
    pthread_mutex_lock(&lock);
    const struct entry *entry = await(STEP, 0);
    pthread_mutex_unlock(&lock);
    while (entry != NULL && do_next(consumer->producer)) continue;
    if (look().event >= 0) differ("no consumer does that", look().event, look().of);
    return NULL;
}

/* ---- the producer ---- */

static void *produce(void *producer) {
    self = 0;
    adi_async_producer_run(producer);
    reach(OBSERVED_GONE, 0);
    adi_async_producer_close(producer);
    return NULL;
}

/* What the model has decided freely, the reference has to be told. */
static void choose(struct adi_async_produce *out) {
    for (int i = 0; i < script.count; i++) {
        const struct entry *entry = &script.entries[i];
        if (entry->event == FAILS(OBSERVED_EXTRACT)) out->extract_fails_at = entry->of + 1;
        if (entry->event != STEP || entry->me != 0 || entry->of != 1) continue;
        do entry++;
        while (entry < &script.entries[script.count - 1] && entry->me != 0);
        out->after_cancel += entry->event == OBSERVED_ON_NEXT_TASK;
        out->ends_after_cancel |= entry->event == OBSERVED_ON_END;
    }
    out->extract_code = EBADMSG;
}

static void play(void) {
    const struct adi_source_chunk chunk = {"nulls", 1, script.batches};
    const struct adi_source_plan plan = {"struct",
                                         &chunk,
                                         script.batches > 0,
                                         {script.fails == 2 ? EPERM : 0, NULL},
                                         {script.fails == 1 ? EIO : 0, NULL}};
    struct adi_async_schedule schedule = {point, true};
    struct adi_async_produce how = {.schedule = &schedule};
    struct ArrowAsyncDeviceStreamHandler handler = {on_schema, on_next_task, on_error,
                                                    release,   NULL,         NULL};
    struct adi_async_producer *producer;
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream in;
    pthread_t threads[1 + CONSUMERS];
    struct consumer consumers[CONSUMERS];
    choose(&how);
    n_tasks = 0;
    int code = adi_source_open(&plan, &host, NULL);
    if (code == 0) code = adi_stream_wrap(&host, &in, NULL);
    if (code == 0) code = adi_async_producer_open(&how, &in, &handler, &producer, NULL);
    for (int i = 0; i < CONSUMERS; i++) consumers[i] = (struct consumer){i + 1, handler.producer};
    if (code == 0) code = pthread_create(&threads[0], NULL, produce, producer);
    for (int i = 0; i < CONSUMERS && code == 0; i++)
        code = pthread_create(&threads[1 + i], NULL, consume, &consumers[i]);
    if (code != 0) {
        fprintf(stderr, "replay: %s\n", strerror(code));
        exit(2);
    }
    for (int i = 0; i < 1 + CONSUMERS; i++) pthread_join(threads[i], NULL);
}

static bool read_script(char *line) {
    int length;
    script.count = script.at = 0;
    if (sscanf(line, "%39s %d %d%n", script.name, &script.batches, &script.fails, &length) != 3)
        return false;
    line += length;
    struct entry *entry = script.entries;
    while (script.count < MOST_ENTRIES &&
           sscanf(line, " %d:%d:%d%n", &entry->me, &entry->event, &entry->of, &length) == 3) {
        line += length;
        entry++;
        script.count++;
    }
    return strcmp(line, "\n") == 0;
}

int main(void) {
    static char line[16 * MOST_ENTRIES];
    int played = 0;
    for (; fgets(line, sizeof line, stdin) != NULL; played++) {
        if (!read_script(line)) {
            fprintf(stderr, "replay: script %d cannot be read\n", played + 1);
            return 2;
        }
        play();
    }
    printf("%d\n", played);
    return 0;
}
