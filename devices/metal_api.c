/* SPDX-License-Identifier: Apache-2.0 */
#include "metal_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "host.h"
#include "installed.h"

#define FRAMEWORKS    "/System/Library/Frameworks/"
#define REAL          FRAMEWORKS "Metal.framework/Metal"
#define OBJC_OF_APPLE "/usr/lib/libobjc.A.dylib"
#define GRAPHICS                                                                                   \
    FRAMEWORKS "CoreGraphics.framework/CoreGraphics" /* or there is no default device */

static struct adi_metal_api api;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* ---- the runtime of Objective-C ---- */

static struct {
    const void *(*register_name)(const char *);
    adi_metal_function (*method)(const void *class, const void *selector);
    const void *(*class_of)(const void *object); /* NULL: the first word, as GNU's has it */
    void *(*push)(void);
    void (*pop)(void *);
    uintptr_t mask; /* of the class in an object's first word */
} objc;

static const void *selectors[ADI_MTL_MESSAGES];
static const void *known[2 * 2]; /* classes: buffers in private and shared storage, both events */

static const char *const names[ADI_MTL_MESSAGES] = {
#define MESSAGE(type, name, selector, parameters, types, arguments) selector,
#define TELL(name, selector, parameters, types, arguments)          selector,
#include "metal_api.def"
#undef MESSAGE
#undef TELL
};

static const void *class_of(const void *object) {
    return objc.class_of != NULL ? objc.class_of(object) : *(const void *const *)object;
}

adi_metal_function adi_metal_method(const void *object, enum adi_metal_message message) {
    adi_metal_function found = objc.method(class_of(object), selectors[message]);
    return found;
}

const void *adi_metal_selector(enum adi_metal_message message) {
    return selectors[message];
}

void *adi_metal_push(void) {
    return objc.push();
}

void adi_metal_pop(void *pool) {
    objc.pop(pool);
}

enum adi_metal_class adi_metal_class_of(const void *value) {
    static const enum adi_metal_class classes[] = {ADI_METAL_BUFFER, ADI_METAL_BUFFER,
                                                   ADI_METAL_EVENT, ADI_METAL_SHARED_EVENT};
    uintptr_t word;
    if (value == NULL || (uintptr_t)value % sizeof word != 0 ||
        adi_host_read(value, 0, &word, sizeof word, NULL) != 0)
        return ADI_METAL_UNKNOWN;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((word & objc.mask) == (uintptr_t)known[i]) return classes[i];
    return ADI_METAL_UNKNOWN;
}

static void *find_in(void *first, void *second, const char *name) {
    void *found = dlsym(first, name);
    return found != NULL ? found : dlsym(second, name);
}

static int open_runtime(void **out, const char **name, struct adi_error *error) {
    static const char *const usual[] = {OBJC_OF_APPLE, "libobjc.so.4"};
    *name = getenv("ADI_METAL_OBJC");
    *out = NULL;
    if (*name != NULL && **name != '\0') {
        *out = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (*out != NULL) return 0;
        return adi_error_set(error, ENODEV, "ADI_METAL_OBJC=%.100s: %s", *name, dlerror());
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual && *out == NULL; i++)
        *out = dlopen(*name = usual[i], RTLD_NOW | RTLD_LOCAL);
    if (*out != NULL) return 0;
    return adi_error_set(error, ENODEV,
                         "there is no runtime of Objective-C, which Debian has as libobjc4; "
                         "type: make deps");
}

