/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "public.h"

/* ---- where a command touches ---- */

static int refuse_outside(const struct sim_allocation *allocation, const char *what, size_t offset,
                          size_t bytes) {
    char text[160];
    sim_allocation_about(allocation);
    sim_violate(SIM_OUT_OF_BOUNDS, "a %s of %zu bytes at byte %zu of %s", what, bytes, offset,
                sim_allocation_text(allocation, text));
    return EFAULT;
}

/* A system call that would read eight bytes there, refuses what it is asked for before or after it
 * has, and does not fault. NULL it would take for nothing to be read. Pages that are registered and
 * closed until the work that is queued is done are the program's nevertheless. */
static bool can_read(const char *byte) {
    const char *at = (const char *)((uintptr_t)byte & ~(uintptr_t)7);
    if (at == NULL) return false;
    int before = errno;
    syscall(SYS_rt_sigprocmask, ~0, at, NULL, 8);
    bool can = errno != EFAULT;
    errno = before;
    if (can) return true;
    const struct sim_allocation *own = sim_own_around(byte, 1);
    return own != NULL && own->closed;
}

/* What lies in between is seen when it is copied. */
static bool ends_readable(const void *pointer, size_t bytes) {
    const char *start = pointer;
    if (bytes == 0 || (uintptr_t)start > UINTPTR_MAX - bytes) return false;
    return can_read(start) && can_read((const char *)((uintptr_t)start + bytes - 1));
}

bool sim_readable(const void *pointer, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const char *at = pointer;
    if (!ends_readable(pointer, bytes)) return false;
    for (size_t left = page - (uintptr_t)at % page; left < bytes; left += page)
        if (!can_read(at + left)) return false;
    return true;
}

/* The bytes at the pointer as the queue may use them; everything else is reported. */
static int resolve(const struct sim_queue *queue, const void *pointer, size_t bytes,
                   const char *what, bool peers, struct sim_span *out) {
    char text[160];
    struct sim_arena *arena;
    struct sim_allocation *found = sim_memory_around(pointer, &arena);
    *out = (struct sim_span){.host = (char *)(uintptr_t)pointer};
    if (arena == NULL && !sim_registry_has(pointer)) {
        if (bytes == 0 || ends_readable(pointer, bytes)) return 0;
        sim_violate(SIM_NOT_ALLOCATED, "a %s uses memory that the program does not have", what);
        return EFAULT;
    }
    if (found == NULL) {
        sim_violate(SIM_NOT_ALLOCATED, "a %s uses simulated memory that was never allocated", what);
        return EFAULT;
    }
    size_t offset = (size_t)((const char *)pointer - sim_view(found));
    if (found->life != SIM_LIVE) {
        sim_allocation_about(found);
        sim_violate(SIM_USE_AFTER_FREE, "a %s uses %s", what, sim_allocation_text(found, text));
        return EFAULT;
    }
    if (offset > found->bytes || bytes > found->bytes - offset)
        return refuse_outside(found, what, offset, bytes);
    if (found->memory == ADI_SIM_DEVICE && found->device != queue->context->device && !peers) {
        sim_allocation_about(found);
        sim_violate(SIM_FOREIGN_DEVICE, "a %s on queue %" PRIu64 " of %s:%d uses %s of %s:%d", what,
                    queue->ordinal, queue->context->device->family, queue->context->device->index,
                    sim_allocation_text(found, text), found->device->family, found->device->index);
        return EXDEV;
    }
    *out = (struct sim_span){.allocation = found, .offset = offset};
    return 0;
}

static void hold(const struct sim_span *span) {
    if (span->allocation != NULL) sim_allocation_retain(span->allocation);
}

static void let(const struct sim_span *span) {
    if (span->allocation != NULL) sim_allocation_release(span->allocation);
}

/* Of memory of the program: what is registered is in the order of things, too. */
static void adopt(struct sim_span *span, size_t bytes) {
    if (span->allocation != NULL) return;
    span->allocation = sim_own_around(span->host, bytes);
    if (span->allocation != NULL) span->offset = (size_t)(span->host - span->allocation->own);
}

