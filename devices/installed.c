/* SPDX-License-Identifier: Apache-2.0 */
#include "installed.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool find_from(const char *file, const char *name, char out[PATH_MAX]) {
    static const char *const places[] = {"", "../", "adicheck/", "../lib/adicheck/"};
    const char *slash = strrchr(file, '/');
    char path[2 * PATH_MAX];
    for (size_t i = 0; slash != NULL && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s%s%s", (int)(slash - file) + 1, file, places[i], name);
        if (realpath(path, out) != NULL) return true;
    }
    return false;
}

bool adi_find_beside_program(const char *name, char out[PATH_MAX]) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    return find_from(program, name, out);
}

bool adi_find_installed_file(const char *name, char out[PATH_MAX]) {
    static const char last[] = ADI_LIBDIR "/adicheck/";
    char path[2 * PATH_MAX];
    Dl_info info;
    if (adi_find_beside_program(name, out)) return true;
    if (dladdr(last, &info) != 0 && find_from(info.dli_fname, name, out)) return true;
    snprintf(path, sizeof path, "%s%s", last, name);
    return realpath(path, out) != NULL;
}
