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

#include "sim/cuda_right.h"
#include "slow.h"

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
    case MADE:
        return code == CUDA_ERROR_INVALID_HANDLE;
    case DEVICE:
        return code == CUDA_ERROR_INVALID_DEVICE;
    case NEEDED:
    case GRAPH_OBJECT:
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
static bool stays_out(const struct garbage_function *function) {
    return strstr(function->parameters, "CUipcMemHandle handle") != NULL ||
           strcmp(function->name, "cuPointerGetAttributes") == 0 ||
           strcmp(function->name, "cuCtxPopCurrent_v2") == 0;
}

static uintptr_t pool[POOL]; /* what some call gave */

/* No more than the program has, or more than there is. */
static const size_t sizes[] = {0, 1, 7, 64, 256, SIZE_MAX / 2 + 1, SIZE_MAX - 7, SIZE_MAX};

/* What a function has given. The heap of AddressSanitizer (0x18 << 42) can be read at any address,
 * and a copy from there is an error to it: such a pointer, or half of it, is not handed on. */
static void remember(uint32_t which) {
    uintptr_t given;
    memcpy(&given, cuda_right.out, sizeof given);
    if (!IS_SANITIZED || given >> 42 != 0x18) pool[which % POOL] = given;
}

/* What is pointed to, and a function, is there, or it is NULL. */
static uintptr_t anything(const struct garbage_parameter *parameter, uint32_t which) {
    bool points = strchr(parameter->text, '*') != NULL || parameter->kind == FUNCTION;
    remember(which / 4);
    if (parameter->kind == SIZE) return sizes[which % (sizeof sizes / sizeof *sizes)];
    if (points && parameter->kind != MEMORY) return which % 4 == 0 ? 0 : parameter->right();
    return which % 2 == 0 ? odd[which / 4 % ODD] : pool[which / 128 % POOL];
}

static const struct garbage garbage = {
    .functions = functions,
    .n = sizeof functions / sizeof *functions,
    .parameters = cuda_parameters,
    .odd = odd,
    .n_odd = ODD,
    .is_odd = is_odd,
    .is_the_answer = is_the_answer,
    .is_left_out = stays_out,
    .anything = anything,
};

static void with_garbage_everywhere(void) {
    size_t calls;
    char byte = 0;
    cuda_scene_begin();
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemsetD8(cuda.a, 5, CUDA_BYTES));
    make_odd();
    cuda_right_make();
    size_t wrong = garbage_everywhere(&garbage, &calls);
    SIM_WANT(calls > 1000 && wrong == 0);
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuMemcpyDtoH(&byte, cuda.a, 1));
    SIM_WANT(byte == 5);
    cuda_scene_end();
}

START_TEST(garbage_is_refused_by_every_function)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    free(sim_play(with_garbage_everywhere, sim_way_at((size_t)_i), 0));
}
END_TEST

/* ---- from within what a stream runs ---- */

static size_t permitted;

static void call_all(void *data) {
    (void)data;
    for (size_t i = 0; i < garbage.n; i++) {
        if (stays_out(&functions[i])) continue;
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
    sim_play_with("ADI_SIM_KERNELS", "opaque");
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
    cuda_right_make();
    if (!adi_sim_is_live(cuda.s, NULL)) cuStreamCreate(&cuda.s, CU_STREAM_NON_BLOCKING);
    if (!adi_sim_is_live(cuda.e, NULL)) cuEventCreate(&cuda.e, 0);
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
    sim_play_with("ADI_SIM_KERNELS", "opaque");
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