/* Where a command that runs gets at them; NULL: freed since, which was reported. */
static char *bytes_of(const struct sim_span *span, size_t bytes) {
    if (span->allocation == NULL) return span->host;
    if (span->allocation->own != NULL) {
        sim_own_protect(span->allocation, span->offset, span->offset + bytes,
                        PROT_READ | PROT_WRITE);
        return span->host;
    }
    if (span->allocation->life == SIM_FREED) return NULL;
    sim_poison_fill(span->allocation, span->offset, bytes);
    return sim_alias(span->allocation, span->offset);
}

static int note(struct sim_queue *queue, const struct sim_span *span, size_t bytes, bool writes,
                const char *what) {
    if (span->allocation == NULL) return 0;
    return sim_note(queue, span->allocation, span->offset, bytes, writes, what);
}

/* ---- copy ---- */

static int copy_bytes(char *to, const char *from, size_t bytes) {
    static const char *const texts[] = {
        [SIM_SOURCE] = "a copy reads memory that the program does not have",
        [SIM_TARGET] = "a copy writes memory that the program does not have for writing"};
    enum sim_side side = bytes == 0 ? SIM_NEITHER : sim_touch_copy(to, from, bytes);
    if (side == SIM_NEITHER) return 0;
    sim_violate(SIM_NOT_ALLOCATED, "%s", texts[side]);
    return EFAULT;
}

/* What is wrong with it is wrong with the call that queued it, whoever runs it. */
static void run_copy(struct sim_queue *queue, struct sim_op *op) {
    (void)queue;
    struct sim_site site = sim.site;
    char *to = bytes_of(&op->copy.to, op->bytes), *from = op->copy.staged;
    if (from == NULL) from = bytes_of(&op->copy.from, op->bytes);
    sim.site = op->site;
    int code = to == NULL ? 0 : copy_bytes(to, from, op->bytes);
    if (op->copy.to.allocation != NULL) sim_shared_again(op->copy.to.allocation);
    if (op->copy.from.allocation != NULL) sim_shared_again(op->copy.from.allocation);
    sim.site = site;
    if (code != 0 && op->copy.code != NULL) *op->copy.code = code;
}

static void drop_copy(struct sim_op *op) {
    sim_heap_free(op->copy.staged);
    let(&op->copy.to);
    let(&op->copy.from);
}

static const struct sim_command copy_command = {"copy", run_copy, drop_copy};

static bool overlap(const void *a, const void *b, size_t bytes) {
    uintptr_t one = (uintptr_t)a, other = (uintptr_t)b;
    return one < other ? other - one < bytes : one - other < bytes;
}

static int want_allocations(const struct sim_op *op, unsigned flags) {
    bool to = flags & ADI_SIM_TO_ALLOCATION && op->copy.to.allocation == NULL;
    bool from = flags & ADI_SIM_FROM_ALLOCATION && op->copy.from.allocation == NULL;
    if (!to && !from) return 0;
    sim_violate(SIM_NOT_ALLOCATED, "a copy %s memory that is no allocation",
                to ? "writes" : "reads");
    return EFAULT;
}

/* The call comes back without it: what it has to do with is the caller's again. */
static void cancel(struct sim_queue *queue, uint64_t seq) {
    struct sim_op *op = sim_queue_op(queue, seq);
    if (op != NULL) op->bytes = 0;
}

static int copy_on(struct sim_queue *queue, void *to, const void *from, size_t bytes,
                   unsigned flags) {
    struct sim_op op = {.command = &copy_command, .bytes = bytes};
    bool peers = flags & ADI_SIM_PEERS;
    int code = resolve(queue, to, bytes, "copy", peers, &op.copy.to);
    if (code == 0) code = resolve(queue, from, bytes, "copy", peers, &op.copy.from);
    if (code == 0) code = want_allocations(&op, flags);
    if (code == 0) adopt(&op.copy.to, bytes);
    if (code == 0) adopt(&op.copy.from, bytes);
    if (code == 0) code = sim_queue_prepare(queue);
    if (code != 0) return code;
    bool of_program = op.copy.to.allocation == NULL;
    bool waits = flags & ADI_SIM_WAIT || (of_program && !(flags & ADI_SIM_LATE_TARGET));
    bool at_once = waits || flags & ADI_SIM_STAGED;
    bool stages = !at_once && !(flags & ADI_SIM_LATE);
    if (op.copy.from.allocation == NULL && stages && bytes > 0) {
        op.copy.staged = sim_heap_new(bytes);
        if (op.copy.staged == NULL) return ENOMEM;
        code = copy_bytes(op.copy.staged, from, bytes);
    }
    if (code == 0) code = note(queue, &op.copy.from, bytes, false, "copy");
    if (code == 0) code = note(queue, &op.copy.to, bytes, true, "copy");
    if (code != 0) {
        sim_heap_free(op.copy.staged);
        return code;
    }
    hold(&op.copy.to);
    hold(&op.copy.from);
    uint64_t seq = queue->seq + 1;
    int done = 0;
    if (at_once) op.copy.code = &done;
    sim_queue_push(queue, op);
    if (waits)
        code = sim_run_sync(queue, seq);
    else if (at_once)
        code = sim_run_before(queue, seq + 1);
    if (code != 0) cancel(queue, seq);
    return code == 0 ? done : code;
}

