/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver that is handed out; what the interceptor tells of its calls, and on whom it is silent;
 * and DSPs that end, hang, or take nothing.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "devices.h"
#include "hexagon_dsp.h"
#include "hexagon_there.h"
#include "misuse_observed.h"

Suite *devices_hexagon_calls_suite(void);

#define REAL 1 /* of the ways */

static const struct adi_device_ops *const ops = &adi_device_hexagon;
static const struct adi_interceptor *interceptor;
static const struct adi_hexagon_driver *driver;
static struct adi_device device;
static struct adi_error error;

static void set_up(int way) {
    setenv("ADI_HEXAGON", hexagon_ways[way], 1);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
    driver = ops->native_handle(&device, "hexagon.driver");
    ck_assert_ptr_null(ops->native_handle(&device, "hexagon.abacus"));
    ck_assert_uint_eq(driver->size, sizeof *driver);
    interceptor = ops->interceptor();
    interceptor->subscribe(on_misuse, &observed);
    interceptor->enter(false);
}

static void tear_down(void) {
    interceptor->subscribe(NULL, NULL);
    ops->close(&device);
}

static void *value(uint32_t address) {
    return (void *)(uintptr_t)address;
}

static uint32_t allocate(bool implementation) {
    uint32_t address;
    bool before = interceptor->enter(implementation);
    ck_assert_int_eq(driver->alloc(driver, 100, &address), 0);
    interceptor->enter(before);
    return address;
}

static void free_as(bool implementation, uint32_t address, int code) {
    bool before = interceptor->enter(implementation);
    ck_assert_int_eq(driver->free(driver, address), code);
    interceptor->enter(before);
}

START_TEST(what_an_implementation_has_is_counted_and_named)
{
    char name[ADI_INTERCEPTOR_HELD];
    const struct adi_hexagon_driver *queue;
    set_up(_i);
    uint32_t ours = allocate(false);
    ck_assert_uint_eq(interceptor->references(), 0);
    ck_assert(!interceptor->newest_held(name));
    interceptor->enter(true);
    ck_assert_int_eq(driver->open(driver, 0, &queue), 0);
    ck_assert_uint_eq(interceptor->references(), 1);
    ck_assert(interceptor->newest_held(name));
    ck_assert_str_eq(name, "queue of open");
    uint32_t theirs = allocate(true);
    ck_assert_uint_eq(interceptor->references(), 2);
    ck_assert(interceptor->newest_held(name));
    ck_assert_str_eq(name, "100 bytes of alloc");
    free_as(true, theirs, 0);
    queue->close(queue);
    ck_assert_uint_eq(interceptor->references(), 0);
    ck_assert_int_eq(driver->open(driver, 2, &queue), ENODEV);
    free_as(false, ours, 0);
    ck_assert_int_eq(observed.count, 0);
    tear_down();
}
END_TEST

START_TEST(a_queue_runs_when_it_is_waited_for)
{
    char seen[4] = "....";
    uint64_t sum;
    set_up(_i);
    interceptor->enter(true);
    uint32_t from = allocate(true), to = allocate(true);
    ck_assert_int_eq(driver->copy_in(driver, from, "abcd", 4), 0);
    ck_assert_int_eq(driver->copy(driver, to + 1, from, 4), 0);
    ck_assert_int_eq(driver->copy_out(driver, seen, to + 1, 4), 0);
    ck_assert_mem_eq(seen, "....", 4);
    ck_assert(interceptor->pending(value(from)) && interceptor->used(value(from)));
    ck_assert(interceptor->pending(value(to)));
    ck_assert(interceptor->pending_in(value(to), 1, 4) &&
              !interceptor->pending_in(value(to), 5, 9));
    ck_assert(interceptor->used_in(value(from), 3, 1) && !interceptor->used_in(value(from), 4, 1));
    ck_assert_int_eq(driver->wait(driver), 0);
    ck_assert_mem_eq(seen, "abcd", 4);
    ck_assert(!interceptor->pending(value(from)) && !interceptor->used(value(from)));
    ck_assert_int_eq(driver->sum(driver, to, 5, &sum), 0);
    ck_assert_uint_eq(sum, ADI_HEXAGON_POISON + 'a' + 'b' + 'c' + 'd');
    ck_assert_int_eq(driver->copy(driver, from, from + 2, 4), 0);
    ck_assert_int_eq(driver->wait(driver), EINVAL); /* they overlap */
    ck_assert_int_eq(driver->copy_in(driver, from, "", 0), 0);
    ck_assert_int_eq(driver->copy_in(driver, from, "", -1), EINVAL);
    free_as(true, from, 0);
    free_as(true, to, 0);
    ck_assert_int_eq(observed.count, 0);
    tear_down();
}
END_TEST

