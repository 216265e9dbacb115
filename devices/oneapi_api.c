/* SPDX-License-Identifier: Apache-2.0 */
#include "oneapi_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "installed.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define NAME          "libDPCTLSyclInterface.so"

static struct adi_oneapi_api api;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *symbol;
    size_t slot;
} calls[] = {
#define CALL(type, name, parameters) {"DPCTL" #name, offsetof(struct adi_oneapi_api, name)},
#include "oneapi_api.def"
#undef CALL
};

static int find_calls(struct adi_error *error) {
    for (size_t i = 0; i < LENGTH(calls); i++) {
        void *found = dlsym(api.library, calls[i].symbol);
        if (found == NULL)
            return adi_error_set(error, ENODEV, "%s has no %s: it is older than dpctl 0.20",
                                 api.path, calls[i].symbol);
        memcpy((char *)&api + calls[i].slot, &found, sizeof found);
    }
    return 0;
}

static int count_devices(struct adi_error *error) {
    void *devices = api.DeviceMgr_GetDevices(ADI_SYCL_ANY_DEVICE);
    size_t n = devices == NULL ? 0 : api.DeviceVector_Size(devices);
    api.count = 0;
    for (size_t i = 0; i < n && api.count < ADI_DEVICE_IDS; i++) {
        adi_sycl_device device = api.DeviceVector_GetAt(devices, i);
        if (device == NULL) continue;
        if (api.Device_HasAspect(device, ADI_SYCL_HAS_DEVICE_MEMORY)) api.ids[api.count++] = (int)i;
        api.Device_Delete(device);
    }
    if (devices != NULL) api.DeviceVector_Delete(devices);
    if (api.count > 0) return 0;
    return adi_error_set(error, ENODEV, "%s has no device%s", api.path,
                         n == 0 ? "" : " that has memory of its own (USM)");
}

static int open_path(const char *path, struct adi_error *error) {
    Dl_info info;
    /* The vendor's libimf has references to libm that are resolved when it is loaded. */
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    api.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (api.library == NULL) return adi_error_set(error, ENODEV, "%s", dlerror());
    snprintf(api.path, sizeof api.path, "%s", path);
    int code = find_calls(error);
    if (code == 0 && dladdr(*(void **)(void *)&api.Queue_Wait, &info) != 0)
        snprintf(api.path, sizeof api.path, "%s", info.dli_fname);
    api.is_simulated = code == 0 && dlsym(api.library, "adi_sim_listen") != NULL;
    if (code == 0 && !api.is_simulated) adi_oneapi_offer_layer();
    if (code == 0) code = count_devices(error);
    if (code != 0) dlclose(api.library);
    return code;
}

static int open_simulated(struct adi_error *error) {
    char path[PATH_MAX];
    if (!adi_find_installed_file("sim/" NAME, path))
        return adi_error_set(error, ENODEV, "there is no sim/" NAME " beside the program");
    return open_path(path, error);
}

static int open_real(struct adi_error *error) {
    return open_path(NAME, error);
}

static int open_usual(struct adi_error *error) {
    return open_real(NULL) == 0 ? 0 : open_simulated(error);
}

static int load(struct adi_error *error) {
    static const struct adi_runtime_ways ways = {
        .usual = open_usual, .real = open_real, .simulated = open_simulated, .path = open_path};
    return adi_setting_runtime("ADI_ONEAPI", &ways, error);
}

const struct adi_oneapi_api *adi_oneapi_api(struct adi_error *error) {
    static bool loaded;
    pthread_mutex_lock(&loading);
    loaded = loaded || load(error) == 0;
    pthread_mutex_unlock(&loading);
    return loaded ? &api : NULL;
}
