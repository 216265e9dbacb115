/* SPDX-License-Identifier: Apache-2.0
 *
 *   garbage everywhere | CALLS
 *
 * Every function that the runtime serves, with garbage in each argument in turn that is a handle,
 * an address or a device, and what is right in the others, and then a right program: 0 if each
 * answer was the runtime's own. Or random calls, from four threads at once; what comes of those is
 * nobody's to say, but that they come back.
 */
#include "../garbage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart_abi.h"

#define BYTES 4096

static void want(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "garbage: %s does not hold\n", what);
    exit(2);
}

#define WANT(condition) want(condition, #condition)
#define OK(call)        want((call) == cudaSuccess, #call)

/* ---- what there is to call ---- */

static const struct garbage_function functions[] = {
#define CALL(name, begin, parameters, ...) {#name, (void (*)(void))name, #parameters},
#define STREAM(name, suffix, begin, parameters, ...)                                               \
    {#name, (void (*)(void))name, #parameters},                                                    \
        {#name #suffix, (void (*)(void))name##suffix, #parameters},
#define PLAIN(type, name, parameters, ...) {#name, (void (*)(void))name, #parameters},
#include "runtime.def"
#undef CALL
#undef STREAM
#undef PLAIN
};

/* ---- what is right, of this thread ---- */

static _Thread_local struct {
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMemPool_t pool;
    void *memory, *other;
    char host[BYTES], out[128];
} things;

static const struct cudaMemPoolProps on_device = {.allocType = cudaMemAllocationTypePinned,
                                                  .location = {cudaMemLocationTypeDevice, 0}};

static void renew(void) {
    struct cudaPointerAttributes found;
    cudaSetDevice(0);
    if (cudaStreamQuery(things.stream) == cudaErrorInvalidResourceHandle || things.stream == NULL)
        cudaStreamCreateWithFlags(&things.stream, cudaStreamNonBlocking);
    if (cudaEventQuery(things.event) == cudaErrorInvalidResourceHandle)
        cudaEventCreate(&things.event);
    if (things.pool == NULL || cudaMemPoolTrimTo(things.pool, 0) != cudaSuccess)
        cudaMemPoolCreate(&things.pool, &on_device);
    if (cudaPointerGetAttributes(&found, things.memory) != cudaSuccess || found.type == 0)
        cudaMalloc(&things.memory, BYTES);
    if (cudaPointerGetAttributes(&found, things.other) != cudaSuccess || found.type == 0)
        cudaMalloc(&things.other, BYTES);
}

static void host_function(void *data) {
    (void)data;
}

static void callback(cudaStream_t stream, cudaError_t status, void *data) {
    (void)stream, (void)status, (void)data;
}

static const struct cudaMemAccessDesc of_second = {{cudaMemLocationTypeDevice, 1},
                                                   cudaMemAccessFlagsProtReadWrite};

#define RIGHT(name, value)                                                                         \
    static uintptr_t name(void) {                                                                  \
        return (uintptr_t)(value);                                                                 \
    }

RIGHT(zero, 0)
RIGHT(one, 1)
RIGHT(eight, 8)
RIGHT(default_kind, cudaMemcpyDefault)
RIGHT(version, 12000)
RIGHT(stream, things.stream)
RIGHT(event, things.event)
RIGHT(a_pool, things.pool)
RIGHT(properties, &on_device)
RIGHT(location, &on_device.location)
RIGHT(accesses, &of_second)
RIGHT(memory, things.memory)
RIGHT(other_memory, things.other)
RIGHT(somewhere, things.out)
RIGHT(text, "0000:01:00.0")
RIGHT(a_host_function, host_function)
RIGHT(a_callback, callback)

enum kind {
    ON_STREAM = GARBAGE_FEW + 1,
    EVENT,
    POOL_HANDLE,
    MEMORY, /* an allocation */
    FREED,  /* or NULL */
    ASKED,  /* anything may be asked about */
    DEVICE,
    NEEDED,   /* where a result goes */
    OPTIONAL, /* it may be NULL */
    DIRECTION,
    NUMBER,
};

static const struct garbage_parameter parameters[] = {
    {"const void *pointer", ASKED, memory},
    {"size_t *available", OPTIONAL, somewhere},
    {"size_t *total", OPTIONAL, somewhere},
    {"int *least", OPTIONAL, somewhere},
    {"int *greatest", OPTIONAL, somewhere},
    {"QueryResult *status", OPTIONAL, somewhere},
    {"void *to", MEMORY, memory},
    {"void *from", MEMORY, other_memory},
    {"void *data", GARBAGE_NEVER, zero},
    {"void *pointer", FREED, memory},
    {"cudaMemPoolProps *", NEEDED, properties},
    {"cudaMemAccessDesc *", NEEDED, accesses},
    {"cudaMemLocation *", NEEDED, location},
    {"const char *", NEEDED, text},
    {"*", NEEDED, somewhere},
    {"cudaStreamCallback_t", NEEDED, a_callback},
    {"cudaHostFn_t", NEEDED, a_host_function},
    {"cudaStream_t", ON_STREAM, stream},
    {"cudaEvent_t", EVENT, event},
    {"cudaMemPool_t", POOL_HANDLE, a_pool},
    {"size_t n", GARBAGE_FEW, one},
    {"enum cudaMemcpyKind", DIRECTION, default_kind},
    {"int peer", DEVICE, one},
    {"int to", DEVICE, one},
    {"int to_device", DEVICE, zero},
    {"int device", DEVICE, zero},
    {"int from", DEVICE, zero},
    {"size_t width", NUMBER, eight},
    {"size_t height", NUMBER, one},
    {"_pitch", NUMBER, eight},
    {"size_t bytes", NUMBER, eight},
    {"int attribute", NUMBER, one},
    {"int room", GARBAGE_NEVER, eight},
    {"unsigned version", NUMBER, version},
    {"", NUMBER, zero},
};

/* ---- what is odd ---- */

enum {
    ODD = GARBAGE_NUMBERS + 12
};

static uintptr_t odd[ODD];

static void make_odd(void) {
    cudaStream_t gone, of_reset;
    cudaEvent_t past, ended;
    void *freed, *lost;
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamDestroy(gone));
    OK(cudaEventCreate(&past));
    OK(cudaEventDestroy(past));
    OK(cudaMalloc(&freed, 64));
    OK(cudaFree(freed));
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&of_reset));
    OK(cudaEventCreate(&ended));
    OK(cudaMalloc(&lost, 64));
    OK(cudaDeviceReset());
    OK(cudaSetDevice(0));
    const uintptr_t all[ODD - GARBAGE_NUMBERS] = {
        0,
        (uintptr_t)-1,
        (uintptr_t)make_odd,
        (uintptr_t)gone,
        (uintptr_t)gone + 8,
        (uintptr_t)past,
        (uintptr_t)freed,
        (uintptr_t)of_reset,
        (uintptr_t)ended,
        (uintptr_t)lost,
        (uintptr_t)things.stream,
        (uintptr_t)things.event,
    };
    memcpy(odd, garbage_numbers, sizeof garbage_numbers);
    memcpy(odd + GARBAGE_NUMBERS, all, sizeof all);
}

