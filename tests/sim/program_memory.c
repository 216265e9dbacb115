/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies from and to memory that the program does not have, or has for reading only: a code and a
 * violation, and the engine goes on.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_program_memory_suite(void);

#define PAGES 3

static size_t bytes; /* of all pages */

/* Pages of the program, the middle one with another protection. */
static char *pages(int protection, int middle) {
    size_t page = sim_page_bytes();
    bytes = PAGES * page;
    char *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SIM_WANT(made != MAP_FAILED);
    memset(made, 3, bytes);
    SIM_WANT(mprotect(made, bytes, protection) == 0);
    SIM_WANT(mprotect(made + page, page, middle) == 0);
    return made;
}

static char *device_memory(void) {
    void *out;
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, PAGES * sim_page_bytes(), &out) == 0);
    return out;
}

/* ---- the engine ---- */

static void *by_address(uintptr_t address) {
    return (void *)address;
}

static void nowhere(void) {
    static const unsigned flags[] = {0, ADI_SIM_WAIT, ADI_SIM_STAGED};
    sim_scene_begin();
    for (size_t i = 0; i < 3; i++) {
        for (uintptr_t address = 0; address <= 8; address++) {
            SIM_WANT(adi_sim_copy(scene.q, by_address(address), scene.a, 8, flags[i]) == EFAULT);
            SIM_WANT(adi_sim_copy(scene.q, scene.a, by_address(address), 8, flags[i]) == EFAULT);
        }
    }
    for (uintptr_t address = 0; address <= 8; address++)
        SIM_WANT(!adi_sim_readable(by_address(address), 4));
    SIM_WANT(adi_sim_violations() == 2 * 3 * 9);
    sim_scene_end();
}

/* The same each time, so that the log says ten of them. */
START_TEST(the_first_page_is_no_memory)
{
    char *log = sim_play(nowhere, sim_way_at(0), 0);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 10);
    ck_assert_uint_eq(sim_count_errors(log), 10);
    ck_assert_uint_eq(sim_count_text(log, "\"merged\":\"not-allocated\""), 1);
    free(log);
}
END_TEST

/* The same again with good memory: nothing is left behind. */
static void go_on(char *device) {
    char *good = pages(PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    SIM_WANT(adi_sim_copy(scene.q, device, good, bytes, 0) == 0);
    memset(good, 0, bytes);
    SIM_WANT(adi_sim_copy(scene.q, good, device, bytes, 0) == 0);
    SIM_WANT(good[0] == 3 && good[bytes - 1] == 3);
    SIM_WANT(adi_sim_free_behind(device) == 0);
    sim_scene_end();
}

static void into_what_can_only_be_read(void) {
    sim_scene_begin();
    char *device = device_memory(), *target = pages(PROT_READ, PROT_READ);
    SIM_WANT(adi_sim_copy(scene.q, target, device, 8, 0) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, target + 100, device, bytes - 100, ADI_SIM_WAIT) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, (char *)(uintptr_t) "constant", device, 8, 0) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, device, target, bytes, 0) == 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    go_on(device);
}

static void over_a_hole(void) {
    sim_scene_begin();
    char *device = device_memory(), *hole = pages(PROT_READ | PROT_WRITE, PROT_NONE);
    SIM_WANT(adi_sim_copy(scene.q, hole, device, bytes, 0) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, device, hole, bytes, 0) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, device, hole, bytes, ADI_SIM_WAIT) == EFAULT);
    SIM_WANT(adi_sim_copy(scene.q, device, hole, bytes, ADI_SIM_STAGED) == EFAULT);
    SIM_WANT(!adi_sim_readable(hole, bytes));
    SIM_WANT(adi_sim_readable(hole, 8) && adi_sim_readable(hole + bytes - 8, 8));
    SIM_WANT(adi_sim_writable(hole, 8) && adi_sim_writable(hole + bytes - 8, 8));
    SIM_WANT(!adi_sim_writable(hole, bytes) && !adi_sim_writable(hole, 0));
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    go_on(device);
}

