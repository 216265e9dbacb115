/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared virtual memory as buffer values: who hands it out is judged where it is known, and nothing
 * is said of him where it is not.
 */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../devices/opencl_internal.h"
#include "devices.h"
#include "harness/shell.h"

Suite *devices_opencl_shared_suite(void);

#define EVENTS 256
#define TRIES  64
#define BYTES  ((size_t)64 << 10)
#define FAR    ((size_t)256 << 20) /* no shared memory is farther from a handle */

static const struct adi_device_ops *const ops = &adi_device_opencl;
static const struct adi_opencl_api *api;
static struct adi_device device;
static cl_context context;
static __typeof__(&clSVMAlloc) allocate;
static __typeof__(&clSVMFree) give_back;

static bool is_open(const char *test) {
    struct adi_error error = {""};
    api = adi_opencl_api(&error);
    if (api == NULL || ops->open(0, &device, &error) != 0) {
        printf("skip: %s: %s\n", test, error.text);
        return false;
    }
    context = (cl_context)(uintptr_t)ops->native_handle(&device, "opencl.context");
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&allocate = dlsym(library, "clSVMAlloc");
    *(void **)(void *)&give_back = dlsym(library, "clSVMFree");
    return true;
}

static const void *among(const cl_event *handles, const char *shared) {
    for (int i = 0; i < EVENTS; i++)
        if ((const char *)handles[i] >= shared && (const char *)handles[i] < shared + BYTES)
            return handles[i];
    return NULL;
}

START_TEST(memory_where_an_object_was_is_shared_memory)
{
    cl_event handles[EVENTS];
    char *shared[TRIES], first;
    const void *within = NULL;
    int n = 0;
    if (!is_open("memory_where_an_object_was_is_shared_memory")) return;
    for (int i = 0; i < EVENTS; i++) handles[i] = api->clCreateUserEvent(context, NULL);
    for (int i = 0; i < EVENTS; i++) api->clReleaseEvent(handles[i]);
    for (; n < TRIES && within == NULL; n++) {
        shared[n] = allocate(context, CL_MEM_READ_WRITE, BYTES, 0);
        within = among(handles, shared[n]);
    }
    if (within == NULL) puts("skip: memory_where_an_object_was: the runtime put none there");
    if (within != NULL) {
        memset(shared[n - 1], 's', BYTES);
        ck_assert(ops->accessible(&device, within, NULL));
        ck_assert_int_eq(ops->read(&device, within, 0, &first, 1, NULL), 0);
        ck_assert_int_eq(first, 's');
    }
    while (n > 0) give_back(context, shared[--n]);
    ops->close(&device);
}
END_TEST

START_TEST(a_byte_of_a_buffer_is_not_what_lies_so_far_behind_its_handle)
{
    char *shared[TRIES] = {NULL}, byte = 'b', seen = 0;
    void *buffer;
    size_t far = FAR;
    int n = 0;
    if (!is_open("a_byte_of_a_buffer")) return;
    ck_assert_int_eq(ops->alloc(&device, (int64_t)FAR, &buffer, NULL), 0);
    for (; n < TRIES && far >= FAR; n++) {
        shared[n] = allocate(context, CL_MEM_READ_WRITE, 4096, 0);
        far = (uintptr_t)shared[n] - (uintptr_t)buffer;
    }
    if (far >= FAR) puts("skip: a_byte_of_a_buffer: the runtime put no shared memory behind one");
    if (far < FAR) {
        memset(shared[n - 1], 's', 4096);
        ck_assert_int_eq(ops->write(&device, buffer, (int64_t)far, &byte, 1, NULL), 0);
        ck_assert_int_eq(ops->read(&device, buffer, (int64_t)far, &seen, 1, NULL), 0);
        ck_assert_int_eq(seen, 'b');
    }
    while (n > 0) give_back(context, shared[--n]);
    ops->free(&device, buffer);
    ops->close(&device);
}
END_TEST

/* ---- without the layer, which lies beside the program ---- */

#define ALONE "cp $A alone; ./alone "
#define SHARED(which)                                                                              \
    "run $B/tests/mutants/opencl_odd_shared_" which ".so --device opencl:0 --json report "

static bool is_there(const char *test) {
    if (run("$A devices | grep '^opencl:0.*found'") == 0) return true;
    printf("skip: %s: there is no opencl:0\n", test);
    return false;
}

START_TEST(nothing_is_said_of_memory_that_nobody_can_tell)
{
    if (!is_there("nothing_is_said_of_memory_that_nobody_can_tell")) return;
    expect(ALONE SHARED("silent") "--case 'int32/many/*export*'; cat report", 0,
           "not judged: 0x| is no cl_mem; whether it is shared virtual memory is seen by "
           "opencl_layer.so only|OPENCL_LAYERS; ocl-icd does from 2.3 on");
    expect("grep -c '\"verdict\": \"\\(fail\\|crash\\|error\\|timeout\\)\"' report", 1, "0");
}
END_TEST

START_TEST(memory_of_a_known_context_is_judged)
{
    if (!is_there("memory_of_a_known_context_is_judged")) return;
    expect(ALONE SHARED("lent") "--case '@(int32|utf8)/*/export'", 0, "conformant");
    expect("grep -c 'is no cl_mem' report", 1, "0");
    expect(ALONE SHARED("memory") "--case '@(int32|struct)/many/@(|program-)export'", 0,
           "conformant");
    expect("grep -c 'is no cl_mem' report", 1, "0");
}
END_TEST

START_TEST(what_is_wrong_all_the_same_is_found)
{
    if (!is_there("what_is_wrong_all_the_same_is_found")) return;
    expect(ALONE "run $B/tests/mutants/opencl_event_by_value.so --device opencl:0 "
                 "--case int32/nulls/export",
           1, "sync/event-invalid");
}
END_TEST

Suite *devices_opencl_shared_suite(void) {
    Suite *suite = suite_create("devices_opencl_shared");
    TCase *tests = tcase_create("memory"), *shell = tcase_create("without the layer");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, memory_where_an_object_was_is_shared_memory);
    tcase_add_test(tests, a_byte_of_a_buffer_is_not_what_lies_so_far_behind_its_handle);
    tcase_add_checked_fixture(shell, shell_open, shell_close);
    tcase_set_timeout(shell, 60);
    tcase_add_test(shell, nothing_is_said_of_memory_that_nobody_can_tell);
    tcase_add_test(shell, memory_of_a_known_context_is_judged);
    tcase_add_test(shell, what_is_wrong_all_the_same_is_found);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, shell);
    return suite;
}
