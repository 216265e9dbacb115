/* SPDX-License-Identifier: Apache-2.0
 *
 * Every function that is served, with garbage in each argument in turn that is a handle or an
 * address, and what is right in the others. What an argument is its type and its name say, as they
 * are in functions.def. Each is refused with the code that the driver has for it, and nothing comes
 * of it. And random calls, right ones and others.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_garbage_suite(void);

#define ARGUMENTS 6 /* a structure is none of them */

typedef CUresult (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static const struct function {
    const char *name;
    void (*call)(void);
    const char *parameters;
} functions[] = {
#define CALL(base, since, name, begin, parameters, ...) {#name, (void (*)(void))name, #parameters},
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    {#name, (void (*)(void))name, #parameters},                                                    \
        {#name #suffix, (void (*)(void))name##suffix, #parameters},
#define PLAIN(base, since, name, parameters, ...)
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
};

#define FUNCTIONS (sizeof functions / sizeof *functions)

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

enum kind {
    ANYTHING, /* that is not varied here */
    CONTEXT,
    STREAM_HANDLE,
    EVENT,
    MEMORY,
    DEVICE,
};

/* The first that is in the parameter's text counts. */
static const struct parameter {
    const char *text;
    enum kind kind;
    uintptr_t (*right)(void);
} parameters[] = {
    {"int *attributes", ANYTHING, attributes},
    {"void **values", ANYTHING, values},
    {"void *affinity", ANYTHING, zero},
    {"void *parameters", ANYTHING, zero},
    {"void *data", ANYTHING, zero},
    {"void *value", ANYTHING, somewhere},
    {"void *from", MEMORY, of_host},
    {"void *to", MEMORY, of_host},
    {"void *pointer", MEMORY, of_host},
    {"*", ANYTHING, somewhere},
    {"CUcontext", CONTEXT, context},
    {"CUstreamCallback", ANYTHING, a_callback},
    {"CUhostFn", ANYTHING, a_host_function},
    {"CUstream", STREAM_HANDLE, stream},
    {"CUevent", EVENT, event},
    {"CUdeviceptr from", MEMORY, other_memory},
    {"CUdeviceptr", MEMORY, memory},
    {"CUdevice peer", DEVICE, one},
    {"CUdevice to", DEVICE, one},
    {"CUdevice", DEVICE, zero},
    {"int ordinal", DEVICE, zero},
    {"size_t bytes", ANYTHING, eight},
    {"size_t count", ANYTHING, eight},
    {"int attribute", ANYTHING, one},
    {"unsigned n", ANYTHING, one},
    {"int room", ANYTHING, eight},
    {"", ANYTHING, zero},
};

static const struct parameter *parameter_of(const char *text) {
    const struct parameter *at = parameters;
    while (strstr(text, at->text) == NULL) at++;
    return at;
}

/* Takes "(CUevent *event, unsigned flags)" apart; how many there are. */
static size_t take_apart(const char *text, const struct parameter *found[ARGUMENTS]) {
    char part[256], *at = part;
    size_t n = 0;
    snprintf(part, sizeof part, "%s", text + 1);
    if (strcmp(part, "void)") == 0) return 0;
    for (char *next; at != NULL; at = next) {
        SIM_WANT(n < ARGUMENTS);
        next = strchr(at, ',');
        if (next != NULL) *next++ = '\0';
        found[n++] = parameter_of(at);
    }
    return n;
}

/* ---- garbage ---- */

enum {
    ODD = 16
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
    const uintptr_t all[ODD] = {
        3,
        64,
        0xdeadbeef,
        UINTPTR_MAX,
        UINTPTR_MAX / 2,
        (uintptr_t)1 << 47,
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
    memcpy(odd, all, sizeof odd);
}

/* One of another kind is odd, and of its own kind it is not. A device is a number. Memory that can
 * be read is the program's, and an allocation is not odd either. */
static bool is_odd(const struct parameter *parameter, uintptr_t value) {
    int device = (int)value;
    if (parameter->kind == DEVICE) return device < 0 || device >= ADI_SIM_DEVICES;
    return value != parameter->right() &&
           !(parameter->kind == MEMORY && value == (uintptr_t)make_odd);
}

static bool is_the_answer(enum kind kind, CUresult code) {
    switch (kind) {
    case CONTEXT:
        return code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED;
    case STREAM_HANDLE:
    case EVENT:
        return code == CUDA_ERROR_INVALID_HANDLE;
    case DEVICE:
        return code == CUDA_ERROR_INVALID_DEVICE;
    case MEMORY:
        return code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_NOT_FOUND ||
               code == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    case ANYTHING:
        break;
    }
    return false;
}

static size_t calls, wrong;

static void call_with(const struct function *function, const struct parameter *const *found,
                      size_t n, size_t which, uintptr_t value) {
    uintptr_t with[ARGUMENTS] = {0};
    for (size_t i = 0; i < n; i++) with[i] = i == which ? value : found[i]->right();
    CUresult code = ((any)function->call)(with[0], with[1], with[2], with[3], with[4], with[5]);
    if (is_the_answer(found[which]->kind, code)) return;
    fprintf(stderr, "%s%s with %#zx in number %zu: %d\n", function->name, function->parameters,
            (size_t)value, which + 1, code);
    wrong++;
}

/* A structure is no word, and of a pointer that it does not know this one says that it is nothing.
 */
static bool is_left_out(const struct function *function) {
    return strstr(function->parameters, "CUipcMemHandle handle") != NULL ||
           strcmp(function->name, "cuPointerGetAttributes") == 0;
}

static void call_with_all(const struct function *function) {
    const struct parameter *found[ARGUMENTS];
    if (is_left_out(function)) return;
    size_t n = take_apart(function->parameters, found);
    for (size_t which = 0; which < n; which++) {
        if (found[which]->kind == ANYTHING) continue;
        for (size_t i = 0; i < ODD; i++) {
            if (!is_odd(found[which], odd[i])) continue;
            call_with(function, found, n, which, odd[i]);
            calls++;
        }
    }
}

static void with_garbage_everywhere(void) {
    char byte = 0;
    cuda_scene_begin();
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemsetD8(cuda.a, 5, CUDA_BYTES));
    make_odd();
    for (size_t i = 0; i < FUNCTIONS; i++) call_with_all(&functions[i]);
    SIM_WANT(calls > 1000 && wrong == 0);
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemcpyDtoH(&byte, cuda.a, 1));
    SIM_WANT(byte == 5);
    cuda_scene_end();
}

START_TEST(garbage_is_refused_by_every_function)
{ free(sim_play(with_garbage_everywhere, sim_way_at((size_t)_i), 0)); }
END_TEST

/* ---- anything in any order ---- */

enum {
    CALLS = 4000,
    POOL = 64
};

static uintptr_t pool[POOL];
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(state >> 33) % below;
}

/* Something right, something odd, or what some call gave. */
static uintptr_t draw_value(const struct parameter *parameter) {
    bool points = strchr(parameter->text, '*') != NULL || parameter->right == a_callback ||
                  parameter->right == a_host_function;
    uint32_t which = draw(8);
    if (which < 4) return parameter->right();
    if (points && parameter->kind == ANYTHING) return which == 4 ? 0 : parameter->right();
    if (parameter->right == one) return draw(2); /* how many there are of what is pointed to */
    return which < 6 ? odd[draw(ODD)] : pool[draw(POOL)];
}

static void call_anything(void) {
    const struct parameter *found[ARGUMENTS];
    uintptr_t with[ARGUMENTS] = {0};
    const struct function *function = &functions[draw(FUNCTIONS)];
    if (strstr(function->parameters, "CUipcMemHandle handle") != NULL) return;
    size_t n = take_apart(function->parameters, found);
    for (size_t i = 0; i < n; i++) with[i] = draw_value(found[i]);
    ((any)function->call)(with[0], with[1], with[2], with[3], with[4], with[5]);
    memcpy(&pool[draw(POOL)], out, sizeof *pool);
}

static unsigned seed;

/* What comes of it is nobody's to say, but that it comes back. */
static void with_anything(void) {
    cuda_scene_begin();
    make_odd();
    state = seed;
    for (int i = 0; i < CALLS; i++) call_anything();
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
    tcase_add_loop_test(tests, any_calls_come_back, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