static const struct {
    void (*play)(void);
    size_t reads, writes;
} copies[] = {
    {into_what_can_only_be_read, 0, 3},
    {over_a_hole, 3, 1},
};

#define COPIES (sizeof copies / sizeof *copies)

START_TEST(a_copy_of_what_the_program_does_not_have_is_refused_and_named)
{
    for (size_t i = 0; i < 3; i++) {
        char *log = sim_play(copies[_i].play, sim_way_at(i), 0);
        ck_assert_uint_eq(sim_count(log, "not-allocated"), copies[_i].reads + copies[_i].writes);
        ck_assert_uint_eq(sim_count_errors(log), copies[_i].reads + copies[_i].writes);
        ck_assert_uint_eq(sim_count_text(log, "a copy reads memory that the program does not have"),
                          copies[_i].reads);
        ck_assert_uint_eq(
            sim_count_text(log, "a copy writes memory that the program does not have for writing"),
            copies[_i].writes);
        free(log);
    }
}
END_TEST

/* What is copied is freed while the copy waits for its turn: then poison is what comes. */
static sem_t begun, gate;
static char *target;
static void *gone;

static void stay(void *unused) {
    (void)unused;
    sem_post(&begun);
    sem_wait(&gate);
}

static void *copy_behind(void *unused) {
    (void)unused;
    SIM_WANT(adi_sim_copy(scene.q, target, gone, 64, 0) == EFAULT);
    return NULL;
}

static void poison_into_what_can_only_be_read(void) {
    pthread_t thread;
    sim_scene_begin();
    target = pages(PROT_READ, PROT_READ);
    sem_init(&begun, 0, 0);
    sem_init(&gate, 0, 0);
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 64, &gone) == 0);
    SIM_WANT(adi_sim_host(scene.q, stay, NULL) == 0);
    SIM_WANT(pthread_create(&thread, NULL, copy_behind, NULL) == 0);
    sem_wait(&begun);
    while (adi_sim_used(gone) == 0) sched_yield();
    SIM_WANT(adi_sim_free(gone) == 0);
    sem_post(&gate);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    sim_scene_end();
}

START_TEST(so_is_the_poison_of_what_was_freed_meanwhile)
{
    char *log = sim_play(poison_into_what_can_only_be_read, sim_way_at(0), 0);
    ck_assert_uint_eq(sim_count(log, "freed-in-use"), 1);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 1);
    ck_assert_uint_eq(sim_count_errors(log), 2);
    free(log);
}
END_TEST

/* A fault of the program's own is still its own after such a copy. */
static void fault_afterwards(void) {
    signal(SIGSEGV, SIG_DFL);
    sim_scene_begin();
    target = pages(PROT_READ, PROT_READ);
    SIM_WANT(adi_sim_copy(scene.q, target, scene.a, 8, 0) == EFAULT);
    *at(target, 0) = 1;
}

/* ---- a copy that cannot be waited for ---- */

enum {
    DEEP = 9000
};

/* Work in each of many queues, of which each waits for the one before, and the last for them all.
 * What is to be run for its sake is more than fits into what memory there is. */
static void chain_up(void) {
    static adi_sim_queue queues[DEEP];
    for (size_t i = 0; i < DEEP; i++) {
        SIM_WANT(adi_sim_queue_create(scene.context, 0, &queues[i]) == 0);
        if (i > 0) SIM_WANT(adi_sim_event_wait(queues[i], scene.e) == 0);
        SIM_WANT(adi_sim_fill(queues[i], scene.b, 1, 1, 8) == 0);
        SIM_WANT(adi_sim_event_record(scene.e, queues[i]) == 0);
    }
    SIM_WANT(adi_sim_event_wait(scene.q, scene.e) == 0);
    for (size_t i = 0; i < DEEP; i++) SIM_WANT(adi_sim_queue_destroy(queues[i]) == 0);
}