START_TEST(what_is_wrong_is_told_of_the_implementation_only)
{
    const struct adi_hexagon_driver *other, *second;
    char byte;
    set_up(_i);
    uint32_t ours = allocate(false), theirs = allocate(true);
    ck_assert_int_eq(driver->copy_in(driver, theirs + 99, "ab", 2), EFAULT);
    ck_assert_int_eq(observed.count, 0);
    interceptor->enter(true);
    ck_assert_int_eq(driver->copy_in(driver, theirs + 99, "ab", 2), EFAULT);
    expect_observed(ADI_MISUSE_DEAD, false, "2 bytes) of hexagon:0: that is beyond the end");
    ck_assert_int_eq(driver->copy_out(driver, &byte, ours + 100, 1), EFAULT);
    expect_observed(ADI_MISUSE_BEYOND, false, "that is beyond the end of the allocation");
    ck_assert_int_eq(driver->copy_in(driver, ours, "a", 1), 0);
    expect_observed(ADI_MISUSE_MUTATED, false, "somebody else's buffer is written");
    ck_assert_int_eq(driver->wait(driver), 0);
    ck_assert_int_eq(driver->copy_out(driver, &byte, 16, 1), EFAULT);
    expect_observed(ADI_MISUSE_DEAD, false, "nothing was ever allocated there");
    ck_assert_int_eq(driver->open(driver, 1, &other), 0);
    ck_assert_int_eq(other->copy_out(other, &byte, ours, 1), EFAULT);
    expect_observed(ADI_MISUSE_DEAD, false, "of hexagon:1: that is memory of another DSP");
    other->close(other);
    ck_assert_int_eq(driver->open(driver, 0, &second), 0);
    ck_assert_int_eq(driver->copy_in(driver, theirs, "a", 1), 0);
    ck_assert_int_eq(second->copy_out(second, &byte, theirs + 1, 1), 0);
    ck_assert_int_eq(observed.count, 0);
    ck_assert_int_eq(second->copy_out(second, &byte, theirs, 1), 0);
    expect_observed(ADI_MISUSE_UNORDERED, false, "a command on another queue uses it");
    second->close(second);
    free_as(true, theirs, 0);
    expect_observed(ADI_MISUSE_UNORDERED, false, "a command uses it, and nobody has waited");
    free_as(true, theirs, EINVAL);
    expect_observed(ADI_MISUSE_DEAD, false, "free(0x50001000) of hexagon:0: it was freed");
    free_as(true, ours + 1, EINVAL);
    expect_observed(ADI_MISUSE_DEAD, false, "no allocation begins there");
    free_as(true, ours, EPERM);
    expect_observed(ADI_MISUSE_NOT_OWNED, false, "somebody else allocated it");
    free_as(false, ours, 0);
    ck_assert_int_eq(driver->copy_out(driver, &byte, ours, 1), EFAULT);
    expect_observed(ADI_MISUSE_RELEASED, false, "it was freed");
    tear_down();
}
END_TEST

static char lines[8][256];
static int n_lines;

static void on_line(bool implementation, const char *line) {
    (void)implementation;
    if (n_lines < 8) strncpy(lines[n_lines++], line, 255);
}

START_TEST(commands_and_waits_are_lines_of_a_trace)
{
    char name[48], wanted[64];
    set_up(_i);
    interceptor->trace(on_line);
    uint32_t theirs = allocate(true);
    ck_assert(interceptor->name_of(value(theirs + 5), name));
    ck_assert_int_eq(driver->copy_in(driver, theirs, "a", 1), 0);
    ck_assert_int_eq(driver->wait(driver), 0);
    ck_assert_int_eq(n_lines, 2);
    snprintf(wanted, sizeof wanted, "\"writes\":\"%s\"", name);
    ck_assert_ptr_nonnull(strstr(lines[0], wanted));
    ck_assert_ptr_nonnull(strstr(lines[1], "\"knows\":\"queue 2\""));
    free_as(true, theirs, 0);
    ck_assert(!interceptor->name_of(value(theirs), name));
    interceptor->trace(NULL);
    tear_down();
}
END_TEST

/* ---- a DSP that is lost ---- */

