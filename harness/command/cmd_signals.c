/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 64 /* of processes below each other */

static void (*stop)(void);

/* Both run in the handler: no printf. */
static void name_stat(pid_t pid, char out[32]) {
    char digits[16], *first = digits + sizeof digits;
    *--first = '\0';
    do *--first = (char)('0' + pid % 10);
    while ((pid /= 10) > 0);
    stpcpy(stpcpy(stpcpy(out, "/proc/"), first), "/stat");
}

/* 0: it is gone. */
static pid_t parent_of(pid_t pid) {
    char path[32], text[512];
    name_stat(pid, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *state = strrchr(text, ')'); /* ") S PARENT ..." */
    return state == NULL || strlen(state) < 5 ? 0 : (pid_t)strtol(state + 4, NULL, 10);
}

static bool is_below(pid_t pid) {
    for (int i = 0; i < DEPTH && pid > 1; i++)
        if ((pid = parent_of(pid)) == getpid()) return true;
    return false;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    int before = errno;
    bool is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;
    if (!is_sent || !is_below(info->si_pid)) stop();
    errno = before;
}

static void catch (int number) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void adi_signals_catch_ends(void (*stop_it)(void)) {
    static const int stopping[] = {SIGINT, SIGTERM, SIGQUIT};
    struct sigaction before;
    stop = stop_it;
    for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++) catch (stopping[i]);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) catch (SIGHUP);
}

void adi_signals_catch(void (*stop_it)(void)) {
    static const int others[] = {SIGUSR1, SIGUSR2,   SIGPIPE, SIGALRM, SIGVTALRM,
                                 SIGPROF, SIGSTKFLT, SIGIO,   SIGPWR,  SIGXFSZ};
    adi_signals_catch_ends(stop_it);
    /* Workers start with the default of each. */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) signal(others[i], SIG_IGN);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) signal(number, SIG_IGN);
}
