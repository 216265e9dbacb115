/* SPDX-License-Identifier: Apache-2.0
 *
 * The handlers of the guard and of the watch over exceptions stand in front of others, and pass on
 * what is not theirs: an implementation's own handlers work as they did.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices.h"
#include "guard.h"
#include "harness/collector.h"
#include "slow.h"
#include "unwind.h"

Suite *harness_handlers_suite(void);

static const enum adi_party consumer = ADI_CONSUMER;
static struct collector collector;
static struct adi_log *logged;
static sigjmp_buf point;
static volatile sig_atomic_t observed;
static char *volatile nowhere, *volatile behind_the_end;

static void on_plain(int number) {
    observed = number;
    siglongjmp(point, 1);
}

static void on_info(int number, siginfo_t *info, void *context) {
    (void)info, (void)context;
    on_plain(number);
}

/* How somebody else may have asked for a signal. */
static const struct sigaction others[] = {
    {.sa_handler = on_plain, .sa_flags = SA_NODEFER | SA_ONSTACK},
    {.sa_sigaction = on_info, .sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO},
};
#define OTHERS ((int)(sizeof others / sizeof *others))

static void touch_nowhere(void) {
    *nowhere = 1;
}

static void touch_behind_the_end(void) {
    *behind_the_end = 1;
}

static void raise_fault(void) {
    raise(SIGSEGV);
}

static void raise_abort(void) {
    raise(SIGABRT);
}

static const struct {
    int number;
    void (*raise)(void);
} faults[] = {
    {SIGSEGV, touch_nowhere}, {SIGBUS, touch_behind_the_end}, {SIGABRT, abort},
    {SIGSEGV, raise_fault},   {SIGABRT, raise_abort},
};
#define FAULTS ((int)(sizeof faults / sizeof *faults))

static void start(void) {
    ck_assert_int_eq(adi_guard_start(&collector.sink, logged, &consumer), 0);
    ck_assert_int_eq(adi_unwind_start(&collector.sink, logged), 0);
}

static void set_up(void) {
    int fd, empty = memfd_create("empty", MFD_CLOEXEC);
    collector = collector_open();
    logged = adi_log_create(&fd);
    ck_assert_ptr_nonnull(logged);
    close(fd);
    nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    behind_the_end = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, empty, 0);
    close(empty);
    observed = 0;
}

static void tear_down(void) {
    adi_guard_reset();
    adi_log_destroy(logged);
}

START_TEST(a_fault_elsewhere_goes_to_the_handler_that_was_there)
{
    const int number = faults[_i / OTHERS].number;
    ck_assert_int_eq(sigaction(number, &others[_i % OTHERS], NULL), 0);
    start();
    start(); /* they are there already */
    if (sigsetjmp(point, 1) == 0) faults[_i / OTHERS].raise();
    ck_assert_int_eq(observed, number);
    ck_assert_int_eq(collector.n, 0);
}
END_TEST

