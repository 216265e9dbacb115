/* SPDX-License-Identifier: Apache-2.0
 *
 * What a runtime has of its own, of which the engine knows the handles.
 */
#include <errno.h>
#include <inttypes.h>

#include "public.h"

/* `kind` has handles and nothing else. */
static int create(enum sim_kind kind, uint64_t label, void **handle, uint64_t *ordinal) {
    SIM_TRY(sim_registry_add(kind, NULL, NULL, handle, ordinal));
    return sim_registry_set_label(kind, *handle, label);
}

int sim_pool_create(uint64_t label, bool own, adi_sim_pool *out) {
    void *handle;
    uint64_t ordinal;
    SIM_TRY(create(SIM_POOL, label, &handle, &ordinal));
    if (own) sim_registry_own(SIM_POOL, handle);
    *out = handle;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"pool %" PRIu64 "\"", sim.site.call,
            sim.site.name, ordinal);
    return 0;
}

int sim_pool_destroy(adi_sim_pool handle) {
    void *object;
    SIM_TRY(sim_registry_take(SIM_POOL, handle, &object));
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"pool %" PRIu64 "\"", sim.site.call,
            sim.site.name, sim_registry_ordinal(handle));
    return 0;
}

int sim_pool_label(adi_sim_pool handle, uint64_t *label) {
    adi_sim_context none;
    return sim_registry_label(SIM_POOL, handle, &none, label);
}

int sim_reference_create(uint64_t label, adi_sim_reference *out) {
    void *handle;
    uint64_t ordinal;
    SIM_TRY(create(SIM_REFERENCE, label, &handle, &ordinal));
    *out = handle;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"reference %" PRIu64 "\"", sim.site.call,
            sim.site.name, ordinal);
    return 0;
}

int sim_reference_destroy(adi_sim_reference handle) {
    void *object;
    SIM_TRY(sim_registry_take(SIM_REFERENCE, handle, &object));
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"reference %" PRIu64 "\"", sim.site.call,
            sim.site.name, sim_registry_ordinal(handle));
    return 0;
}

int sim_reference_label(adi_sim_reference handle, uint64_t *label) {
    adi_sim_context none;
    return sim_registry_label(SIM_REFERENCE, handle, &none, label);
}