static size_t mapped(void) {
    size_t n = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    SIM_WANT(statm != NULL && fscanf(statm, "%zu", &n) == 1);
    fclose(statm);
    return n * (size_t)sysconf(_SC_PAGESIZE);
}

/* What it would have written is the caller's own again. */
static void without_memory_to_wait(unsigned flags, bool writes) {
    struct rlimit free_range, tight;
    sim_scene_begin();
    char *own = pages(PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    char *to = writes ? own : scene.a, *from = writes ? scene.a : own;
    SIM_WANT(adi_sim_fill(scene.q, scene.a, 7, 1, SCENE_BYTES) == 0);
    SIM_WANT(adi_sim_copy(scene.q, to, from, 8, ADI_SIM_WAIT) == 0);
    chain_up();
    SIM_WANT(getrlimit(RLIMIT_AS, &free_range) == 0);
    tight = free_range;
    tight.rlim_cur = mapped();
    memset(own, 3, bytes);
    SIM_WANT(setrlimit(RLIMIT_AS, &tight) == 0);
    SIM_WANT(adi_sim_copy(scene.q, to, from, 8, flags) == ENOMEM);
    SIM_WANT(setrlimit(RLIMIT_AS, &free_range) == 0);
    if (!writes) SIM_WANT(munmap(own, bytes) == 0);
    SIM_WANT(adi_sim_context_sync(scene.context) == 0);
    if (writes) SIM_WANT(own[0] == 3 && own[7] == 3);
    sim_scene_end();
}

static void without_memory_to_write(void) {
    without_memory_to_wait(0, true);
}

static void without_memory_to_read(void) {
    without_memory_to_wait(ADI_SIM_WAIT, false);
}

START_TEST(a_copy_that_failed_for_want_of_memory_is_not_made_later)
{
    static void (*const programs[])(void) = {without_memory_to_write, without_memory_to_read};
    char *log = sim_play(programs[_i], sim_way_at(0), 0);
    ck_assert_uint_eq(sim_count_errors(log), 0);
    free(log);
}
END_TEST

START_TEST(a_fault_of_the_program_ends_it_as_ever)
{ free(sim_play(fault_afterwards, sim_way_at(0), SIGSEGV)); }
END_TEST

/* ---- the driver ---- */

static void by_the_driver(void) {
    CUdeviceptr device;
    cuda_scene_begin();
    char *constant = pages(PROT_READ, PROT_READ), *hole = pages(PROT_READ | PROT_WRITE, PROT_NONE);
    CUDA_OK(cuMemAlloc(&device, bytes));
    SIM_WANT(cuMemcpyDtoH(constant, device, 8) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemcpyDtoHAsync(constant, device, 8, cuda.s) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemcpyDtoH(hole, device, bytes) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemcpyHtoD(device, hole, bytes) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemcpyHtoDAsync(device, hole, bytes, cuda.s) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemHostRegister(hole, bytes, 0) == CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(cuMemHostRegister((void *)(uintptr_t)1, 4, 0) == CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemFree(device));
    cuda_scene_end();
}

START_TEST(the_driver_refuses_it_too)
{ sim_is_named(by_the_driver, "not-allocated", 5); }
END_TEST

Suite *sim_program_memory_suite(void) {
    Suite *suite = suite_create("sim_program_memory");
    TCase *tests = tcase_create("program memory");
    tcase_set_timeout(tests, 300); /* a chain is long where a machine is emulated */
    tcase_add_test(tests, the_first_page_is_no_memory);
    tcase_add_loop_test(tests, a_copy_of_what_the_program_does_not_have_is_refused_and_named, 0,
                        (int)COPIES);
    tcase_add_test(tests, so_is_the_poison_of_what_was_freed_meanwhile);
    tcase_add_loop_test(tests, a_copy_that_failed_for_want_of_memory_is_not_made_later, 0, 2);
    tcase_add_test(tests, a_fault_of_the_program_ends_it_as_ever);
    tcase_add_test(tests, the_driver_refuses_it_too);
    suite_add_tcase(suite, tests);
    return suite;
}
