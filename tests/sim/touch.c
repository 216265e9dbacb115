/* SPDX-License-Identifier: Apache-2.0
 *
 * What the CPU must not touch: how it is named, who else is asked, and what a child of fork() has.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/played.h"
#include "slow.h"

Suite *sim_touch_suite(void);

#define BYTES SCENE_BYTES

static const struct sim_way lazy = {"lazy", 1};
static volatile char sink;

/* ---- how it is named ---- */

#define TEXT 128

static sigjmp_buf back;
static bool tells = true;

static void look_for_the_syndrome(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
#if defined(__aarch64__)
    const ucontext_t *at_fault = context;
    uint32_t magic = ESR_MAGIC;
    tells = memmem(at_fault->uc_mcontext.__reserved, sizeof at_fault->uc_mcontext.__reserved,
                   &magic, sizeof magic) != NULL;
#else
    (void)context;
#endif
    siglongjmp(back, 1);
}

/* Does the machine tell a write from a read? On aarch64 that is a record beside the registers,
 * which Linux gives and the user mode of QEMU does not. */
static bool machine_tells(void) {
    struct sigaction before, look = {.sa_sigaction = look_for_the_syndrome, .sa_flags = SA_SIGINFO};
    volatile char *nowhere = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_int_eq(sigaction(SIGSEGV, &look, &before), 0);
    if (sigsetjmp(back, 1) == 0) sink = *nowhere;
    ck_assert_int_eq(sigaction(SIGSEGV, &before, NULL), 0);
    return tells;
}

/* The end of the sentence that names a touch, with the quotation mark behind it. */
static const char *name(char text[TEXT], int allocation, const char *done, int byte) {
    int n = snprintf(text, TEXT,
                     "device allocation %d (%d bytes, made by adi_sim_alloc in call %d) is %s by "
                     "the CPU at byte %d\"",
                     allocation, BYTES, allocation + 5, machine_tells() ? done : "touched", byte);
    ck_assert_int_lt(n, TEXT);
    return text;
}

static void touch(void) {
    sim_scene_begin();
    sink = *at(scene.a, 100);
    *at(scene.a, 200) = 1; /* its page is open until the next call */
    SIM_WANT(adi_sim_violations() == 1);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    *at(scene.b, 300) = 1;
    SIM_WANT(adi_sim_violations() == 2);
    sim_scene_end();
}

START_TEST(a_touch_is_named_and_let_through_until_the_next_call)
{
    char one[TEXT], two[TEXT];
    sim_expect(touch, name(one, 1, "read", 100), name(two, 2, "written", 300), NULL);
}
END_TEST

static void touch_the_ends(void) {
    sim_scene_begin();
    sink = *at(scene.a, 0);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    *at(scene.a, BYTES - 1) = 1;
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    sink = *at(scene.b, BYTES - 1);
    SIM_WANT(adi_sim_violations() == 3);
    sim_scene_end();
}

START_TEST(the_first_and_the_last_byte_are_named)
{
    char one[TEXT], two[TEXT], three[TEXT];
    sim_expect(touch_the_ends, name(one, 1, "read", 0), name(two, 1, "written", BYTES - 1),
               name(three, 2, "read", BYTES - 1));
}
END_TEST

static bool tells; /* machine_tells, asked before */

/* Of memory in four pages: what queued work reads, what it writes, and what it leaves alone. */
static void touch_beside(char *bytes, size_t page) {
    const struct {
        size_t start, end;
        bool written;
    } used[] = {{100, page + 50, false},
                {page + 50, page + 60, true},
                {page + 60, 2 * page + 10, false},
                {3 * page - 5, 3 * page + 5, true}};
    for (size_t i = 0; i < 4; i++) {
        void *from = used[i].written ? scene.a : bytes + used[i].start;
        void *to = used[i].written ? bytes + used[i].start : scene.b;
        SIM_WANT(adi_sim_copy(scene.q, to, from, used[i].end - used[i].start, 0) == 0);
    }
    for (size_t k = 0; k < 4 * 4 * 2; k++) {
        size_t i = k / 8, wrong = 0, total, before = adi_sim_violations();
        size_t edges[] = {used[i].start - 1, used[i].start, used[i].end - 1, used[i].end};
        size_t offset = edges[k / 2 % 4];
        bool writes = k % 2 == 1;
        if (!writes && !tells) continue;
        for (size_t j = 0; j < 4; j++)
            wrong += offset >= used[j].start && offset < used[j].end && (writes || used[j].written);
        if (writes) *at(bytes, offset) = 1;
        if (!writes) sink = *at(bytes, offset);
        SIM_WANT(adi_sim_violations() - before == wrong);
        SIM_WANT(adi_sim_memory_total(&total) == 0);
        if (k % 3 == 0) SIM_WANT(adi_sim_queue_sync(scene.r) == 0);
    }
}

