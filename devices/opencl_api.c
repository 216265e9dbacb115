/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "installed.h"

#define PLATFORMS 16

static struct {
    pthread_once_t once;
    struct adi_opencl_api api;
    bool there;
    struct adi_error why;
    char layer_path[PATH_MAX];
    const struct adi_opencl_layer *layer;
} loader = {.once = PTHREAD_ONCE_INIT};

/* The loader takes it in at its first call. */
static void offer_layer(void) {
    char value[3 * PATH_MAX];
    const char *others = getenv("OPENCL_LAYERS");
    if (!adi_find_beside_program(ADI_OPENCL_LAYER, loader.layer_path)) {
        loader.layer_path[0] = '\0';
        return;
    }
    bool alone = others == NULL || *others == '\0';
    if (!alone && strstr(others, loader.layer_path) != NULL) return;
    snprintf(value, sizeof value, "%s%s%s", alone ? "" : others, alone ? "" : ":",
             loader.layer_path);
    setenv("OPENCL_LAYERS", value, 1);
}

static void find_interceptor(void) {
    cl_uint n;
    loader.api.clGetPlatformIDs(0, NULL, &n);
    if (loader.layer_path[0] == '\0') return;
    void *library = dlopen(loader.layer_path, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) return;
    adi_opencl_layer_fn *layer = NULL;
    void *symbol = dlsym(library, ADI_OPENCL_LAYER_SYMBOL);
    memcpy(&layer, &symbol, sizeof symbol);
    const struct adi_opencl_layer *found = layer == NULL ? NULL : layer();
    if (found != NULL && found->size == sizeof *found) loader.layer = found; /* of this build */
}

static void load(void) {
    /* Two devices of one type are what tells an id from another. `basic` hangs where a user event
     * with a dependent fires. */
    setenv("POCL_DEVICES", "pthread pthread", 0);
    /* What is computed is small: more threads only wake each other for it. */
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    offer_layer();
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        adi_error_set(&loader.why, ENOENT,
                      "there is no OpenCL loader (%s); install ocl-icd-libopencl1 and a platform, "
                      "such as pocl-opencl-icd",
                      dlerror());
        return;
    }
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
#define FUNCTION(name) {#name, offsetof(struct adi_opencl_api, name)},
        ADI_OPENCL_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        memcpy((char *)&loader.api + functions[i].at, &function, sizeof function);
        if (function != NULL) continue;
        adi_error_set(&loader.why, ENOSYS, "libOpenCL.so.1 has no %s: OpenCL 1.2 is needed",
                      functions[i].name);
        return;
    }
    loader.there = true;
    find_interceptor();
}

const struct adi_opencl_api *adi_opencl_api(struct adi_error *why) {
    pthread_once(&loader.once, load);
    if (loader.there) return &loader.api;
    adi_error_set(why, ENOENT, "%s", loader.why.text);
    return NULL;
}

const struct adi_opencl_layer *adi_opencl_layer(void) {
    pthread_once(&loader.once, load);
    return loader.layer;
}

static void add_platform(const struct adi_opencl_api *api, cl_platform_id platform,
                         struct adi_opencl_devices *out) {
    cl_uint room = (cl_uint)(ADI_DEVICE_IDS - out->count), n = 0;
    if (room == 0 || api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, room, out->ids + out->count,
                                         &n) != CL_SUCCESS)
        return;
    char name[256] = "OpenCL";
    api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    name[sizeof name - 1] = '\0';
    snprintf(out->runtime, sizeof out->runtime, "%.31s", out->count == 0 ? name : "several");
    out->count += (int)(n < room ? n : room);
}

void adi_opencl_find(struct adi_opencl_devices *out, struct adi_error *why) {
    *out = (struct adi_opencl_devices){.count = 0};
    const struct adi_opencl_api *api = adi_opencl_api(why);
    if (api == NULL) return;
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    if (api->clGetPlatformIDs(PLATFORMS, platforms, &n) != CL_SUCCESS || n == 0) {
        adi_error_set(why, ENODEV,
                      "the OpenCL loader found no platform; install one, such as pocl-opencl-icd, "
                      "and look at /etc/OpenCL/vendors and OCL_ICD_VENDORS");
        return;
    }
    for (cl_uint i = 0; i < n && i < PLATFORMS; i++) add_platform(api, platforms[i], out);
    if (out->count > 0) return;
    char name[256] = "";
    api->clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, sizeof name, name, NULL);
    const char *asked = getenv("POCL_DEVICES");
    adi_error_set(why, ENODEV,
                  "%u OpenCL platform%s found (%.80s), without a device; POCL_DEVICES is '%.80s'",
                  n, n == 1 ? "" : "s", name, asked != NULL ? asked : "");
}

int adi_opencl_check(const char *call, cl_int code, struct adi_error *error) {
    static const struct {
        cl_int code;
        const char *name;
        int number;
    } codes[] = {
#define CODE(name, number) {name, #name, number}
        CODE(CL_DEVICE_NOT_AVAILABLE, ENODEV),
        CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE, ENOMEM),
        CODE(CL_OUT_OF_RESOURCES, ENOMEM),
        CODE(CL_OUT_OF_HOST_MEMORY, ENOMEM),
        CODE(CL_INVALID_BUFFER_SIZE, ENOMEM),
        CODE(CL_BUILD_PROGRAM_FAILURE, ENOTSUP),
        CODE(CL_COMPILER_NOT_AVAILABLE, ENOTSUP),
        CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, EIO),
        CODE(CL_INVALID_VALUE, EINVAL),
        CODE(CL_INVALID_DEVICE, EINVAL),
        CODE(CL_INVALID_CONTEXT, EINVAL),
        CODE(CL_INVALID_COMMAND_QUEUE, EINVAL),
        CODE(CL_INVALID_MEM_OBJECT, EINVAL),
        CODE(CL_INVALID_EVENT, EINVAL),
        CODE(CL_INVALID_EVENT_WAIT_LIST, EINVAL),
#undef CODE
    };
    if (code == CL_SUCCESS) return 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return adi_error_set(error, codes[i].number, "%s: %s", call, codes[i].name);
    return adi_error_set(error, EIO, "%s: OpenCL error %d", call, code);
}

bool adi_opencl_is(cl_device_id device, const void *handle, enum adi_opencl_kind kind) {
    const struct adi_opencl_layer *layer = adi_opencl_layer();
    void *functions, *wanted;
    if (layer != NULL) {
        struct adi_opencl_seen seen = layer->look(handle);
        if (seen.kind != ADI_OPENCL_UNKNOWN) return seen.kind == kind && seen.live;
    }
    memcpy(&wanted, device, sizeof wanted);
    return (uintptr_t)handle % sizeof functions == 0 &&
           adi_host_read(handle, 0, &functions, sizeof functions, NULL) == 0 && functions == wanted;
}