/* The child's end; its standard error is thrown away. */
static int status_of(void (*work)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(0);
        work();
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

START_TEST(a_fault_elsewhere_that_nobody_asked_for_ends_the_process)
{
    start();
    ck_assert_int_ne(status_of(faults[_i].raise), 0);
}
END_TEST

START_TEST(a_handler_put_in_front_is_passed_when_the_guard_starts_again)
{
    start();
    ck_assert_int_eq(sigaction(SIGSEGV, &others[0], NULL), 0);
    start();
    char *key = adi_guard_alloc(ADI_REGION_PRIVATE, 8, 8, "private_data");
    adi_guard_enter_implementation();
    adi_guard_recover(&point);
    if (sigsetjmp(point, 1) == 0) *(volatile char *)key = 1;
    adi_guard_recover(NULL);
    adi_guard_leave_implementation();
    ck_assert_int_eq(observed, 0);
    ck_assert_int_eq(collector.n, 1);
}
END_TEST

/* The C library's own, whatever stands in front of it. */
static int set_past_all(int number, const struct sigaction *action) {
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    int (*set)(int, const struct sigaction *, struct sigaction *);
    ck_assert_ptr_nonnull(library);
    void *symbol = dlsym(library, "sigaction");
    memcpy(&set, &symbol, sizeof set);
    dlclose(library);
    return set(number, action, NULL);
}

START_TEST(a_handler_put_in_front_within_a_call_is_passed_when_that_is_over)
{
    start();
    char *key = adi_guard_alloc(ADI_REGION_PRIVATE, 8, 8, "private_data");
    adi_guard_enter_implementation();
    ck_assert_int_eq(set_past_all(SIGSEGV, &others[0]), 0);
    adi_guard_leave_implementation();
    adi_guard_enter_implementation();
    adi_guard_recover(&point);
    if (sigsetjmp(point, 1) == 0) *(volatile char *)key = 1;
    adi_guard_recover(NULL);
    if (sigsetjmp(point, 1) == 0) touch_nowhere();
    adi_guard_leave_implementation();
    ck_assert_int_eq(observed, SIGSEGV);
    ck_assert_int_eq(collector.n, 1);
}
END_TEST

/* What sigaction(2) and signal(2) do in the command. */
START_TEST(a_handler_that_is_set_within_a_call_stands_behind_at_once)
{
    struct sigaction now;
    if (IS_SANITIZED || IS_THREAD_SANITIZED) return;
    start();
    char *key = adi_guard_alloc(ADI_REGION_PRIVATE, 8, 8, "private_data");
    adi_guard_enter_implementation();
    ck_assert_int_eq(sigaction(SIGBUS, &others[1], NULL), 0);
    ck_assert(signal(SIGSEGV, on_plain) == SIG_DFL);
    ck_assert_int_eq(sigaction(SIGSEGV, NULL, &now), 0);
    ck_assert(now.sa_handler == on_plain);
    ck_assert_int_eq(sigaction(SIGBUS, NULL, &now), 0);
    ck_assert(now.sa_sigaction == on_info);
    adi_guard_recover(&point);
    if (sigsetjmp(point, 1) == 0) *(volatile char *)key = 1;
    ck_assert_int_eq(observed, 0);
    ck_assert_int_eq(collector.n, 1);
    adi_guard_recover(NULL);
    if (sigsetjmp(point, 1) == 0) touch_nowhere();
    ck_assert_int_eq(observed, SIGSEGV);
    if (sigsetjmp(point, 1) == 0) touch_behind_the_end();
    ck_assert_int_eq(observed, SIGBUS);
    adi_guard_leave_implementation();
    ck_assert_int_eq(collector.n, 1);
}
END_TEST

START_TEST(what_is_ignored_goes_to_the_handler_that_was_there)
{
    ck_assert_int_eq(sigaction(SIGSEGV, &others[0], NULL), 0);
    start();
    char *key = adi_guard_alloc(ADI_REGION_PRIVATE, 8, 8, "private_data");
    adi_guard_ignore(true);
    if (sigsetjmp(point, 1) == 0) *(volatile char *)key = 1;
    adi_guard_ignore(false);
    ck_assert_int_eq(observed, SIGSEGV);
    ck_assert_int_eq(collector.n, 0);
}
END_TEST

static char *own;

static void touch_own(void) {
    *(volatile char *)own = 1;
}

START_TEST(a_mistake_of_the_harness_is_not_the_implementations)
{
    struct adi_log_reader reader = {.log = logged};
    struct adi_log_record record;
    bool damaged = false, told = false;
    start();
    own = adi_guard_alloc(ADI_REGION_PRIVATE, 8, 8, "private_data");
    ck_assert_int_eq(status_of(touch_own), 0);
    while (adi_log_next(&reader, &record, &damaged)) {
        ck_assert(record.kind != ADI_LOG_VIOLATION);
        told |= record.kind == ADI_LOG_ERROR &&
                strstr(record.message, "the harness itself touched guarded memory") != NULL;
    }
    ck_assert(told);
}
END_TEST

START_TEST(a_full_arena_says_so_and_can_be_emptied)
{
    struct adi_device device;
    struct adi_error error = {""};
    void *buffer = NULL;
    start();
    ck_assert_int_eq(adi_device_cpu.open(-1, &device, NULL), 0);
    size_t n = 0;
    while (adi_guard_alloc(ADI_REGION_PRIVATE, 1, 1, "one of many") != NULL) n++;
    ck_assert_uint_gt(n, 1000);
    adi_guard_device(&device, &device, 0, true);
    ck_assert_int_eq(device.ops->alloc(&device, 64, &buffer, &error), ENOMEM);
    ck_assert_str_eq(error.text, "the guarded memory is full");
    adi_guard_reset();
    ck_assert_ptr_nonnull(adi_guard_alloc(ADI_REGION_PRIVATE, 1, 1, "the first again"));
    adi_guard_reset();
    ck_assert_ptr_null(adi_guard_alloc(ADI_REGION_BUFFER, (size_t)1 << 60, 1, "too large"));
    ck_assert_ptr_null(adi_guard_alloc(ADI_REGION_BUFFER, SIZE_MAX - 7, 1, "larger than that"));
}
END_TEST

START_TEST(only_the_beginning_of_a_region_names_it)
{
    start();
    char *start_of = adi_guard_alloc(ADI_REGION_STRUCTURE, 64, 8, "array");
    adi_guard_retire(start_of + 8);
    adi_guard_reopen(start_of + 8);
    adi_guard_name(start_of + 8, "another");
    adi_guard_retire(nowhere);
    adi_guard_reopen(nowhere);
    adi_guard_name(nowhere, "another");
    ck_assert(!adi_guard_is_retired(start_of));
    start_of[0] = 1;
    adi_guard_retire(start_of);
    ck_assert(adi_guard_is_retired(start_of + 8));
    ck_assert(!adi_guard_is_retired(nowhere));
    adi_guard_reopen(start_of);
    ck_assert_int_eq(start_of[0], 1);
}
END_TEST

Suite *harness_handlers_suite(void) {
    Suite *suite = suite_create("harness_handlers");
    TCase *tests = tcase_create("handlers");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_fault_elsewhere_goes_to_the_handler_that_was_there, 0,
                        FAULTS * OTHERS);
    tcase_add_loop_test(tests, a_fault_elsewhere_that_nobody_asked_for_ends_the_process, 0, FAULTS);
    tcase_add_test(tests, a_handler_put_in_front_is_passed_when_the_guard_starts_again);
    tcase_add_test(tests, a_handler_put_in_front_within_a_call_is_passed_when_that_is_over);
    tcase_add_test(tests, a_handler_that_is_set_within_a_call_stands_behind_at_once);
    tcase_add_test(tests, what_is_ignored_goes_to_the_handler_that_was_there);
    tcase_add_test(tests, a_mistake_of_the_harness_is_not_the_implementations);
    tcase_add_test(tests, a_full_arena_says_so_and_can_be_emptied);
    tcase_add_test(tests, only_the_beginning_of_a_region_names_it);
    suite_add_tcase(suite, tests);
    return suite;
}
