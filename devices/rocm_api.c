/* SPDX-License-Identifier: Apache-2.0
 *
 * A real libamdhip64.so is not touched on a machine that has no such device: once it is loaded,
 * what asks for the name gets it and not the simulation's.
 */
#include "rocm_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "installed.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define MAJORS        3

/* Newest first; the plain name is there where the vendor's development files are. */
static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                    "libamdhip64.so"};

static struct adi_rocm_api api;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *symbol;
    size_t slot;
} calls[] = {
#define CALL(name, parameters) {"hip" #name, offsetof(struct adi_rocm_api, name)},
#include "rocm_api.def"
#undef CALL
    {"hipGetErrorName", offsetof(struct adi_rocm_api, GetErrorName)},
};

int adi_rocm_check(int result, const char *call, struct adi_error *error) {
    static const struct {
        int result, code;
    } known[] = {
        {ADI_HIP_INVALID_VALUE, EINVAL},
        {ADI_HIP_OUT_OF_MEMORY, ENOMEM},
        {ADI_HIP_NO_DEVICE, ENODEV},
        {ADI_HIP_INVALID_DEVICE, ENODEV},
        {ADI_HIP_INVALID_HANDLE, EINVAL},
        {ADI_HIP_NOT_READY, EAGAIN},
        {ADI_HIP_CONTEXT_IS_DESTROYED, EINVAL},
    };
    int code = EIO;
    if (result == ADI_HIP_SUCCESS) return 0;
    for (size_t i = 0; i < LENGTH(known); i++)
        if (known[i].result == result) code = known[i].code;
    const char *name = api.GetErrorName(result);
    return adi_error_set(error, code, "%s: %s (%d)", call, name == NULL ? "?" : name, result);
}

static int find_calls(struct adi_error *error) {
    for (size_t i = 0; i < LENGTH(calls); i++) {
        void *found = dlsym(api.library, calls[i].symbol);
        if (found == NULL)
            return adi_error_set(error, ENODEV, "%s has no %s: it is older than ROCm 5.2", api.path,
                                 calls[i].symbol);
        memcpy((char *)&api + calls[i].slot, &found, sizeof found);
    }
    return 0;
}

/* hipMemoryTypeHost and hipMemoryTypeDevice. */
static int find_types(struct adi_error *error) {
    int version = 0;
    ADI_TRY(HIP_CALL(&api, error, RuntimeGetVersion, &version));
    bool since_6 = version >= 60000000;
    api.on_host = since_6 ? 1 : 0;
    api.on_device = since_6 ? 2 : 1;
    return 0;
}

static int open_path(const char *path, struct adi_error *error) {
    Dl_info info;
    api.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (api.library == NULL) return adi_error_set(error, ENODEV, "%s", dlerror());
    snprintf(api.path, sizeof api.path, "%s", path);
    int code = find_calls(error);
    if (code == 0 && dladdr(*(void **)(void *)&api.Init, &info) != 0)
        snprintf(api.path, sizeof api.path, "%s", info.dli_fname);
    if (code == 0) code = HIP_CALL(&api, error, Init, 0);
    if (code == 0) code = HIP_CALL(&api, error, GetDeviceCount, &api.count);
    if (code == 0 && api.count <= 0) code = adi_error_set(error, ENODEV, "%s has no device", path);
    if (code == 0) code = find_types(error);
    api.is_simulated = code == 0 && dlsym(api.library, "adi_sim_listen") != NULL;
    if (code != 0) dlclose(api.library);
    return code;
}

static int open_real(struct adi_error *error) {
    int code = ENODEV;
    for (size_t i = 0; code != 0 && i < LENGTH(names); i++) code = open_path(names[i], error);
    return code;
}

/* The newest; an implementation that is linked with another major finds that one loaded already. */
static int open_simulated(struct adi_error *error) {
    char name[64], path[PATH_MAX];
    for (size_t i = 0; i < MAJORS; i++) {
        snprintf(name, sizeof name, "sim/%s", names[i]);
        bool found = adi_find_installed_file(name, path);
        if (i == 0 && !found)
            return adi_error_set(error, ENODEV, "there is no %s beside the program", name);
        if (i == 0)
            ADI_TRY(open_path(path, error));
        else if (found)
            dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return 0;
}

static int open_usual(struct adi_error *error) {
    return access("/dev/kfd", F_OK) == 0 && open_real(NULL) == 0 ? 0 : open_simulated(error);
}

static int load(struct adi_error *error) {
    static const struct adi_runtime_ways ways = {
        .usual = open_usual, .real = open_real, .simulated = open_simulated, .path = open_path};
    return adi_setting_runtime("ADI_ROCM", &ways, error);
}

const struct adi_rocm_api *adi_rocm_api(struct adi_error *error) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    loaded = loaded || load(error) == 0;
    pthread_mutex_unlock(&loading);
    return loaded ? &api : NULL;
}
