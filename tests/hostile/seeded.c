/* SPDX-License-Identifier: Apache-2.0 */
/* Misbehaves in one of many ways, or not at all, by the seed in ADI_HOSTILE and the number of the
 * call. The same call of the same seed always does the same. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hostile.h"

static void crash(void) {
    fault();
}
static void leave(void) {
    exit(0);
}
static void leave_now(void) {
    _exit(3);
}
static void be_killed(void) {
    raise(SIGKILL);
}
static void be_terminated(void) {
    raise(SIGTERM);
}
static void block(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}
static void close_all(void) {
    for (int fd = 0; fd < 64; fd++) close(fd);
}
static void shout(void) {
    fputs("hostile!\n", stderr);
}
static void tell(void) {
    harness->log(harness, "hostile");
}
static void fork_twice(void) {
    (void)!fork();
}
static void move_away(void) {
    (void)!chdir("/");
}
static void end_thread(void) {
    pthread_exit(NULL);
}
static void crash_at_exit(void) {
    atexit(crash);
}
static void nothing(void) {}

static void misbehave(void) {
    static void (*const ways[])(void) = {
        crash, abort, leave,      leave_now, be_killed,  be_terminated, block,   close_all, shout,
        tell,  crash, fork_twice, move_away, end_thread, crash_at_exit, nothing, nothing,   nothing,
    };
    static uint64_t calls;
    const char *seed = getenv("ADI_HOSTILE");
    uint64_t mixed = (seed == NULL ? 0 : strtoull(seed, NULL, 10)) * 1000003 + ++calls;
    mixed = (mixed ^ (mixed >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 32)) * UINT64_C(0x94d049bb133111eb);
    ways[(mixed >> 33) % (sizeof ways / sizeof *ways)]();
}
