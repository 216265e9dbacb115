/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts: two primary ones, which are counted, those that programs make, and the stack of them
 * that each thread has. A context keeps the name that it got first, since a primary one that is
 * made again is the same to a program. Calls come one at a time (driver_entry.c), but for those
 * that wait.
 */
#include <string.h>

#include "driver.h"

#define API_VERSION 3020

struct item {
    CUcontext name;
    adi_sim_context context; /* NULL: destroyed, or not made yet */
    adi_sim_context ended;   /* then: what it was */
    adi_sim_queue legacy;
    int device;
    unsigned flags, retained; /* retained: of a primary one */
    unsigned long long id;
    uint64_t peers; /* the items whose memory it may reach */
};

static struct item items[CUDA_CONTEXTS]; /* the first are the primary ones */
static unsigned long long ids;

static _Thread_local struct {
    CUcontext at[CUDA_CONTEXTS];
    size_t n;
} stack;

/* ---- finding ---- */

static struct item *item_of(CUcontext name) {
    for (size_t i = 0; name != NULL && i < CUDA_CONTEXTS; i++)
        if (items[i].name == name) return &items[i];
    return NULL;
}

static CUresult find(CUcontext name, struct cuda_scope *out) {
    CUresult code = CUDA_SUCCESS;
    const struct item *item = item_of(name);
    if (item == NULL)
        code = CUDA_ERROR_INVALID_CONTEXT;
    else if (item->context == NULL)
        code = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    else
        *out = (struct cuda_scope){.name = item->name,
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
static void report(CUcontext name, bool ends) {
    const struct item *item = item_of(name);
    adi_sim_context handle = item != NULL ? item->ended : (adi_sim_context)name;
    if (ends && !adi_sim_is_live(handle, NULL))
        adi_sim_context_discard(handle);
    else
        adi_sim_memory_info(handle, NULL, NULL);
}

CUresult cuda_find_context(CUcontext name, struct cuda_scope *out) {
    CUresult code = find(name, out);
    if (code != CUDA_SUCCESS) report(name, false);
    return code;
}

/* That it was destroyed meanwhile is told by the answer alone: programs ask so whether it was. */
CUresult cuda_current(struct cuda_scope *out) {
    return find(stack.n == 0 ? NULL : stack.at[stack.n - 1], out);
}

CUcontext cuda_context_name(adi_sim_context context) {
    CUcontext name = NULL;
    for (size_t i = 0; context != NULL && i < CUDA_CONTEXTS; i++)
        if (items[i].context == context) name = items[i].name;
    return name;
}

uint64_t cuda_contexts_of(int device) {
    uint64_t found = 0;
    for (size_t i = 0; i < CUDA_CONTEXTS; i++)
        if (items[i].context != NULL && items[i].device == device) found |= (uint64_t)1 << i;
    return found;
}

adi_sim_context cuda_context_on(int device) {
    uint64_t alive = cuda_contexts_of(device);
    if (items[device].context != NULL) return items[device].context;
    for (size_t i = 0; i < CUDA_CONTEXTS; i++)
        if (alive >> i & 1) return items[i].context;
    return NULL;
}

/* Nothing is waited for, so none of them is destroyed meanwhile. */
int cuda_order(uint64_t contexts, adi_sim_queue queue,
               int (*order)(adi_sim_context context, adi_sim_queue queue)) {
    int code = 0;
    for (size_t i = 0; code == 0 && i < CUDA_CONTEXTS; i++)
        if (contexts >> i & 1 && items[i].context != NULL) code = order(items[i].context, queue);
    return code;
}

/* ---- making ---- */

static CUresult make(struct item *item, CUdevice device, unsigned flags) {
    adi_sim_context context;
    adi_sim_queue legacy;
    int code = adi_sim_context_open(CUDA_FAMILY, cuda_index(device), &context);
    if (code != 0) return cuda_error(code);
    code = adi_sim_queue_create(context, ADI_SIM_DEFAULT_QUEUE | ADI_SIM_OWN_QUEUE, &legacy);
    if (code != 0) {
        adi_sim_context_discard(context);
        return cuda_error(code);
    }
    bool primary = item < items + ADI_SIM_DEVICES;
    if (primary) adi_sim_context_own(context);
    *item = (struct item){.name = primary && item->name != NULL ? item->name : (CUcontext)context,
                          .context = context,
                          .legacy = legacy,
                          .device = device,
                          .flags = flags,
                          .retained = item->retained,
                          .id = ++ids};
    return CUDA_SUCCESS;
}

/* Takes it out of its item. Whoever could reach its memory cannot reach that of the next one in its
 * place. */
static adi_sim_context take(struct item *item) {
    adi_sim_context context = item->context;
    for (size_t i = 0; i < CUDA_CONTEXTS; i++) items[i].peers &= ~((uint64_t)1 << (item - items));
    item->context = NULL;
    item->ended = context;
    return context;
}

/* Out of its item before: its work is waited for, and others call meanwhile. */
static CUresult end(adi_sim_context context) {
    if (context == NULL) return CUDA_SUCCESS;
    int code = adi_sim_context_discard(context);
    cuda_unregister_all(context);
    return cuda_error(code);
}

/* ---- primary contexts ---- */

CUresult cuda_cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CUresult code = CUDA_SUCCESS;
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (context == NULL) return CUDA_ERROR_INVALID_VALUE;
    struct item *item = &items[device];
    if (item->context == NULL) code = make(item, device, item->flags);
    if (code == CUDA_SUCCESS) {
        item->retained++;
        *context = item->name;
    }
    return code;
}

CUresult cuda_cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    adi_sim_context ended = NULL;
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    struct item *item = &items[device];
    bool retained = item->retained > 0;
    if (retained && --item->retained == 0) ended = take(item);
    return retained ? end(ended) : CUDA_ERROR_INVALID_CONTEXT;
}

