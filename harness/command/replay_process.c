/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_process.h"

#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd.h"
#include "elf.h"
#include "heap.h"
#include "run_need.h"

extern char **environ;

bool adi_replay_is_apart(void) {
    const char *tunables = getenv("GLIBC_TUNABLES");
    return tunables != NULL && strstr(tunables, ADI_HEAP_TUNABLE) != NULL;
}

/* In front of what the variable says already. */
static void put_first(const char *name, const char *value) {
    const char *old = getenv(name);
    char *both = NULL;
    if (asprintf(&both, "%s%s%s", value, old == NULL ? "" : ":", old == NULL ? "" : old) < 0)
        adi_need(NULL);
    setenv(name, both, 1);
    free(both);
}

int adi_replay_apart(int argc, const char **argv, const char *adapter) {
    struct adi_elf_facts facts;
    char preload[512] = "";
    char **words = adi_need(calloc((size_t)argc + 2, sizeof *words));
    words[0] = adi_need_text("adicheck");
    for (int i = 0; i < argc; i++) words[i + 1] = adi_need_text(argv[i]);
    /* A sanitizer's runtime has to be there before the library; if it is in this program, it is. */
    if (dlsym(RTLD_DEFAULT, "__asan_init") == NULL && adapter != NULL &&
        adi_elf_read(adapter, &facts) == 0)
        adi_elf_preload(&facts, preload);
    if (preload[0] != '\0') put_first("LD_PRELOAD", preload);
    put_first("GLIBC_TUNABLES", ADI_HEAP_TUNABLE);
    pid_t pid;
    int status = 0, code = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, words, environ);
    for (int i = 0; words[i] != NULL; i++) free(words[i]);
    free(words);
    if (code == 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status))
        return WEXITSTATUS(status);
    if (code != 0) {
        fprintf(stderr, "adicheck replay: %s\n", strerror(code));
        return ADI_EXIT_UNDECIDED;
    }
    printf("\ncrash  the process died in this step: %s\n", strsignal(WTERMSIG(status)));
    return ADI_EXIT_BROKEN;
}
