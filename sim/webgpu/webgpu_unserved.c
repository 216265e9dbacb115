/* SPDX-License-Identifier: Apache-2.0
 *
 * Without them a program that was linked with wgpu-native would not be loaded.
 */
#include <stddef.h>

#include "sim.h"

static void *unserved(const char *name) {
    adi_sim_remark(name, "the simulated WebGPU does not serve this function: it has done nothing");
    return NULL;
}

#define UNSERVED(name)                                                                             \
    ADI_SIM_PUBLIC void *name(void);                                                               \
    ADI_SIM_PUBLIC void *name(void) {                                                              \
        return unserved(#name);                                                                    \
    }
#include "webgpu_unserved.def"
#undef UNSERVED
