/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function that is served, with garbage in each argument in turn that is a handle or an
 * address, and what is right in the others. What an argument is its type and its name say, as they
 * are in functions.def. Each is refused with the code that the driver has for it, and nothing comes
 * of it. And random calls, right ones and others.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"
#include "sim/garbage.h"

Suite *sim_cuda_garbage_suite(void);

static const struct garbage_function functions[] = {
#define CALL(base, since, name, begin, parameters, ...) {#name, (void (*)(void))name, #parameters},
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    {#name, (void (*)(void))name, #parameters},                                                    \
        {#name #suffix, (void (*)(void))name##suffix, #parameters},
#define PLAIN(base, since, name, parameters, ...)
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
};

enum {
    CALLS = 2000,
    OFTEN = 16,
    POOL = 64
};

static char host[256], out[256];

/* ---- what a parameter is ---- */

static void host_function(void *data) {
    (void)data;
}

static void callback(CUstream stream, CUresult status, void *data) {
    (void)stream, (void)status, (void)data;
}

static uintptr_t context(void) {
    return (uintptr_t)cuda.context;
}

static uintptr_t stream(void) {
    return (uintptr_t)cuda.s;
}

static uintptr_t event(void) {
    return (uintptr_t)cuda.e;
}

static uintptr_t memory(void) {
    return cuda.a;
}

static uintptr_t other_memory(void) {
    return cuda.b;
}

static uintptr_t of_host(void) {
    return (uintptr_t)host;
}

static uintptr_t zero(void) {
    return 0;
}

static uintptr_t one(void) {
    return 1;
}

static uintptr_t eight(void) {
    return 8;
}

static uintptr_t a_host_function(void) {
    return (uintptr_t)host_function;
}

static uintptr_t a_callback(void) {
    return (uintptr_t)callback;
}

static uintptr_t somewhere(void) {
    return (uintptr_t)out;
}

static uintptr_t attributes(void) {
    static int wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    return (uintptr_t)wanted;
}

static uintptr_t values(void) {
    static void *at[] = {out};
    return (uintptr_t)at;
}

static CUmemoryPool own_pool;

static uintptr_t a_pool(void) {
    return (uintptr_t)own_pool;
}

static uintptr_t pool_properties(void) {
    static const CUmemPoolProps wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    return (uintptr_t)&wanted;
}

static uintptr_t accesses(void) {
    static const CUmemAccessDesc wanted[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 3}};
    return (uintptr_t)wanted;
}

static uintptr_t location(void) {
    static CUmemLocation second = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    return (uintptr_t)&second;
}

static uintptr_t managed(void) {
    return cuda.managed;
}

/* A structure of eight bytes is a word. */
static uintptr_t a_place(void) {
    return CU_MEM_LOCATION_TYPE_HOST;
}

static uintptr_t properties(void) {
    static const CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                               .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    return (uintptr_t)&wanted;
}

static uintptr_t four(void) {
    return 4;
}

static uintptr_t rooms(void) {
    static size_t sizes[] = {4};
    return (uintptr_t)sizes;
}

/* A batch of one copy. */
static uintptr_t targets(void) {
    static CUdeviceptr to[1];
    to[0] = cuda.a;
    return (uintptr_t)to;
}

static uintptr_t sources(void) {
    static CUdeviceptr from[1];
    from[0] = cuda.b;
    return (uintptr_t)from;
}

static uintptr_t kinds(void) {
    static CUmemcpyAttributes kind[] = {{.order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM}};
    return (uintptr_t)kind;
}

static uintptr_t firsts(void) {
    static size_t at[] = {0};
    return (uintptr_t)at;
}

enum kind {
    CONTEXT = GARBAGE_FEW + 1,
    STREAM_HANDLE,
    EVENT,
    POOL_HANDLE,
    MEMORY,
    DEVICE,
    SIZE,
    NEEDED,   /* where a result goes */
    OPTIONAL, /* it may be NULL */
};

static const struct garbage_parameter parameters[] = {
    {"int *attributes", GARBAGE_NEVER, attributes},
    {"void **values", GARBAGE_NEVER, values},
    {"void *affinity", GARBAGE_NEVER, zero},
    {"void *parameters", GARBAGE_NEVER, zero},
    {"void *data", GARBAGE_NEVER, zero},
    {"void *value", GARBAGE_NEVER, somewhere},
    {"size_t *rooms", GARBAGE_NEVER, rooms},
    {"size_t room", GARBAGE_NEVER, four},
    {"CUdeviceptr *targets", NEEDED, targets},
    {"CUdeviceptr *sources", NEEDED, sources},
    {"size_t *sizes", NEEDED, rooms},
    {"CUmemcpyAttributes *", NEEDED, kinds},
    {"size_t *firsts", NEEDED, firsts},
    {"CUmemAllocationProp *", NEEDED, properties},
    {"CUmemoryPool *", NEEDED, somewhere},
    {"CUmemPoolProps *", NEEDED, pool_properties},
    {"CUmemAccessDesc *", NEEDED, accesses},
    {"CUmemLocation *", NEEDED, location},
    {"CUmemoryPool", POOL_HANDLE, a_pool},
    {"int type", GARBAGE_NEVER, one},
    {"CUmemLocation place", GARBAGE_NEVER, a_place},
    {"CUdevice place", GARBAGE_NEVER, zero},
    {"size_t n", GARBAGE_FEW, one},
    {"size_t *granularity", NEEDED, somewhere},
    {"int advice", GARBAGE_NEVER, one},
    {"void *from", MEMORY, of_host},
    {"void *to", MEMORY, of_host},
    {"void *pointer", MEMORY, of_host},
    {"int *least", OPTIONAL, somewhere},
    {"int *greatest", OPTIONAL, somewhere},
    {"size_t *", OPTIONAL, somewhere},
    {"CUdeviceptr *start", OPTIONAL, somewhere},
    {"*", NEEDED, somewhere},
    {"CUcontext", CONTEXT, context},
    {"CUstreamCallback", GARBAGE_NEVER, a_callback},
    {"CUhostFn", GARBAGE_NEVER, a_host_function},
    {"CUstream", STREAM_HANDLE, stream},
    {"CUevent", EVENT, event},
    {"CUdeviceptr managed", MEMORY, managed},
    {"CUdeviceptr from", MEMORY, other_memory},
    {"CUdeviceptr", MEMORY, memory},
    {"CUdevice peer", DEVICE, one},
    {"CUdevice to", DEVICE, one},
    {"CUdevice", DEVICE, zero},
    {"int ordinal", DEVICE, zero},
    {"size_t bytes", SIZE, eight},
    {"size_t count", SIZE, eight},
    {"int attribute", GARBAGE_NEVER, one},
    {"unsigned n", GARBAGE_FEW, one},
    {"int room", GARBAGE_NEVER, eight},
    {"", GARBAGE_NEVER, zero},
};

/* ---- garbage ---- */

enum {
    ODD = GARBAGE_NUMBERS + 11
};

static uintptr_t odd[ODD];

static void make_odd(void) {
    CUstream gone;
    CUevent past;
    CUcontext ended;
    adi_sim_context elsewhere;
    adi_sim_queue queue;
    CUDA_OK(cuStreamCreate(&gone, 0));
    CUDA_OK(cuStreamDestroy(gone));
    CUDA_OK(cuEventCreate(&past, 0));
    CUDA_OK(cuEventDestroy(past));
    CUDA_OK(cuCtxCreate(&ended, 0, 0));
    CUDA_OK(cuCtxDestroy(ended));
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &elsewhere) == 0);
    SIM_WANT(adi_sim_queue_create(elsewhere, 0, &queue) == 0);
    const uintptr_t all[ODD - GARBAGE_NUMBERS] = {
        0,
        (uintptr_t)make_odd,
        (uintptr_t)gone,
        (uintptr_t)gone + 8,
        (uintptr_t)past,
        (uintptr_t)ended,
        (uintptr_t)elsewhere,
        (uintptr_t)queue,
        (uintptr_t)cuda.context,
        (uintptr_t)cuda.s,
        (uintptr_t)cuda.e,
    };
    memcpy(odd, garbage_numbers, sizeof garbage_numbers);
    memcpy(odd + GARBAGE_NUMBERS, all, sizeof all);
}

