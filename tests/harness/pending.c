/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in which an implementation is given what is pending: whoever does not wait is found by
 * them on every device that has events, and nobody else.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>

#include "shell.h"

Suite *harness_pending_suite(void);

static const char *const devices[] = {"opencl", "vulkan", "ext_dev", "cuda"};
#define DEVICES ((int)(sizeof devices / sizeof devices[0]))

/* What the driver of a device has lost when the process ends is not looked at. With $D the device,
 * and $M the first part of its adapters' names. */
static void expect_on(const char *device, const char *line, int status, const char *words) {
    char text[1024];
    snprintf(text, sizeof text,
             "export ASAN_OPTIONS=detect_leaks=0; D=%s; M=$B/tests/mutants/$D; %s", device, line);
    expect(text, status, words);
}

static bool is_there(const char *device) {
    char line[128];
    snprintf(line, sizeof line, "$A devices | grep '^%s:0 .* found'", device);
    if (run(line) == 0) return true;
    printf("skip: %s is not there: `adicheck devices` says why\n", device);
    return false;
}

START_TEST(who_does_not_wait_is_found_by_a_program)
{
    if (!is_there(devices[_i])) return;
    expect_on(devices[_i],
              "$A run ${M}_consumer_never_waits.so --device $D:0 --case int32/many/program-consume",
              1, "fail  sync/read-before-wait|int32/many p0 u0");
    expect_on(devices[_i],
              "$A replay --as consumer --adapter ${M}_consumer_never_waits.so "
              "\"$D:0 int32 p0 u0\"",
              1, "fail  sync/read-before-wait");
    expect_on(
        devices[_i],
        "$A run ${M}_odd_polls.so --device $D:0 --case 'struct/many/program-@(consume|relay)'", 0,
        "2 pass in|conformant");
    expect_on(devices[_i],
              "$A replay --as consumer --adapter ${M}_odd_polls.so \"$D:0 int32 p0 u0\"", 0,
              "pass  every step was legal");
}
END_TEST

/* A child has no event: whoever takes it reads at once, on queues that nobody has told. */
START_TEST(a_child_is_ready_when_it_is_handed_on)
{
    static const char *const programs[] = {
        "--as consumer \"$D:0 struct p0 c0.1>2 w0 x0 u2\"",
        "--as relay \"$D:0 struct p0 y01 c1.1>2 w1 x1 y23 r3 x3\"",
        "--as relay \"$D:0 struct p0 p1 y02 x1 t+ x2\"",
    };
    if (!is_there(devices[_i])) return;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char line[256];
        snprintf(line, sizeof line, "$A replay %s", programs[i]);
        expect_on(devices[_i], line, 0, "pass  every step was legal");
    }
}
END_TEST

START_TEST(nothing_is_pending_where_there_are_no_events)
{
    expect("$A replay --as relay 'cpu struct p0 y01 w1 r1 x1'", 2,
           "it cannot be played here: cpu has no events");
    expect("$A run --device cpu --case struct/many/program-relay --json -", 0, "\"pass\"");
}
END_TEST

Suite *harness_pending_suite(void) {
    Suite *suite = suite_create("harness_pending");
    TCase *tests = tcase_create("pending");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, who_does_not_wait_is_found_by_a_program, 0, DEVICES);
    tcase_add_loop_test(tests, a_child_is_ready_when_it_is_handed_on, 0, DEVICES);
    tcase_add_test(tests, nothing_is_pending_where_there_are_no_events);
    suite_add_tcase(suite, tests);
    return suite;
}