int sim_copy(adi_sim_queue handle, void *to, const void *from, size_t bytes, unsigned flags) {
    struct sim_queue *queue;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    if (code != 0) return code;
    if (flags >= 2 * ADI_SIM_LATE_TARGET || (to != from && bytes > 0 && overlap(to, from, bytes)))
        return EINVAL;
    queue->users++;
    if (flags & ADI_SIM_STAGED) code = sim_queue_prepare(queue);
    if (code == 0 && flags & ADI_SIM_STAGED) code = sim_run_sync(queue, queue->seq);
    if (code == 0) code = copy_on(queue, to, from, bytes, flags);
    queue->users--;
    sim_queue_tidy(queue);
    return code;
}

/* ---- fill ---- */

static void run_fill(struct sim_queue *queue, struct sim_op *op) {
    (void)queue;
    char *to = bytes_of(&op->fill.to, op->bytes);
    size_t width = op->fill.width;
    unsigned char pattern[4];
    if (to == NULL || op->bytes == 0) return;
    for (size_t i = 0; i < width; i++) pattern[i] = (unsigned char)(op->fill.pattern >> (8 * i));
    if (width == 1) {
        memset(to, pattern[0], op->bytes);
        return;
    }
    memcpy(to, pattern, width);
    for (size_t done = width; done < op->bytes;) {
        size_t part = done < op->bytes - done ? done : op->bytes - done;
        memcpy(to + done, to, part);
        done += part;
    }
}

static void drop_fill(struct sim_op *op) {
    let(&op->fill.to);
}

static const struct sim_command fill_command = {"fill", run_fill, drop_fill};

static int fill(adi_sim_queue handle, void *to, uint32_t pattern, size_t width, size_t count,
                bool peers) {
    struct sim_queue *queue;
    struct sim_op op = {.command = &fill_command};
    if ((width != 1 && width != 2 && width != 4) || count > SIZE_MAX / width) return EINVAL;
    op.bytes = width * count;
    op.fill.pattern = pattern;
    op.fill.width = width;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    if (code == 0) code = resolve(queue, to, op.bytes, "fill", peers, &op.fill.to);
    if (code == 0 && op.fill.to.allocation == NULL) {
        sim_violate(SIM_NOT_ALLOCATED, "a fill uses memory that no device can reach");
        code = EFAULT;
    }
    if (code == 0) code = sim_queue_prepare(queue);
    if (code == 0) code = note(queue, &op.fill.to, op.bytes, true, "fill");
    if (code != 0) return code;
    hold(&op.fill.to);
    sim_queue_push(queue, op);
    return 0;
}

int sim_fill(adi_sim_queue queue, void *to, uint32_t pattern, size_t width, size_t count) {
    return fill(queue, to, pattern, width, count, false);
}

int sim_fill_peer(adi_sim_queue queue, void *to, uint32_t pattern, size_t width, size_t count) {
    return fill(queue, to, pattern, width, count, true);
}

int sim_reach(adi_sim_queue handle, const void *pointer, size_t bytes) {
    struct sim_queue *queue;
    struct sim_span span;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    return resolve(queue, pointer, bytes, "command", true, &span);
}

int sim_foreign(const void *pointer, const char *what) {
    char text[160];
    const struct sim_allocation *found = sim_allocation_around(pointer);
    if (found == NULL) return EFAULT;
    sim_allocation_about(found);
    sim_violate(SIM_FOREIGN_DEVICE, "%s uses %s", what, sim_allocation_text(found, text));
    return EXDEV;
}