/* Whoever has retained it has an empty one from now on: it is there before the old one ends. */
CUresult cuda_cuDevicePrimaryCtxReset_v2(CUdevice device) {
    CUresult made = CUDA_SUCCESS;
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    struct item *item = &items[device];
    adi_sim_context ended = take(item);
    if (item->retained > 0) made = make(item, device, item->flags);
    CUresult code = end(ended);
    return code == CUDA_SUCCESS ? made : code;
}

CUresult cuda_cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (flags == NULL || active == NULL) return CUDA_ERROR_INVALID_VALUE;
    *flags = items[device].flags;
    *active = items[device].context != NULL;
    return CUDA_SUCCESS;
}

static bool are_flags(unsigned flags) {
    return flags <= CU_CTX_FLAGS_MASK && (flags & CU_CTX_SCHED_MASK) <= 4 &&
           (flags & CU_CTX_SCHED_MASK) != 3;
}

CUresult cuda_cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (!are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    items[device].flags = flags;
    return CUDA_SUCCESS;
}

/* ---- those that programs make ---- */

static CUresult push(CUcontext name) {
    if (stack.n == CUDA_CONTEXTS) return CUDA_ERROR_OUT_OF_MEMORY;
    stack.at[stack.n++] = name;
    return CUDA_SUCCESS;
}

/* One that was never used, else the next that was destroyed: for a while those are known as such.
 */
static struct item *free_item(void) {
    static size_t turn;
    struct item *oldest = NULL;
    for (size_t i = ADI_SIM_DEVICES; i < CUDA_CONTEXTS; i++)
        if (items[i].name == NULL) return &items[i];
    for (size_t i = 0; oldest == NULL && i < CUDA_CONTEXTS; i++) {
        size_t at = turn++ % CUDA_CONTEXTS;
        if (at >= ADI_SIM_DEVICES && items[at].context == NULL) oldest = &items[at];
    }
    return oldest;
}

CUresult cuda_cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
    if (context == NULL || !are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    if (!cuda_is_visible(device)) return CUDA_ERROR_INVALID_DEVICE;
    struct item *item = free_item();
    bool room = item != NULL && stack.n < CUDA_CONTEXTS;
    CUresult code = room ? make(item, device, flags) : CUDA_ERROR_OUT_OF_MEMORY;
    if (code == CUDA_SUCCESS) code = push(*context = item->name);
    return code;
}

CUresult cuda_cuCtxCreate_v3(CUcontext *context, void *affinity, int n, unsigned flags,
                             CUdevice device) {
    if (affinity != NULL || n != 0) return cuda_unserved("cuCtxCreate_v3");
    return cuda_cuCtxCreate_v2(context, flags, device);
}

CUresult cuda_cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags,
                             CUdevice device) {
    if (parameters != NULL) return cuda_unserved("cuCtxCreate_v4");
    return cuda_cuCtxCreate_v2(context, flags, device);
}