/* Everything answers, nothing crashes, and the next one that opens it has a new one. */
static void expect_lost(int code, const char *words) {
    void *buffer, *none;
    struct adi_device second;
    ck_assert(!ops->is_lost(&device, &error));
    int seen = ops->alloc(&device, 100, &buffer, &error);
    if (seen == 0) seen = ops->write(&device, buffer, 0, "a", 1, &error);
    if (seen == 0) seen = ops->event(&device, &none, &error);
    ck_assert_msg(seen == code && strstr(error.text, words) != NULL, "%d %s", seen, error.text);
    ck_assert(ops->is_lost(&device, &error));
    ck_assert_ptr_nonnull(strstr(error.text, words));
    ck_assert_int_eq(ops->event(&device, &none, NULL), 0);
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, &error), EIO);
    ck_assert_int_eq(ops->open(0, &second, &error), EIO);
    ck_assert_ptr_nonnull(strstr(error.text, words));
    ops->close(&device);
    unsetenv("ADI_HEXAGON_LOSE");
    ck_assert_int_eq(ops->open(0, &device, NULL), 0);
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, NULL), 0);
    ck_assert(!ops->is_lost(&device, &error));
    ops->close(&device);
}

START_TEST(a_dsp_that_ends_is_lost)
{
    for (int n = 2; n < 4; n++) {
        char number[4] = {(char)('0' + n), '\0'};
        setenv("ADI_HEXAGON_LOSE", number, 1);
        setenv("ADI_HEXAGON", hexagon_ways[_i], 1);
        ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
        expect_lost(EIO, "the DSP of hexagon:0 is lost: it has ended");
    }
}
END_TEST

START_TEST(a_dsp_that_is_killed_is_lost)
{
    set_up(REAL);
    kill(adi_hexagon_process(0), SIGKILL);
    expect_lost(EIO, "is lost: it has ended: signal 9");
}
END_TEST

START_TEST(a_dsp_that_hangs_is_lost)
{
    set_up(REAL);
    setenv("ADI_WAIT_MS", "200", 1);
    kill(adi_hexagon_process(0), SIGSTOP);
    ck_assert(!ops->is_lost(&device, NULL));
    void *buffer;
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "the DSP of hexagon:0 is lost: it does not answer");
    ck_assert(ops->is_lost(&device, &error));
    ck_assert_int_eq(adi_hexagon_process(0), 0);
    ops->close(&device);
}
END_TEST

START_TEST(a_pipe_that_is_full_is_no_reason_to_hang)
{
    int requests[2], replies[2];
    struct adi_dsp_request request = {.command = ADI_DSP_ALLOC};
    struct adi_dsp_reply reply;
    ck_assert(pipe(requests) == 0 && pipe(replies) == 0);
    fcntl(requests[1], F_SETFL, O_NONBLOCK);
    while (write(requests[1], &request, sizeof request) > 0) {
    }
    struct adi_hexagon_process process = {.requests = requests[1], .replies = replies[0]};
    ck_assert_int_eq(adi_hexagon_exchange(&process, &request, &reply, 100, &error), ETIMEDOUT);
    ck_assert_str_eq(error.text, "it takes no request: its pipe is full");
}
END_TEST

START_TEST(a_pipe_that_nobody_reads_kills_nobody)
{
    int requests[2];
    struct adi_dsp_request request = {.command = ADI_DSP_ALLOC};
    struct adi_dsp_reply reply;
    ck_assert_int_eq(pipe(requests), 0);
    close(requests[0]);
    struct adi_hexagon_process process = {.pid = -1, .requests = requests[1], .replies = -1};
    ck_assert_int_eq(adi_hexagon_exchange(&process, &request, &reply, 10000, &error), EIO);
    ck_assert_str_eq(error.text, "it has closed its pipes");
    sigset_t waiting;
    sigpending(&waiting);
    ck_assert_int_eq(sigismember(&waiting, SIGPIPE), 0);
}
END_TEST

Suite *devices_hexagon_calls_suite(void) {
    Suite *suite = suite_create("devices_hexagon_calls");
    TCase *tests = tcase_create("calls");
    int ways = hexagon_count_ways("devices_hexagon_calls");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, what_an_implementation_has_is_counted_and_named, 0, ways);
    tcase_add_loop_test(tests, a_queue_runs_when_it_is_waited_for, 0, ways);
    tcase_add_loop_test(tests, what_is_wrong_is_told_of_the_implementation_only, 0, ways);
    tcase_add_loop_test(tests, commands_and_waits_are_lines_of_a_trace, 0, ways);
    tcase_add_loop_test(tests, a_dsp_that_ends_is_lost, 0, ways);
    if (ways > REAL) {
        tcase_add_test(tests, a_dsp_that_is_killed_is_lost);
        tcase_add_test(tests, a_dsp_that_hangs_is_lost);
    }
    tcase_add_test(tests, a_pipe_that_is_full_is_no_reason_to_hang);
    tcase_add_test(tests, a_pipe_that_nobody_reads_kills_nobody);
    suite_add_tcase(suite, tests);
    return suite;
}