/* ---- host functions ---- */

static int call_host(adi_sim_queue handle, struct sim_op op) {
    struct sim_queue *queue;
    bool any = op.host.function != NULL || op.host.callback != NULL;
    int code = any ? sim_registry_find(SIM_QUEUE, handle, &queue) : EINVAL;
    if (code == 0) code = sim_queue_prepare(queue);
    if (code == 0) code = sim_host_start();
    if (code != 0) return code;
    op.command = &sim_host_command;
    op.host.before = sim_record_new(queue, queue->seq);
    if (op.host.before == NULL) return ENOMEM;
    sim_host_count(1);
    sim_queue_push(queue, op);
    return 0;
}

int sim_host(adi_sim_queue queue, void (*function)(void *data), void *data) {
    return call_host(queue,
                     (struct sim_op){.host = {.function = function, .data = {(uintptr_t)data}}});
}

int sim_callback(adi_sim_queue queue, void (*function)(const uintptr_t *data, int code),
                 const uintptr_t *data) {
    struct sim_op op = {.host = {.callback = function}};
    memcpy(op.host.data, data, sizeof op.host.data);
    return call_host(queue, op);
}

/* ---- kernels ---- */

struct sim_launch {
    adi_sim_kernel kernel;
    void *state;
    size_t n;
    struct sim_span spans[ADI_SIM_OPERANDS];
    struct adi_sim_operand operands[ADI_SIM_OPERANDS];
};

/* One whose memory has gone does nothing: that was reported. */
static void run_launch(struct sim_queue *queue, struct sim_op *op) {
    struct sim_launch *launch = op->launch;
    (void)queue;
    for (size_t i = 0; i < launch->n; i++) {
        struct adi_sim_operand *operand = &launch->operands[i];
        if ((operand->pointer = bytes_of(&launch->spans[i], operand->bytes)) == NULL) return;
    }
    launch->kernel(launch->operands, launch->state);
}

static void drop_launch(struct sim_op *op) {
    for (size_t i = 0; i < op->launch->n; i++) let(&op->launch->spans[i]);
    sim_heap_free(op->launch);
}

static const struct sim_command launch_command = {"launch", run_launch, drop_launch};

static int bind_operands(struct sim_queue *queue, struct sim_launch *launch,
                         const struct adi_sim_operand *operands, size_t n, size_t *bytes) {
    for (size_t i = 0; i < n; i++) {
        struct sim_span *span = &launch->spans[i];
        int code = resolve(queue, operands[i].pointer, operands[i].bytes, "launch", false, span);
        if (code != 0) return code;
        if (span->allocation == NULL) {
            sim_violate(SIM_NOT_ALLOCATED, "operand %zu of a launch is no memory of a device", i);
            return EFAULT;
        }
        launch->operands[i] = operands[i];
        *bytes += operands[i].bytes;
    }
    return 0;
}

static int launch_on(struct sim_queue *queue, struct sim_launch *launch,
                     const struct adi_sim_operand *operands, size_t n) {
    size_t bytes = 0;
    int code = bind_operands(queue, launch, operands, n, &bytes);
    if (code == 0) code = sim_queue_prepare(queue);
    for (size_t i = 0; code == 0 && i < n; i++)
        code = note(queue, &launch->spans[i], operands[i].bytes, operands[i].writes, "launch");
    if (code != 0) return code;
    for (size_t i = 0; i < n; i++) hold(&launch->spans[i]);
    sim_queue_push(queue,
                   (struct sim_op){.command = &launch_command, .bytes = bytes, .launch = launch});
    return 0;
}

int sim_launch(adi_sim_queue handle, adi_sim_kernel kernel, void *state,
               const struct adi_sim_operand *operands, size_t n) {
    struct sim_queue *queue;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    struct sim_launch *launch = code == 0 ? sim_heap_zeroed(sizeof *launch) : NULL;
    if (code == 0 && launch == NULL) code = ENOMEM;
    if (code != 0) return code;
    launch->kernel = kernel;
    launch->state = state;
    launch->n = n;
    code = launch_on(queue, launch, operands, n);
    if (code != 0) sim_heap_free(launch);
    return code;
}
