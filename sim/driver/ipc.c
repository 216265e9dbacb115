/* SPDX-License-Identifier: Apache-2.0
 *
 * Sharing memory between processes, as far as one process sees it. Nothing is shared: the bytes of
 * device memory are this process's own, and the order of what is done to them is known to its
 * engine only.
 */
#include <string.h>
#include <unistd.h>

#include "driver_internal.h"

/* What is in a handle, which programs hand around without looking into it. */
struct content {
    char kind[8];
    uint64_t process, ordinal; /* of the allocation in the log */
};

static const char kind[8] = "adisim";

_Static_assert(sizeof(struct content) <= sizeof(driver_ipc_handle), "it has room");

bool driver_has_handle(const struct adi_sim_found *found) {
    return found->memory == ADI_SIM_DEVICE && !found->on_queue;
}

driver_code driver_ipc_get(driver_ipc_handle *handle, driver_pointer pointer) {
    struct driver_scope scope;
    struct adi_sim_found found;
    struct content content = {.process = (uint64_t)getpid()};
    if (handle == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_current(&scope));
    if (!driver_find(driver_at(pointer), &found) || !driver_has_handle(&found))
        return DRIVER_INVALID_VALUE;
    memcpy(content.kind, kind, sizeof kind);
    content.ordinal = found.ordinal;
    *handle = (driver_ipc_handle){{0}};
    memcpy(handle, &content, sizeof content);
    return DRIVER_SUCCESS;
}

/* A driver opens no handle in the process that it is of. */
driver_code driver_ipc_open(driver_pointer *pointer, driver_ipc_handle handle, unsigned flags) {
    struct driver_scope scope;
    struct content content;
    if (pointer == NULL || flags != DRIVER_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_current(&scope));
    memcpy(&content, &handle, sizeof content);
    if (memcmp(content.kind, kind, sizeof kind) != 0) return DRIVER_INVALID_HANDLE;
    if (content.process == (uint64_t)getpid()) return DRIVER_INVALID_CONTEXT;
    return driver_unserved();
}

/* Nothing was ever opened. */
driver_code driver_ipc_close(driver_pointer pointer) {
    struct driver_scope scope;
    (void)pointer;
    driver_code code = driver_current(&scope);
    return code == DRIVER_SUCCESS ? DRIVER_INVALID_VALUE : code;
}
