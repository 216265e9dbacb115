/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: two primary ones, which are counted, those that programs make, and the stack of them
 * that each thread has. A context keeps the name that it got first, since a primary one that is
 * made again is the same to a program. Calls come one at a time (driver_entry.c), but for those
 * that wait.
 */
#include <string.h>

#include "captured.h"

#define API_VERSION 3020

struct item {
    driver_context name;
    adi_sim_context context; /* NULL: destroyed, or not made yet */
    adi_sim_context ended;   /* then: what it was */
    adi_sim_queue legacy;
    int device;
    unsigned flags, retained; /* retained: of a primary one */
    unsigned long long id;
    uint64_t peers; /* the items whose memory it may reach */
};

static struct item items[DRIVER_CONTEXTS]; /* the first are the primary ones */
static unsigned long long ids;

static _Thread_local struct {
    driver_context at[DRIVER_CONTEXTS];
    size_t n;
} stack;

/* ---- finding ---- */

static struct item *item_of(driver_context name) {
    for (size_t i = 0; name != NULL && i < DRIVER_CONTEXTS; i++)
        if (items[i].name == name) return &items[i];
    return NULL;
}

static driver_code find(driver_context name, struct driver_scope *out) {
    driver_code code = DRIVER_SUCCESS;
    const struct item *item = item_of(name);
    if (item == NULL)
        code = DRIVER_INVALID_CONTEXT;
    else if (item->context == NULL)
        code = DRIVER_CONTEXT_IS_DESTROYED;
    else
        *out = (struct driver_scope){.name = item->name,
                                     .context = item->context,
                                     .legacy = item->legacy,
                                     .device = item->device,
                                     .item = (int)(item - items),
                                     .flags = item->flags,
                                     .id = item->id};
    return code;
}

/* Says what is wrong with a name, which find has refused; `ends`: it should have been destroyed. A
 * context of another interface is merely refused. */
static void report(driver_context name, bool ends) {
    const struct item *item = item_of(name);
    adi_sim_context handle = item != NULL ? item->ended : (adi_sim_context)name;
    if (ends && !adi_sim_is_live(handle, NULL))
        adi_sim_context_discard(handle);
    else
        adi_sim_memory_info(handle, NULL, NULL);
}

driver_code driver_find_context(driver_context name, struct driver_scope *out) {
    driver_code code = find(name, out);
    if (code != DRIVER_SUCCESS) report(name, false);
    return code;
}

/* That it was destroyed meanwhile is told by the answer alone: programs ask so whether it was. */
driver_code driver_current(struct driver_scope *out) {
    return find(stack.n == 0 ? NULL : stack.at[stack.n - 1], out);
}

driver_context driver_context_name(adi_sim_context context) {
    driver_context name = NULL;
    for (size_t i = 0; context != NULL && i < DRIVER_CONTEXTS; i++)
        if (items[i].context == context) name = items[i].name;
    return name;
}

uint64_t driver_contexts_of(int device) {
    uint64_t found = 0;
    for (size_t i = 0; i < DRIVER_CONTEXTS; i++)
        if (items[i].context != NULL && items[i].device == device) found |= (uint64_t)1 << i;
    return found;
}

adi_sim_context driver_context_on(int device) {
    uint64_t alive = driver_contexts_of(device);
    if (items[device].context != NULL) return items[device].context;
    for (size_t i = 0; i < DRIVER_CONTEXTS; i++)
        if (alive >> i & 1) return items[i].context;
    return NULL;
}

/* Nothing is waited for, so none of them is destroyed meanwhile. */
int driver_order(uint64_t contexts, adi_sim_queue queue,
                 int (*order)(adi_sim_context context, adi_sim_queue queue)) {
    int code = 0;
    for (size_t i = 0; code == 0 && i < DRIVER_CONTEXTS; i++)
        if (contexts >> i & 1 && items[i].context != NULL) code = order(items[i].context, queue);
    return code;
}

/* ---- making ---- */

static driver_code make(struct item *item, int device, unsigned flags) {
    adi_sim_context context;
    adi_sim_queue legacy;
    int code = adi_sim_context_open(driver_facade.family, driver_index(device), &context);
    if (code != 0) return driver_error(code);
    code = adi_sim_queue_create(context, ADI_SIM_DEFAULT_QUEUE | ADI_SIM_OWN_QUEUE, &legacy);
    if (code != 0) {
        adi_sim_context_discard(context);
        return driver_error(code);
    }
    bool primary = item < items + ADI_SIM_DEVICES;
    if (primary) adi_sim_context_own(context);
    *item =
        (struct item){.name = primary && item->name != NULL ? item->name : (driver_context)context,
                      .context = context,
                      .legacy = legacy,
                      .device = device,
                      .flags = flags,
                      .retained = item->retained,
                      .id = ++ids};
    return DRIVER_SUCCESS;
}

