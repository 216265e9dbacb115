/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices, which are there as long as the process, and the two functions that find them.
 */
#include <pthread.h>

#include "metal_classes.h"

ADI_SIM_PUBLIC id MTLCreateSystemDefaultDevice(void);
ADI_SIM_PUBLIC id MTLCopyAllDevices(void);

static struct metal_object *devices[ADI_SIM_DEVICES];

/* A context is the runtime's own, and shared by all parties. */
static struct metal_object *make_device(int index) {
    struct metal_object *made = metal_make(METAL_DEVICE, NULL);
    if (made == NULL) return NULL;
    made->lasts = true;
    metal_drop(made, made->maker);
    made->device = made;
    made->as_device.index = index;
    if (adi_sim_context_open("metal", index, &made->as_device.context) != 0) return NULL;
    adi_sim_context_own(made->as_device.context);
    return made;
}

static void start(void) {
    if (!metal_define_classes()) return;
    unsigned before = metal_act_as(1);
    for (int i = 0; i < ADI_SIM_DEVICES; i++) devices[i] = make_device(i);
    metal_act_as(before);
}

static bool begin(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!metal_begin(name)) return false;
    pthread_once(&once, start);
    if (devices[ADI_SIM_DEVICES - 1] != NULL) return true;
    metal_end();
    return false;
}

id MTLCreateSystemDefaultDevice(void) {
    if (!begin("MTLCreateSystemDefaultDevice")) return NULL;
    metal_hold(devices[0]);
    metal_end();
    return devices[0];
}

id MTLCopyAllDevices(void) {
    if (!begin("MTLCopyAllDevices")) return NULL;
    struct metal_object *list = metal_make(METAL_LIST, NULL);
    for (unsigned i = 0; i < ADI_SIM_DEVICES && list != NULL; i++) {
        list->as_list.items[list->as_list.n++] = devices[i];
        metal_use(devices[i]);
    }
    metal_end();
    return list;
}
