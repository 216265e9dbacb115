/* SPDX-License-Identifier: Apache-2.0 */
#include "metal_classes.h"

static _Thread_local const char *message; /* the present one */

static bool begin(int code, const char *name) {
    if (code != 0) return false;
    metal_lock();
    message = name;
    return true;
}

bool metal_begin(const char *name) {
    return begin(adi_sim_begin(name), name);
}

bool metal_begin_surely(const char *name) {
    return begin(adi_sim_begin_surely(name), name);
}

void metal_end(void) {
    metal_unlock();
    adi_sim_end();
}

/* What each party does is a call of its own. */
unsigned metal_act_as(unsigned party) {
    unsigned before = metal_party();
    if (party == before) return before;
    adi_sim_end();
    adi_sim_party(party);
    adi_sim_begin_surely(message);
    return before;
}
