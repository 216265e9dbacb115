/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "public.h"

/* ---- making ---- */

/* Memory that queued frees will give back is there as soon as they have run. */
static int take_memory(struct sim_allocation *made) {
    struct sim_device *device = made->device;
    if (device->used + made->bytes > sim.settings.memory) sim_run_all();
    SIM_TRY(sim_fault_memory(device->used, made->bytes));
    return sim_block_take(made);
}

/* `clock` is that of the queue in whose order it is made; NULL: the host's. */
static int make(struct sim_context *context, enum adi_sim_memory memory, size_t bytes,
                const struct sim_access *access, const struct sim_clock *clock, void **out) {
    struct sim_allocation *made = sim_heap_zeroed(sizeof *made);
    if (made == NULL) return ENOMEM;
    made->memory = memory;
    made->bytes = bytes;
    made->device = context->device;
    made->made = sim.site;
    made->held = 1;
    made->on_queue = clock != NULL;
    int code = sim_ranges_start(&made->ranges, bytes, access);
    if (code == 0 && clock != NULL)
        code = sim_clock_join(&made->users, (struct sim_tick){SIM_HOST, SIM_NEVER}, clock,
                              (struct sim_tick){access->component, access->seq});
    if (code == 0) code = take_memory(made);
    if (code != 0) {
        sim_ranges_free(&made->ranges);
        sim_clock_free(&made->users);
        made->life = SIM_FREED;
        sim_allocation_release(made);
        return code;
    }
    made->ordinal = sim_allocation_number();
    made->device->used += bytes;
    sim.live[made->made.party]++;
    made->context = context;
    made->previous = context->last;
    if (context->last == NULL)
        context->first = made;
    else
        context->last->next = made;
    context->last = made;
    *out = sim_view(made);
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"allocation %" PRIu64
            "\",\"memory\":\"%s\",\"bytes\":%zu",
            sim.site.call, sim.site.name, made->ordinal, sim_memory_names[memory], bytes);
    return 0;
}

int sim_alloc(adi_sim_context handle, enum adi_sim_memory memory, size_t bytes, void **out) {
    struct sim_context *context;
    if (bytes == 0 || memory > ADI_SIM_MANAGED) return EINVAL;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    struct sim_access access = {.component = SIM_HOST, .site = sim.site, .what = "alloc"};
    return context->device->lost ? EOWNERDEAD : make(context, memory, bytes, &access, NULL, out);
}

static const struct sim_command alloc_command = {.name = "alloc"};

static int alloc_on(struct sim_context *context, struct sim_queue *queue, size_t bytes,
                    void **out) {
    int code = context->device->lost ? sim_queue_lost() : sim_queue_prepare(queue);
    if (code != 0) return code;
    struct sim_access access = {queue->component, queue->seq + 1, sim.site, "alloc", false};
    code = make(context, ADI_SIM_DEVICE, bytes, &access, &queue->clock, out);
    if (code == 0)
        sim_queue_push(queue, (struct sim_op){.command = &alloc_command, .bytes = bytes});
    return code;
}

int sim_alloc_on(adi_sim_queue handle, size_t bytes, void **out) {
    struct sim_queue *queue;
    if (bytes == 0) return EINVAL;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    return alloc_on(queue->context, queue, bytes, out);
}

int sim_alloc_in(adi_sim_context handle, adi_sim_queue queue_handle, size_t bytes, void **out) {
    struct sim_context *context;
    struct sim_queue *queue;
    if (bytes == 0) return EINVAL;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    SIM_TRY(sim_registry_find(SIM_QUEUE, queue_handle, &queue));
    bool same = strcmp(context->device->family, queue->context->device->family) == 0;
    return same ? alloc_on(context, queue, bytes, out) : EXDEV;
}

/* ---- pointers as handles ---- */

