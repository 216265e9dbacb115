/* SPDX-License-Identifier: Apache-2.0
 *
 * Two pipes and a file that both processes have. The program ends when its pipe of requests does,
 * so it outlives nobody.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hexagon_dsp.h"

#define ABOVE_ALL 10 /* file descriptors that stand in no other's place */
#define SHARED_FD 3

extern char **environ;

/* ---- start ---- */

/* -1 stays -1. */
static int move_up(int fd) {
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_ALL);
    if (fd >= 0) close(fd);
    return moved;
}

static void close_one(int fd) {
    if (fd >= 0) close(fd);
}

struct ends {
    int shared, requests[2], replies[2];
};

static void close_ends(const struct ends *ends) {
    close_one(ends->shared);
    for (int i = 0; i < 2; i++) {
        close_one(ends->requests[i]);
        close_one(ends->replies[i]);
    }
}

static int open_ends(struct ends *ends) {
    *ends = (struct ends){-1, {-1, -1}, {-1, -1}};
    ends->shared = move_up(memfd_create("hexagon", MFD_CLOEXEC));
    bool good = ends->shared >= 0 && ftruncate(ends->shared, ADI_DSP_WINDOW) == 0;
    good = good && pipe2(ends->requests, O_CLOEXEC) == 0 && pipe2(ends->replies, O_CLOEXEC) == 0;
    for (int i = 0; i < 2; i++) {
        ends->requests[i] = move_up(ends->requests[i]);
        ends->replies[i] = move_up(ends->replies[i]);
        good = good && ends->requests[i] >= 0 && ends->replies[i] >= 0;
    }
    good = good && fcntl(ends->requests[1], F_SETFL, O_NONBLOCK) == 0;
    if (good) return 0;
    int code = errno;
    close_ends(ends);
    return code;
}

/* What a program under test is run with is not for the machine: it would be put into that, too. */
static char **own_environment(void) {
    size_t n = 0, kept = 0;
    while (environ[n] != NULL) n++;
    char **all = malloc((n + 1) * sizeof *all);
    for (size_t i = 0; i < n && all != NULL; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0) all[kept++] = environ[i];
    if (all != NULL) all[kept] = NULL;
    return all;
}

static int spawn(const char *machine, const char *program, const struct ends *ends, pid_t *pid) {
    char *const with[] = {(char *)(uintptr_t)machine, (char *)(uintptr_t)program, NULL};
    char *const *arguments = machine != NULL ? with : with + 1;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    char **environment = own_environment();
    if (environment == NULL) return ENOMEM;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends->requests[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends->replies[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends->shared, SHARED_FD);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    int code = posix_spawn(pid, arguments[0], &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return code;
}

int adi_hexagon_spawn(const char *machine, const char *program, struct adi_hexagon_process *out,
                      struct adi_error *error) {
    struct ends ends;
    int code = open_ends(&ends);
    if (code != 0)
        return adi_error_set(error, code, "no pipes and file for a DSP: %s", strerror(code));
    void *window = mmap(NULL, ADI_DSP_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, ends.shared, 0);
    code = window == MAP_FAILED ? errno : spawn(machine, program, &ends, &out->pid);
    if (code != 0) {
        if (window != MAP_FAILED) munmap(window, ADI_DSP_WINDOW);
        close_ends(&ends);
        return adi_error_set(error, ENODEV, "%s: %s", machine != NULL ? machine : program,
                             strerror(code));
    }
    out->owner = getpid();
    out->window = window;
    out->requests = ends.requests[1];
    out->replies = ends.replies[0];
    close(ends.requests[0]);
    close(ends.replies[1]);
    close(ends.shared);
    return 0;
}

/* ---- one request, and its reply ---- */

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Writes without the signal that a pipe nobody reads from is told by. */
static ssize_t write_quietly(int fd, const void *data, size_t bytes) {
    sigset_t pipe_only, before, waiting;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t n = write(fd, data, bytes);
    int code = errno;
    if (n < 0 && code == EPIPE && sigismember(&waiting, SIGPIPE) == 0)
        sigtimedwait(&pipe_only, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return n;
}

/* How it has ended. */
static int say_end(struct adi_hexagon_process *process, struct adi_error *error) {
    int status = 0;
    int64_t until = now_ms() + 1000; /* its pipes are closed before it can be waited for */
    pid_t ended;
    while ((ended = waitpid(process->pid, &status, WNOHANG)) == 0 && now_ms() < until)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (ended <= 0) return adi_error_set(error, EIO, "it has closed its pipes");
    process->pid = 0;
    if (WIFSIGNALED(status))
        return adi_error_set(error, EIO, "it has ended: signal %d", WTERMSIG(status));
    return adi_error_set(error, EIO, "it has ended: status %d", WEXITSTATUS(status));
}

/* Until something can be done with the pipe. */
static int await(int fd, short events, int64_t until, const char *what, struct adi_error *error) {
    for (;;) {
        struct pollfd one = {fd, events, 0};
        int64_t left = until - now_ms();
        int n = poll(&one, 1, left < 0 ? 0 : (int)left);
        if (n > 0) return 0;
        if (n == 0) return adi_error_set(error, ETIMEDOUT, "%s", what);
        if (errno != EINTR) return adi_error_set(error, EIO, "poll: %s", strerror(errno));
    }
}

static int send_all(struct adi_hexagon_process *process, const void *data, size_t bytes,
                    int64_t until, struct adi_error *error) {
    for (const char *at = data; bytes > 0;) {
        ADI_TRY(await(process->requests, POLLOUT, until, "it takes no request: its pipe is full",
                      error));
        ssize_t n = write_quietly(process->requests, at, bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return say_end(process, error);
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

static int receive_all(struct adi_hexagon_process *process, void *data, size_t bytes, int64_t until,
                       struct adi_error *error) {
    for (char *at = data; bytes > 0;) {
        ADI_TRY(await(process->replies, POLLIN, until, "it does not answer", error));
        ssize_t n = read(process->replies, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return say_end(process, error);
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int adi_hexagon_exchange(struct adi_hexagon_process *process, const struct adi_dsp_request *request,
                         struct adi_dsp_reply *reply, int ms, struct adi_error *error) {
    int64_t until = now_ms() + ms;
    ADI_TRY(send_all(process, request, sizeof *request, until, error));
    return receive_all(process, reply, sizeof *reply, until, error);
}

void adi_hexagon_kill(pid_t pid) {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

void adi_hexagon_reap(struct adi_hexagon_process *process) {
    munmap(process->window, ADI_DSP_WINDOW);
    close(process->requests);
    close(process->replies);
    if (process->owner == getpid()) adi_hexagon_kill(process->pid);
    *process = (struct adi_hexagon_process){0};
}