/* Takes it out of its item. Whoever could reach its memory cannot reach that of the next one in its
 * place. */
static adi_sim_context take(struct item *item) {
    adi_sim_context context = item->context;
    for (size_t i = 0; i < DRIVER_CONTEXTS; i++) items[i].peers &= ~((uint64_t)1 << (item - items));
    item->context = NULL;
    item->ended = context;
    return context;
}

/* Out of its item before: its work is waited for, and others call meanwhile. */
static driver_code end(adi_sim_context context) {
    if (context == NULL) return DRIVER_SUCCESS;
    int code = adi_sim_context_discard(context);
    driver_unregister_all(context);
    driver_capture_forget_context(context);
    return driver_error(code);
}

/* ---- primary contexts ---- */

driver_code driver_primary_retain(driver_context *context, int device) {
    driver_code code = DRIVER_SUCCESS;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    if (context == NULL) return DRIVER_INVALID_VALUE;
    struct item *item = &items[device];
    if (item->context == NULL) code = make(item, device, item->flags);
    if (code == DRIVER_SUCCESS) {
        item->retained++;
        *context = item->name;
    }
    return code;
}

driver_code driver_primary_release(int device) {
    adi_sim_context ended = NULL;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    struct item *item = &items[device];
    bool retained = item->retained > 0;
    if (retained && --item->retained == 0) ended = take(item);
    return retained ? end(ended) : DRIVER_INVALID_CONTEXT;
}

/* Whoever has retained it has an empty one from now on: it is there before the old one ends. */
driver_code driver_primary_reset(int device) {
    driver_code made = DRIVER_SUCCESS;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    struct item *item = &items[device];
    adi_sim_context ended = take(item);
    if (item->retained > 0) made = make(item, device, item->flags);
    driver_code code = end(ended);
    return code == DRIVER_SUCCESS ? made : code;
}

driver_code driver_primary_state(int device, unsigned *flags, int *active) {
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    if (flags == NULL || active == NULL) return DRIVER_INVALID_VALUE;
    *flags = items[device].flags;
    *active = items[device].context != NULL;
    return DRIVER_SUCCESS;
}

static bool are_flags(unsigned flags) {
    return flags <= DRIVER_CTX_FLAGS_MASK && (flags & DRIVER_CTX_SCHED_MASK) <= 4 &&
           (flags & DRIVER_CTX_SCHED_MASK) != 3;
}

driver_code driver_primary_set_flags(int device, unsigned flags) {
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    if (!are_flags(flags)) return DRIVER_INVALID_VALUE;
    items[device].flags = flags;
    return DRIVER_SUCCESS;
}

/* ---- those that programs make ---- */

static driver_code push(driver_context name) {
    if (stack.n == DRIVER_CONTEXTS) return DRIVER_OUT_OF_MEMORY;
    stack.at[stack.n++] = name;
    return DRIVER_SUCCESS;
}

/* One that was never used, else the next that was destroyed: for a while those are known as such.
 */
static struct item *free_item(void) {
    static size_t turn;
    struct item *oldest = NULL;
    for (size_t i = ADI_SIM_DEVICES; i < DRIVER_CONTEXTS; i++)
        if (items[i].name == NULL) return &items[i];
    for (size_t i = 0; oldest == NULL && i < DRIVER_CONTEXTS; i++) {
        size_t at = turn++ % DRIVER_CONTEXTS;
        if (at >= ADI_SIM_DEVICES && items[at].context == NULL) oldest = &items[at];
    }
    return oldest;
}

driver_code driver_context_create(driver_context *context, unsigned flags, int device) {
    if (context == NULL || !are_flags(flags)) return DRIVER_INVALID_VALUE;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    struct item *item = free_item();
    bool room = item != NULL && stack.n < DRIVER_CONTEXTS;
    driver_code code = room ? make(item, device, flags) : DRIVER_OUT_OF_MEMORY;
    if (code == DRIVER_SUCCESS) code = push(*context = item->name);
    return code;
}

/* Whatever is no handle of the engine does to report it. */
static driver_code refuse_primary(void) {
    driver_remark("a primary context is released or reset, and not destroyed");
    adi_sim_memory_info((adi_sim_context)(void *)items, NULL, NULL);
    return DRIVER_INVALID_CONTEXT;
}

