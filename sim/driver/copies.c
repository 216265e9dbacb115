/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills, and what each of them waits for (CUDA Driver API, "API synchronization
 * behavior").
 */
#include <stdlib.h>
#include <string.h>

#include "captures.h"

/* What the function says of a pointer. */
enum role {
    HOST,   /* of the host: pageable or pinned */
    DEVICE, /* of a device, managed, pinned, or registered */
    EITHER,
};

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    enum role to_role, from_role;
};

static bool of_host(enum driver_memory memory) {
    return memory == DRIVER_PAGEABLE || memory == DRIVER_PINNED || memory == DRIVER_REGISTERED;
}

static bool find_of_device(const void *pointer, struct adi_sim_found *found) {
    return driver_find(pointer, found) && found->memory == ADI_SIM_DEVICE;
}

/* The contexts that a copy between the two, memory of devices, is alone in, if it is in the
 * implicit NULL stream; 0: they are of the same device. */
static uint64_t contexts_between(const void *to, const void *from) {
    struct adi_sim_found target, source;
    bool both = find_of_device(to, &target) && find_of_device(from, &source);
    if (!both || target.device == source.device) return 0;
    return driver_contexts_of(target.device) | driver_contexts_of(source.device);
}

static bool is_within_device(const struct copy *copy) {
    struct adi_sim_found target, source;
    return find_of_device(copy->to, &target) && find_of_device(copy->from, &source) &&
           target.device == source.device;
}

/* A synchronous copy that has to do with memory of the host is done when it returns. From pageable
 * memory it is staged: the source has been read, but the device may not have it yet. Between
 * devices it is not waited for at all. */
static unsigned sync_flags(const struct copy *copy, enum driver_memory to,
                           enum driver_memory from) {
    if (driver_facade.copies_wait) return is_within_device(copy) ? 0 : ADI_SIM_WAIT;
    bool host_to = copy->to_role == HOST || (copy->to_role == EITHER && of_host(to));
    bool host_from = copy->from_role == HOST || (copy->from_role == EITHER && of_host(from));
    if (!host_to && from == DRIVER_PAGEABLE) return ADI_SIM_STAGED;
    return host_to || host_from ? ADI_SIM_WAIT : 0;
}

static bool fits(enum role role, enum driver_memory memory) {
    return memory != DRIVER_FOREIGN && (role != HOST || memory != DRIVER_ON_DEVICE);
}

/* What has to be an allocation, or registered. */
static bool is_of_device(enum role role, const void *pointer, size_t bytes) {
    return role == DEVICE && !driver_is_registered(pointer, bytes);
}

static driver_code copy_on(adi_sim_queue queue, const struct copy *copy, bool sync,
                           unsigned flags) {
    enum driver_memory to = driver_memory_of(copy->to), from = driver_memory_of(copy->from);
    flags |= ADI_SIM_PEERS;
    if (!fits(copy->to_role, to) || !fits(copy->from_role, from)) return DRIVER_INVALID_VALUE;
    if (driver_is_for_reads(copy->to))
        return driver_misused("a copy writes memory that is registered for reads only");
    if (is_of_device(copy->to_role, copy->to, copy->bytes)) flags |= ADI_SIM_TO_ALLOCATION;
    if (is_of_device(copy->from_role, copy->from, copy->bytes)) flags |= ADI_SIM_FROM_ALLOCATION;
    if (sync) flags |= sync_flags(copy, to, from);
    if (of_host(to) && of_host(from)) flags |= ADI_SIM_WAIT; /* that is always synchronous */
    return driver_error(adi_sim_copy(queue, copy->to, copy->from, copy->bytes, flags));
}

/* Behind all that is in the contexts, and before all that comes later there. */
static driver_code copy_alone(uint64_t contexts, adi_sim_queue queue, const struct copy *what) {
    int error = driver_order(contexts, queue, adi_sim_context_before);
    driver_code code = error == 0 ? copy_on(queue, what, true, 0) : driver_error(error);
    if (code != DRIVER_SUCCESS) return code;
    return driver_error(driver_order(contexts, queue, adi_sim_context_behind));
}

