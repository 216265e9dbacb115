/* SPDX-License-Identifier: Apache-2.0
 *
 * Correct programs of the kinds that are easily blamed, or left hanging; a policy changes when
 * things happen and never what comes out.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/played.h"

Suite *sim_programs_suite(void);

#define BYTES SCENE_BYTES

static char host[BYTES];

static void wait_for(adi_sim_event event) {
    int code;
    while ((code = adi_sim_event_query(event)) == EAGAIN) continue;
    SIM_WANT(code == 0);
}

/* ---- ways to wait ---- */

static void by_polling(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.managed, 5, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    wait_for(scene.e);
    SIM_WANT(*at(scene.managed, BYTES - 1) == 5);
    sim_scene_end();
}

static sem_t told;

static void tell(void *managed) {
    SIM_WANT(((char *)managed)[3] == 6);
    sem_post(&told);
}

/* Nothing but a host function ever tells that the work is done. */
static void by_host_function(void) {
    sim_scene_begin();
    sem_init(&told, 0, 0);
    SIM_WANT(adi_sim_fill(scene.r, scene.managed, 6, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.r) == 0);
    SIM_WANT(adi_sim_event_wait(scene.q, scene.e) == 0);
    SIM_WANT(adi_sim_host(scene.q, tell, scene.managed) == 0);
    sem_wait(&told);
    *at(scene.managed, 0) = 1;
    sim_scene_end();
}

/* A program may hold a lock while it queues a host function that takes it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take_lock(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    host[1]++;
    pthread_mutex_unlock(&lock);
}

static void with_a_lock_held(void) {
    sim_scene_begin();
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        SIM_WANT(adi_sim_host(scene.q, take_lock, NULL) == 0);
        pthread_mutex_unlock(&lock);
    }
    while (adi_sim_queue_query(scene.q) == EAGAIN) continue;
    SIM_WANT(host[1] == 10);
    sim_scene_end();
}

/* Bytes beside those that are pending lie in the same page, and may be used. */
static void beside_pending_bytes(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.pinned, 1, 1, 64) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, scene.pinned + 128, 64, 0) == 0);
    *at(scene.pinned, 64) = 2;
    SIM_WANT(*at(scene.pinned, 128) == (char)0xDE);
    *at(scene.pinned, 64 + 32) = 3;
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(*at(scene.pinned, 64) == 2 && *at(scene.pinned, 63) == 1);
    sim_scene_end();
}

/* ---- order ---- */

/* What one thread waited for, another may read: all threads are one host. */
static void *read_bytes(void *unused) {
    (void)unused;
    SIM_WANT(adi_sim_copy(scene.r, host, scene.a, BYTES, ADI_SIM_WAIT) == 0);
    SIM_WANT(host[9] == 4);
    return NULL;
}

static void across_threads(void) {
    pthread_t thread;
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 4, 1, BYTES) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(pthread_create(&thread, NULL, read_bytes, NULL) == 0);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    sim_scene_end();
}

/* An order that goes through a third queue, and through two events of which one was recorded again
 * since. */
static void through_a_third_queue(void) {
    adi_sim_queue third;
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &third) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 4, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(third, scene.e) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, third) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    SIM_WANT(adi_sim_event_destroy(scene.e) == 0);
    SIM_WANT(adi_sim_copy(scene.r, host, scene.a, BYTES, 0) == 0);
    SIM_WANT(host[BYTES - 1] == 4);
    SIM_WANT(adi_sim_event_create(scene.context, &scene.e) == 0);
    SIM_WANT(adi_sim_queue_destroy(third) == 0);
    sim_scene_end();
}

/* Commands of the default queue are ordered with those of blocking queues, both ways. */
static void with_the_default_queue(void) {
    adi_sim_queue all, one, two;
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_create(scene.context, ADI_SIM_DEFAULT_QUEUE, &all) == 0);
    SIM_WANT(adi_sim_queue_create(scene.context, ADI_SIM_BLOCKING_QUEUE, &one) == 0);
    SIM_WANT(adi_sim_queue_create(scene.context, ADI_SIM_BLOCKING_QUEUE, &two) == 0);
    SIM_WANT(adi_sim_fill(one, scene.a, 1, 1, BYTES / 2) == 0);
    SIM_WANT(adi_sim_fill(two, scene.a + BYTES / 2, 2, 1, BYTES / 2) == 0);
    SIM_WANT(adi_sim_queue_destroy(one) == 0);
    SIM_WANT(adi_sim_copy(all, scene.b, scene.a, BYTES, 0) == 0);
    SIM_WANT(adi_sim_copy(two, host, scene.b, BYTES, 0) == 0);
    SIM_WANT(host[0] == 1 && host[BYTES - 1] == 2);
    SIM_WANT(adi_sim_queue_destroy(two) == 0);
    SIM_WANT(adi_sim_queue_destroy(all) == 0);
    sim_scene_end();
}

