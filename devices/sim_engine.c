/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct adi_sim sim;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static void *library;

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Beside the program, and beside the library that this may be in. */
static int try_beside(const char *file, int (*use)(const char *path, struct adi_error *error),
                      struct adi_error *error) {
    static const char *const places[] = {"", "../", "adicheck/", "../lib/adicheck/"};
    const char *slash = strrchr(file, '/');
    char path[PATH_MAX];
    if (slash == NULL) return ENODEV;
    for (size_t i = 0; i < LENGTH(places); i++) {
        int length = snprintf(path, sizeof path, "%.*s%slibadisim.so", (int)(slash - file) + 1,
                              file, places[i]);
        if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) continue;
        return use(path, error);
    }
    return ENODEV;
}

static int try_places(int (*use)(const char *path, struct adi_error *error),
                      struct adi_error *error) {
    const char *wish = getenv("ADI_SIM"), *last = ADI_LIBDIR "/adicheck/libadisim.so";
    char program[PATH_MAX];
    Dl_info here;
    if (wish != NULL && *wish != '\0') return use(wish, error);
    adi_error_set(error, ENODEV, "there is no libadisim.so (ADI_SIM names it)");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    if (try_beside(program, use, error) == 0) return 0;
    if (dladdr(&library, &here) != 0 && try_beside(here.dli_fname, use, error) == 0) return 0;
    return access(last, F_OK) == 0 ? use(last, error) : ENODEV;
}

static int find_functions(void *from, struct adi_error *error) {
    const char *missing = NULL;
#define FIND(name)                                                                                 \
    *(void **)(void *)&sim.name = dlsym(from, "adi_sim_" #name);                                   \
    if (sim.name == NULL) missing = "adi_sim_" #name;
    ADI_SIM_FUNCTIONS(FIND)
#undef FIND
    if (missing == NULL) return 0;
    return adi_error_set(error, ENODEV, "libadisim.so has no %s", missing);
}

static int use(const char *path, struct adi_error *error) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return adi_error_set(error, ENODEV, "%s", dlerror());
    int code = find_functions(handle, error);
    if (code == 0)
        library = handle;
    else
        dlclose(handle);
    return code;
}

const struct adi_sim *adi_sim_load(struct adi_error *error) {
    pthread_mutex_lock(&loading);
    int code = library != NULL ? 0 : try_places(use, error);
    pthread_mutex_unlock(&loading);
    return code == 0 ? &sim : NULL;
}

const struct adi_sim *adi_sim_beneath(void *runtime, struct adi_error *error) {
    pthread_mutex_lock(&loading);
    int code = library != NULL ? 0 : find_functions(runtime, error);
    if (code == 0) library = runtime;
    pthread_mutex_unlock(&loading);
    return code == 0 ? &sim : NULL;
}

const struct adi_sim *adi_sim_loaded(void) {
    return library == NULL ? NULL : &sim;
}
