/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_engine.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "installed.h"

static struct adi_sim sim;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static void *library;

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

static int find(struct adi_error *error) {
    const char *setting = getenv("ADI_SIM");
    char path[PATH_MAX];
    if (setting != NULL && *setting != '\0') return use(setting, error);
    if (adi_find_installed_file("libadisim.so", path)) return use(path, error);
    return adi_error_set(error, ENODEV, "there is no libadisim.so (ADI_SIM names it)");
}

const struct adi_sim *adi_sim_load(struct adi_error *error) {
    pthread_mutex_lock(&loading);
    int code = library != NULL ? 0 : find(error);
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