static void touch_each_kind(void) {
    size_t page = sim_page_bytes();
    void *bytes, *device[2];
    sim_scene_begin();
    SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_MANAGED, 4 * page, &bytes) == 0);
    for (size_t i = 0; i < 2; i++)
        SIM_WANT(adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 2 * page, &device[i]) == 0);
    SIM_WANT(adi_sim_free(scene.a) == 0 && adi_sim_free(scene.b) == 0);
    scene.a = device[0];
    scene.b = device[1];
    touch_beside(bytes, page);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(adi_sim_free(bytes) == 0);
    sim_scene_end();
}

START_TEST(bytes_are_judged_by_what_uses_them_and_not_their_page)
{
    tells = machine_tells();
    for (size_t i = 0; i < 3; i++) free(sim_play(touch_each_kind, sim_way_at(i), 0));
}
END_TEST

/* That a byte beside them may be read lets nobody write what queued work reads. */
static void write_behind_a_read(void) {
    sim_scene_begin();
    SIM_WANT(adi_sim_fill(scene.q, scene.pinned, 1, 1, 64) == 0);
    SIM_WANT(adi_sim_copy(scene.q, scene.a, scene.pinned + 128, 64, 0) == 0);
    sink = *at(scene.pinned, 64);
    sink = *at(scene.pinned, 128);
    SIM_WANT(adi_sim_violations() == 0);
    *at(scene.pinned, 129) = 1;
    SIM_WANT(adi_sim_violations() == (tells ? 1 : 0));
    sim_scene_end();
}

START_TEST(what_may_be_read_may_not_be_written)
{
    tells = machine_tells();
    for (size_t i = 0; i < 3; i++) free(sim_play(write_behind_a_read, sim_way_at(i), 0));
}
END_TEST

static void touch_by_memcpy(void) {
    static unsigned char out[1024];
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    sim_scene_begin();
    copy(out, scene.a, 1024); /* in one page; which byte comes first is the library's business */
    SIM_WANT(adi_sim_violations() == 1 && out[0] == 0xDE && out[1023] == 0xDE);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    copy(scene.b + BYTES - 8, out, 8);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    copy(out, scene.b, 8);
    SIM_WANT(adi_sim_violations() == 3);
    sim_scene_end();
}

START_TEST(what_memcpy_touches_is_named)
{
    char one[TEXT], two[TEXT], three[TEXT], *byte;
    name(one, 1, "read", 0);
    byte = strrchr(one, ' ');
    *byte = '\0';
    sim_expect(touch_by_memcpy, one, name(two, 2, "written", BYTES - 8), name(three, 2, "read", 0));
}
END_TEST

static void system_call(void) {
    int ends[2];
    sim_scene_begin();
    SIM_WANT(pipe(ends) == 0);
    SIM_WANT(write(ends[1], scene.a, 1) == -1 && errno == EFAULT);
    SIM_WANT(write(ends[1], scene.pinned, 1) == 1);
    SIM_WANT(adi_sim_fill(scene.q, scene.pinned, 1, 1, BYTES) == 0);
    SIM_WANT(read(ends[0], scene.pinned, 1) == -1 && errno == EFAULT);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    SIM_WANT(read(ends[0], scene.pinned, 1) == 1);
    SIM_WANT(adi_sim_violations() == 0);
    sim_scene_end();
}

START_TEST(a_system_call_gets_an_error_instead)
{ sim_expect(system_call, NULL, NULL, NULL); }
END_TEST

/* ---- signals ---- */

static volatile sig_atomic_t observed;
static char *closed;

static void open_again(int number) {
    (void)number;
    observed++;
    if (mprotect(closed, 1, PROT_READ | PROT_WRITE) != 0) _exit(3);
}

static void jump(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    (void)context;
    observed++;
    siglongjmp(back, 1);
}

static void take_signal(void (*plain)(int), void (*informed)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_flags = flags};
    if (plain != NULL) action.sa_handler = plain;
    if (informed != NULL) action.sa_sigaction = informed;
    SIM_WANT(sigaction(SIGSEGV, &action, NULL) == 0);
}

static void close_page(void) {
    closed = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SIM_WANT(closed != MAP_FAILED);
}

