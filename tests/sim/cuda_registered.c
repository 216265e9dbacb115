/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the program that is registered with the simulated CUDA driver: what is done to it is in
 * order, or is named, as far as whole pages of it tell.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_registered_suite(void);

static char *own; /* five pages, of which four are registered: half of the first and the last */
static size_t page, bytes;
static CUdeviceptr memory;
static volatile char sink;

static void begin(void) {
    cuda_scene_begin();
    page = sim_page_bytes();
    bytes = 4 * page;
    own = mmap(NULL, 5 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SIM_WANT(own != MAP_FAILED);
    own += page / 2;
    CUDA_OK(cuMemHostRegister(own, bytes, 0));
    CUDA_OK(cuMemAlloc(&memory, bytes));
    CUDA_OK(cuMemsetD8(memory, 7, bytes));
    CUDA_OK(cuCtxSynchronize());
}

static void end(void) {
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemHostUnregister(own));
    CUDA_OK(cuMemFree(memory));
    memset(own - page / 2, 1, 5 * page);
    cuda_scene_end();
}

static volatile char *byte(size_t offset) {
    return own + offset;
}

/* ---- used rightly and wrongly ---- */

static void read_behind_a_copy(bool wrong) {
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *byte(bytes / 2);
    SIM_WANT(wrong || (*byte(0) == 7 && *byte(bytes - 1) == 7));
}

static void written_before_a_copy_has_read_it(bool wrong) {
    CUDA_OK(cuMemcpyHtoDAsync(memory, own, bytes, cuda.s));
    sink = *byte(bytes / 2);
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    *byte(bytes / 2) = 1;
}

static void read_behind_a_fill(bool wrong) {
    CUdeviceptr device;
    CUDA_OK(cuMemHostGetDevicePointer(&device, own, 0));
    CUDA_OK(cuMemsetD32Async(device, 0x05050505, bytes / 4, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!wrong) CUDA_OK(cuEventSynchronize(cuda.e));
    sink = *byte(page);
    SIM_WANT(wrong || sink == 5);
}

static void used_by_two_streams(bool wrong) {
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, 64, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    if (!wrong) CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.a, own + 63, 64, cuda.t));
}

/* Of whole pages that work which is queued keeps closed. */
static void used_again_while_closed(bool wrong) {
    CUdeviceptr device;
    CUDA_OK(cuMemHostGetDevicePointer(&device, own, 0));
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    CUDA_OK(cuMemcpyHtoDAsync(memory, own + 1, bytes - 1, cuda.s));
    CUDA_OK(cuMemsetD8Async(device + page, 3, page, cuda.s));
    CUDA_OK(cuMemcpyAsync(memory, device, bytes, cuda.s));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    if (!wrong) CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_OK(cuStreamWaitEvent(cuda.t, cuda.e, 0));
    CUDA_OK(cuMemcpyDtoHAsync(own + page, memory, page, cuda.t));
    CUDA_OK(cuCtxSynchronize());
    SIM_WANT(wrong || (*byte(0) == 7 && *byte(2 * page) == 7 && *byte(page + 1) == 7));
}

/* Of two copies the one that is not waited for. */
static void read_behind_one_of_two(bool wrong) {
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, 2 * page, cuda.s));
    CUDA_OK(cuMemcpyDtoHAsync(own + 2 * page, memory, 2 * page, cuda.t));
    CUDA_OK(cuStreamSynchronize(wrong ? cuda.s : cuda.t));
    sink = *byte(3 * page - page / 2);
    SIM_WANT(wrong || sink == 7);
}

/* What is registered for reads only is no place to write to, be it the program's to write or not.
 */
static char *for_reads(void) {
    char *fixed = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUDA_OK(cuMemHostRegister(fixed, bytes, 8));
    return fixed;
}

static void copied_to_what_is_for_reads(bool wrong) {
    char *fixed = for_reads();
    CUDA_OK(cuMemcpyHtoDAsync(memory, fixed, bytes, cuda.s));
    CUDA_ANSWERS(cuMemcpyDtoHAsync(wrong ? fixed + page : own, memory, page, cuda.s),
                 wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemHostUnregister(fixed));
}

static void filled_for_reads(bool wrong) {
    CUdeviceptr device;
    char *fixed = for_reads();
    CUDA_OK(cuMemHostGetDevicePointer(&device, wrong ? fixed : own, 0));
    CUDA_ANSWERS(cuMemsetD8Async(device, 1, page, cuda.s),
                 wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemHostUnregister(fixed));
}

static const struct sim_pair pairs[] = {
    {copied_to_what_is_for_reads, "not-allocated"},
    {filled_for_reads, "not-allocated"},
    {read_behind_a_copy, "touched-before-wait"},
    {written_before_a_copy_has_read_it, "touched-before-wait"},
    {read_behind_a_fill, "touched-before-wait"},
    {used_by_two_streams, "race"},
    {used_again_while_closed, "race"},
    {read_behind_one_of_two, "touched-before-wait"},
};

START_TEST(the_wrong_one_is_named_and_the_right_one_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, 1); }
END_TEST