static bool is_odd(const struct garbage_parameter *parameter, uintptr_t value) {
    int number = (int)value;
    switch (parameter->kind) {
    case ON_STREAM: /* NULL is a stream, too */
        return value > 2 && value != parameter->right();
    case EVENT:
    case POOL_HANDLE:
        return value != parameter->right();
    case FREED:
        return value != 0;
    case MEMORY: /* what can be read is the host's */
        return value != (uintptr_t)make_odd;
    case NEEDED:
        return value == 0;
    case DEVICE:
        return number < 0 || number > 1;
    case DIRECTION:
        return number < 0 || number > cudaMemcpyDefault;
    default:
        return false;
    }
}

static bool is_the_answer(const struct garbage_function *function,
                          const struct garbage_parameter *parameter, uintptr_t value, int code) {
    /* What the program has can be registered. */
    bool is_program = value == (uintptr_t)make_odd;
    if (is_program && strncmp(function->name, "cudaHost", strlen("cudaHost")) == 0) return true;
    switch (parameter->kind) {
    case ON_STREAM:
    case EVENT:
        return code == cudaErrorInvalidResourceHandle;
    case DEVICE:
        return code == cudaErrorInvalidDevice;
    case DIRECTION:
        return code == cudaErrorInvalidMemcpyDirection;
    case POOL_HANDLE:
        return code == cudaErrorInvalidValue;
    case FREED:
        return code == cudaErrorInvalidValue ||
               (code == cudaErrorHostMemoryNotRegistered && strstr(function->name, "Unregister"));
    default:
        return code == cudaErrorInvalidValue;
    }
}

