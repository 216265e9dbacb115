/* SPDX-License-Identifier: Apache-2.0 */
#include "processors.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINE 4096

/* A control group that may have a quota: where its files are, and where the hierarchy begins. */
struct group {
    char mount[LINE], path[LINE];
};

static FILE *open_file(const char *root, const char *directory, const char *name) {
    char path[3 * LINE];
    int length = snprintf(path, sizeof path, "%s%s/%s", root, directory, name);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* Is the word one of those in a list with commas? */
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && strchr(",\n", at[length]) != NULL) return true;
    }
    return false;
}

/* The path of this process in the hierarchy, as /proc/self/cgroup has it: version 2 is the one
 * without controllers. */
static bool find_path(const char *root, bool version_2, char *out) {
    char line[LINE];
    bool found = false;
    FILE *file = open_file(root, "/proc/self", "cgroup");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':');
        char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (path == NULL) continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found = version_2 ? strcmp(controllers, ":") == 0 : has_word(controllers + 1, "cpu");
        if (found) strcpy(out, path);
    }
    if (file != NULL) fclose(file);
    return found;
}

/* Where the hierarchy is mounted, and which part of it: in a container that is often the group
 * itself, and nothing of what is above. */
static bool find_mount(const char *root, bool version_2, struct group *group) {
    char line[LINE], part[LINE], type[32], options[LINE];
    bool found = false;
    FILE *file = open_file(root, "/proc/self", "mountinfo");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        const char *rest = strstr(line, " - ");
        if (rest == NULL || sscanf(line, "%*d %*d %*s %4095s %4095s", part, group->mount) != 2 ||
            sscanf(rest, " - %31s %*s %4095s", type, options) != 2)
            continue;
        found = version_2 ? strcmp(type, "cgroup2") == 0
                          : strcmp(type, "cgroup") == 0 && has_word(options, "cpu");
    }
    if (file != NULL) fclose(file);
    size_t length = found ? strlen(part) : 0;
    if (length > 1 && strncmp(group->path, part, length) == 0)
        memmove(group->path, group->path + length, strlen(group->path + length) + 1);
    else if (length > 1)
        group->path[0] = '\0';
    return found;
}

/* ---- the limits ---- */

static double read_number(const char *root, const char *directory, const char *name) {
    double number = 0;
    FILE *file = open_file(root, directory, name);
    if (file != NULL && fscanf(file, "%lf", &number) != 1) number = 0;
    if (file != NULL) fclose(file);
    return number;
}

static double quota_2(const char *root, const char *directory) {
    double quota = 0, period = 0;
    FILE *file = open_file(root, directory, "cpu.max");
    if (file != NULL && fscanf(file, "%lf %lf", &quota, &period) != 2) period = 0; /* "max" */
    if (file != NULL) fclose(file);
    return period > 0 ? quota / period : 0;
}

static double quota_1(const char *root, const char *directory) {
    double quota = read_number(root, directory, "cpu.cfs_quota_us");
    double period = read_number(root, directory, "cpu.cfs_period_us");
    return quota > 0 && period > 0 ? quota / period : 0;
}

static double least(double a, double b) {
    return a <= 0 || (b > 0 && b < a) ? b : a;
}

/* From the group itself up to the mount point. */
static double walk(const char *root, struct group *group,
                   double (*quota)(const char *root, const char *directory)) {
    char directory[2 * LINE];
    double found = 0;
    for (;;) {
        snprintf(directory, sizeof directory, "%s%s", group->mount, group->path);
        found = least(found, quota(root, directory));
        char *last = strrchr(group->path, '/');
        if (last == NULL) return found;
        *last = '\0';
    }
}

double adi_processor_quota(const char *root) {
    static double (*const quotas[])(const char *, const char *) = {quota_1, quota_2};
    static struct group group;
    double found = 0;
    for (int version = 0; version < 2; version++)
        if (find_path(root, version == 1, group.path) && find_mount(root, version == 1, &group))
            found = least(found, walk(root, &group, quotas[version]));
    return found;
}

/* Any thread asks, and often: the files are read once. */
static double own_quota(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double quota = -1;
    pthread_mutex_lock(&lock);
    if (quota < 0) quota = adi_processor_quota("");
    double found = quota;
    pthread_mutex_unlock(&lock);
    return found;
}

size_t adi_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    double quota = own_quota();
    if (quota > 0 && quota < count) count = (int)quota + ((double)(int)quota < quota);
    return count > 0 ? (size_t)count : 1;
}
