/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation reads its own settings (sim/settings.c), in programs that know nothing of this;
 * what may be in them is here once more, for who cannot afford that one is left out.
 */
#include "environment.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_CALL 47 /* the name of a call that is to fail */

static const char *setting_of(const char *name) {
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

/* Digits, and nothing else. */
static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *out) {
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

int64_t adi_setting_wait_ms(int64_t otherwise) {
    const char *text = setting_of("ADI_WAIT_MS");
    uint64_t ms;
    return text != NULL && read_number(text, 1, ADI_WAIT_MOST_MS, &ms) ? (int64_t)ms : otherwise;
}

uint32_t adi_setting_number(const char *name) {
    const char *text = setting_of(name);
    uint64_t number;
    return text != NULL && read_number(text, 0, UINT32_MAX, &number) ? (uint32_t)number : 0;
}

/* ---- which runtime ---- */

int adi_setting_runtime(const char *name, const struct adi_runtime_ways *ways,
                        struct adi_error *error) {
    const char *setting = setting_of(name);
    if (setting == NULL) return ways->usual(error);
    if (strcmp(setting, "off") == 0) return adi_error_set(error, ENODEV, "%s is off", name);
    if (strcmp(setting, "real") == 0) return ways->real(error);
    if (strcmp(setting, "sim") == 0) return ways->simulated(error);
    if (strchr(setting, '/') != NULL) return ways->path(setting, error);
    void *found = dlopen(setting, RTLD_NOW | RTLD_LOCAL);
    if (found == NULL)
        return adi_error_set(error, ENODEV,
                             "%s=%.100s; it may be real, sim, off or the path of a library (%s)",
                             name, setting, dlerror());
    int code = ways->path(setting, error);
    dlclose(found);
    return code;
}

/* ---- what is not understood ---- */

static bool is_wait(const char *text) {
    uint64_t unused;
    return read_number(text, 1, ADI_WAIT_MOST_MS, &unused);
}

static bool is_number(const char *text) {
    uint64_t unused;
    return read_number(text, 0, UINT64_MAX, &unused);
}

static bool is_short_number(const char *text) {
    uint64_t unused;
    return read_number(text, 0, UINT32_MAX, &unused);
}

static bool is_call(const char *text) {
    const char *colon = strchr(text, ':');
    return colon == NULL ? is_number(text) : colon - text <= LONGEST_CALL && is_number(colon + 1);
}

static bool is_version(const char *text) {
    int major = 0, minor = 0, length = 0;
    bool read = sscanf(text, "%2d.%1d%n", &major, &minor, &length) == 2 && text[length] == '\0';
    return read && 10 * major + minor >= 112 && 10 * major + minor <= 130;
}

#define WORDS 3

static const struct {
    const char *name;
    bool (*is_right)(const char *text); /* NULL: one of the words */
    const char *words[WORDS];
    const char *wanted;
} settings[] = {
    {"ADI_WAIT_MS", is_wait, {0}, "a number of milliseconds is wanted, 1 to 3600000"},
    {"ADI_SIM_POLICY", NULL, {"lazy", "eager", "random"}, "it may be lazy, eager or random"},
    {"ADI_SIM_SEED", is_number, {0}, "a number is wanted"},
    {"ADI_SIM_KERNELS", NULL, {"refused", "opaque"}, "it may be refused or opaque"},
    {"ADI_SIM_TOUCH", NULL, {"continue", "stop"}, "it may be continue or stop"},
    {"ADI_SIM_LEAKS", NULL, {"0", "1"}, "it may be 0 or 1"},
    {"ADI_SIM_MEMORY", is_number, {0}, "a number of bytes is wanted"},
    {"ADI_SIM_FAIL", is_call, {0}, "N or NAME:N is wanted: which call fails"},
    {"ADI_SIM_LOSE", is_number, {0}, "a number is wanted: of the command that loses its device"},
    {"ADI_CUDA_VERSION", is_version, {0}, "a version from 11.2 to 13.0 is wanted"},
    {"ADI_HEXAGON_LOSE", is_short_number, {0}, "a number is wanted: of a DSP's last request"},
    {"ADI_VULKAN_VALIDATION", NULL, {"off"}, "it may be off"},
};

static bool is_word(const char *text, const char *const words[WORDS]) {
    for (size_t i = 0; i < WORDS && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0) return true;
    return false;
}

int adi_settings_check(struct adi_error *error) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *text = setting_of(settings[i].name);
        if (text == NULL) continue;
        if (settings[i].is_right != NULL ? settings[i].is_right(text)
                                         : is_word(text, settings[i].words))
            continue;
        return adi_error_set(error, EINVAL, "%s is '%.100s': %s", settings[i].name, text,
                             settings[i].wanted);
    }
    return 0;
}
