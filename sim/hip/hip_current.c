/* SPDX-License-Identifier: Apache-2.0
 *
 * The device of each thread. A context is nothing but the primary one of a device here, which the
 * runtime retains once and for all.
 */
#include <string.h>

#include "hip_facade.h"

#define DEVICES 64

static bool retained[DEVICES]; /* calls come one at a time */

driver_code hip_primary(driver_context *context, int device) {
    if (context == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_primary_retain(context, device));
    if (retained[device]) return driver_primary_release(device);
    retained[device] = true;
    return DRIVER_SUCCESS;
}

/* That of the runtime stays. */
driver_code hip_primary_release(int device) {
    int same;
    return driver_device_get(&same, device);
}

driver_code hip_set_device(int device) {
    driver_context context;
    SIM_TRY(hip_primary(&context, device));
    return driver_context_set_current(context);
}

driver_code hip_ready(void) {
    driver_context context;
    SIM_TRY(driver_context_get_current(&context));
    return context == NULL ? hip_set_device(0) : DRIVER_SUCCESS;
}

driver_code hip_device_reset(void) {
    int device;
    SIM_TRY(driver_context_device(&device, NULL));
    return driver_primary_reset(device);
}

driver_code hip_enable_peer(int peer, unsigned flags) {
    driver_context context;
    SIM_TRY(hip_primary(&context, peer));
    return driver_context_enable_peer(context, flags);
}

driver_code hip_disable_peer(int peer) {
    driver_context context;
    SIM_TRY(hip_primary(&context, peer));
    return driver_context_disable_peer(context);
}

/* ---- what there is to know of one ---- */

driver_code hip_compute_capability(int *major, int *minor, int device) {
    SIM_TRY(driver_device_attribute(major, 23, device));
    return driver_device_attribute(minor, 61, device);
}

/* hipDeviceProp_t, whose layout changed with 6.0: where it has what is not 0. */
struct layout {
    size_t bytes, uuid, memory, architecture; /* uuid 0: it has none */
    struct {
        int attribute;
        size_t at;
    } ints[20];
};

static const struct layout before = {792,
                                     0,
                                     256,
                                     396,
                                     {{71, 272},
                                      {87, 276},
                                      {56, 280},
                                      {26, 284},
                                      {27, 288},
                                      {28, 292},
                                      {29, 296},
                                      {30, 300},
                                      {31, 304},
                                      {5, 308},
                                      {23, 328},
                                      {63, 336},
                                      {57, 344},
                                      {8, 360},
                                      {67, 368},
                                      {3, 388},
                                      {24, 772},
                                      {9, 780},
                                      {74, 264}}};
static const struct layout since = {
    1472, 256, 288, 1160, {{71, 304}, {87, 308}, {56, 320}, {26, 324}, {27, 328},
                           {28, 332}, {29, 336}, {30, 340}, {31, 344}, {5, 348},
                           {23, 360}, {63, 388}, {57, 624}, {8, 576},  {67, 584},
                           {3, 400},  {24, 652}, {9, 676},  {74, 296}, {88, 744}}};

static driver_code describe(const struct layout *layout, char *out, int device) {
    static const char architecture[] = "gfx90a";
    driver_uuid uuid;
    size_t memory;
    if (out == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_device_memory(&memory, device));
    SIM_TRY(driver_device_uuid(&uuid, device));
    memset(out, 0, layout->bytes);
    driver_device_name(out, 256, device);
    if (layout->uuid != 0) memcpy(out + layout->uuid, &uuid, sizeof uuid);
    memcpy(out + layout->memory, &memory, sizeof memory);
    memcpy(out + layout->architecture, architecture, sizeof architecture);
    for (size_t i = 0; i < sizeof layout->ints / sizeof *layout->ints; i++) {
        int value = 0;
        if (layout->ints[i].at == 0) continue;
        driver_device_attribute(&value, layout->ints[i].attribute, device);
        memcpy(out + layout->ints[i].at, &value, sizeof value);
    }
    return DRIVER_SUCCESS;
}

driver_code hip_properties_5(void *out, int device) {
    return describe(&before, out, device);
}

driver_code hip_properties_6(void *out, int device) {
    return describe(&since, out, device);
}