driver_code driver_context_destroy(driver_context context) {
    struct driver_scope scope;
    driver_code code = find(context, &scope);
    if (code != DRIVER_SUCCESS) {
        report(context, true);
        return code;
    }
    if (scope.item < ADI_SIM_DEVICES) return refuse_primary();
    if (stack.n > 0 && stack.at[stack.n - 1] == context) stack.n--;
    return end(take(&items[scope.item]));
}

/* ---- the stack ---- */

driver_code driver_context_push(driver_context context) {
    struct driver_scope scope;
    driver_code code = driver_find_context(context, &scope);
    return code == DRIVER_SUCCESS ? push(context) : code;
}

driver_code driver_context_pop(driver_context *context) {
    if (stack.n == 0) return DRIVER_INVALID_CONTEXT;
    stack.n--;
    if (context != NULL) *context = stack.at[stack.n];
    return DRIVER_SUCCESS;
}

driver_code driver_context_set_current(driver_context context) {
    struct driver_scope scope;
    if (context == NULL) {
        if (stack.n > 0) stack.n--;
        return DRIVER_SUCCESS;
    }
    SIM_TRY(driver_find_context(context, &scope));
    if (stack.n == 0) return push(context);
    stack.at[stack.n - 1] = context;
    return DRIVER_SUCCESS;
}

driver_code driver_context_get_current(driver_context *context) {
    if (context == NULL) return DRIVER_INVALID_VALUE;
    *context = stack.n == 0 ? NULL : stack.at[stack.n - 1];
    return DRIVER_SUCCESS;
}

/* ---- what there is to know of one ---- */

/* NULL stands for the current one. */
static driver_code find_or_current(driver_context name, struct driver_scope *out) {
    return name == NULL ? driver_current(out) : driver_find_context(name, out);
}

driver_code driver_context_device(int *device, driver_context context) {
    struct driver_scope scope;
    if (device == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = find_or_current(context, &scope);
    if (code == DRIVER_SUCCESS) *device = scope.device;
    return code;
}

driver_code driver_context_flags(unsigned *flags) {
    struct driver_scope scope;
    if (flags == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = driver_current(&scope);
    if (code == DRIVER_SUCCESS) *flags = scope.flags;
    return code;
}

driver_code driver_context_set_flags(unsigned flags) {
    struct driver_scope scope;
    if (!are_flags(flags)) return DRIVER_INVALID_VALUE;
    driver_code code = driver_current(&scope);
    if (code == DRIVER_SUCCESS) items[scope.item].flags = flags;
    return code;
}

driver_code driver_context_id(driver_context context, unsigned long long *id) {
    struct driver_scope scope;
    if (id == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = find_or_current(context, &scope);
    if (code == DRIVER_SUCCESS) *id = scope.id;
    return code;
}

driver_code driver_context_version(driver_context context, unsigned *version) {
    struct driver_scope scope;
    if (version == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = find_or_current(context, &scope);
    if (code == DRIVER_SUCCESS) *version = API_VERSION;
    return code;
}

driver_code driver_context_sync(driver_context context) {
    struct driver_scope scope;
    driver_code code = find_or_current(context, &scope);
    if (code == DRIVER_SUCCESS) code = driver_capture_forbid_context(scope.context);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_context_sync(scope.context)) : code;
}

/* ---- peers: fills ask for it, copies do not ---- */

bool driver_context_reaches(adi_sim_context from, adi_sim_context to) {
    uint64_t peers = 0, wanted = 0;
    for (size_t i = 0; i < DRIVER_CONTEXTS; i++) {
        if (items[i].context == from) peers = items[i].peers;
        if (items[i].context == to) wanted = (uint64_t)1 << i;
    }
    return (peers & wanted) != 0;
}

static driver_code set_peer(driver_context peer, bool reach, driver_code already) {
    struct driver_scope mine, other;
    driver_code code = driver_current(&mine);
    if (code == DRIVER_SUCCESS) code = driver_find_context(peer, &other);
    if (code != DRIVER_SUCCESS) return code;
    if (mine.device == other.device) return DRIVER_INVALID_DEVICE;
    uint64_t bit = (uint64_t)1 << other.item;
    uint64_t *peers = &items[mine.item].peers;
    if (reach == ((*peers & bit) != 0))
        code = already;
    else
        *peers ^= bit;
    return code;
}

driver_code driver_context_enable_peer(driver_context peer, unsigned flags) {
    if (flags != 0) return DRIVER_INVALID_VALUE;
    return set_peer(peer, true, DRIVER_PEER_ACCESS_ALREADY_ENABLED);
}

driver_code driver_context_disable_peer(driver_context peer) {
    return set_peer(peer, false, DRIVER_PEER_ACCESS_NOT_ENABLED);
}
