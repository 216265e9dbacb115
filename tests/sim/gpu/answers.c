/* SPDX-License-Identifier: Apache-2.0
 *
 *   answers [LIBRARY]     asks a driver what the simulation answers (cuda_answers.def)
 *
 * Without a library it asks the machine's libcuda.so.1, and says why not if there is none. Each
 * question is put in a process of its own, by a program that has not touched the driver itself.
 * Prints the rows in which the driver differs; fails if one of them is DOCUMENTED or USUAL.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cuda_misuse.h"

#define SKIPPED 77
#define SECONDS 60 /* for one answer */

static const char *library = "libcuda.so.1";

static void *handle;

static void take(const char *name, void *out) {
    void *address = dlsym(handle, name);
    memcpy(out, &address, sizeof address);
}

static void load(void) {
    handle = dlopen(library, RTLD_NOW);
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(SKIPPED);
    }
#define CALL(base, since, name, begin, parameters, ...)           take(#name, &cu.name);
#define STREAM(base, since, name, suffix, begin, parameters, ...) take(#name, &cu.name);
#define PLAIN(base, since, name, parameters, ...)                 take(#name, &cu.name);
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
}

/* What a process of its own answers: a CUresult, or how it died. */
struct answer {
    bool died;
    int code;
};

static struct answer ask(CUresult (*question)(void)) {
    struct answer answer = {true, 0};
    int ends[2], status, code;
    fflush(NULL);
    if (pipe(ends) != 0) exit(EXIT_FAILURE);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        load();
        code = (int)question();
        _exit(write(ends[1], &code, sizeof code) == sizeof code ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    if (read(ends[0], &code, sizeof code) == sizeof code) answer = (struct answer){false, code};
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) exit(EXIT_FAILURE);
    if (answer.died) answer.code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return answer;
}

static CUresult find_device(void) {
    int count = 0;
    CUresult code = cu.cuInit(0);
    if (code == CUDA_SUCCESS) code = cu.cuDeviceGetCount(&count);
    return code == CUDA_SUCCESS && count == 0 ? CUDA_ERROR_NO_DEVICE : code;
}

static const char *text_of(struct answer answer, char out[40]) {
    if (!answer.died)
        snprintf(out, 40, "%d", answer.code);
    else if (answer.code < 0)
        snprintf(out, 40, "dies of signal %d", -answer.code);
    else
        snprintf(out, 40, "ends with status %d", answer.code);
    return out;
}

int main(int argc, char **argv) {
    static const char *const sources[] = {
        [DOCUMENTED] = "documented", [USUAL] = "usual", [DISPUTED] = "disputed", [OURS] = "ours"};
    size_t different = 0, own = 0;
    char text[40];
    if (argc > 1) library = argv[1];
    struct answer there = ask(find_device);
    if (there.died || there.code != 0) {
        printf("skip: no CUDA device to ask: %s, cuInit and cuDeviceGetCount: %s\n", library,
               text_of(there, text));
        return argc > 1 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    for (size_t i = 0; i < cuda_n_misuses; i++) {
        const struct cuda_misuse *misuse = &cuda_misuses[i];
        struct answer answer = ask(misuse->play);
        if (!answer.died && answer.code == (int)misuse->answer) continue;
        *(misuse->source >= DISPUTED ? &own : &different) += 1;
        printf("%-40s simulation %3d, driver %s (%s %s)\n", misuse->name, (int)misuse->answer,
               text_of(answer, text), sources[misuse->source], misuse->where);
    }
    printf("%zu answers of %s: %zu differ, and %zu where a driver may do anything\n",
           cuda_n_misuses, library, different, own);
    return different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
