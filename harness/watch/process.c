/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file, whose path begins at the folder `at`, as a text, cut to `size`; how many bytes there
 * are, 0 if none. */
static size_t read_file_at(int at, const char *path, char *out, size_t size) {
    size_t length = 0;
    int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t got;
        while (length + 1 < size && (got = read(fd, out + length, size - 1 - length)) > 0)
            length += (size_t)got;
        close(fd);
    }
    out[length] = '\0';
    return length;
}

static size_t read_file(const char *path, char *out, size_t size) {
    return read_file_at(AT_FDCWD, path, out, size);
}

/* A child belongs to the thread that made it. */
size_t adi_process_children(pid_t pid, pid_t *out, size_t most) {
    char path[300], text[ADI_PROCESSES * 11];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    if (threads == NULL) return 0;
    size_t count = 0;
    struct dirent *thread;
    while (count < most && (thread = readdir(threads)) != NULL) {
        if (thread->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread->d_name);
        if (read_file(path, text, sizeof text) == 0) continue;
        char *rest = text;
        for (long child; count < most && (child = strtol(rest, &rest, 10)) > 0;)
            out[count++] = (pid_t)child;
    }
    closedir(threads);
    return count;
}

bool adi_process_ended(pid_t pid) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (read_file(path, text, sizeof text) == 0) return true;
    const char *state = strrchr(text, ')');
    return state == NULL || strlen(state) < 3 || strchr("ZX", state[2]) != NULL;
}

int64_t adi_process_resident(pid_t pid) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    long long size = 0, resident = 0;
    if (read_file(path, text, sizeof text) == 0 || sscanf(text, "%lld %lld", &size, &resident) != 2)
        return 0;
    return resident * (int64_t)sysconf(_SC_PAGESIZE);
}

struct adi_process_tree adi_process_tree(pid_t root) {
    pid_t all[ADI_PROCESSES] = {root};
    struct adi_process_tree tree = {.count = 1};
    for (size_t i = 0; i < tree.count; i++) {
        tree.resident += adi_process_resident(all[i]);
        tree.count += adi_process_children(all[i], all + tree.count, ADI_PROCESSES - tree.count);
    }
    return tree;
}

static void add_thread(int folder, const char *thread, struct adi_process_time *sum) {
    char path[300], text[512];
    long long ran, waited;
    snprintf(path, sizeof path, "%s/schedstat", thread);
    if (read_file_at(folder, path, text, sizeof text) == 0) return;
    if (sscanf(text, "%lld %lld", &ran, &waited) != 2) return;
    sum->ran_ns += ran;
    sum->waited_ns += waited;
    if (sum->n_threads < ADI_THREADS)
        sum->threads[sum->n_threads++] =
            (struct adi_thread_time){.id = (pid_t)atoi(thread), .ran_ns = ran};
    snprintf(path, sizeof path, "%s/stat", thread);
    read_file_at(folder, path, text, sizeof text);
    const char *state = strrchr(text, ')');
    if (state != NULL && strncmp(state, ") R", 3) == 0) sum->is_ready = true;
}

/* All but one; 0: all. */
static void add_threads(pid_t pid, pid_t but, struct adi_process_time *sum) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    struct dirent *thread;
    if (threads == NULL) return;
    while ((thread = readdir(threads)) != NULL)
        if (thread->d_name[0] != '.' && atoi(thread->d_name) != but)
            add_thread(dirfd(threads), thread->d_name, sum);
    closedir(threads);
}

/* Has this process children? That is asked for often, and of few. */
static bool has_children(void) {
    siginfo_t ended;
    return waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

/* `but`: a thread of `root`, which is this process; 0: none, and it is any. */
static struct adi_process_time add_tree(pid_t root, pid_t but) {
    pid_t all[ADI_PROCESSES] = {root};
    struct adi_process_time sum = {0};
    for (size_t i = 0, n = 1; i < n; i++) {
        add_threads(all[i], i == 0 ? but : 0, &sum);
        if (but != 0 && i == 0 && !has_children()) break;
        n += adi_process_children(all[i], all + n, ADI_PROCESSES - n);
    }
    return sum;
}

struct adi_process_time adi_process_time(pid_t root) {
    return add_tree(root, 0);
}

struct adi_process_time adi_process_time_beside(void) {
    return add_tree(getpid(), gettid());
}

bool adi_process_variable(pid_t pid, const char *name, char *out, size_t size) {
    char path[64];
    static char text[1 << 16];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    size_t length = read_file(path, text, sizeof text), prefix = strlen(name);
    for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
        if (strncmp(text + at, name, prefix) != 0 || text[at + prefix] != '=') continue;
        snprintf(out, size, "%s", text + at + prefix + 1);
        return true;
    }
    return false;
}
