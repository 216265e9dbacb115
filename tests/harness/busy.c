/* SPDX-License-Identifier: Apache-2.0 */
#include "busy.h"

#include <check.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void pin_to_one_processor(void) {
    cpu_set_t all, one;
    size_t processor = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(processor, &all)) processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
}

static void turn_in_a_circle(pid_t user, int told) {
    pid_t pid = fork();
    if (pid < 0) _exit(1);
    while (pid == 0 && kill(user, 0) == 0) continue;
    _exit(pid == 0 || write(told, &pid, sizeof pid) == sizeof pid ? 0 : 1);
}

/* Not below this process: what is below it works for it. */
static pid_t start_one(void) {
    int ends[2];
    pid_t user = getpid(), pid = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t between = fork();
    ck_assert_int_ge(between, 0);
    if (between == 0) turn_in_a_circle(user, ends[1]);
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &pid, sizeof pid), sizeof pid);
    ck_assert_int_gt(pid, 0);
    ck_assert_int_eq(waitpid(between, NULL, 0), between);
    close(ends[0]);
    return pid;
}

void start_busy(pid_t *busy, size_t n) {
    for (size_t i = 0; i < n; i++) busy[i] = start_one();
}

void stop_busy(const pid_t *busy, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_gt(busy[i], 0); /* else it would end others */
        kill(busy[i], SIGKILL);
    }
}