int sim_whole(const void *pointer, bool given_up) {
    char text[160];
    struct sim_allocation *found = sim_memory_around(pointer, NULL);
    if (found == NULL) {
        sim_violate(SIM_NOT_ALLOCATED, "%s is used as the handle of memory",
                    pointer == NULL ? "NULL" : "what was never allocated");
        return EFAULT;
    }
    sim_allocation_about(found);
    if (pointer != sim_view(found)) {
        sim_violate(SIM_NOT_ALLOCATED, "the handle of %s, and %td more, is used as a handle",
                    sim_allocation_text(found, text), (const char *)pointer - sim_view(found));
        return EFAULT;
    }
    if (found->life != SIM_LIVE || given_up) {
        sim_violate(SIM_USE_AFTER_FREE, "%s is used%s", sim_allocation_text(found, text),
                    given_up ? ", which was given up" : "");
        return EFAULT;
    }
    sim.about.set = false;
    return 0;
}

/* ---- freeing ---- */

/* What begins at the pointer and is live; everything else is reported. */
static int find_start(const void *pointer, struct sim_allocation **out) {
    char text[160];
    struct sim_allocation *found = sim_memory_around(pointer, NULL);
    if (found == NULL) {
        sim_violate(SIM_NOT_ALLOCATED, "what is freed was never allocated");
        return EFAULT;
    }
    sim_allocation_about(found);
    if (pointer != sim_view(found)) {
        sim_violate(SIM_NOT_ALLOCATED, "%s is freed by a pointer to its byte %td",
                    sim_allocation_text(found, text), (const char *)pointer - sim_view(found));
        return EFAULT;
    }
    if (found->life != SIM_LIVE) {
        sim_violate(SIM_DOUBLE_FREE, "%s is freed again", sim_allocation_text(found, text));
        return EFAULT;
    }
    if (sim_is_foreign(found->made.party)) {
        sim_violate(SIM_NOT_OWNED, "%s is freed by another than who made it",
                    sim_allocation_text(found, text));
        return EPERM;
    }
    sim.about.set = false;
    *out = found;
    return 0;
}

static void log_free(const struct sim_allocation *allocation) {
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"allocation %" PRIu64 "\"", sim.site.call,
            sim.site.name, allocation->ordinal);
}

/* Somebody else may use it meanwhile, or free it. */
static int wait_for_users(struct sim_allocation *allocation) {
    int code = 0;
    sim_allocation_retain(allocation);
    while (code == 0 && allocation->life == SIM_LIVE &&
           !sim_ticks_are_learned(allocation->users.ticks)) {
        struct sim_clock users = sim_clock_copy(&allocation->users);
        code = sim_run_clock(&users);
        sim_clock_free(&users);
    }
    sim_allocation_release(allocation);
    return code;
}

static int free_now(void *pointer, bool behind) {
    struct sim_allocation *allocation;
    if (pointer == NULL) return 0;
    int code = find_start(pointer, &allocation);
    if (code == 0 && behind && wait_for_users(allocation) == 0)
        code = find_start(pointer, &allocation);
    if (code != 0) return code;
    code = sim_note(NULL, allocation, 0, allocation->bytes, true, "free");
    sim_allocation_look_behind(allocation);
    log_free(allocation);
    sim_allocation_end(allocation);
    return code;
}

int sim_free(void *pointer) {
    return free_now(pointer, false);
}

int sim_free_behind(void *pointer) {
    return free_now(pointer, true);
}

static void run_free(struct sim_queue *queue, struct sim_op *op) {
    (void)queue;
    sim_allocation_end(op->freed);
}

static void drop_free(struct sim_op *op) {
    sim_allocation_release(op->freed);
}

static const struct sim_command free_command = {"free", run_free, drop_free};

int sim_free_on(adi_sim_queue handle, void *pointer) {
    struct sim_queue *queue;
    struct sim_allocation *allocation;
    if (pointer == NULL) return 0;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    if (code == 0) code = find_start(pointer, &allocation);
    if (code == 0 && allocation->memory != ADI_SIM_DEVICE) code = EINVAL;
    if (code == 0) code = sim_queue_prepare(queue);
    if (code == 0) code = sim_note(queue, allocation, 0, allocation->bytes, true, "free");
    if (code != 0) return code;
    log_free(allocation);
    sim_allocation_unlist(allocation);
    allocation->life = SIM_GOING;
    allocation->freed = sim.site;
    sim_allocation_retain(allocation);
    sim_queue_push(queue, (struct sim_op){.command = &free_command, .freed = allocation});
    return 0;
}
