/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation's CUDA libraries as a program meets them that was built for NVIDIA's: by file
 * name, by symbol, linked.
 */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cuda_misuse.h"
#include "sim/played.h"
#include "slow.h"

Suite *sim_cuda_libraries_suite(void);

static void in_build(const char *file, char out[512]) {
    const char *build = getenv("ADI_TEST_BUILD");
    int n = snprintf(out, 512, "%s/%s", build == NULL ? "build" : build, file);
    ck_assert_int_lt(n, 512);
}

/* ---- symbols ---- */

static const char *const driver_names[] = {
#define CALL(base, since, name, begin, parameters, ...)           #name,
#define STREAM(base, since, name, suffix, begin, parameters, ...) #name, #name #suffix,
#define PLAIN(base, since, name, parameters, ...)                 #name,
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)                 #older,
#define UNSERVED(base, version)            #base #version,
#define UNSERVED_ON(base, version, suffix) #base #version, #base #version #suffix,
#include "functions.def"
#include "unserved.def"
#undef CALL
#undef STREAM
#undef PLAIN
#undef UNSERVED
#undef UNSERVED_ON
};

static const char *const refused_names[] = {
#define UNSERVED(name)            #name,
#define UNSERVED_ON(name, suffix) #name, #name #suffix,
#include "cudart/cudart_unserved.def"
};

#define REFUSED (sizeof refused_names / sizeof *refused_names)

static const char *const runtime_names[] = {
#define CALL(name, begin, parameters, ...)           #name,
#define STREAM(name, suffix, begin, parameters, ...) #name, #name #suffix,
#define PLAIN(type, name, parameters, ...)           #name,
#include "cudart/runtime.def"
#undef CALL
#undef STREAM
#undef PLAIN
};

static void has(const char *file, const char *soname, const char *const *names, size_t n) {
    char path[512];
    in_build(file, path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(dlsym(library, names[i]) != NULL, "%s: no %s", file, names[i]);
    ck_assert_msg(dlopen(soname, RTLD_NOW | RTLD_NOLOAD) != NULL, "%s is not %s", file, soname);
    ck_assert_msg(dlopen("libadisim.so", RTLD_NOW | RTLD_NOLOAD) != NULL, "%s: no engine", file);
}

START_TEST(each_library_has_its_name_and_its_symbols)
{
    has("sim/libcuda.so.1", "libcuda.so.1", driver_names,
        sizeof driver_names / sizeof *driver_names);
    ck_assert_ptr_null(dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "cuCtxGetDevice_v2"));
    has("sim/libcudart.so.12", "libcudart.so.12", runtime_names,
        sizeof runtime_names / sizeof *runtime_names);
    has("sim/libcudart.so.13", "libcudart.so.13", runtime_names,
        sizeof runtime_names / sizeof *runtime_names);
    has("sim/libcudart.so.12", "libcudart.so.12", refused_names, REFUSED);
    has("sim/libcudart.so.13", "libcudart.so.13", refused_names, REFUSED);
}
END_TEST

