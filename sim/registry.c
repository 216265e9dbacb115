/* SPDX-License-Identifier: Apache-2.0 */
#include "registry.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

#define MOST   ((size_t)1 << 22)
#define STRIDE 16
#define CHUNK  ((size_t)1024)

struct slot {
    enum sim_kind kind;
    bool live, reported, own; /* own: a runtime's */
    uint64_t ordinal, label;
    void *object;
    const struct sim_context *context;
    struct sim_place made, ended;
};

static char *handles;
static struct slot *chunks[MOST / CHUNK];
static size_t n_slots;
static uint64_t ordinals[SIM_KINDS];

static const char *const kind_names[] = {
    [SIM_CONTEXT] = "context", [SIM_QUEUE] = "queue", [SIM_EVENT] = "event"};

int sim_registry_start(void) {
    handles =
        mmap(NULL, MOST * STRIDE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return handles == MAP_FAILED ? ENOMEM : 0;
}

bool sim_registry_has(const void *address) {
    const char *at = address;
    return at >= handles && at < handles + MOST * STRIDE;
}

static struct slot *slot_at(size_t index) {
    return &chunks[index / CHUNK][index % CHUNK];
}

int sim_registry_add(enum sim_kind kind, void *object, struct sim_context *context, void **handle,
                     uint64_t *ordinal) {
    /* The first handle is not the first address: nothing begins where a mapping does. */
    if (n_slots + 1 == MOST) return ENOMEM;
    if (chunks[n_slots / CHUNK] == NULL)
        chunks[n_slots / CHUNK] = sim_heap_zeroed(CHUNK * sizeof(struct slot));
    if (chunks[n_slots / CHUNK] == NULL) return ENOMEM;
    *ordinal = ++ordinals[kind];
    *slot_at(n_slots) = (struct slot){.kind = kind,
                                      .live = true,
                                      .ordinal = *ordinal,
                                      .object = object,
                                      .context = context,
                                      .made = sim.place};
    sim.live[sim.place.party]++;
    *handle = handles + ++n_slots * STRIDE;
    return 0;
}

/* The next violation is about it. */
static void about(const struct slot *slot) {
    sim.about = (struct sim_about){true, slot->kind == SIM_EVENT, false, slot->made.party};
}

/* NULL: it never was a handle. */
static struct slot *slot_of(const void *handle) {
    size_t offset = (size_t)((uintptr_t)handle - (uintptr_t)handles);
    size_t index = offset / STRIDE;
    bool any = sim_registry_has(handle) && offset % STRIDE == 0 && index > 0 && index <= n_slots;
    return any ? slot_at(index - 1) : NULL;
}

bool sim_registry_is_live(const void *handle, uint64_t *label) {
    const struct slot *slot = slot_of(handle);
    if (slot == NULL || !slot->live) return false;
    if (label != NULL) *label = slot->label;
    return true;
}

/* The slot of a handle; NULL was reported. */
static struct slot *find(enum sim_kind kind, const void *handle, enum sim_violation dead) {
    struct slot *slot = slot_of(handle);
    if (slot == NULL) {
        sim_violate(SIM_BAD_HANDLE, "%s is no handle of a %s",
                    handle == NULL ? "NULL" : "something else", kind_names[kind]);
        return NULL;
    }
    if (slot->kind != kind) {
        sim_violate(SIM_BAD_HANDLE, "%s %" PRIu64 " is used as a %s", kind_names[slot->kind],
                    slot->ordinal, kind_names[kind]);
        return NULL;
    }
    if (slot->live) return slot;
    about(slot);
    sim_violate(dead,
                "%s %" PRIu64 " (made by %s in call %" PRIu64
                ") was destroyed by %s in call %" PRIu64,
                kind_names[kind], slot->ordinal, slot->made.name, slot->made.call, slot->ended.name,
                slot->ended.call);
    return NULL;
}

int sim_registry_find(enum sim_kind kind, const void *handle, void **object) {
    const struct slot *slot = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (slot == NULL) return EBADF;
    *object = slot->object;
    return 0;
}

void *sim_registry_look(enum sim_kind kind, const void *handle) {
    const struct slot *slot = slot_of(handle);
    return slot != NULL && slot->kind == kind && slot->live ? slot->object : NULL;
}

unsigned sim_registry_party(const void *handle) {
    return slot_of(handle)->made.party;
}

static void end_slot(struct slot *slot) {
    slot->live = false;
    slot->ended = sim.place;
    sim.live[slot->made.party]--;
}

/* It went with its context, in another thread than that of the runtime which destroys it now. */
static bool is_own_and_gone(enum sim_kind kind, const void *handle) {
    const struct slot *slot = slot_of(handle);
    return slot != NULL && slot->kind == kind && slot->own && !slot->live;
}

int sim_registry_take(enum sim_kind kind, const void *handle, void **object) {
    if (is_own_and_gone(kind, handle)) return EBADF;
    struct slot *slot = find(kind, handle, SIM_DOUBLE_DESTROY);
    if (slot == NULL) return EBADF;
    if (kind == SIM_EVENT && sim_is_foreign(slot->made.party)) {
        about(slot);
        sim_violate(SIM_NOT_OWNED, "%s %" PRIu64 " is destroyed by another than who made it",
                    kind_names[kind], slot->ordinal);
        return EPERM;
    }
    *object = slot->object;
    end_slot(slot);
    return 0;
}

int sim_registry_set_label(enum sim_kind kind, const void *handle, uint64_t label) {
    struct slot *slot = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (slot == NULL) return EBADF;
    slot->label = label;
    return 0;
}

int sim_registry_give_label(enum sim_kind kind, const void *handle, adi_sim_context *context,
                            uint64_t *label) {
    const struct slot *slot = find(kind, handle, SIM_USE_AFTER_DESTROY);
    int code = slot == NULL ? EBADF : 0;
    adi_sim_context in = slot == NULL ? NULL : slot->context->handle;
    uint64_t is = slot == NULL ? 0 : slot->label;
    sim_give(code, label, &is, sizeof is);
    if (code == 0 && context != NULL) *context = in;
    return code;
}

int sim_registry_own(enum sim_kind kind, const void *handle) {
    struct slot *slot = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (slot == NULL) return EBADF;
    slot->reported = slot->own = true;
    return 0;
}

static void report_allocations(struct sim_context *context) {
    char text[160];
    for (struct sim_allocation *at = context->first; at != NULL; at = at->next) {
        if (at->reported) continue;
        at->reported = true;
        sim_violate(SIM_LEAK, "%s was never freed", sim_allocation_text(at, text));
    }
}

void sim_registry_leaks(struct sim_context *context) {
    if (context != NULL) report_allocations(context);
    for (size_t i = 0; i < n_slots; i++) {
        struct slot *slot = slot_at(i);
        if (!slot->live || (context != NULL && slot->context != context)) continue;
        if (slot->kind == SIM_CONTEXT) report_allocations(slot->object);
        if (slot->reported) continue;
        slot->reported = true;
        sim_violate(SIM_LEAK, "%s %" PRIu64 " (made by %s in call %" PRIu64 ") was never %s",
                    kind_names[slot->kind], slot->ordinal, slot->made.name, slot->made.call,
                    slot->kind == SIM_CONTEXT ? "closed" : "destroyed");
    }
}

void sim_registry_end(enum sim_kind kind, const struct sim_context *context,
                      void (*end)(void *object)) {
    for (size_t i = 0; i < n_slots; i++) {
        struct slot *slot = slot_at(i);
        if (!slot->live || slot->kind != kind || slot->context != context) continue;
        end_slot(slot);
        end(slot->object);
    }
}