static void given_to_a_kernel(bool wrong) {
    static const char text[] = ".version 8.0\n.target sm_90\n.entry one(.param .u64 p) { ret; }\n";
    CUmodule module;
    CUfunction function;
    char *pointer = own;
    void *arguments[] = {&pointer};
    CUDA_OK(cuModuleLoadData(&module, text));
    CUDA_OK(cuModuleGetFunction(&function, module, "one"));
    CUDA_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, cuda.s, arguments, NULL));
    if (!wrong) CUDA_OK(cuStreamSynchronize(cuda.s));
    sink = *byte(page);
    CUDA_OK(cuModuleUnload(module));
}

static const struct sim_pair opaque = {given_to_a_kernel, "launch-unordered"};

START_TEST(kernels_are_given_it)
{
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    sim_tells_apart(&opaque, begin, end, 1);
}
END_TEST

/* A page that was opened for one touch is closed again by the next call. */
static void read_twice(void) {
    CUdevice device;
    begin();
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    sink = *byte(page);
    CUDA_OK(cuCtxGetDevice(&device));
    sink = *byte(page);
    end();
}

START_TEST(each_touch_is_named)
{ sim_is_named(read_twice, "touched-before-wait", 2); }
END_TEST

/* ---- what is refused ---- */

static void refuse(void) {
    static char few[2][64];
    unsigned long long ids[2];
    begin();
    CUDA_ANSWERS(cuMemHostUnregister(own + 64), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    CUDA_ANSWERS(cuMemHostRegister(own + 64, 64, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CUDA_ANSWERS(cuMemHostRegister((void *)8, 64, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_ANSWERS(cuMemHostRegister(cuda.pinned, 64, 0), CUDA_ERROR_INVALID_VALUE);
    for (int i = 0; i < 2; i++) {
        CUDA_OK(cuMemHostRegister(few[i], sizeof few[i], 0));
        CUDA_OK(cuPointerGetAttribute(&ids[i], CU_POINTER_ATTRIBUTE_BUFFER_ID, (uintptr_t)few[i]));
    }
    SIM_WANT(ids[0] != ids[1]);
    for (int i = 0; i < 2; i++) CUDA_OK(cuMemHostUnregister(few[i]));
    end();
}

START_TEST(what_cannot_be_registered_is_refused)
{ sim_goes_well(refuse, 1); }
END_TEST

/* To the engine, too, whoever asks it. */
static void ask_the_engine(void) {
    sim_scene_begin();
    char *some = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    SIM_WANT(adi_sim_register(scene.context, NULL, 8) == EINVAL);
    SIM_WANT(adi_sim_register(scene.context, (void *)8, 8) == EINVAL);
    SIM_WANT(adi_sim_register(scene.context, scene.pinned, 8) == EINVAL);
    SIM_WANT(adi_sim_register(scene.context, some, 64) == 0);
    SIM_WANT(adi_sim_register(scene.context, some + 63, 64) == EINVAL);
    SIM_WANT(adi_sim_register(scene.context, some + 64, 64) == 0);
    SIM_WANT(adi_sim_unregister(some + 1) == EINVAL);
    SIM_WANT(adi_sim_unregister(some) == 0);
    SIM_WANT(adi_sim_unregister(some) == EINVAL);
    SIM_WANT(adi_sim_unregister(some + 64) == 0);
    munmap(some, 4096);
    sim_scene_end();
}

START_TEST(the_engine_refuses_it_too)
{ sim_goes_well(ask_the_engine, 1); }
END_TEST

/* ---- what is not blamed ---- */

/* Bytes of the same pages that are not registered; and those that nothing uses. */
static void touch_beside(void) {
    begin();
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, 2 * page, cuda.s));
    memset(own - page / 2, 3, page / 2);
    memset(own + bytes, 3, page / 2);
    memset(own + 2 * page, 3, 2 * page);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(*byte(0) == 7 && *byte(2 * page - 1) == 7 && *byte(2 * page) == 3 && own[-1] == 3);
    end();
}

/* What cannot be told page by page goes unseen, and comes in time. */
static void use_a_little(void) {
    static char few[64];
    begin();
    CUDA_OK(cuMemHostRegister(few, sizeof few, 0));
    CUDA_OK(cuMemcpyDtoHAsync(few, memory, sizeof few, cuda.s));
    sink = few[3];
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(few[3] == 7);
    CUDA_OK(cuMemHostUnregister(few));
    end();
}

/* What cannot be seen comes late, too: a copy reads when it runs. */
static void write_a_little(void) {
    static char few[64];
    begin();
    CUDA_OK(cuMemHostRegister(few, sizeof few, 0));
    CUDA_OK(cuMemcpyHtoDAsync(cuda.managed, few, sizeof few, cuda.s));
    few[3] = 9;
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(*cuda_at(cuda.managed, 3) == 9);
    CUDA_OK(cuMemHostUnregister(few));
    end();
}

START_TEST(a_copy_reads_when_it_runs)
{ sim_goes_well(write_a_little, 1); }
END_TEST

/* May the program still not write there? */
static bool is_fixed(char *at) {
    int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    SIM_WANT(zeros >= 0);
    bool fixed = read(zeros, at, 1) == -1 && errno == EFAULT;
    close(zeros);
    return fixed;
}

static void read_only(void) {
    begin();
    char *fixed = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUDA_OK(cuMemHostRegister(fixed, bytes, 8));
    CUDA_OK(cuMemcpyHtoDAsync(memory, fixed, bytes, cuda.s));
    sink = fixed[page];
    CUDA_OK(cuStreamSynchronize(cuda.s));
    SIM_WANT(is_fixed(fixed + page));
    CUDA_OK(cuMemHostUnregister(fixed));
    SIM_WANT(is_fixed(fixed + page));
    end();
}

/* So are pages that are registered in part. */
static void read_only_beside(void) {
    begin();
    char *first = own - page / 2, *last = first + 4 * page;
    SIM_WANT(mprotect(first, page, PROT_READ) == 0 && mprotect(last, page, PROT_READ) == 0);
    CUDA_OK(cuMemcpyDtoHAsync(own + page, memory, 2 * page, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuMemHostUnregister(own));
    SIM_WANT(is_fixed(first) && is_fixed(last));
    SIM_WANT(mprotect(first, 5 * page, PROT_READ | PROT_WRITE) == 0);
    CUDA_OK(cuMemHostRegister(own, bytes, 0));
    end();
}

/* As a driver has it (580 on an H100): what the program cannot write wants the flag. */
static void read_only_without_the_flag(void) {
    int supported = 0;
    begin();
    CUDA_OK(cuDeviceGetAttribute(&supported, 113, 0));
    char *fixed = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUDA_ANSWERS(cuMemHostRegister(fixed, bytes, 0), CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(supported == 1 && mprotect(fixed, 3 * page, PROT_READ | PROT_WRITE) == 0);
    CUDA_ANSWERS(cuMemHostRegister(fixed, bytes, 0), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemHostRegister(fixed, 3 * page, 0));
    CUDA_OK(cuMemHostUnregister(fixed));
    end();
}

static void fork_meanwhile(void) {
    int status = -1;
    begin();
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    pid_t child = fork();
    if (child == 0) {
        *byte(page) = *byte(2 * page);
        _exit(EXIT_SUCCESS);
    }
    SIM_WANT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    end();
}

/* Another registration of the same memory begins anew; with the context all of it ends. */
static void register_again(void) {
    CUcontext context;
    CUstream stream;
    begin();
    CUDA_OK(cuMemcpyDtoHAsync(own, memory, bytes, cuda.s));
    CUDA_OK(cuMemHostUnregister(own));
    sink = *byte(page);
    CUDA_OK(cuStreamSynchronize(cuda.s));
    CUDA_OK(cuCtxCreate(&context, 0, 0));
    CUDA_OK(cuStreamCreate(&stream, 0));
    CUDA_OK(cuMemHostRegister(own, bytes, 0));
    CUDA_OK(cuMemcpyHtoDAsync(memory, own, bytes, stream));
    CUDA_OK(cuCtxDestroy(context));
    memset(own, 1, bytes);
    CUDA_OK(cuMemHostRegister(own, bytes, 0));
    end();
}

static sigjmp_buf back;

static void jump_back(int number) {
    (void)number;
    siglongjmp(back, 1);
}

/* What the program closes is its own fault, whether it is registered or not. */
static void close_it_oneself(void) {
    begin();
    signal(SIGSEGV, jump_back);
    SIM_WANT(mprotect(own - page / 2 + page, page, PROT_NONE) == 0);
    if (sigsetjmp(back, 1) == 0) {
        sink = *byte(page);
        SIM_WANT(false);
    }
    SIM_WANT(mprotect(own - page / 2 + page, page, PROT_READ | PROT_WRITE) == 0);
    end();
}

static void (*const programs[])(void) = {
    close_it_oneself, touch_beside,   use_a_little,     read_only,
    fork_meanwhile,   register_again, read_only_beside, read_only_without_the_flag};

START_TEST(nobody_else_is_blamed)
{ sim_goes_well(programs[_i], sim_ways()); }
END_TEST

Suite *sim_cuda_registered_suite(void) {
    Suite *suite = suite_create("sim_cuda_registered");
    TCase *tests = tcase_create("registered");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_wrong_one_is_named_and_the_right_one_is_not, 0,
                        (int)(sizeof pairs / sizeof *pairs));
    tcase_add_test(tests, kernels_are_given_it);
    tcase_add_test(tests, each_touch_is_named);
    tcase_add_test(tests, what_cannot_be_registered_is_refused);
    tcase_add_test(tests, the_engine_refuses_it_too);
    tcase_add_test(tests, a_copy_reads_when_it_runs);
    tcase_add_loop_test(tests, nobody_else_is_blamed, 0, (int)(sizeof programs / sizeof *programs));
    suite_add_tcase(suite, tests);
    return suite;
}