/* A queue may be destroyed before its work has run, and an event before it is reached. */
static void destroyed_early(void) {
    adi_sim_queue queue;
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_fill(queue, scene.a, 3, 2, BYTES / 2) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, queue) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    SIM_WANT(adi_sim_event_sync(scene.e) == 0);
    SIM_WANT(adi_sim_copy(scene.q, host, scene.a, BYTES, 0) == 0);
    SIM_WANT(host[2] == 3 && host[3] == 0);
    sim_scene_end();
}

/* The bytes that a copy reads are those of the call, whatever becomes of them. */
static void from_memory_of_the_program(void) {
    char out[BYTES];
    sim_scene_begin();
    memset(host, 8, BYTES);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, host, BYTES, 0) == 0);
    memset(host, 9, BYTES);
    SIM_WANT(adi_sim_copy(scene.q, out, scene.a, BYTES, 0) == 0);
    SIM_WANT(out[0] == 8 && out[BYTES - 1] == 8);
    sim_scene_end();
}

static void add(const struct adi_sim_operand *operands, void *state) {
    const unsigned char *bytes = operands[0].pointer;
    uint64_t sum = 0;
    for (size_t i = 0; i < operands[0].bytes; i++) sum += bytes[i];
    memcpy(operands[1].pointer, &sum, sizeof sum);
    *(int *)state += 1;
}

static void with_a_kernel(void) {
    int runs = 0;
    uint64_t sum;
    sim_scene_begin();
    struct adi_sim_operand operands[] = {{scene.a, BYTES, false}, {scene.b, sizeof sum, true}};
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 2, 1, BYTES) == 0);
    SIM_WANT(adi_sim_launch(scene.q, add, &runs, operands, 2) == 0);
    SIM_WANT(adi_sim_copy(scene.q, &sum, scene.b, sizeof sum, 0) == 0);
    SIM_WANT(runs == 1 && sum == 2 * BYTES);
    sim_scene_end();
}

/* Memory that is allocated and freed in the order of a queue, more of it than there is. */
static void in_the_order_of_a_queue(void) {
    void *memory;
    sim_scene_begin();
    for (int i = 0; i < 64; i++) {
        SIM_WANT(adi_sim_alloc_on(scene.q, (size_t)1 << 20, &memory) == 0);
        SIM_WANT(adi_sim_fill(scene.q, memory, 1, 1, (size_t)1 << 20) == 0);
        SIM_WANT(adi_sim_free_on(scene.q, memory) == 0);
    }
    sim_scene_end();
}

/* Each of two queues waits for the other, three hundred times: deep, and no cycle. */
static void in_turns(void) {
    sim_scene_begin();
    for (int i = 0; i < 300; i++) {
        SIM_WANT(adi_sim_fill(scene.q, scene.a, (uint32_t)i, 4, BYTES / 4) == 0);
        SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
        SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
        SIM_WANT(adi_sim_copy(scene.r, scene.b, scene.a, BYTES, 0) == 0);
        SIM_WANT(adi_sim_event_record(scene.f, scene.r) == 0);
        SIM_WANT(adi_sim_event_wait(scene.q, scene.f) == 0);
    }
    int32_t last[BYTES / 4];
    SIM_WANT(adi_sim_copy(scene.r, last, scene.b, BYTES, 0) == 0);
    SIM_WANT(last[0] == 299 && last[BYTES / 4 - 1] == 299);
    sim_scene_end();
}

static void with_a_held_queue(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_queue_hold(scene.q, true) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_queue_query(scene.r) == 0);
    SIM_WANT(adi_sim_queue_hold(scene.q, false) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    sim_scene_end();
}

static void with_times(void) {
    int64_t ns;
    sim_scene_begin();
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == EINVAL);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.f, scene.q) == 0);
    SIM_WANT(adi_sim_event_sync(scene.f) == 0);
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == 0);
    SIM_WANT(ns == 2 * 1000 + BYTES / 16);
    for (int i = 0; i < 50; i++) /* until the queue is well behind the host */
        SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_event_wait(scene.r, scene.e) == 0);
    SIM_WANT(adi_sim_event_record(scene.f, scene.r) == 0);
    SIM_WANT(adi_sim_event_sync(scene.f) == 0);
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == 0);
    SIM_WANT(ns == 1000); /* what waits is not ahead of what it waits for */
    sim_scene_end();
}

