/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "engine.h"

int sim_fault_call(const char *name) {
    const struct sim_settings *asked = &sim.settings;
    if (asked->fail == 0) return 0;
    if (asked->fail_name[0] != '\0' && strcmp(name, asked->fail_name) != 0) return 0;
    if (++sim.counted != asked->fail) return 0;
    sim_log("\"fault\":\"call\",\"call\":%" PRIu64 ",\"in\":\"%s\"", sim.site.call, name);
    return EIO;
}

int sim_fault_memory(uint64_t used, size_t more) {
    if (more <= sim.settings.memory && used <= sim.settings.memory - more) return 0;
    sim_log("\"fault\":\"memory\",\"call\":%" PRIu64 ",\"in\":\"%s\",\"used\":%" PRIu64
            ",\"wanted\":%zu",
            sim.site.call, sim.site.name, used, more);
    return ENOMEM;
}

bool sim_fault_step(const char *family, int device) {
    if (++sim.steps != sim.settings.lose) return false;
    sim_log("\"fault\":\"lost\",\"call\":%" PRIu64 ",\"device\":\"%s:%d\",\"step\":%" PRIu64,
            sim.site.call, family, device, sim.steps);
    return true;
}