/* Pools are the runtime's, or of whatever brings the devices. */
static int find_runtime(void *metal, struct adi_error *error) {
    const char *name;
    void *library;
    ADI_TRY(open_runtime(&library, &name, error));
    *(void **)(void *)&objc.register_name = dlsym(library, "sel_registerName");
    *(void **)(void *)&objc.method = dlsym(library, "class_getMethodImplementation");
    *(void **)(void *)&objc.class_of = dlsym(library, "object_getClass");
    *(void **)(void *)&objc.push = find_in(library, metal, "objc_autoreleasePoolPush");
    *(void **)(void *)&objc.pop = find_in(library, metal, "objc_autoreleasePoolPop");
    const uintptr_t *mask = dlsym(library, "objc_debug_isa_class_mask");
    objc.mask = mask != NULL ? *mask : UINTPTR_MAX;
    const char *missing = objc.register_name == NULL ? "sel_registerName"
                          : objc.method == NULL      ? "class_getMethodImplementation"
                                                     : NULL;
    if (missing != NULL)
        return adi_error_set(error, ENODEV, "%s has no %s: it is no runtime of Objective-C", name,
                             missing);
    missing = objc.push == NULL  ? "objc_autoreleasePoolPush"
              : objc.pop == NULL ? "objc_autoreleasePoolPop"
                                 : NULL;
    if (missing != NULL)
        return adi_error_set(error, ENODEV, "neither %s nor %s has %s", api.path, name, missing);
    for (int i = 0; i < ADI_MTL_MESSAGES; i++) selectors[i] = objc.register_name(names[i]);
    return 0;
}

/* ---- devices ---- */

static int copy_devices(void *(*copy_all)(void), struct adi_error *error) {
    void *list = copy_all();
    unsigned long n = list == NULL ? 0 : adi_mtl_count(list);
    api.devices = n == 0 ? NULL : calloc(n, sizeof *api.devices);
    for (unsigned long i = 0; i < n && api.devices != NULL; i++)
        api.devices[api.count++] = adi_mtl_retain(adi_mtl_objectAtIndex(list, i));
    if (list != NULL) adi_mtl_release(list);
    return api.count > 0 ? 0 : adi_error_set(error, ENODEV, "%s has no device", api.path);
}

/* One of each kind shows its class. */
static int learn_classes(struct adi_error *error) {
    void *device = api.devices[0];
    void *samples[] = {adi_mtl_newBuffer(device, 4, ADI_METAL_PRIVATE),
                       adi_mtl_newBuffer(device, 4, ADI_METAL_SHARED), adi_mtl_newEvent(device),
                       adi_mtl_newSharedEvent(device)};
    int code = 0;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (samples[i] == NULL) {
            code = adi_error_set(error, ENODEV, "%s makes neither buffers nor events", api.path);
            continue;
        }
        known[i] = class_of(samples[i]);
        adi_mtl_release(samples[i]);
    }
    return code;
}

static int open_path(const char *path, struct adi_error *error) {
    void *(*copy_all)(void);
    api.count = 0;
    api.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (api.library == NULL) return adi_error_set(error, ENODEV, "%s", dlerror());
    snprintf(api.path, sizeof api.path, "%s", path);
    *(void **)(void *)&copy_all = dlsym(api.library, "MTLCopyAllDevices");
    if (copy_all == NULL) return adi_error_set(error, ENODEV, "%s has no MTLCopyAllDevices", path);
    ADI_TRY(find_runtime(api.library, error));
    api.is_simulated = dlsym(api.library, "adi_sim_listen") != NULL;
    *(void **)(void *)&api.find = dlsym(api.library, "adi_metal_find");
    void *pool = adi_metal_push();
    int code = copy_devices(copy_all, error);
    if (code == 0) code = learn_classes(error);
    adi_metal_pop(pool);
    return code;
}

static int open_real(struct adi_error *error) {
    dlopen(GRAPHICS, RTLD_NOW | RTLD_LOCAL);
    return open_path(REAL, error);
}

static int open_simulated(struct adi_error *error) {
    char path[PATH_MAX];
    if (!adi_find_installed_file("sim/libMetal.so", path))
        return adi_error_set(error, ENODEV, "there is no sim/libMetal.so beside the program");
    return open_path(path, error);
}

static int open_usual(struct adi_error *error) {
    return open_real(NULL) == 0 ? 0 : open_simulated(error);
}

static int load(struct adi_error *error) {
    static const struct adi_runtime_ways ways = {
        .usual = open_usual, .real = open_real, .simulated = open_simulated, .path = open_path};
    return adi_setting_runtime("ADI_METAL", &ways, error);
}

const struct adi_metal_api *adi_metal_api(struct adi_error *error) {
    static bool loaded;
    while (atomic_flag_test_and_set(&busy)) continue;
    loaded = loaded || load(error) == 0;
    bool is_there = loaded;
    atomic_flag_clear(&busy);
    return is_there ? &api : NULL;
}