START_TEST(each_runtime_knows_its_version_and_shows_it_in_its_symbols)
{
    char path[512], version[32];
    int major = _i, said;
    int (*ask)(int *);
    snprintf(version, sizeof version, "sim/libcudart.so.%d", major);
    in_build(version, path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    void *symbol = dlvsym(library, "cudaRuntimeGetVersion", strchr(version, 'l'));
    ck_assert_ptr_nonnull(symbol);
    memcpy(&ask, &symbol, sizeof ask);
    ck_assert_int_eq(ask(&said), 0);
    ck_assert_int_eq(said, major * 1000);
}
END_TEST

/* As with NVIDIA's: cudaErrorInsufficientDriver. */
START_TEST(a_runtime_wants_a_driver_of_its_major_version_at_least)
{
    char path[512], file[32];
    int (*ask)(int *), count = 7;
    snprintf(file, sizeof file, "sim/libcudart.so.%d", _i);
    in_build(file, path);
    setenv("ADI_CUDA_VERSION", "12.4", 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    void *symbol = dlsym(library, "cudaGetDeviceCount");
    memcpy(&ask, &symbol, sizeof ask);
    ck_assert_int_eq(ask(&count), _i == 12 ? 0 : 35);
    ck_assert_int_eq(count, _i == 12 ? 2 : 7);
}
END_TEST

/* ---- a program that is linked ---- */

static const struct mistake {
    const char *way, *violation;
} mistakes[] =
    {
        {"right", NULL},         {"no-wait", "race"},
        {"event-first", "race"}, {"host-read", "device-memory-touched"},
        {"kept-event", "leak"},
},
  copies[] = {
      {"right", NULL},
      {"default", NULL},
      {"peer", NULL},
      {"async", "race"},
};

#define MISTAKES (sizeof mistakes / sizeof *mistakes)
#define COPIES   (sizeof copies / sizeof *copies)

static const struct mistake *mistake;
static int runtime;

/* It is started anew: the engine of the tests is not the one that it loads. */
static void start(const char *program, const struct sim_way *way, const char *log) {
    char path[512], file[64], seed[24];
    snprintf(file, sizeof file, "tests/sim/cudart/%s.%d", program, runtime);
    in_build(file, path);
    snprintf(seed, sizeof seed, "%u", way->seed);
    setenv("ADI_SIM_POLICY", way->policy, 1);
    setenv("ADI_SIM_SEED", seed, 1);
    setenv("ADI_SIM_LOG", log, 1);
    setenv("ADI_SIM_LEAKS", "1", 1);
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(4);
    execl(path, path, mistake->way, (char *)NULL);
    _exit(5);
}

static char *log_of(const char *program, const struct sim_way *way) {
    char name[] = "/tmp/adicuda.XXXXXX";
    int status, file = mkstemp(name);
    ck_assert_int_ge(file, 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) start(program, way, name);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(status == 0, "%s.%d %s: status %#x", program, runtime, mistake->way,
                  (unsigned)status);
    char *log = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(log);
    ck_assert_int_gt(read(file, log, (1 << 20) - 1), 0);
    close(file);
    unlink(name);
    return log;
}

static void is_judged(const char *program) {
    for (size_t i = 0; i < 3; i++) {
        struct sim_way way = sim_way_at(i);
        char *log = log_of(program, &way);
        size_t named = mistake->violation == NULL ? 0 : sim_count(log, mistake->violation);
        ck_assert_msg((named > 0) == (mistake->violation != NULL) && named == sim_count_errors(log),
                      "%s, %s:\n%s", mistake->way, way.policy, log);
        free(log);
    }
}

START_TEST(an_exchange_by_the_runtime_is_judged)
{
    mistake = &mistakes[(size_t)_i / 2];
    runtime = 12 + _i % 2;
    is_judged("exchange");
}
END_TEST

START_TEST(a_copy_between_devices_by_the_runtime_is_judged)
{
    mistake = &copies[(size_t)_i / 2];
    runtime = 12 + _i % 2;
    is_judged("peers");
}
END_TEST

START_TEST(a_program_with_kernels_starts_and_is_refused_them)
{
    struct sim_way lazy = sim_way_at(0);
    mistake = &mistakes[0];
    runtime = _i;
    char *log = log_of("kernels", &lazy);
    ck_assert_uint_eq(sim_count_text(log, "\"remark\":\"cudaLaunchKernel\",\"text\":\"kernels do"),
                      1);
    ck_assert_uint_eq(sim_count_errors(log), 0);
    free(log);
}
END_TEST

START_TEST(what_the_runtime_does_not_serve_says_so_in_the_log)
{
    struct sim_way lazy = sim_way_at(0);
    char line[160];
    mistake = &mistakes[0];
    runtime = _i;
    char *log = log_of("unserved", &lazy);
    for (size_t i = 0; i < REFUSED; i++) {
        snprintf(line, sizeof line, "\"remark\":\"%s\",\"text\":\"not simulated: cudaError",
                 refused_names[i]);
        ck_assert_msg(sim_count_text(log, line) == 1, "%s is not named once", refused_names[i]);
    }
    ck_assert_uint_eq(sim_count_errors(log), 0);
    free(log);
}
END_TEST

START_TEST(garbage_is_refused_by_every_function_of_the_runtime)
{
    mistake = &(const struct mistake){"everywhere", NULL};
    runtime = 12 + _i % 2;
    struct sim_way way = sim_way_at((size_t)_i / 2);
    char *log = log_of("garbage", &way);
    ck_assert_uint_gt(sim_count(log, "bad-handle"), 0);
    free(log);
}
END_TEST

START_TEST(any_calls_of_the_runtime_come_back)
{
    mistake = &(const struct mistake){is_full() ? "100000" : "2000", NULL};
    runtime = 12 + _i % 2;
    struct sim_way way = sim_way_at((size_t)_i / 2);
    setenv("ADI_SIM_MEMORY", "65536", 1);
    free(log_of("garbage", &way));
}
END_TEST

Suite *sim_cuda_libraries_suite(void) {
    Suite *suite = suite_create("sim_cuda_libraries");
    TCase *tests = tcase_create("libraries");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_library_has_its_name_and_its_symbols);
    tcase_add_loop_test(tests, each_runtime_knows_its_version_and_shows_it_in_its_symbols, 12, 14);
    tcase_add_loop_test(tests, a_runtime_wants_a_driver_of_its_major_version_at_least, 12, 14);
    tcase_add_loop_test(tests, a_program_with_kernels_starts_and_is_refused_them, 12, 14);
    tcase_add_loop_test(tests, what_the_runtime_does_not_serve_says_so_in_the_log, 12, 14);
    tcase_add_loop_test(tests, garbage_is_refused_by_every_function_of_the_runtime, 0, 2 * 3);
    tcase_add_loop_test(tests, any_calls_of_the_runtime_come_back, 0, 2 * 3);
    tcase_add_loop_test(tests, an_exchange_by_the_runtime_is_judged, 0, 2 * (int)MISTAKES);
    tcase_add_loop_test(tests, a_copy_between_devices_by_the_runtime_is_judged, 0, 2 * (int)COPIES);
    suite_add_tcase(suite, tests);
    return suite;
}
