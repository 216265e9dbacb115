/* SPDX-License-Identifier: Apache-2.0 */
#include "run_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard.h"
#include "run_environment.h"
#include "worker.h"

#define WORD_SIZE 16

/* Where a worker finds them. */
enum {
    LOG_FD = 3,
    JOB_FD,
    FIRST_FREE_FD,
    ABOVE_THEM = 10, /* the parent's own descriptors are moved here, out of the way */
};

static int move_up(int fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_THEM);
    int code = errno == EINVAL ? EMFILE : errno; /* so high none may be */
    close(fd);
    errno = code;
    return moved;
}

static void add_actions(posix_spawn_file_actions_t *actions, int log_fd, int job_fd, int output) {
    posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions, output, 1);
    posix_spawn_file_actions_adddup2(actions, output, 2);
    posix_spawn_file_actions_adddup2(actions, log_fd, LOG_FD);
    posix_spawn_file_actions_adddup2(actions, job_fd, JOB_FD);
    posix_spawn_file_actions_addclosefrom_np(actions, FIRST_FREE_FD);
}

static void set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
}

/* ---- by fork ---- */

static pid_t (*fork_by)(void);

void adi_spawn_by(pid_t (*fork)(void)) {
    fork_by = fork;
}

/* In the child: what posix_spawn does. What the process has open besides stays open. */
static _Noreturn void become_worker(int log_fd, int job_fd, int output, char **words) {
    sigset_t none;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    snprintf(words[2], WORD_SIZE, "%d", log_fd);
    snprintf(words[3], WORD_SIZE, "%d", job_fd);
    adi_worker_was_forked();
    adi_guard_ignore(false);
    adi_worker_main(4, words);
    _exit(0);
}

static int start_by_fork(int log_fd, int job_fd, char **words, struct adi_spawned *out) {
    out->pid = fork_by();
    if (out->pid == 0) become_worker(log_fd, job_fd, out->output.fd, words);
    return out->pid < 0 ? errno : 0;
}

/* ---- as the program once more ---- */

static int start(int log_fd, int job_fd, const char *preload, struct adi_spawned *out) {
    char log_text[WORD_SIZE], job_text[WORD_SIZE];
    char name[] = "adicheck", command[] = ADI_WORKER_COMMAND;
    char *words[] = {name, command, log_text, job_text, NULL};
    if (fork_by != NULL) return start_by_fork(log_fd, job_fd, words, out);
    snprintf(log_text, sizeof log_text, "%d", LOG_FD);
    snprintf(job_text, sizeof job_text, "%d", JOB_FD);
    char **environment = adi_environment_make(out->number, preload);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    add_actions(&actions, log_fd, job_fd, out->output.fd);
    set_attributes(&attributes);
    int code = posix_spawn(&out->pid, "/proc/self/exe", &actions, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    adi_environment_free(environment);
    return code;
}

int adi_spawn(const struct adi_job *job, const char *preload, struct adi_spawned *out,
              struct adi_error *error) {
    static unsigned number;
    number++;
    *out = (struct adi_spawned){.number = number, .pidfd = -1, .output.fd = -1};
    int log_fd = -1, job_fd = -1, code = 0;
    struct adi_job with_parent = *job;
    with_parent.parent = getpid();
    ADI_TRY(adi_job_write(&with_parent, &job_fd, error));
    job_fd = move_up(job_fd);
    out->log = adi_log_create(&log_fd);
    if (out->log != NULL) log_fd = move_up(log_fd);
    if (job_fd < 0 || log_fd < 0) code = errno;
    if (code == 0) code = adi_capture_begin(&out->output);
    if (code == 0) out->output.fd = move_up(out->output.fd);
    if (code == 0 && out->output.fd < 0) code = errno;
    if (code == 0) code = start(log_fd, job_fd, preload, out);
    if (job_fd >= 0) close(job_fd);
    if (log_fd >= 0) close(log_fd);
    if (code != 0) {
        adi_log_destroy(out->log);
        adi_capture_end(&out->output);
        return adi_error_set(error, code, "cannot start a worker: %s", strerror(code));
    }
    out->reader.log = out->log;
    out->started_ns = adi_now_ns();
#ifdef SYS_pidfd_open
    out->pidfd = (int)syscall(SYS_pidfd_open, out->pid, 0);
#endif
    return 0;
}

void adi_spawned_kill(const struct adi_spawned *spawned) {
    kill(-spawned->pid, SIGKILL);
    kill(spawned->pid, SIGKILL);
}

void adi_spawned_free(struct adi_spawned *spawned) {
    while (waitpid(spawned->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (spawned->pidfd >= 0) close(spawned->pidfd);
    adi_capture_end(&spawned->output);
    adi_log_destroy(spawned->log);
}