/* One of another kind is odd, and of its own kind it is not. A device is a number. Memory that can
 * be read is the program's, and an allocation is not odd either. */
static bool is_odd(const struct garbage_parameter *parameter, uintptr_t value) {
    int device = (int)value;
    if (parameter->kind == NEEDED) return value == 0;
    if (parameter->kind < CONTEXT || parameter->kind > DEVICE) return false;
    if (parameter->kind == DEVICE) return device < 0 || device >= ADI_SIM_DEVICES;
    return value != parameter->right() && value != 0 &&
           !(parameter->kind == MEMORY && value == (uintptr_t)make_odd);
}

static bool is_the_answer(const struct garbage_function *function,
                          const struct garbage_parameter *parameter, uintptr_t value, int code) {
    (void)function, (void)value;
    switch (parameter->kind) {
    case CONTEXT:
        return code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED;
    case STREAM_HANDLE:
    case EVENT:
        return code == CUDA_ERROR_INVALID_HANDLE;
    case DEVICE:
        return code == CUDA_ERROR_INVALID_DEVICE;
    case NEEDED:
    case POOL_HANDLE:
        return code == CUDA_ERROR_INVALID_VALUE;
    case MEMORY:
        return code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_NOT_FOUND ||
               code == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    }
    return false;
}

/* A structure is no word; of a pointer that it does not know one says that it is nothing; and one
 * takes the context away, with NULL, too. */
static bool is_left_out(const struct garbage_function *function) {
    return strstr(function->parameters, "CUipcMemHandle handle") != NULL ||
           strcmp(function->name, "cuPointerGetAttributes") == 0 ||
           strcmp(function->name, "cuCtxPopCurrent_v2") == 0;
}

