/* SPDX-License-Identifier: Apache-2.0
 *
 * A context that is closed with all that is in it: also what was wrong there is named, and threads
 * that wait for its work at that moment come back.
 */
#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/played.h"

Suite *sim_closing_suite(void);

static const struct sim_way lazy = {"lazy", 1};

/* ---- with memory ---- */

static bool wrong;

static void leave_pinned_memory(void) {
    adi_sim_context context;
    void *bytes;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &context) == 0);
    SIM_WANT(adi_sim_alloc(context, ADI_SIM_PINNED, 100, &bytes) == 0);
    *at(bytes, wrong ? 100 : 99) = 1;
    SIM_WANT(adi_sim_context_discard(context) == 0);
}

START_TEST(a_red_zone_is_looked_at_if_the_context_ends_the_memory)
{
    for (int i = 0; i < 2; i++) {
        wrong = i == 1;
        char *log = sim_play(leave_pinned_memory, lazy, 0);
        ck_assert_uint_eq(sim_count(log, "red-zone-written"), wrong);
        ck_assert_uint_eq(sim_count_errors(log), wrong);
        free(log);
    }
}
END_TEST

/* ---- while threads wait ---- */

static struct {
    adi_sim_context context;
    adi_sim_queue queue;
    char *memory, host[64];
} on;

static sem_t begun, gate, caught;
static int release[2]; /* a pipe: the handler may read it */

static _Atomic pid_t waiter; /* about to wait */

static bool is_asleep(pid_t thread) {
    char path[64], state = '\0';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *file = fopen(path, "r");
    SIM_WANT(file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1);
    fclose(file);
    return state == 'S';
}

/* The engine may have begun with this before anybody waited. */
static void stay(void *unused) {
    (void)unused;
    while (waiter == 0 || !is_asleep(waiter)) usleep(200);
    sem_post(&begun);
    sem_wait(&gate);
}

/* Keeps the thread that waits from going on, whatever wakes it. */
static void keep(int number) {
    char byte;
    (void)number;
    sem_post(&caught);
    if (read(release[0], &byte, 1) != 1) _exit(4);
}

static int wait_for_context(void) {
    return adi_sim_context_sync(on.context);
}

static int wait_for_queue(void) {
    return adi_sim_queue_sync(on.queue);
}

static int wait_for_copy(void) {
    return adi_sim_copy(on.queue, on.host, on.memory, sizeof on.host, ADI_SIM_WAIT);
}

static int (*const waits[])(void) = {wait_for_context, wait_for_queue, wait_for_copy};

#define WAITS (sizeof waits / sizeof *waits)

static int (*waiting)(void);
static bool loses;

static void *be_the_waiting_thread(void *unused) {
    (void)unused;
    waiter = gettid();
    int code = waiting();
    SIM_WANT(code == 0 || loses);
    return NULL;
}

/* A thread waits behind a host function, and is kept where it waits until the context is no more.
 */
static void close_under_it(void) {
    struct sigaction by_signal = {.sa_handler = keep};
    pthread_t thread;
    void *memory;
    SIM_WANT(pipe(release) == 0 && sigaction(SIGUSR1, &by_signal, NULL) == 0);
    sem_init(&begun, 0, 0);
    sem_init(&gate, 0, 0);
    sem_init(&caught, 0, 0);
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &on.context) == 0);
    SIM_WANT(adi_sim_queue_create(on.context, ADI_SIM_DEFAULT_QUEUE, &on.queue) == 0);
    SIM_WANT(adi_sim_alloc(on.context, ADI_SIM_DEVICE, sizeof on.host, &memory) == 0);
    on.memory = memory;
    SIM_WANT(adi_sim_host(on.queue, stay, NULL) == 0);
    SIM_WANT(adi_sim_fill(on.queue, memory, 7, 1, sizeof on.host) == 0);
    SIM_WANT(pthread_create(&thread, NULL, be_the_waiting_thread, NULL) == 0);
    sem_wait(&begun);
    SIM_WANT(pthread_kill(thread, SIGUSR1) == 0);
    sem_wait(&caught);
    sem_post(&gate);
    SIM_WANT(adi_sim_context_discard(on.context) == 0);
    SIM_WANT(write(release[1], "", 1) == 1);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    SIM_WANT(adi_sim_live(0) == 0);
}

START_TEST(who_waits_for_the_work_of_a_context_that_is_closed_comes_back)
{
    waiting = waits[_i];
    sim_goes_well(close_under_it, 3);
}
END_TEST

START_TEST(so_it_does_if_the_device_is_lost)
{
    waiting = waits[_i];
    loses = true;
    sim_play_with("ADI_SIM_LOSE", "2");
    char *log = sim_play(close_under_it, lazy, 0);
    ck_assert_msg(sim_count_text(log, "\"fault\":\"lost\"") == 1, "%s", log);
    free(log);
}
END_TEST

/* ---- memory of a context that queues of another use ---- */

static void close_what_is_copied(void) {
    adi_sim_context other;
    void *pinned;
    sim_scene_begin();
    SIM_WANT(adi_sim_context_open("ext_dev", 1, &other) == 0);
    SIM_WANT(adi_sim_alloc(other, ADI_SIM_PINNED, SCENE_BYTES, &pinned) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, pinned, SCENE_BYTES, 0) == 0);
    if (!wrong) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_context_discard(other) == 0);
    sim_scene_end();
}

START_TEST(memory_that_ends_with_its_context_is_not_in_use)
{
    sim_goes_well(close_what_is_copied, sim_ways());
    wrong = true;
    sim_is_named(close_what_is_copied, "freed-in-use", 1);
}
END_TEST

Suite *sim_closing_suite(void) {
    Suite *suite = suite_create("sim_closing");
    TCase *tests = tcase_create("closing");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_red_zone_is_looked_at_if_the_context_ends_the_memory);
    tcase_add_loop_test(tests, who_waits_for_the_work_of_a_context_that_is_closed_comes_back, 0,
                        (int)WAITS);
    tcase_add_loop_test(tests, so_it_does_if_the_device_is_lost, 0, (int)WAITS);
    tcase_add_test(tests, memory_that_ends_with_its_context_is_not_in_use);
    suite_add_tcase(suite, tests);
    return suite;
}
