/* SPDX-License-Identifier: Apache-2.0
 *
 * The header has no version that a program could ask for, but wgpu-native says its own; each one
 * that is known has a layout, and nothing is called of any other.
 */
#include "webgpu_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "installed.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static struct adi_webgpu_api api;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *symbol;
    size_t slot;
} calls[] = {
#define CALL(type, name, parameters) {"wgpu" #name, offsetof(struct adi_webgpu_api, name)},
#include "webgpu_api.def"
#undef CALL
#define OF_LAYOUT(name)                                                                            \
    { "wgpu" #name, offsetof(struct adi_webgpu_api, name) }
    OF_LAYOUT(AdapterRequestDevice), OF_LAYOUT(DeviceCreateBuffer),       OF_LAYOUT(BufferGetUsage),
    OF_LAYOUT(BufferMapAsync),       OF_LAYOUT(QueueOnSubmittedWorkDone),
};

static const struct {
    uint32_t major;
    const struct adi_webgpu_layout *layout;
} known[] = {
    {22, &adi_webgpu_22}, {24, &adi_webgpu_24}, {25, &adi_webgpu_24},
    {27, &adi_webgpu_24}, {29, &adi_webgpu_29},
};

/* ---- loading ---- */

static int find_calls(struct adi_error *error) {
    for (size_t i = 0; i < LENGTH(calls); i++) {
        void *found = dlsym(api.library, calls[i].symbol);
        if (found == NULL)
            return adi_error_set(error, ENODEV, "%s has no %s", api.path, calls[i].symbol);
        memcpy((char *)&api + calls[i].slot, &found, sizeof found);
    }
    return 0;
}

static int find_layout(struct adi_error *error) {
    uint32_t (*version)(void);
    char majors[64] = "";
    *(void **)(void *)&version = dlsym(api.library, "wgpuGetVersion");
    if (version == NULL)
        return adi_error_set(error, ENODEV, "%s does not say its version (wgpuGetVersion)",
                             api.path);
    api.version = version();
    for (size_t i = 0; i < LENGTH(known); i++) {
        size_t n = strlen(majors);
        if (known[i].major == api.version >> 24) api.layout = known[i].layout;
        snprintf(majors + n, sizeof majors - n, "%s%u", n == 0 ? "" : ", ",
                 (unsigned)known[i].major);
    }
    if (api.layout != NULL) return 0;
    return adi_error_set(error, ENODEV,
                         "%s is wgpu-native %u.%u.%u.%u, whose header is not known; %s are",
                         api.path, (unsigned)(api.version >> 24), api.version >> 16 & 255u,
                         api.version >> 8 & 255u, api.version & 255u, majors);
}

static int find_own_calls(struct adi_error *error) {
    if (!api.is_simulated) return 0;
    *(void **)(void *)&api.look = dlsym(api.library, "adi_webgpu_look");
    *(void **)(void *)&api.is_given_up = dlsym(api.library, "adi_webgpu_given_up");
    if (api.look != NULL && api.is_given_up != NULL) return 0;
    return adi_error_set(error, ENODEV, "%s has no adi_webgpu_look", api.path);
}

/* Through OpenGL it would be the same hardware once more. */
static int find_adapters(struct adi_error *error) {
    static const struct {
        const void *next;
        uint64_t backends; /* of 32 bits in the oldest header: the lower half */
    } options = {NULL, 1 << 0 | 1 << 2 | 1 << 3}; /* Vulkan, Metal, Direct3D 12 */
    api.instance = api.CreateInstance(NULL);
    if (api.instance == NULL) return adi_error_set(error, ENODEV, "%s gives no instance", api.path);
    api.n_adapters = api.InstanceEnumerateAdapters(api.instance, &options, NULL);
    if (api.n_adapters > LENGTH(api.adapters)) {
        api.n_adapters = LENGTH(api.adapters);
        return adi_error_set(error, ENODEV, "%s has more than 8 adapters", api.path);
    }
    if (api.n_adapters > 0)
        api.n_adapters = api.InstanceEnumerateAdapters(api.instance, &options, api.adapters);
    return api.n_adapters > 0 ? 0 : adi_error_set(error, ENODEV, "%s has no adapter", api.path);
}

static int open_path(const char *path, struct adi_error *error) {
    Dl_info info;
    memset(&api, 0, sizeof api);
    api.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (api.library == NULL) return adi_error_set(error, ENODEV, "%s", dlerror());
    snprintf(api.path, sizeof api.path, "%s", path);
    api.is_simulated = dlsym(api.library, "adi_sim_listen") != NULL;
    int code = find_layout(error);
    if (code == 0) code = find_calls(error);
    if (code == 0) code = find_own_calls(error);
    if (code == 0 && dladdr(*(void **)(void *)&api.CreateInstance, &info) != 0)
        snprintf(api.path, sizeof api.path, "%s", info.dli_fname);
    if (code == 0) code = find_adapters(error);
    if (code != 0) dlclose(api.library);
    return code;
}

static int open_real(struct adi_error *error) {
    return open_path("libwgpu_native.so", error);
}

static int open_simulated(struct adi_error *error) {
    char path[PATH_MAX];
    if (!adi_find_installed_file("sim/libwgpu_native.so", path))
        return adi_error_set(error, ENODEV, "there is no sim/libwgpu_native.so beside the program");
    return open_path(path, error);
}

static int open_usual(struct adi_error *error) {
    return open_real(NULL) == 0 ? 0 : open_simulated(error);
}

static int load(struct adi_error *error) {
    static const struct adi_runtime_ways ways = {
        .usual = open_usual, .real = open_real, .simulated = open_simulated, .path = open_path};
    return adi_setting_runtime("ADI_WEBGPU", &ways, error);
}

const struct adi_webgpu_api *adi_webgpu_api(struct adi_error *error) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    loaded = loaded || load(error) == 0;
    pthread_mutex_unlock(&loading);
    return loaded ? &api : NULL;
}
