/* SPDX-License-Identifier: Apache-2.0 */
#include "beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool adi_beside(const char *name, char out[PATH_MAX]) {
    static const char *const places[] = {"", "../", "../lib/adicheck/"};
    char program[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = '\0';
    *(strrchr(program, '/') + 1) = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s%s", program, places[i], name);
        if (realpath(path, out) != NULL) return true;
    }
    return false;
}
