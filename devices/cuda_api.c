/* SPDX-License-Identifier: Apache-2.0
 *
 * A real libcuda.so.1 is not touched on a machine that has no such device: once it is loaded, what
 * asks for the name gets it and not the simulation's.
 */
#include "cuda_api.h"

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

static struct adi_cuda_api api;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *symbol;
    size_t slot;
} calls[] = {
#define CALL(name, symbol, parameters) {#symbol, offsetof(struct adi_cuda_api, name)},
#include "cuda_api.def"
#undef CALL
};

int adi_cuda_check(int result, const char *call, struct adi_error *error) {
    static const struct {
        int result, code;
    } known[] = {
        {ADI_CU_INVALID_VALUE, EINVAL},
        {ADI_CU_OUT_OF_MEMORY, ENOMEM},
        {ADI_CU_NO_DEVICE, ENODEV},
        {ADI_CU_INVALID_CONTEXT, EINVAL},
        {ADI_CU_INVALID_HANDLE, EINVAL},
        {ADI_CU_NOT_READY, EAGAIN},
        {ADI_CU_CONTEXT_IS_DESTROYED, EINVAL},
    };
    const char *name = NULL;
    int code = EIO;
    if (result == ADI_CU_SUCCESS) return 0;
    for (size_t i = 0; i < LENGTH(known); i++)
        if (known[i].result == result) code = known[i].code;
    api.GetErrorName(result, &name);
    return adi_error_set(error, code, "%s: %s (%d)", call, name == NULL ? "?" : name, result);
}

static int find_calls(struct adi_error *error) {
    for (size_t i = 0; i < LENGTH(calls); i++) {
        void *found = dlsym(api.library, calls[i].symbol);
        if (found == NULL)
            return adi_error_set(error, ENODEV, "%s has no %s: it is older than CUDA 11.2",
                                 api.path, calls[i].symbol);
        memcpy((char *)&api + calls[i].slot, &found, sizeof found);
    }
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
    if (code == 0) code = adi_cuda_check(api.Init(0), "cuInit", error);
    if (code == 0) code = adi_cuda_check(api.DeviceGetCount(&api.count), "cuDeviceGetCount", error);
    if (code == 0 && api.count <= 0) code = adi_error_set(error, ENODEV, "%s has no device", path);
    api.is_simulated = code == 0 && dlsym(api.library, "adi_sim_listen") != NULL;
    if (code != 0) dlclose(api.library);
    return code;
}

static int open_real(struct adi_error *error) {
    return open_path("libcuda.so.1", error);
}

/* An implementation that is linked with a CUDA runtime finds it loaded already. */
static void open_runtimes(const char *driver) {
    static const char *const names[] = {"libcudart.so.12", "libcudart.so.13"};
    const char *slash = strrchr(driver, '/');
    char path[PATH_MAX + 32];
    for (size_t i = 0; i < LENGTH(names); i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - driver), driver, names[i]);
        if (access(path, R_OK) == 0) dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
}

static int open_simulated(struct adi_error *error) {
    char path[PATH_MAX];
    if (!adi_find_installed_file("sim/libcuda.so.1", path))
        return adi_error_set(error, ENODEV, "there is no sim/libcuda.so.1 beside the program");
    ADI_TRY(open_path(path, error));
    open_runtimes(path);
    return 0;
}

static bool has_device(void) {
    static const char *const files[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"};
    bool found = false;
    for (size_t i = 0; i < LENGTH(files); i++) found = found || access(files[i], F_OK) == 0;
    return found;
}

static int open_usual(struct adi_error *error) {
    return has_device() && open_real(NULL) == 0 ? 0 : open_simulated(error);
}

static int load(struct adi_error *error) {
    static const struct adi_runtime_ways ways = {
        .usual = open_usual, .real = open_real, .simulated = open_simulated, .path = open_path};
    return adi_setting_runtime("ADI_CUDA", &ways, error);
}

const struct adi_cuda_api *adi_cuda_api(struct adi_error *error) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    loaded = loaded || load(error) == 0;
    pthread_mutex_unlock(&loading);
    return loaded ? &api : NULL;
}
