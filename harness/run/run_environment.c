/* SPDX-License-Identifier: Apache-2.0 */
#include "run_environment.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf.h"
#include "heap.h"
#include "job.h"
#include "run_need.h"

/* A race ends the worker where it is, so that it is charged to the call that has it. */
#define TSAN_OPTIONS "halt_on_error=1"

extern char **environ;

void adi_environment_preload(const char *adapter, char out[512]) {
    struct adi_elf_facts facts;
    out[0] = '\0';
    if (adapter != NULL && dlsym(RTLD_DEFAULT, "__asan_init") == NULL &&
        dlsym(RTLD_DEFAULT, "__tsan_init") == NULL && adi_elf_read(adapter, &facts) == 0)
        adi_elf_preload(&facts, out);
}

/* `before` in front of what the variable says already. */
static char *prepend(const char *name, const char *before, const char *separator) {
    const char *old = getenv(name);
    char *made = NULL;
    if (asprintf(&made, "%s=%s%s%s", name, before, old != NULL ? separator : "",
                 old != NULL ? old : "") < 0)
        adi_need(NULL);
    return made;
}

static bool is_replaced(const char *variable, char *const *made, size_t n) {
    size_t name = strcspn(variable, "=") + 1;
    for (size_t i = 0; i < n; i++)
        if (strncmp(variable, made[i], name) == 0) return true;
    return false;
}

char **adi_environment_make(unsigned number, const char *preload) {
    size_t n = 0, kept = 0;
    while (environ[n] != NULL) n++;
    char **made = adi_need(calloc(n + 5, sizeof *made));
    if (asprintf(&made[kept++], ADI_WORKER_VARIABLE "=%u", number) < 0) adi_need(NULL);
    made[kept++] = prepend("GLIBC_TUNABLES", ADI_HEAP_TUNABLE, ":");
    if (preload[0] != '\0') made[kept++] = prepend("LD_PRELOAD", preload, ":");
    if (strstr(preload, "tsan") != NULL) made[kept++] = prepend("TSAN_OPTIONS", TSAN_OPTIONS, ":");
    const size_t replaced = kept;
    for (size_t i = 0; i < n; i++)
        if (!is_replaced(environ[i], made, replaced)) made[kept++] = adi_need_text(environ[i]);
    return made;
}

void adi_environment_free(char **made) {
    for (size_t i = 0; made[i] != NULL; i++) free(made[i]);
    free(made);
}
