/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine_calls.h"

#include <errno.h>
#include <string.h>

_Thread_local struct engine_things things;
_Atomic uintptr_t engine_pool[ENGINE_POOL];

/* ---- what there is to call ---- */

#define FUNCTION(name, ...)                                                                        \
    { #name, (void (*)(void))name, "(" #__VA_ARGS__ ")" }

static const struct garbage_function functions[] = {
    FUNCTION(adi_sim_set, const char *name, const char *value),
    FUNCTION(adi_sim_phase, const char *phase),
    FUNCTION(adi_sim_violations, void),
    FUNCTION(adi_sim_log_error, void),
    FUNCTION(adi_sim_leaks, void),
    FUNCTION(adi_sim_begin, const char *name),
    FUNCTION(adi_sim_begin_surely, const char *name),
    FUNCTION(adi_sim_begin_alone, const char *name, bool held),
    FUNCTION(adi_sim_end, void),
    FUNCTION(adi_sim_locks, void),
    FUNCTION(adi_sim_remark, const char *name, const char *text),
    FUNCTION(adi_sim_violate, const char *name, unsigned party, bool held, const char *text),
    FUNCTION(adi_sim_is_live, const void *handle, uint64_t *label),
    FUNCTION(adi_sim_party, unsigned party),
    FUNCTION(adi_sim_listen, observed, void *context),
    FUNCTION(adi_sim_tap, tapped, void *context),
    FUNCTION(adi_sim_name_of, const void *object, char *out),
    FUNCTION(adi_sim_own, const void *handle),
    FUNCTION(adi_sim_site, void **label, uint64_t *total),
    FUNCTION(adi_sim_reports_leaks, void),
    FUNCTION(adi_sim_newest, unsigned party, char *out),
    FUNCTION(adi_sim_live, unsigned party),
    FUNCTION(adi_sim_hold, unsigned party, bool held),
    FUNCTION(adi_sim_written, const void *pointer, adi_sim_event behind),
    FUNCTION(adi_sim_written_in, const void *pointer, size_t bytes, adi_sim_event behind),
    FUNCTION(adi_sim_has_run, adi_sim_event behind),
    FUNCTION(adi_sim_used, const void *pointer),
    FUNCTION(adi_sim_used_in, const void *pointer, size_t bytes),
    FUNCTION(adi_sim_context_open, const char *family, int index, adi_sim_context *out),
    FUNCTION(adi_sim_context_close, adi_sim_context context),
    FUNCTION(adi_sim_context_discard, adi_sim_context context),
    FUNCTION(adi_sim_context_own, adi_sim_context context),
    FUNCTION(adi_sim_context_sync, adi_sim_context context),
    FUNCTION(adi_sim_context_before, adi_sim_context context, adi_sim_queue queue),
    FUNCTION(adi_sim_context_behind, adi_sim_context context, adi_sim_queue queue),
    FUNCTION(adi_sim_memory_info, adi_sim_context context, size_t *available, size_t *total),
    FUNCTION(adi_sim_memory_total, size_t *out),
    FUNCTION(adi_sim_alloc, adi_sim_context context, enum adi_sim_memory memory, size_t bytes,
             void **out),
    FUNCTION(adi_sim_free, void *freed),
    FUNCTION(adi_sim_free_behind, void *freed),
    FUNCTION(adi_sim_alloc_on, adi_sim_queue queue, size_t bytes, void **out),
    FUNCTION(adi_sim_alloc_in, adi_sim_context context, adi_sim_queue queue, size_t bytes,
             void **out),
    FUNCTION(adi_sim_pool_create, uint64_t label, bool held, adi_sim_pool *out),
    FUNCTION(adi_sim_pool_destroy, adi_sim_pool pool),
    FUNCTION(adi_sim_pool_label, adi_sim_pool pool, uint64_t *out),
    FUNCTION(adi_sim_reference_create, uint64_t label, adi_sim_reference *out),
    FUNCTION(adi_sim_reference_destroy, adi_sim_reference reference),
    FUNCTION(adi_sim_reference_label, adi_sim_reference reference, uint64_t *out),
    FUNCTION(adi_sim_foreign, const void *used, const char *what),
    FUNCTION(adi_sim_whole, const void *pointer, bool held),
    FUNCTION(adi_sim_free_on, adi_sim_queue queue, void *freed),
    FUNCTION(adi_sim_register, adi_sim_context context, void *own, size_t bytes),
    FUNCTION(adi_sim_unregister, void *own),
    FUNCTION(adi_sim_find, const void *pointer, struct adi_sim_found *out),
    FUNCTION(adi_sim_readable, const void *any, size_t bytes),
    FUNCTION(adi_sim_writable, const void *any, size_t bytes),
    FUNCTION(adi_sim_queue_create, adi_sim_context context, unsigned flags, adi_sim_queue *out),
    FUNCTION(adi_sim_queue_destroy, adi_sim_queue queue),
    FUNCTION(adi_sim_queue_sync, adi_sim_queue queue),
    FUNCTION(adi_sim_queue_query, adi_sim_queue queue),
    FUNCTION(adi_sim_queue_hold, adi_sim_queue queue, bool held),
    FUNCTION(adi_sim_queue_info, adi_sim_queue queue, int *device, adi_sim_context *context),
    FUNCTION(adi_sim_queue_ordinal, adi_sim_queue queue, uint64_t *out),
    FUNCTION(adi_sim_queue_set_label, adi_sim_queue queue, uint64_t label),
    FUNCTION(adi_sim_queue_label, adi_sim_queue queue, adi_sim_context *context, uint64_t *label),
    FUNCTION(adi_sim_copy, adi_sim_queue queue, void *to, const void *from, size_t bytes,
             unsigned flags),
    FUNCTION(adi_sim_fill, adi_sim_queue queue, void *pointer, uint32_t pattern, size_t width,
             size_t bytes),
    FUNCTION(adi_sim_fill_peer, adi_sim_queue queue, void *pointer, uint32_t pattern, size_t width,
             size_t bytes),
    FUNCTION(adi_sim_reach, adi_sim_queue queue, const void *from, size_t bytes),
    FUNCTION(adi_sim_host, adi_sim_queue queue, host_function, void *data),
    FUNCTION(adi_sim_callback, adi_sim_queue queue, callback, const uintptr_t *words),
    FUNCTION(adi_sim_launch, adi_sim_queue queue, adi_sim_kernel kernel, void *state,
             const struct adi_sim_operand *operands, size_t n),
    FUNCTION(adi_sim_opaque, adi_sim_queue queue, void *const *pointers, size_t n),
    FUNCTION(adi_sim_kernels_are_opaque, void),
    FUNCTION(adi_sim_event_create, adi_sim_context context, adi_sim_event *out),
    FUNCTION(adi_sim_event_destroy, adi_sim_event event),
    FUNCTION(adi_sim_event_record, adi_sim_event event, adi_sim_queue queue),
    FUNCTION(adi_sim_event_wait, adi_sim_queue queue, adi_sim_event event),
    FUNCTION(adi_sim_event_sync, adi_sim_event event),
    FUNCTION(adi_sim_event_query, adi_sim_event event),
    FUNCTION(adi_sim_event_set_label, adi_sim_event event, uint64_t label),
    FUNCTION(adi_sim_event_label, adi_sim_event event, adi_sim_context *context, uint64_t *label),
    FUNCTION(adi_sim_event_elapsed, adi_sim_event from, adi_sim_event to, int64_t *out),
};

/* ---- what a parameter is ---- */

static void host_function(void *data) {
    (void)data;
}

static void callback(const uintptr_t *data, int code) {
    (void)data, (void)code;
}

static void kernel(const struct adi_sim_operand *operands, void *state) {
    (void)operands, (void)state;
}

static void observed(void *context, const struct adi_sim_report *report) {
    (void)context, (void)report;
}

static void tapped(void *context, unsigned party, const char *line) {
    (void)context, (void)party, (void)line;
}

#define RIGHT(name, value)                                                                         \
    static uintptr_t name(void) {                                                                  \
        return (uintptr_t)(value);                                                                 \
    }

static const uintptr_t words[ADI_SIM_CALLBACK_WORDS];

static struct adi_sim_operand *of_thread(void) {
    static _Thread_local struct adi_sim_operand operands[ADI_SIM_OPERANDS];
    for (size_t i = 0; i < ADI_SIM_OPERANDS; i++)
        operands[i] = (struct adi_sim_operand){things.memory + 8 * i, 8, i % 2 == 0};
    return operands;
}

RIGHT(zero, 0)
RIGHT(one, 1)
RIGHT(eight, 8)
RIGHT(context, things.context)
RIGHT(queue, things.queue)
RIGHT(event, things.event)
RIGHT(pool, things.pool)
RIGHT(reference, things.reference)
RIGHT(memory, things.memory)
RIGHT(of_host, things.host)
RIGHT(somewhere, things.out)
RIGHT(family, "ext_dev")
RIGHT(text, "text")
RIGHT(a_host_function, host_function)
RIGHT(a_callback, callback)
RIGHT(a_kernel, kernel)
RIGHT(a_listener, observed)
RIGHT(a_tap, tapped)
RIGHT(some_words, words)
RIGHT(operands, of_thread())

enum kind {
    CONTEXT = GARBAGE_FEW + 1,
    QUEUE,
    EVENT,
    POOL,
    REFERENCE,
    BEHIND, /* an event, or NULL */
    MEMORY,
    FREED, /* its start, or NULL */
    COPIED,
    NEEDED, /* an address that must be there */
    OPTIONAL,
    SIZE,
    NUMBER,
};

static const struct garbage_parameter parameters[] = {
    {"*out", NEEDED, somewhere},
    {"adi_sim_context *context", OPTIONAL, somewhere},
    {"adi_sim_context context", CONTEXT, context},
    {"adi_sim_queue queue", QUEUE, queue},
    {"adi_sim_pool pool", POOL, pool},
    {"adi_sim_reference reference", REFERENCE, reference},
    {"adi_sim_event behind", BEHIND, event},
    {"adi_sim_event ", EVENT, event},
    {"*operands", NEEDED, operands},
    {"*words", NEEDED, some_words},
    {"*pointers", NEEDED, some_words},
    {"*family", NEEDED, family},
    {"*phase", OPTIONAL, text},
    {"char *", NEEDED, text},
    {"adi_sim_kernel", NEEDED, a_kernel},
    {"host_function", NEEDED, a_host_function},
    {"callback", NEEDED, a_callback},
    {"observed", OPTIONAL, a_listener},
    {"tapped", OPTIONAL, a_tap},
    {"*label", OPTIONAL, somewhere},
    {"*device", OPTIONAL, somewhere},
    {"*available", OPTIONAL, somewhere},
    {"*total", OPTIONAL, somewhere},
    {"void *pointer", MEMORY, memory},
    {"void *freed", FREED, memory},
    {"void *to", COPIED, memory},
    {"void *from", COPIED, of_host},
    {"void *", GARBAGE_NEVER, zero},
    {"bool held", GARBAGE_FEW, zero},
    {"size_t n", GARBAGE_FEW, one},
    {"unsigned party", GARBAGE_FEW, zero},
    {"size_t width", NUMBER, one},
    {"size_t bytes", SIZE, eight},
    {"", NUMBER, zero},
};

/* ---- what is odd ---- */

enum {
    ODD = GARBAGE_NUMBERS + 14
};

static uintptr_t odd[ODD];

void engine_things_make(const char *of_family, int index) {
    void *made = NULL;
    struct adi_sim_found found;
    if (!adi_sim_is_live(things.context, NULL) &&
        adi_sim_context_open(of_family, index, &things.context) != 0)
        return;
    if (!adi_sim_is_live(things.queue, NULL))
        adi_sim_queue_create(things.context, 0, &things.queue);
    if (!adi_sim_is_live(things.event, NULL)) adi_sim_event_create(things.context, &things.event);
    if (!adi_sim_is_live(things.pool, NULL)) adi_sim_pool_create(0, false, &things.pool);
    if (!adi_sim_is_live(things.reference, NULL)) adi_sim_reference_create(0, &things.reference);
    if (adi_sim_find(things.memory, &found) == 0) return;
    if (adi_sim_alloc(things.context, ADI_SIM_DEVICE, SCENE_BYTES, &made) == 0)
        things.memory = made;
}

void engine_garbage_make_odd(void) {
    adi_sim_context closed;
    adi_sim_queue gone, left;
    adi_sim_event past, kept;
    void *freed, *ended;
    SIM_WANT(adi_sim_queue_create(things.context, 0, &gone) == 0);
    SIM_WANT(adi_sim_queue_destroy(gone) == 0);
    SIM_WANT(adi_sim_event_create(things.context, &past) == 0);
    SIM_WANT(adi_sim_event_destroy(past) == 0);
    SIM_WANT(adi_sim_alloc(things.context, ADI_SIM_PINNED, 64, &freed) == 0);
    SIM_WANT(adi_sim_free(freed) == 0);
    SIM_WANT(adi_sim_context_open("ext_dev", 1, &closed) == 0);
    SIM_WANT(adi_sim_queue_create(closed, ADI_SIM_OWN_QUEUE, &left) == 0);
    SIM_WANT(adi_sim_event_create(closed, &kept) == 0);
    SIM_WANT(adi_sim_alloc(closed, ADI_SIM_DEVICE, 64, &ended) == 0);
    SIM_WANT(adi_sim_event_record(kept, left) == 0);
    SIM_WANT(adi_sim_context_discard(closed) == 0);
    const uintptr_t all[ODD - GARBAGE_NUMBERS] = {
        0,
        (uintptr_t)engine_garbage_make_odd,
        (uintptr_t)gone,
        (uintptr_t)gone + 8,
        (uintptr_t)past,
        (uintptr_t)closed,
        (uintptr_t)left,
        (uintptr_t)kept,
        (uintptr_t)freed,
        (uintptr_t)ended,
        (uintptr_t)things.memory + SCENE_BYTES,
        (uintptr_t)things.context,
        (uintptr_t)things.queue,
        (uintptr_t)things.event,
    };
    memcpy(odd, garbage_numbers, sizeof garbage_numbers);
    memcpy(odd + GARBAGE_NUMBERS, all, sizeof all);
}

/* What can be read can be copied from. */
static bool is_odd(const struct garbage_parameter *parameter, uintptr_t value) {
    if (value == parameter->right()) return false;
    switch (parameter->kind) {
    case NEEDED:
        return value == 0;
    case BEHIND:
    case FREED:
        return value != 0;
    case COPIED:
        return parameter->right != of_host || value != (uintptr_t)engine_garbage_make_odd;
    case CONTEXT:
    case QUEUE:
    case EVENT:
    case POOL:
    case REFERENCE:
    case MEMORY:
        return true;
    default:
        return false;
    }
}

static bool is_the_answer(const struct garbage_function *function,
                          const struct garbage_parameter *parameter, uintptr_t value, int code) {
    (void)function, (void)value;
    switch (parameter->kind) {
    case NEEDED:
        return code == EINVAL;
    case MEMORY:
    case FREED:
    case COPIED:
        return code == EFAULT;
    default:
        return code == EBADF;
    }
}

/* ---- anything ---- */

static const size_t sizes[] = {
    0, 1, 7, 64, SCENE_BYTES, SCENE_BYTES + 1, 1 << 20, SIZE_MAX / 2 + 1, SIZE_MAX - 7, SIZE_MAX};
static const uintptr_t numbers[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 63, 77, UINT32_MAX};

/* Each call may have left something where it hands out. */
static uintptr_t anything(const struct garbage_parameter *parameter, uint32_t which) {
    uintptr_t made;
    memcpy(&made, things.out, sizeof made);
    atomic_store_explicit(&engine_pool[which / 4 % ENGINE_POOL], made, memory_order_relaxed);
    switch (parameter->kind) {
    case SIZE:
        return sizes[which % (sizeof sizes / sizeof *sizes)];
    case NUMBER:
        return numbers[which % (sizeof numbers / sizeof *numbers)];
    case NEEDED:
    case OPTIONAL:
        return which % 2 == 0 ? 0 : parameter->right();
    case COPIED: /* of the program's own memory no more than is there */
        if (odd[which / 4 % ODD] == (uintptr_t)engine_garbage_make_odd) return 0;
        /* fall through */
    default:
        return which % 4 == 0 ? odd[which / 4 % ODD]
                              : atomic_load_explicit(&engine_pool[which / 64 % ENGINE_POOL],
                                                     memory_order_relaxed);
    }
}

struct garbage engine_garbage = {
    .functions = functions,
    .n = sizeof functions / sizeof *functions,
    .parameters = parameters,
    .odd = odd,
    .n_odd = ODD,
    .is_odd = is_odd,
    .is_the_answer = is_the_answer,
    .anything = anything,
};

/* ---- and afterwards ---- */

void engine_works(const char *of_family) {
    static char host[SCENE_BYTES];
    adi_sim_context there;
    adi_sim_queue first, second;
    adi_sim_event done;
    void *a;
    uint64_t before = adi_sim_violations();
    SIM_WANT(adi_sim_context_open(of_family, 0, &there) == 0);
    SIM_WANT(adi_sim_queue_create(there, 0, &first) == 0);
    SIM_WANT(adi_sim_queue_create(there, 0, &second) == 0);
    SIM_WANT(adi_sim_event_create(there, &done) == 0);
    SIM_WANT(adi_sim_alloc(there, ADI_SIM_DEVICE, SCENE_BYTES, &a) == 0);
    SIM_WANT(adi_sim_fill(first, a, 0x5a, 1, SCENE_BYTES) == 0);
    SIM_WANT(adi_sim_event_record(done, first) == 0);
    SIM_WANT(adi_sim_event_wait(second, done) == 0);
    SIM_WANT(adi_sim_copy(second, host, a, SCENE_BYTES, 0) == 0);
    for (size_t i = 0; i < SCENE_BYTES; i++) SIM_WANT(host[i] == 0x5a);
    SIM_WANT(adi_sim_free(a) == 0);
    SIM_WANT(adi_sim_event_destroy(done) == 0);
    SIM_WANT(adi_sim_queue_destroy(first) == 0);
    SIM_WANT(adi_sim_queue_destroy(second) == 0);
    SIM_WANT(adi_sim_context_close(there) == 0);
    SIM_WANT(adi_sim_violations() == before);
}