static driver_copy_side side_of(const void *pointer) {
    bool host = of_host(driver_memory_of(pointer));
    return (driver_copy_side){.type = host ? DRIVER_MEMORYTYPE_HOST : DRIVER_MEMORYTYPE_DEVICE,
                              .host = host ? pointer : NULL,
                              .device = host ? 0 : (uintptr_t)pointer};
}

/* What is wrong with it is seen when the graph is launched. */
static driver_code capture_copy(struct driver_branch *branch, const struct copy *what) {
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_MEMCPY,
                               .box = {.from = side_of(what->from),
                                       .to = side_of(what->to),
                                       .width = what->bytes,
                                       .height = 1,
                                       .depth = 1}};
    if (what->bytes == 0) work = (struct driver_work){.type = DRIVER_GRAPH_NODE_TYPE_EMPTY};
    return driver_capture_work(branch, &work);
}

/* In the implicit NULL stream, which is the legacy one, a copy between two devices is alone on both
 * (CUDA Programming Guide, "Peer-to-Peer Memory Copy"). */
static driver_code copy(bool per_thread, driver_stream stream, bool sync, struct copy what) {
    adi_sim_queue queue;
    struct driver_branch *branch;
    SIM_TRY(sync ? driver_capture_unsafe() : DRIVER_SUCCESS);
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL && !sync) return capture_copy(branch, &what);
    driver_code code = driver_queue(per_thread, stream, NULL, &queue);
    if (code != DRIVER_SUCCESS || what.bytes == 0) return code;
    if (!sync || per_thread) return copy_on(queue, &what, sync, 0);
    return copy_alone(contexts_between(what.to, what.from), queue, &what);
}

/* ---- between anything ---- */

driver_code driver_copy(adi_sim_queue queue, void *to, const void *from, size_t bytes,
                        unsigned flags) {
    const struct copy what = {to, from, bytes, EITHER, EITHER};
    return copy_on(queue, &what, false, flags);
}

driver_code driver_copy_any(bool per_thread, driver_pointer to, driver_pointer from, size_t bytes) {
    return copy(per_thread, NULL, true,
                (struct copy){driver_at(to), driver_at(from), bytes, EITHER, EITHER});
}

driver_code driver_copy_any_async(bool per_thread, driver_pointer to, driver_pointer from,
                                  size_t bytes, driver_stream stream) {
    return copy(per_thread, stream, false,
                (struct copy){driver_at(to), driver_at(from), bytes, EITHER, EITHER});
}

/* ---- with a direction ---- */

driver_code driver_copy_in(bool per_thread, driver_pointer to, const void *from, size_t bytes) {
    return copy(per_thread, NULL, true, (struct copy){driver_at(to), from, bytes, DEVICE, HOST});
}

driver_code driver_copy_in_async(bool per_thread, driver_pointer to, const void *from, size_t bytes,
                                 driver_stream stream) {
    return copy(per_thread, stream, false, (struct copy){driver_at(to), from, bytes, DEVICE, HOST});
}

driver_code driver_copy_out(bool per_thread, void *to, driver_pointer from, size_t bytes) {
    return copy(per_thread, NULL, true, (struct copy){to, driver_at(from), bytes, HOST, DEVICE});
}

driver_code driver_copy_out_async(bool per_thread, void *to, driver_pointer from, size_t bytes,
                                  driver_stream stream) {
    return copy(per_thread, stream, false, (struct copy){to, driver_at(from), bytes, HOST, DEVICE});
}

driver_code driver_copy_within(bool per_thread, driver_pointer to, driver_pointer from,
                               size_t bytes) {
    return copy(per_thread, NULL, true,
                (struct copy){driver_at(to), driver_at(from), bytes, DEVICE, DEVICE});
}

driver_code driver_copy_within_async(bool per_thread, driver_pointer to, driver_pointer from,
                                     size_t bytes, driver_stream stream) {
    return copy(per_thread, stream, false,
                (struct copy){driver_at(to), driver_at(from), bytes, DEVICE, DEVICE});
}

