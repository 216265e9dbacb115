/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine knows allocations and events, and the harness asks about objects. References are those
 * of objects.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "metal_internal.h"
#include "metal_watch.h"
#include "sim_engine.h"

static const struct adi_interceptor *engine;
static struct {
    __typeof__(&adi_metal_find) find;
    __typeof__(&adi_metal_encoded) encoded;
    __typeof__(&adi_metal_references) references;
    __typeof__(&adi_metal_newest) newest;
} metal;

/* What the engine calls it; anything else stays what it is, and the engine does not know it. */
static const void *in_engine(const void *object) {
    struct adi_metal_found found;
    if (!metal.find(object, &found)) return object;
    return found.memory != NULL ? found.memory : (const void *)found.event;
}

/* What is encoded runs when it is committed, and what is blocked when its event is signaled. */
static enum adi_metal_encoded encoded(const void *buffer, int64_t offset, int64_t bytes,
                                      bool writes_only) {
    return metal.encoded(0, buffer, offset, bytes, writes_only);
}

static bool pending(const void *object) {
    return encoded(object, 0, -1, true) || engine->pending(in_engine(object));
}

static bool used(const void *buffer) {
    return encoded(buffer, 0, -1, false) || engine->used(in_engine(buffer));
}

static bool pending_in(const void *buffer, int64_t offset, int64_t bytes) {
    return encoded(buffer, offset, bytes, true) ||
           engine->pending_in(in_engine(buffer), offset, bytes);
}

static bool used_in(const void *buffer, int64_t offset, int64_t bytes) {
    return encoded(buffer, offset, bytes, false) ||
           engine->used_in(in_engine(buffer), offset, bytes);
}

/* Can it be told? Not of what nobody has signaled, nor of an event that no queue of the buffer's
 * device may wait for. */
static bool is_known(const void *event, const void *buffer) {
    struct adi_metal_found of_event, of_buffer;
    return metal.find(event, &of_event) && metal.find(buffer, &of_buffer) && of_event.is_signaled &&
           (of_event.device < 0 || of_event.device == of_buffer.device);
}

static bool covers(const void *event, const void *buffer) {
    if (!is_known(event, buffer)) return true;
    return encoded(buffer, 0, -1, true) != ADI_METAL_UNRUNNABLE &&
           engine->covers(in_engine(event), in_engine(buffer));
}

static bool covers_in(const void *event, const void *buffer, int64_t offset, int64_t bytes) {
    if (!is_known(event, buffer)) return true;
    return encoded(buffer, offset, bytes, true) != ADI_METAL_UNRUNNABLE &&
           engine->covers_in(in_engine(event), in_engine(buffer), offset, bytes);
}

static bool name_of(const void *object, char out[48]) {
    return engine->name_of(in_engine(object), out);
}

static bool given_up(const void *buffer) {
    struct adi_metal_found found;
    return metal.find(buffer, &found) && found.maker == 1 && found.given_up;
}

static size_t references(void) {
    return metal.references(0);
}

static bool newest_held(char out[ADI_INTERCEPTOR_HELD]) {
    return metal.newest(0, out);
}

static bool find_functions(void *library) {
    *(void **)(void *)&metal.find = dlsym(library, "adi_metal_find");
    *(void **)(void *)&metal.encoded = dlsym(library, "adi_metal_encoded");
    *(void **)(void *)&metal.references = dlsym(library, "adi_metal_references");
    *(void **)(void *)&metal.newest = dlsym(library, "adi_metal_newest");
    return metal.find != NULL && metal.encoded != NULL && metal.references != NULL &&
           metal.newest != NULL;
}

const struct adi_interceptor *adi_metal_interceptor(void) {
    static struct adi_interceptor interceptor;
    const struct adi_metal_api *api = adi_metal_api(NULL);
    if (api == NULL || !api->is_simulated || !find_functions(api->library)) return NULL;
    engine = adi_sim_beneath(api->library, NULL) == NULL ? NULL : adi_sim_interceptor();
    if (engine == NULL) return NULL;
    interceptor = *engine;
    interceptor.pending = pending;
    interceptor.used = used;
    interceptor.references = references;
    interceptor.covers = covers;
    interceptor.name_of = name_of;
    interceptor.pending_in = pending_in;
    interceptor.covers_in = covers_in;
    interceptor.used_in = used_in;
    interceptor.given_up = given_up;
    interceptor.newest_held = newest_held;
    return &interceptor;
}
