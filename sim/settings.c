/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

static int number(const char *text, uint64_t *out) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || !isdigit((unsigned char)*text)) return EINVAL;
    *out = value;
    return 0;
}

/* One of the words: its place. */
static int word(const char *value, const char *const *words, size_t n, size_t *out) {
    for (*out = 0; *out < n; ++*out)
        if (strcmp(value, words[*out]) == 0) return 0;
    return EINVAL;
}

static int put_policy(struct sim_settings *settings, const char *value) {
    static const char *const words[] = {
        [SIM_LAZY] = "lazy", [SIM_EAGER] = "eager", [SIM_RANDOM] = "random"};
    size_t which;
    if (word(value, words, 3, &which) != 0) return EINVAL;
    settings->policy = (enum sim_policy)which;
    return 0;
}

static int put_seed(struct sim_settings *settings, const char *value) {
    return number(value, &settings->seed);
}

static int put_log(struct sim_settings *settings, const char *value) {
    if (strlen(value) >= sizeof settings->log) return EINVAL;
    strcpy(settings->log, value);
    return 0;
}

static int put_touch(struct sim_settings *settings, const char *value) {
    static const char *const words[] = {"continue", "stop"};
    size_t which;
    if (word(value, words, 2, &which) != 0) return EINVAL;
    settings->stop_at_touch = which == 1;
    return 0;
}

static int put_leaks(struct sim_settings *settings, const char *value) {
    static const char *const words[] = {"0", "1"};
    size_t which;
    if (word(value, words, 2, &which) != 0) return EINVAL;
    settings->leaks = which == 1;
    return 0;
}

static int put_kernels(struct sim_settings *settings, const char *value) {
    static const char *const words[] = {"refused", "opaque"};
    size_t which;
    if (word(value, words, 2, &which) != 0) return EINVAL;
    settings->opaque = which == 1;
    return 0;
}

static int put_memory(struct sim_settings *settings, const char *value) {
    return number(value, &settings->memory);
}

static int put_fail(struct sim_settings *settings, const char *value) {
    const char *colon = strchr(value, ':');
    size_t length = colon == NULL ? 0 : (size_t)(colon - value);
    uint64_t n;
    if (length >= sizeof settings->fail_name) return EINVAL;
    if (number(colon == NULL ? value : colon + 1, &n) != 0) return EINVAL;
    memcpy(settings->fail_name, value, length);
    settings->fail_name[length] = '\0';
    settings->fail = n;
    return 0;
}

static int put_lose(struct sim_settings *settings, const char *value) {
    return number(value, &settings->lose);
}

static const struct {
    const char *name;
    int (*put)(struct sim_settings *settings, const char *value);
} known[] = {
    {"ADI_SIM_POLICY", put_policy}, {"ADI_SIM_SEED", put_seed},   {"ADI_SIM_LOG", put_log},
    {"ADI_SIM_TOUCH", put_touch},   {"ADI_SIM_LEAKS", put_leaks}, {"ADI_SIM_MEMORY", put_memory},
    {"ADI_SIM_FAIL", put_fail},     {"ADI_SIM_LOSE", put_lose},   {"ADI_SIM_KERNELS", put_kernels},
};

#define KNOWN (sizeof known / sizeof *known)

int sim_settings_put(struct sim_settings *settings, const char *name, const char *value) {
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(name, known[i].name) == 0) return known[i].put(settings, value);
    return EINVAL;
}

void sim_settings_read(struct sim_settings *settings) {
    for (size_t i = 0; i < KNOWN; i++) {
        const char *value = getenv(known[i].name);
        if (value != NULL && *value != '\0' && known[i].put(settings, value) != 0)
            fprintf(stderr, "adisim: %s=%s is not understood and left out\n", known[i].name, value);
    }
}
