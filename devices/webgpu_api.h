/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: libwgpu_native.so, the real one or the simulation's, and as much of its
 * interface as is used. Nothing of WebGPU's is needed to compile this.
 */
#ifndef ADI_WEBGPU_API_H
#define ADI_WEBGPU_API_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum {
    ADI_WEBGPU_MAP_READ = 1, /* a usage, and a mode */
    ADI_WEBGPU_COPY_SRC = 4,
    ADI_WEBGPU_COPY_DST = 8,
    ADI_WEBGPU_STORAGE = 0x80,
};

/* What a callback has said. */
struct adi_webgpu_told {
    bool came, is_good;
    void *handle; /* of what was asked for */
    char text[128];
};

struct adi_webgpu_api;

/* What changed with the versions of the header: structures, and what takes or calls a callback. */
struct adi_webgpu_layout {
    const char *versions; /* major ones of wgpu-native: "24 25 27" */
    /* adi_webgpu_note_lost will be called with `device`. */
    void (*request_device)(const struct adi_webgpu_api *api, void *adapter, void *device,
                           struct adi_webgpu_told *told);
    void *(*create_buffer)(const struct adi_webgpu_api *api, void *device, uint64_t usage,
                           uint64_t bytes);
    uint64_t (*usage_of)(const struct adi_webgpu_api *api, void *buffer);
    /* Ask to be told; `told` has to be there until that has come. */
    void (*map_to_read)(const struct adi_webgpu_api *api, void *buffer, size_t bytes,
                        struct adi_webgpu_told *told);
    void (*tell_when_done)(const struct adi_webgpu_api *api, void *queue,
                           struct adi_webgpu_told *told);
};

extern const struct adi_webgpu_layout adi_webgpu_22, adi_webgpu_24, adi_webgpu_29;

typedef void (*adi_webgpu_function)(void);

struct adi_webgpu_api {
#define CALL(type, name, parameters) type(*name) parameters;
#include "webgpu_api.def"
#undef CALL
    adi_webgpu_function AdapterRequestDevice, DeviceCreateBuffer, BufferGetUsage, BufferMapAsync,
        QueueOnSubmittedWorkDone; /* by the layout */
    const struct adi_webgpu_layout *layout;
    void *library;       /* of dlopen */
    char path[PATH_MAX]; /* where it is */
    uint32_t version;    /* of wgpu-native: a byte each of its four numbers */
    bool is_simulated;
    /* Of the simulation alone: is it the handle of a live buffer? Of which device and which
     * adapter, and of how many bytes? And does it live only because another than its maker holds
     * it? */
    bool (*look)(const void *value, void **device, int *adapter, uint64_t *bytes);
    bool (*is_given_up)(const void *buffer);
    void *instance;
    size_t n_adapters; /* > 0 */
    void *adapters[8];
};

/* The library, loaded at the first call, and its adapters; static. NULL: none, and why.
 * $ADI_WEBGPU: `real`, `sim`, `off`, or a path; without it one that the loader finds and that has
 * an adapter, else the simulation's. Any thread. */
const struct adi_webgpu_api *adi_webgpu_api(struct adi_error *error);

/* What WebGPU calls an uncaptured error, of the last call of this thread; "": there was none. It is
 * forgotten by that. */
const char *adi_webgpu_last_error(void);
/* For the layouts; any thread. */
void adi_webgpu_note_lost(void *device, const char *text, size_t bytes);
void adi_webgpu_note_error(const char *text, size_t bytes);
void adi_webgpu_note_told(struct adi_webgpu_told *told, bool is_good, void *handle,
                          const char *text, size_t bytes);

#endif /* ADI_WEBGPU_API_H */
