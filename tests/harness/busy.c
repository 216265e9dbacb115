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

void start_busy(pid_t *busy, size_t n) {
    pid_t parent = getpid();
    for (size_t i = 0; i < n; i++) {
        busy[i] = fork();
        ck_assert_int_ge(busy[i], 0);
        if (busy[i] > 0) continue;
        while (getppid() == parent) continue;
        _exit(0);
    }
}

void stop_busy(const pid_t *busy, size_t n) {
    for (size_t i = 0; i < n; i++) kill(busy[i], SIGKILL);
    for (size_t i = 0; i < n; i++) waitpid(busy[i], NULL, 0);
}