/* A structure is no word. */
static bool is_left_out(const struct garbage_function *function) {
    return strstr(function->parameters, "cudaIpcMemHandle_t handle") != NULL;
}

/* ---- anything ---- */

#define POOL 64

static _Atomic uintptr_t pool[POOL]; /* what some call of some thread gave */

static const uintptr_t numbers[] = {
    0, 1, 2, 3, 4, 5, 8, 64, BYTES, BYTES + 1, SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX - 7};

static uintptr_t anything(const struct garbage_parameter *parameter, uint32_t which) {
    uintptr_t made;
    memcpy(&made, things.out, sizeof made);
    atomic_store(&pool[which / 4 % POOL], made);
    switch (parameter->kind) {
    case NEEDED:
    case OPTIONAL:
        return which % 2 == 0 ? 0 : parameter->right();
    case GARBAGE_NEVER:
        return parameter->right();
    case NUMBER:
    case DEVICE:
    case DIRECTION:
        return numbers[which % (sizeof numbers / sizeof *numbers)];
    case MEMORY: /* of the program's own memory no more than is there */
        if (odd[which / 4 % ODD] == (uintptr_t)make_odd) return 0;
        /* fall through */
    default:
        return which % 2 == 0 ? odd[which / 4 % ODD] : atomic_load(&pool[which / 128 % POOL]);
    }
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

/* ---- the ways ---- */

static void be_right(void) {
    char back[BYTES];
    void *there;
    cudaStream_t first, second;
    cudaEvent_t done;
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&there, BYTES));
    OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaEventCreate(&done));
    OK(cudaMemsetAsync(there, 0x5a, BYTES, first));
    OK(cudaEventRecord(done, first));
    OK(cudaStreamWaitEvent(second, done, 0));
    OK(cudaMemcpyAsync(back, there, BYTES, cudaMemcpyDeviceToHost, second));
    OK(cudaStreamSynchronize(second));
    for (size_t i = 0; i < BYTES; i++) WANT(back[i] == 0x5a);
    OK(cudaEventDestroy(done));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(there));
}

static void give_everywhere(void) {
    size_t calls;
    OK(cudaMemset(things.memory, 5, BYTES));
    OK(cudaEventRecord(things.event, things.stream));
    size_t wrong = garbage_everywhere(&garbage, &calls);
    WANT(calls > 800 && wrong == 0);
    WANT(cudaEventQuery(NULL) == cudaErrorInvalidResourceHandle);
    WANT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    WANT(cudaGetLastError() == cudaSuccess);
    OK(cudaSetDevice(0));
    OK(cudaEventSynchronize(things.event));
    OK(cudaMemcpy(things.host, things.memory, BYTES, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < BYTES; i++) WANT(things.host[i] == 5);
}

enum {
    THREADS = 4,
    OFTEN = 16
};

static size_t calls_of_each;

static void *call_anything(void *of) {
    uint64_t state = (uint64_t)(uintptr_t)of;
    for (size_t i = 0; i < calls_of_each; i++) {
        if (i % OFTEN == 0) renew();
        garbage_call_anything(&garbage, &state);
    }
    return NULL;
}

static void give_anything(size_t calls) {
    pthread_t threads[THREADS];
    calls_of_each = calls / THREADS;
    for (size_t i = 0; i < THREADS; i++)
        WANT(pthread_create(&threads[i], NULL, call_anything, (void *)i) == 0);
    for (size_t i = 0; i < THREADS; i++) WANT(pthread_join(threads[i], NULL) == 0);
    OK(cudaSetDevice(1));
    OK(cudaDeviceReset());
}

int main(int argc, char **argv) {
    renew();
    make_odd();
    if (argc == 2 && strcmp(argv[1], "everywhere") == 0)
        give_everywhere();
    else
        give_anything(argc == 2 ? strtoul(argv[1], NULL, 10) : 0);
    be_right();
    return 0;
}
