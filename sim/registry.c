/* SPDX-License-Identifier: Apache-2.0 */
#include "public.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST       ((uint32_t)1 << 22)
#define STRIDE     16
#define CHUNK      ((uint32_t)1024)
#define QUARANTINE 65536

struct entry {
    enum sim_kind kind;
    bool live, reported, own; /* own: a runtime's */
    uint64_t ordinal, label;
    void *object;
    const struct sim_context *context;
    struct sim_site made, ended;
    uint32_t previous, next; /* in the row of the live ones, or in the quarantine of its kind */
};

/* Slots by their number, from 1; 0: none. */
struct row {
    uint32_t first, last, n;
};

static char *handles;
static struct entry *chunks[MOST / CHUNK];
static uint32_t n_entries;
static uint64_t ordinals[SIM_KINDS];
static struct row live;                   /* the oldest first */
static struct row quarantined[SIM_KINDS]; /* the one that was destroyed first is the first */

static const char *const kind_names[] = {[SIM_CONTEXT] = "context",
                                         [SIM_QUEUE] = "queue",
                                         [SIM_EVENT] = "event",
                                         [SIM_POOL] = "pool",
                                         [SIM_REFERENCE] = "reference"};

int sim_registry_start(void) {
    handles =
        mmap(NULL, MOST * STRIDE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return handles == MAP_FAILED ? ENOMEM : 0;
}

bool sim_registry_has(const void *address) {
    const char *at = address;
    return at >= handles && at < handles + MOST * STRIDE;
}

static struct entry *entry_at(uint32_t number) {
    return &chunks[(number - 1) / CHUNK][(number - 1) % CHUNK];
}

/* NULL: it never was a handle. */
static struct entry *entry_of(const void *handle, uint32_t *number) {
    size_t offset = (size_t)((uintptr_t)handle - (uintptr_t)handles), at = offset / STRIDE;
    bool any = sim_registry_has(handle) && offset % STRIDE == 0 && at > 0 && at <= n_entries;
    if (!any) return NULL;
    if (number != NULL) *number = (uint32_t)at;
    return entry_at((uint32_t)at);
}

static void append(struct row *row, uint32_t number) {
    struct entry *entry = entry_at(number);
    entry->previous = row->last;
    entry->next = 0;
    if (row->last == 0)
        row->first = number;
    else
        entry_at(row->last)->next = number;
    row->last = number;
    row->n++;
}

static void take_out(struct row *row, uint32_t number) {
    const struct entry *entry = entry_at(number);
    if (entry->previous == 0)
        row->first = entry->next;
    else
        entry_at(entry->previous)->next = entry->next;
    if (entry->next == 0)
        row->last = entry->previous;
    else
        entry_at(entry->next)->previous = entry->previous;
    row->n--;
}

/* ---- making ---- */

/* A driver gives the handle of an event again as soon as it likes. */
static bool is_given_at_once(enum sim_kind kind) {
    static uint64_t state;
    if (kind != SIM_EVENT || sim.settings.policy != SIM_RANDOM) return false;
    if (state == 0) state = ~sim.settings.seed;
    return quarantined[kind].n > 0 && sim_draw(&state, 2) == 0;
}

/* One that was destroyed, to be used again; 0: none. That of a context is its name for ever. */
static uint32_t used_again(enum sim_kind kind) {
    struct row *row = &quarantined[kind];
    uint32_t number = 0;
    if (is_given_at_once(kind))
        number = row->last;
    else if (kind != SIM_CONTEXT && row->n > QUARANTINE)
        number = row->first;
    if (number != 0) take_out(row, number);
    return number;
}

static uint32_t new_entry(void) {
    /* The first handle is not the first address: nothing begins where a mapping does. */
    if (n_entries + 1 == MOST) return 0;
    struct entry **chunk = &chunks[n_entries / CHUNK];
    if (*chunk == NULL) *chunk = sim_heap_zeroed(CHUNK * sizeof(struct entry));
    return *chunk == NULL ? 0 : ++n_entries;
}

int sim_registry_add(enum sim_kind kind, void *object, struct sim_context *context, void **handle,
                     uint64_t *ordinal) {
    uint32_t number = used_again(kind);
    if (number == 0) number = new_entry();
    if (number == 0) return ENOMEM;
    *ordinal = ++ordinals[kind];
    *entry_at(number) = (struct entry){.kind = kind,
                                       .live = true,
                                       .ordinal = *ordinal,
                                       .object = object,
                                       .context = context,
                                       .made = sim.site};
    append(&live, number);
    sim.live[sim.site.party]++;
    *handle = handles + (size_t)number * STRIDE;
    return 0;
}

/* ---- finding ---- */

/* The next violation is about it. */
static void about(const struct entry *entry) {
    sim.about = (struct sim_about){true, entry->kind == SIM_EVENT, false, entry->made.party};
}

bool sim_registry_is_live(const void *handle, uint64_t *label) {
    const struct entry *entry = entry_of(handle, NULL);
    if (entry == NULL || !entry->live) return false;
    if (label != NULL) *label = entry->label;
    return true;
}

static const char *article(enum sim_kind kind) {
    return strchr("aeiou", kind_names[kind][0]) != NULL ? "an" : "a";
}

/* The slot of something of the kind that lives, to whose handle it points; NULL: to none. Nothing
 * of it is trusted. */
static const struct entry *pointed_to(enum sim_kind kind, const void *pointer) {
    void *handle = NULL;
    struct iovec here = {&handle, sizeof handle},
                 there = {(void *)(uintptr_t)pointer, sizeof handle};
    int before = errno;
    bool read = process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof handle;
    errno = before;
    const struct entry *entry = read ? entry_of(handle, NULL) : NULL;
    return entry != NULL && entry->live && entry->kind == kind ? entry : NULL;
}

/* The slot of a handle; NULL was reported. */
static struct entry *find(enum sim_kind kind, const void *handle, enum sim_violation dead) {
    struct entry *entry = entry_of(handle, NULL);
    /* A runtime's context is a structure of its own, and may begin with the handle. */
    const struct entry *there =
        entry != NULL || handle == NULL || kind == SIM_CONTEXT ? NULL : pointed_to(kind, handle);
    if (there != NULL) {
        about(there);
        sim_violate(SIM_HANDLE_ADDRESS,
                    "the address of the handle of %s %s was given for the handle", article(kind),
                    kind_names[kind]);
        return NULL;
    }
    if (entry == NULL) {
        sim_violate(SIM_BAD_HANDLE, "%s was given for the handle of %s %s",
                    handle == NULL ? "NULL" : "what is no handle", article(kind), kind_names[kind]);
        return NULL;
    }
    if (entry->kind != kind) {
        sim_violate(SIM_BAD_HANDLE, "%s %" PRIu64 " is used as %s %s", kind_names[entry->kind],
                    entry->ordinal, article(kind), kind_names[kind]);
        return NULL;
    }
    if (entry->live) return entry;
    about(entry);
    sim_violate(dead,
                "%s %" PRIu64 " (made by %s in call %" PRIu64
                ") was destroyed by %s in call %" PRIu64,
                kind_names[kind], entry->ordinal, entry->made.name, entry->made.call,
                entry->ended.name, entry->ended.call);
    return NULL;
}

int sim_registry_find(enum sim_kind kind, const void *handle, void *object) {
    const struct entry *entry = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (entry == NULL) return EBADF;
    memcpy(object, &entry->object, sizeof entry->object);
    return 0;
}

void *sim_registry_look(enum sim_kind kind, const void *handle) {
    const struct entry *entry = entry_of(handle, NULL);
    return entry != NULL && entry->kind == kind && entry->live ? entry->object : NULL;
}

uint64_t sim_registry_ordinal(const void *handle) {
    return entry_of(handle, NULL)->ordinal;
}

unsigned sim_registry_party(const void *handle) {
    return entry_of(handle, NULL)->made.party;
}

/* A runtime makes a pool of its own when somebody first allocates, or an event when something is
 * launched, who has not made it. */
static bool counts(const struct entry *entry) {
    return (entry->kind != SIM_POOL && entry->kind != SIM_EVENT) || !entry->own;
}

static void end_entry(uint32_t number) {
    struct entry *entry = entry_at(number);
    entry->live = false;
    entry->ended = sim.site;
    if (counts(entry)) sim.live[entry->made.party]--;
    take_out(&live, number);
    append(&quarantined[entry->kind], number);
}

/* It went with its context, in another thread than that of the runtime which destroys it now. */
static bool is_own_and_gone(enum sim_kind kind, const void *handle) {
    const struct entry *entry = entry_of(handle, NULL);
    bool of_context = kind != SIM_REFERENCE;
    return entry != NULL && entry->kind == kind && entry->own && !entry->live && of_context;
}

int sim_registry_take(enum sim_kind kind, const void *handle, void *object) {
    if (is_own_and_gone(kind, handle)) return EBADF;
    struct entry *entry = find(kind, handle, SIM_DOUBLE_DESTROY);
    if (entry == NULL) return EBADF;
    bool has_owner = kind == SIM_EVENT || kind == SIM_REFERENCE;
    if (has_owner && sim_is_foreign(entry->made.party)) {
        about(entry);
        sim_violate(SIM_NOT_OWNED, "%s %" PRIu64 " is destroyed by another than who made it",
                    kind_names[kind], entry->ordinal);
        return EPERM;
    }
    memcpy(object, &entry->object, sizeof entry->object);
    uint32_t number;
    entry_of(handle, &number);
    end_entry(number);
    return 0;
}

int sim_registry_set_label(enum sim_kind kind, const void *handle, uint64_t label) {
    struct entry *entry = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (entry == NULL) return EBADF;
    entry->label = label;
    return 0;
}

int sim_registry_label(enum sim_kind kind, const void *handle, adi_sim_context *context,
                       uint64_t *label) {
    const struct entry *entry = find(kind, handle, SIM_USE_AFTER_DESTROY);
    if (entry == NULL) return EBADF;
    *context = entry->context == NULL ? NULL : entry->context->handle;
    *label = entry->label;
    return 0;
}

static int own(struct entry *entry) {
    if (entry == NULL) return EBADF;
    bool counted = counts(entry);
    entry->reported = entry->own = true;
    if (counted && !counts(entry)) sim.live[entry->made.party]--;
    return 0;
}

int sim_registry_own(enum sim_kind kind, const void *handle) {
    return own(find(kind, handle, SIM_USE_AFTER_DESTROY));
}

int sim_own(const void *handle) {
    struct entry *entry = entry_of(handle, NULL);
    return own(find(entry == NULL ? SIM_REFERENCE : entry->kind, handle, SIM_USE_AFTER_DESTROY));
}

int sim_site(const char **name, uint64_t *call) {
    *name = sim.site.name;
    *call = sim.site.call;
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
    for (uint32_t number = live.first; number != 0; number = entry_at(number)->next) {
        struct entry *entry = entry_at(number);
        if (context != NULL && entry->context != context) continue;
        if (entry->kind == SIM_CONTEXT) report_allocations(entry->object);
        if (entry->reported) continue;
        entry->reported = true;
        sim_violate(SIM_LEAK, "%s %" PRIu64 " (made by %s in call %" PRIu64 ") was never %s",
                    kind_names[entry->kind], entry->ordinal, entry->made.name, entry->made.call,
                    entry->kind == SIM_CONTEXT ? "closed" : "destroyed");
    }
}

int sim_leaks(void) {
    sim_registry_leaks(NULL);
    return 0;
}

static const struct sim_site *newest_allocation(const struct sim_context *context, unsigned party) {
    const struct sim_allocation *at = context->last;
    while (at != NULL && at->made.party != party) at = at->previous;
    return at == NULL ? NULL : &at->made;
}

int sim_newest(unsigned party, char out[ADI_SIM_LABEL]) {
    const struct sim_site *newest = NULL;
    const char *kind = NULL;
    for (uint32_t number = live.first; number != 0; number = entry_at(number)->next) {
        const struct entry *entry = entry_at(number);
        const struct sim_site *made =
            entry->kind == SIM_CONTEXT ? newest_allocation(entry->object, party) : NULL;
        if (made != NULL && (newest == NULL || made->call > newest->call)) {
            newest = made;
            kind = "allocation";
        }
        if (entry->own || entry->made.party != party) continue;
        if (newest == NULL || entry->made.call > newest->call) {
            newest = &entry->made;
            kind = kind_names[entry->kind];
        }
    }
    if (newest == NULL) return ENOENT;
    snprintf(out, ADI_SIM_LABEL, "%s of %s", kind, newest->name);
    return 0;
}

void sim_registry_end(enum sim_kind kind, const struct sim_context *context,
                      void (*end)(void *object)) {
    for (uint32_t number = live.first, next; number != 0; number = next) {
        const struct entry *entry = entry_at(number);
        next = entry->next;
        if (entry->kind != kind || entry->context != context) continue;
        end_entry(number);
        end(entry->object);
    }
}