/* ---- of several rows ---- */

static driver_copy_side side_of_rows(const driver_rows_side *side) {
    return (driver_copy_side){.x = side->x,
                              .y = side->y,
                              .type = side->type,
                              .host = side->host,
                              .device = side->device,
                              .pitch = side->pitch};
}

static enum role role_of(const driver_copy_side *side) {
    return side->type == DRIVER_MEMORYTYPE_DEVICE ? DEVICE : EITHER;
}

/* From the last row on: what goes beyond the end does so there, before anything is copied. */
static driver_code copy_each(bool per_thread, driver_stream stream, bool sync,
                             const driver_box_kind *box) {
    driver_code code = DRIVER_SUCCESS;
    for (size_t y = box->height; code == DRIVER_SUCCESS && y-- > 0;)
        code = copy(per_thread, stream, sync,
                    (struct copy){driver_row_of(&box->to, y, 0), driver_row_of(&box->from, y, 0),
                                  box->width, role_of(&box->to), role_of(&box->from)});
    return code;
}

static driver_code copy_rows(bool per_thread, driver_stream stream, bool sync,
                             const driver_rows_kind *rows) {
    adi_sim_queue queue;
    struct driver_branch *branch = NULL;
    if (rows == NULL) return DRIVER_INVALID_VALUE;
    if (rows->from.type == DRIVER_MEMORYTYPE_ARRAY || rows->to.type == DRIVER_MEMORYTYPE_ARRAY)
        return driver_unserved();
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_MEMCPY,
                               .box = {.from = side_of_rows(&rows->from),
                                       .to = side_of_rows(&rows->to),
                                       .width = rows->width,
                                       .height = rows->height,
                                       .depth = 1}};
    if (!driver_box_is_sound(&work.box)) return DRIVER_INVALID_VALUE;
    bool any = rows->width > 0 && rows->height > 0;
    SIM_TRY(sync ? DRIVER_SUCCESS : driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL) return any ? driver_capture_work(branch, &work) : DRIVER_SUCCESS;
    if (any) return copy_each(per_thread, stream, sync, &work.box);
    return driver_queue(per_thread, stream, NULL, &queue);
}

driver_code driver_copy_rows(bool per_thread, const driver_rows_kind *rows) {
    return copy_rows(per_thread, NULL, true, rows);
}

driver_code driver_copy_rows_async(bool per_thread, const driver_rows_kind *rows,
                                   driver_stream stream) {
    return copy_rows(per_thread, stream, false, rows);
}

/* ---- fills: those of memory that the CPU can see are synchronous ---- */

/* The engine fills allocations only: this is a copy of what is filled in. */
static int fill_registered(adi_sim_queue queue, char *to, uint32_t value, size_t width,
                           size_t count) {
    char *pattern = malloc(width * count);
    if (pattern == NULL) return ENOMEM;
    for (size_t i = 0; i < count; i++) memcpy(pattern + i * width, &value, width);
    int code = adi_sim_copy(queue, to, pattern, width * count, 0);
    free(pattern);
    return code;
}

/* Memory of another device that the context was given access to, or all of its device were. */
static bool is_peers(adi_sim_queue queue, const void *to) {
    struct adi_sim_found found;
    adi_sim_context context;
    int index;
    return adi_sim_find(to, &found) == 0 && adi_sim_queue_info(queue, &index, &context) == 0 &&
           found.device != index &&
           (driver_context_reaches(context, found.context) ||
            driver_pool_reaches(&found, driver_device(index)));
}

driver_code driver_fill(adi_sim_queue queue, driver_pointer to, unsigned value, size_t width,
                        size_t count) {
    if (count == 0) return DRIVER_SUCCESS;
    if (to % width != 0) return DRIVER_INVALID_VALUE;
    if (driver_memory_of(driver_at(to)) == DRIVER_FOREIGN) return DRIVER_INVALID_VALUE;
    if (driver_is_for_reads(driver_at(to)))
        return driver_misused("a fill writes memory that is registered for reads only");
    if (count <= SIZE_MAX / width && driver_is_registered(driver_at(to), width * count))
        return driver_error(fill_registered(queue, driver_at(to), value, width, count));
    return driver_error(is_peers(queue, driver_at(to))
                            ? adi_sim_fill_peer(queue, driver_at(to), value, width, count)
                            : adi_sim_fill(queue, driver_at(to), value, width, count));
}