/* Handlers from before the engine, and from after, keep the faults that are theirs. */
static void with_handlers(void) {
    close_page();
    take_signal(open_again, NULL, 0);
    sim_scene_begin();
    *at(closed, 0) = 1;
    SIM_WANT(observed == 1);
    sink = *at(scene.a, 0);
    SIM_WANT(observed == 1 && adi_sim_violations() == 1);
    take_signal(NULL, jump, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    close_page();
    for (volatile int i = 0; i < 3; i++) /* nobody knows of the jump that a load may be */
        if (sigsetjmp(back, 0) == 0) sink = *at(closed, 0);
    SIM_WANT(observed == 4);
    sink = *at(scene.a, 0);
    SIM_WANT(observed == 4 && adi_sim_violations() == 2);
    sim_scene_end();
}

START_TEST(other_faults_go_to_who_was_there)
{ sim_expect(with_handlers, NULL, NULL, NULL); }
END_TEST

/* One that came after us and hands on what is not its own, as adicheck's own guard does. */
static struct sigaction next;

static void hand_on(int number, siginfo_t *info, void *context) {
    if (++observed > 4) _exit(4); /* round and round */
    if (next.sa_flags & SA_SIGINFO) next.sa_sigaction(number, info, context);
}

static void with_a_ring_of_handlers(void) {
    signal(SIGSEGV, SIG_DFL);
    close_page();
    sim_scene_begin();
    struct sigaction theirs = {.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO};
    SIM_WANT(sigaction(SIGSEGV, &theirs, &next) == 0);
    sink = *at(scene.a, 0); /* by way of the other one */
    SIM_WANT(adi_sim_violations() == 1);
    SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    sink = *at(scene.a, 0);
    SIM_WANT(adi_sim_violations() == 2);
    sink = *at(closed, 0);
}

START_TEST(two_who_hand_on_to_each_other_come_to_an_end)
{
    char *log = sim_play(with_a_ring_of_handlers, lazy, SIGSEGV);
    ck_assert_uint_eq(sim_count(log, "device-memory-touched"), 2);
    free(log);
}
END_TEST

static void touch_once(void) {
    signal(SIGSEGV, SIG_DFL);
    sim_scene_begin();
    sink = *at(scene.b, 0);
}

START_TEST(a_touch_ends_the_program_if_it_shall)
{
    sim_play_with("ADI_SIM_TOUCH", "stop");
    char *log = sim_play(touch_once, lazy, SIGSEGV);
    ck_assert_uint_eq(sim_count(log, "device-memory-touched"), 1);
    ck_assert_uint_eq(sim_count_errors(log), 1);
    free(log);
}
END_TEST

/* All of them read the same bytes, and each writes its own. */
static void *touch_all(void *number) {
    for (size_t i = 0; i < 200; i++) {
        (void)*at(scene.a, i);
        *at(scene.b, 200 * (uintptr_t)number + i) = 1;
    }
    return NULL;
}

static void touch_by_threads(void) {
    pthread_t threads[4];
    sim_scene_begin();
    for (uintptr_t i = 0; i < 4; i++)
        SIM_WANT(pthread_create(&threads[i], NULL, touch_all, (void *)i) == 0);
    for (int i = 0; i < 200; i++) SIM_WANT(adi_sim_queue_sync(scene.q) == 0);
    for (int i = 0; i < 4; i++) SIM_WANT(pthread_join(threads[i], NULL) == 0);
    SIM_WANT(adi_sim_violations() >= 2);
    sim_scene_end();
}

START_TEST(threads_may_touch_while_others_call)
{
    char *log = sim_play(touch_by_threads, lazy, 0);
    ck_assert_uint_ge(sim_count(log, "device-memory-touched"), 2);
    ck_assert_uint_eq(sim_count(log, "device-memory-touched"), sim_count_errors(log));
    free(log);
}
END_TEST

/* ---- fork ---- */

static void forked(void) {
    int status;
    sim_scene_begin();
    pid_t child = fork();
    if (child == 0) {
        void *memory;
        bool refused = adi_sim_alloc(scene.context, ADI_SIM_DEVICE, 8, &memory) == ENOTCONN &&
                       adi_sim_queue_sync(scene.q) == ENOTCONN && adi_sim_phase("x") == ENOTCONN &&
                       adi_sim_begin("x") == ENOTCONN && adi_sim_violations() == 0;
        /* The parent's memory is not there. */
        uintptr_t bytes = sim_page_bytes(), page = (uintptr_t)scene.a / bytes * bytes;
        bool gone = msync((void *)page, bytes, MS_ASYNC) == -1 && errno == ENOMEM;
        _exit(refused && gone ? 0 : 1);
    }
    SIM_WANT(waitpid(child, &status, 0) == child && status == 0);
    sim_scene_end();
}

START_TEST(a_child_is_not_connected)
{ sim_expect(forked, NULL, NULL, NULL); }
END_TEST

Suite *sim_touch_suite(void) {
    Suite *suite = suite_create("sim_touch");
    TCase *tests = tcase_create("touch");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_touch_is_named_and_let_through_until_the_next_call);
    tcase_add_test(tests, the_first_and_the_last_byte_are_named);
    tcase_add_test(tests, bytes_are_judged_by_what_uses_them_and_not_their_page);
    tcase_add_test(tests, what_may_be_read_may_not_be_written);
    tcase_add_test(tests, what_memcpy_touches_is_named);
    tcase_add_test(tests, a_system_call_gets_an_error_instead);
    tcase_add_test(tests, other_faults_go_to_who_was_there);
    if (IS_SANITIZED && __GNUC__ >= 13)
        puts("skip: two_who_hand_on_to_each_other: newer sanitizers have a handler in that ring");
    else
        tcase_add_test(tests, two_who_hand_on_to_each_other_come_to_an_end);
    tcase_add_test(tests, a_touch_ends_the_program_if_it_shall);
    tcase_add_test(tests, threads_may_touch_while_others_call);
    suite_add_tcase(suite, tests);
    TCase *children = tcase_create("fork");
    tcase_add_test(children, a_child_is_not_connected);
    suite_add_tcase(suite, children);
    return suite;
}