/* Whatever is no handle of the engine does to report it. */
static CUresult refuse_primary(void) {
    adi_sim_remark("cuCtxDestroy", "a primary context is released or reset, and not destroyed");
    adi_sim_memory_info((adi_sim_context)(void *)items, NULL, NULL);
    return CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuda_cuCtxDestroy_v2(CUcontext context) {
    struct cuda_scope scope;
    CUresult code = find(context, &scope);
    if (code != CUDA_SUCCESS) {
        report(context, true);
        return code;
    }
    if (scope.item < ADI_SIM_DEVICES) return refuse_primary();
    if (stack.n > 0 && stack.at[stack.n - 1] == context) stack.n--;
    return end(take(&items[scope.item]));
}

/* ---- the stack ---- */

CUresult cuda_cuCtxPushCurrent_v2(CUcontext context) {
    struct cuda_scope scope;
    CUresult code = cuda_find_context(context, &scope);
    return code == CUDA_SUCCESS ? push(context) : code;
}

CUresult cuda_cuCtxPopCurrent_v2(CUcontext *context) {
    if (stack.n == 0) return CUDA_ERROR_INVALID_CONTEXT;
    stack.n--;
    if (context != NULL) *context = stack.at[stack.n];
    return CUDA_SUCCESS;
}

CUresult cuda_cuCtxSetCurrent(CUcontext context) {
    struct cuda_scope scope;
    if (context == NULL) {
        if (stack.n > 0) stack.n--;
        return CUDA_SUCCESS;
    }
    SIM_TRY(cuda_find_context(context, &scope));
    if (stack.n == 0) return push(context);
    stack.at[stack.n - 1] = context;
    return CUDA_SUCCESS;
}

CUresult cuda_cuCtxGetCurrent(CUcontext *context) {
    if (context == NULL) return CUDA_ERROR_INVALID_VALUE;
    *context = stack.n == 0 ? NULL : stack.at[stack.n - 1];
    return CUDA_SUCCESS;
}

/* ---- what there is to know of one ---- */

/* NULL stands for the current one. */
static CUresult find_or_current(CUcontext name, struct cuda_scope *out) {
    return name == NULL ? cuda_current(out) : cuda_find_context(name, out);
}

CUresult cuda_cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    struct cuda_scope scope;
    if (device == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = find_or_current(context, &scope);
    if (code == CUDA_SUCCESS) *device = scope.device;
    return code;
}

CUresult cuda_cuCtxGetDevice(CUdevice *device) {
    return cuda_cuCtxGetDevice_v2(device, NULL);
}

CUresult cuda_cuCtxGetFlags(unsigned *flags) {
    struct cuda_scope scope;
    if (flags == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_current(&scope);
    if (code == CUDA_SUCCESS) *flags = scope.flags;
    return code;
}

CUresult cuda_cuCtxSetFlags(unsigned flags) {
    struct cuda_scope scope;
    if (!are_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_current(&scope);
    if (code == CUDA_SUCCESS) items[scope.item].flags = flags;
    return code;
}

CUresult cuda_cuCtxGetId(CUcontext context, unsigned long long *id) {
    struct cuda_scope scope;
    if (id == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = find_or_current(context, &scope);
    if (code == CUDA_SUCCESS) *id = scope.id;
    return code;
}

CUresult cuda_cuCtxGetApiVersion(CUcontext context, unsigned *version) {
    struct cuda_scope scope;
    if (version == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = find_or_current(context, &scope);
    if (code == CUDA_SUCCESS) *version = API_VERSION;
    return code;
}

CUresult cuda_cuCtxSynchronize_v2(CUcontext context) {
    struct cuda_scope scope;
    CUresult code = find_or_current(context, &scope);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_context_sync(scope.context)) : code;
}

CUresult cuda_cuCtxSynchronize(void) {
    return cuda_cuCtxSynchronize_v2(NULL);
}

/* ---- peers: copies do not ask for it, so it is only kept in mind ---- */

static CUresult set_peer(CUcontext peer, bool reach, CUresult already) {
    struct cuda_scope mine, other;
    CUresult code = cuda_current(&mine);
    if (code == CUDA_SUCCESS) code = cuda_find_context(peer, &other);
    if (code != CUDA_SUCCESS) return code;
    if (mine.device == other.device) return CUDA_ERROR_INVALID_DEVICE;
    uint64_t bit = (uint64_t)1 << other.item;
    uint64_t *peers = &items[mine.item].peers;
    if (reach == ((*peers & bit) != 0))
        code = already;
    else
        *peers ^= bit;
    return code;
}

CUresult cuda_cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return set_peer(peer, true, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
}

CUresult cuda_cuCtxDisablePeerAccess(CUcontext peer) {
    return set_peer(peer, false, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}