static driver_code capture_fill(struct driver_branch *branch, driver_pointer to, uint32_t value,
                                size_t width, size_t count) {
    struct driver_work work = {
        .type = DRIVER_GRAPH_NODE_TYPE_MEMSET,
        .fill = {
            .to = to, .value = value, .element = (unsigned)width, .width = count, .height = 1}};
    if (to % width != 0) return DRIVER_INVALID_VALUE;
    return driver_capture_work(branch, &work);
}

static driver_code fill(bool per_thread, driver_stream stream, bool sync, driver_pointer to,
                        uint32_t value, size_t width, size_t count) {
    adi_sim_queue queue;
    struct driver_branch *branch;
    SIM_TRY(sync ? driver_capture_unsafe() : DRIVER_SUCCESS);
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL && !sync) return capture_fill(branch, to, value, width, count);
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    enum driver_memory memory = driver_memory_of(driver_at(to));
    driver_code code = driver_fill(queue, to, value, width, count);
    bool waits = sync && count > 0 && (memory == DRIVER_PINNED || memory == DRIVER_MANAGED);
    return code == DRIVER_SUCCESS && waits ? driver_error(adi_sim_queue_sync(queue)) : code;
}

driver_code driver_fill_8(bool per_thread, driver_pointer to, unsigned char value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 1, count);
}

driver_code driver_fill_8_async(bool per_thread, driver_pointer to, unsigned char value,
                                size_t count, driver_stream stream) {
    return fill(per_thread, stream, false, to, value, 1, count);
}

driver_code driver_fill_16(bool per_thread, driver_pointer to, unsigned short value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 2, count);
}

driver_code driver_fill_16_async(bool per_thread, driver_pointer to, unsigned short value,
                                 size_t count, driver_stream stream) {
    return fill(per_thread, stream, false, to, value, 2, count);
}

driver_code driver_fill_32(bool per_thread, driver_pointer to, unsigned value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 4, count);
}

driver_code driver_fill_32_async(bool per_thread, driver_pointer to, unsigned value, size_t count,
                                 driver_stream stream) {
    return fill(per_thread, stream, false, to, value, 4, count);
}

/* ---- between contexts ---- */

/* cuMemcpyPeer comes behind all work of the three contexts that it has to do with, and before all
 * that comes later; between two devices that goes for all contexts of both. */
driver_code driver_copy_peer(bool per_thread, driver_pointer to, driver_context to_context,
                             driver_pointer from, driver_context from_context, size_t bytes) {
    const struct copy what = {driver_at(to), driver_at(from), bytes, DEVICE, DEVICE};
    struct driver_scope scopes[3];
    adi_sim_queue queue;
    uint64_t contexts = contexts_between(what.to, what.from);
    driver_code code = driver_find_context(to_context, &scopes[1]);
    if (code == DRIVER_SUCCESS) code = driver_find_context(from_context, &scopes[2]);
    if (code == DRIVER_SUCCESS) code = driver_queue(per_thread, NULL, &scopes[0], &queue);
    if (code != DRIVER_SUCCESS || bytes == 0) return code;
    for (size_t i = 0; i < 3; i++) contexts |= (uint64_t)1 << scopes[i].item;
    return copy_alone(contexts, queue, &what);
}

driver_code driver_copy_peer_async(bool per_thread, driver_pointer to, driver_context to_context,
                                   driver_pointer from, driver_context from_context, size_t bytes,
                                   driver_stream stream) {
    struct driver_scope scope;
    SIM_TRY(driver_find_context(to_context, &scope));
    SIM_TRY(driver_find_context(from_context, &scope));
    return driver_copy_within_async(per_thread, to, from, bytes, stream);
}