/* A wait that is forgotten gets no time, whatever has run; and who asks on gets one. */
static void with_times_too_early(void) {
    int64_t ns;
    int n = 1;
    sim_scene_begin();
    SIM_WANT(adi_sim_event_record(scene.e, scene.q) == 0);
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 1, 1, BYTES) == 0);
    SIM_WANT(adi_sim_event_record(scene.f, scene.q) == 0);
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == EAGAIN);
    for (; adi_sim_event_elapsed(scene.e, scene.f, &ns) == EAGAIN; n++) SIM_WANT(n < 10);
    SIM_WANT(ns == 2 * 1000 + BYTES / 16);
    SIM_WANT(adi_sim_event_record(scene.f, scene.q) == 0); /* what it stands for now is new */
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == EAGAIN);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == 0);
    SIM_WANT(adi_sim_event_record(scene.f, scene.r) == 0);
    SIM_WANT(adi_sim_context_sync(scene.context) == 0);
    SIM_WANT(adi_sim_event_elapsed(scene.e, scene.f, &ns) == 0);
    sim_scene_end();
}

/* ---- many threads ---- */

static void *work(void *argument) {
    adi_sim_queue queue;
    adi_sim_event event;
    void *memory;
    char out[256];
    uint32_t mine = (uint32_t)(uintptr_t)argument;
    SIM_WANT(adi_sim_queue_create(scene.context, 0, &queue) == 0);
    SIM_WANT(adi_sim_event_create(scene.context, &event) == 0);
    for (uint32_t i = 0; i < 20; i++) {
        SIM_WANT(adi_sim_alloc(scene.context, (enum adi_sim_memory)(i % 3), 256, &memory) == 0);
        SIM_WANT(adi_sim_fill(queue, memory, mine, 1, 256) == 0);
        SIM_WANT(adi_sim_host(queue, take_lock, NULL) == 0);
        SIM_WANT(adi_sim_event_record(event, queue) == 0);
        SIM_WANT(adi_sim_copy(queue, out, memory, 256, 0) == 0);
        SIM_WANT(out[255] == (char)mine);
        if (i % 2 == 0) wait_for(event);
        SIM_WANT(adi_sim_free(memory) == 0);
    }
    SIM_WANT(adi_sim_event_destroy(event) == 0);
    SIM_WANT(adi_sim_queue_destroy(queue) == 0);
    return NULL;
}

static void by_many_threads(void) {
    pthread_t threads[4];
    sim_scene_begin();
    for (uintptr_t i = 0; i < 4; i++)
        SIM_WANT(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (int i = 0; i < 4; i++) SIM_WANT(pthread_join(threads[i], NULL) == 0);
    SIM_WANT((unsigned char)host[1] == (4 * 20) % 256);
    sim_scene_end();
}

/* ---- all of them ---- */

static const struct program {
    void (*play)(void);
    bool timed; /* when its host functions run depends on the machine, and so does its log */
} programs[] = {
    {by_polling, false},
    {by_host_function, false},
    {with_a_lock_held, true},
    {beside_pending_bytes, false},
    {across_threads, false},
    {through_a_third_queue, false},
    {with_the_default_queue, false},
    {destroyed_early, false},
    {from_memory_of_the_program, false},
    {with_a_kernel, false},
    {in_the_order_of_a_queue, false},
    {in_turns, false},
    {with_a_held_queue, false},
    {with_times, false},
    {with_times_too_early, false},
    {by_many_threads, true},
};

#define PROGRAMS (sizeof programs / sizeof *programs)

START_TEST(a_correct_program_is_never_blamed_and_its_log_is_the_same_again)
{
    const struct program *program = &programs[_i];
    sim_play_with("ADI_SIM_MEMORY", "8388608");
    for (size_t i = 0; i < sim_ways(); i++) {
        char *log = sim_play(program->play, sim_way_at(i), 0);
        ck_assert_msg(sim_count_errors(log) == 0, "%s", log);
        if (!program->timed) {
            char *again = sim_play(program->play, sim_way_at(i), 0);
            ck_assert_msg(strcmp(log, again) == 0, "%s\nand then\n%s", log, again);
            free(again);
        }
        free(log);
    }
}
END_TEST

START_TEST(seeds_differ)
{
    char *one = sim_play(in_turns, (struct sim_way){"random", 1}, 0),
         *two = sim_play(in_turns, (struct sim_way){"random", 2}, 0);
    char *lines[] = {strchr(one, '\n'), strchr(two, '\n')};
    ck_assert(strcmp(lines[0], lines[1]) != 0);
    free(one);
    free(two);
}
END_TEST

Suite *sim_programs_suite(void) {
    Suite *suite = suite_create("sim_programs");
    TCase *tests = tcase_create("programs");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_correct_program_is_never_blamed_and_its_log_is_the_same_again, 0,
                        (int)PROGRAMS);
    tcase_add_test(tests, seeds_differ);
    suite_add_tcase(suite, tests);
    return suite;
}