static uintptr_t pool[POOL]; /* what some call gave */

/* No more than the program has, or more than there is. */
static const size_t sizes[] = {0, 1, 7, 64, sizeof host, SIZE_MAX / 2 + 1, SIZE_MAX - 7, SIZE_MAX};

/* What is pointed to, and a function, is there, or it is NULL. */
static uintptr_t anything(const struct garbage_parameter *parameter, uint32_t which) {
    bool points = strchr(parameter->text, '*') != NULL || parameter->right == a_callback ||
                  parameter->right == a_host_function;
    memcpy(&pool[which / 4 % POOL], out, sizeof *pool);
    if (parameter->kind == SIZE) return sizes[which % (sizeof sizes / sizeof *sizes)];
    if (points && parameter->kind != MEMORY) return which % 4 == 0 ? 0 : parameter->right();
    return which % 2 == 0 ? odd[which / 4 % ODD] : pool[which / 128 % POOL];
}

static const struct garbage garbage = {
    .functions = functions,
    .n = sizeof functions / sizeof *functions,
    .parameters = parameters,
    .odd = odd,
    .n_odd = ODD,
    .is_odd = is_odd,
    .is_the_answer = is_the_answer,
    .is_left_out = is_left_out,
    .anything = anything,
};

static void with_garbage_everywhere(void) {
    size_t calls;
    char byte = 0;
    cuda_scene_begin();
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemsetD8(cuda.a, 5, CUDA_BYTES));
    make_odd();
    CUDA_OK(cuMemPoolCreate(&own_pool, (const CUmemPoolProps *)pool_properties()));
    size_t wrong = garbage_everywhere(&garbage, &calls);
    SIM_WANT(calls > 1000 && wrong == 0);
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemcpyDtoH(&byte, cuda.a, 1));
    SIM_WANT(byte == 5);
    cuda_scene_end();
}

START_TEST(garbage_is_refused_by_every_function)
{ free(sim_play(with_garbage_everywhere, sim_way_at((size_t)_i), 0)); }
END_TEST

/* ---- from within what a stream runs ---- */

static size_t permitted;

static void call_all(void *data) {
    (void)data;
    for (size_t i = 0; i < garbage.n; i++) {
        if (is_left_out(&functions[i])) continue;
        if (garbage_call_rightly(&garbage, &functions[i]) == CUDA_ERROR_NOT_PERMITTED) continue;
        fprintf(stderr, "%s is permitted\n", functions[i].name);
        permitted++;
    }
}

static void call_from_within(void) {
    cuda_scene_begin();
    CUDA_OK(cuLaunchHostFunc(cuda.s, call_all, NULL));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(permitted == 0);
    cuda_scene_end();
}

START_TEST(nothing_can_be_called_from_within)
{
    char *log = sim_play(call_from_within, sim_way_at((size_t)_i), 0);
    ck_assert_uint_gt(sim_count(log, "call-in-host-function"), 100);
    ck_assert_uint_eq(sim_count(log, "call-in-host-function"), sim_count_errors(log));
    free(log);
}
END_TEST

/* ---- anything in any order ---- */

/* What was destroyed is made anew: else there would soon be nothing right. */
static void renew(void) {
    cuCtxSetCurrent(cuda.context);
    if (!adi_sim_is_live(cuda.s, NULL)) cuStreamCreate(&cuda.s, CU_STREAM_NON_BLOCKING);
    if (!adi_sim_is_live(cuda.e, NULL)) cuEventCreate(&cuda.e, 0);
    if (!adi_sim_is_live(own_pool, NULL))
        cuMemPoolCreate(&own_pool, (const CUmemPoolProps *)pool_properties());
    if (adi_sim_used((void *)(uintptr_t)cuda.a) == EFAULT) cuMemAlloc(&cuda.a, CUDA_BYTES);
    if (adi_sim_used((void *)(uintptr_t)cuda.b) == EFAULT) cuMemAlloc(&cuda.b, CUDA_BYTES);
}

static unsigned seed;

/* What comes of it is nobody's to say, but that it comes back. */
static void with_anything(void) {
    cuda_scene_begin();
    make_odd();
    uint64_t state = seed;
    for (int i = 0; i < CALLS; i++) {
        if (i % OFTEN == 0) renew();
        garbage_call_anything(&garbage, &state);
    }
    CUDA_OK(cuDevicePrimaryCtxReset(0));
}

START_TEST(any_calls_come_back)
{
    sim_play_with("ADI_SIM_MEMORY", "1048576");
    for (seed = 1; seed <= 5; seed++) free(sim_play(with_anything, sim_way_at((size_t)_i), 0));
}
END_TEST

Suite *sim_cuda_garbage_suite(void) {
    Suite *suite = suite_create("sim_cuda_garbage");
    TCase *tests = tcase_create("garbage");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, garbage_is_refused_by_every_function, 0, 3);
    tcase_add_loop_test(tests, nothing_can_be_called_from_within, 0, 3);
    tcase_add_loop_test(tests, any_calls_come_back, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
