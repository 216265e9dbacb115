/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layer sees of two parties that share a process: this file plays both.
 */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../devices/opencl_api.h"
#include "devices.h"
#include "misuse_observed.h"

Suite *devices_opencl_layer_suite(void);

#define BYTES      64
#define LAYER_ROOM 16384 /* objects, dead ones with them */
#define MANY       20000

static const struct adi_device_ops *const ops = &adi_device_opencl;
static const struct adi_opencl_api *api;
static const struct adi_interceptor *interceptor;
static struct adi_device ours, theirs; /* of the harness, of the implementation */
static bool open_both(const char *test) {
    struct adi_error error;
    api = adi_opencl_api(&error);
    interceptor = api == NULL ? NULL : ops->interceptor();
    if (interceptor == NULL || ops->open(0, &theirs, &error) != 0) {
        printf("skip: %s: %s\n", test, api == NULL ? error.text : "no device, or no layer");
        return false;
    }
    interceptor->enter(false);
    ck_assert_int_eq(ops->open(0, &ours, NULL), 0);
    interceptor->enter(true);
    memset(&observed, 0, sizeof observed);
    interceptor->subscribe(on_misuse, &observed);
    return true;
}

static void close_both(void) {
    if (interceptor == NULL) return;
    interceptor->resume();
    ops->close(&theirs);
    interceptor->enter(false);
    ops->close(&ours);
}

#define LAYER_TEST(name)                                                                           \
    START_TEST(name)                                                                               \
    {                                                                                              \
        if (!open_both(#name)) return;

#define LAYER_END                                                                                  \
    close_both();                                                                                  \
    }                                                                                              \
    END_TEST

/* A buffer of the harness's, and the event behind what writes it. */
static void export(void **buffer, void **event) {
    char text[BYTES] = "what was written";
    interceptor->enter(false);
    ck_assert_int_eq(ops->alloc(&ours, BYTES, buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&ours, *buffer, 0, text, BYTES, NULL), 0);
    ck_assert_int_eq(ops->event(&ours, event, NULL), 0);
    interceptor->enter(true);
}

static void release(void *buffer, void *event) {
    interceptor->enter(false);
    ops->event_free(&ours, event);
    ops->free(&ours, buffer);
    interceptor->enter(true);
}

LAYER_TEST(who_waits_lets_go_and_is_not_blamed)
void *buffer, *event;
char out[BYTES];
interceptor->pause(false);
export(&buffer, &event);
ck_assert(interceptor->pending(buffer));
ck_assert(interceptor->pending(*(void **)event));
ck_assert_int_eq(ops->wait(&theirs, event, NULL), 0);
ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, BYTES, NULL), 0);
ck_assert_str_eq(out, "what was written");
ck_assert(!interceptor->pending(buffer));
ck_assert_int_eq(observed.count, 0);
release(buffer, event);
LAYER_END

LAYER_TEST(who_does_not_wait_is_blamed)
void *buffer, *event;
char out[BYTES];
interceptor->pause(false);
export(&buffer, &event);
ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, BYTES, NULL), 0);
expect_observed(ADI_MISUSE_EARLY, false, "clEnqueueReadBuffer uses a buffer that is not written");
ck_assert(interceptor->pending(buffer));
release(buffer, event);
LAYER_END

LAYER_TEST(what_the_harness_does_is_not_told)
void *buffer, *event;
interceptor->pause(false);
export(&buffer, &event);
interceptor->enter(false);
struct adi_device third;
char out[BYTES];
ck_assert_int_eq(ops->open(0, &third, NULL), 0);
interceptor->pause(true); /* lets the harness's own go */
ck_assert_int_eq(ops->read(&third, buffer, 0, out, BYTES, NULL), 0);
ops->close(&third);
interceptor->enter(true);
ck_assert_int_eq(observed.count, 0);
release(buffer, event);
LAYER_END

LAYER_TEST(a_kernel_that_does_not_wait_is_blamed)
void *buffer, *event;
uint64_t sum;
struct adi_error error;
export(&buffer, &event);
if (ops->checksum(&theirs, buffer, 0, BYTES, &sum, &error) != 0) {
    printf("skip: a_kernel_that_does_not_wait_is_blamed: %s\n", error.text);
    return;
}
ck_assert_int_eq(observed.count, 0);
interceptor->pause(false);
interceptor->enter(false);
ck_assert_int_eq(ops->write(&ours, buffer, 0, "x", 1, NULL), 0);
interceptor->enter(true);
ck_assert_int_eq(ops->checksum(&theirs, buffer, 0, BYTES, &sum, NULL), 0);
expect_observed(ADI_MISUSE_EARLY, false, "clEnqueueNDRangeKernel");
release(buffer, event);
LAYER_END

LAYER_TEST(an_event_covers_what_was_queued_before_it)
void *buffer, *event;
interceptor->pause(false);
export(&buffer, &event);
ck_assert(interceptor->covers(*(void **)event, buffer));
interceptor->enter(false);
ck_assert_int_eq(ops->write(&ours, buffer, 0, "x", 1, NULL), 0);
interceptor->enter(true);
ck_assert(!interceptor->covers(*(void **)event, buffer));
interceptor->resume();
ck_assert(interceptor->covers(*(void **)event, buffer)); /* nothing is known any more */
release(buffer, event);
LAYER_END

static int by_address(const void *a, const void *b) {
    uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
    return (left > right) - (left < right);
}

static size_t count_different(uintptr_t *all, size_t n) {
    size_t different = 0;
    qsort(all, n, sizeof *all, by_address);
    for (size_t i = 0; i < n; i++) different += i == 0 || all[i] != all[i - 1];
    return different;
}

/* With what the allocator would give again taken away from it, as a sanitizer does. */
LAYER_TEST(however_many_there_were_the_next_is_seen)
static uintptr_t made[MANY];
static void *taken[MANY];
void *buffer, *event;
cl_context context;
ck_assert_int_eq(ops->alloc(&theirs, BYTES, &buffer, NULL), 0);
ck_assert_int_eq(api->clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL),
                 CL_SUCCESS);
ops->free(&theirs, buffer);
for (size_t i = 0; i < MANY; i++) {
    cl_mem one = api->clCreateBuffer(context, 0, 1, NULL, NULL);
    size_t bytes = malloc_usable_size(one);
    made[i] = (uintptr_t)one;
    ck_assert_int_eq(api->clReleaseMemObject(one), CL_SUCCESS);
    taken[i] = malloc(bytes);
}
size_t different = count_different(made, MANY);
if (different <= LAYER_ROOM)
    printf("skip: however_many_there_were_the_next_is_seen: only %zu addresses\n", different);
interceptor->pause(false);
export(&buffer, &event);
ck_assert(interceptor->pending(buffer));
ck_assert(interceptor->pending(*(void **)event));
for (size_t i = 0; i < MANY; i++) free(taken[i]);
release(buffer, event);
LAYER_END

LAYER_TEST(a_hold_ends_by_itself)
void *buffer, *event;
interceptor->pause(false);
export(&buffer, &event);
ck_assert(interceptor->pending(buffer));
ck_assert(!interceptor->expired());
while (interceptor->pending(buffer)) continue;
ck_assert(interceptor->expired());
interceptor->pause(false);
ck_assert(!interceptor->expired());
release(buffer, event);
LAYER_END

LAYER_TEST(queued_reads_are_known_until_they_have_run)
void *buffer, *event;
static char out[BYTES];
export(&buffer, &event);
ck_assert_int_eq(ops->wait_host(&theirs, event, NULL), 0);
interceptor->pause(true);
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&ours, "opencl.context");
cl_device_id id = (cl_device_id)(uintptr_t)ops->native_handle(&ours, "opencl.device");
cl_command_queue queue = api->clCreateCommandQueue(context, id, 0, NULL);
ck_assert(!interceptor->used(buffer));
ck_assert_int_eq(api->clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, BYTES, out, 0, NULL, NULL),
                 CL_SUCCESS);
ck_assert(interceptor->used(buffer));
ck_assert(interceptor->used_in(buffer, BYTES - 1, 1) && !interceptor->used_in(buffer, BYTES, 1));
ck_assert_int_eq(api->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, out, 0, NULL, NULL),
                 CL_SUCCESS);
ck_assert(!interceptor->used(buffer));
ck_assert_str_eq(out, "what was written");
api->clReleaseCommandQueue(queue);
ck_assert_int_eq(observed.count, 0);
release(buffer, event);
LAYER_END

LAYER_TEST(a_reference_of_another_is_not_given_up)
void *buffer, *event;
export(&buffer, &event);
ck_assert_int_eq(api->clReleaseEvent(*(cl_event *)event), CL_INVALID_EVENT);
expect_observed(ADI_MISUSE_NOT_OWNED, true, "clReleaseEvent of what clEnqueueMarkerWithWaitList");
observed.count = 0;
ck_assert_int_eq(api->clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
expect_observed(ADI_MISUSE_NOT_OWNED, false, "clReleaseMemObject of what clCreateBuffer had made");
observed.count = 0;
ck_assert_int_eq(api->clRetainEvent(*(cl_event *)event), CL_SUCCESS);
ck_assert_int_eq(api->clReleaseEvent(*(cl_event *)event), CL_SUCCESS);
ck_assert_int_eq(observed.count, 0);
release(buffer, event);
LAYER_END

LAYER_TEST(the_dead_are_not_used)
void *buffer, *event;
char out[BYTES];
export(&buffer, &event);
cl_event handle = *(cl_event *)event;
ck_assert_int_eq(ops->wait_host(&theirs, event, NULL), 0);
release(buffer, event);
ck_assert_int_eq(ops->wait_host(&theirs, &handle, NULL), EINVAL);
ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, 1, NULL), EFAULT);
ck_assert_int_eq(observed.count, 0); /* the backend asks first */
ck_assert_int_eq(api->clRetainEvent(handle), CL_INVALID_EVENT);
expect_observed(ADI_MISUSE_DEAD, true, "clRetainEvent uses the cl_event of");
observed.count = 0;
ck_assert_int_eq(api->clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
expect_observed(ADI_MISUSE_DEAD, false, "was released before");
LAYER_END

LAYER_TEST(the_address_of_an_event_is_no_event)
void *buffer, *event;
export(&buffer, &event);
ck_assert_int_eq(api->clRetainEvent((cl_event)event), CL_INVALID_EVENT);
expect_observed(ADI_MISUSE_ADDRESS, true, "clRetainEvent uses the address of a cl_event");
release(buffer, event);
LAYER_END

/* Puts a function that the backend does not need into a variable of its type. */
static void *loader_function(const char *name) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
    ck_assert_ptr_nonnull(library);
    return dlsym(library, name);
}

static void expect_dead(cl_int code, cl_int wanted, bool is_event, const char *words) {
    ck_assert_int_eq(code, wanted);
    expect_observed(ADI_MISUSE_DEAD, is_event, words);
    observed.count = 0;
}

#define LOADED(name)                                                                               \
    __typeof__(&name) name;                                                                        \
    memcpy(&name, &(void *){loader_function(#name)}, sizeof name)

LAYER_TEST(the_dead_do_not_reach_the_runtime)
LOADED(clFinish);
LOADED(clGetCommandQueueInfo);
LOADED(clGetEventProfilingInfo);
LOADED(clEnqueueMigrateMemObjects);
LOADED(clEnqueueNativeKernel);
LOADED(clSVMAlloc);
LOADED(clSVMFree);
LOADED(clEnqueueSVMFree);
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&theirs, "opencl.context");
cl_device_id id = (cl_device_id)(uintptr_t)ops->native_handle(&theirs, "opencl.device");
cl_command_queue own = (cl_command_queue)(uintptr_t)ops->native_handle(&theirs, "opencl.queue");
cl_command_queue queue = api->clCreateCommandQueue(context, id, 0, NULL);
cl_event event = api->clCreateUserEvent(context, NULL);
cl_mem buffer = api->clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
void *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
void *queued = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
api->clReleaseCommandQueue(queue);
api->clReleaseEvent(event);
api->clReleaseMemObject(buffer);
clSVMFree(context, NULL);
clSVMFree(context, shared);
ck_assert_int_eq(clEnqueueSVMFree(own, 1, &queued, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
clFinish(own);
ck_assert_int_eq(observed.count, 0);
expect_dead(api->clFlush(queue), CL_INVALID_COMMAND_QUEUE, false, "clFlush uses the object of");
expect_dead(clFinish(queue), CL_INVALID_COMMAND_QUEUE, false, "clFinish uses");
expect_dead(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE,
            false, "clGetCommandQueueInfo uses");
expect_dead(api->clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE, false,
            "clEnqueueMarkerWithWaitList uses");
expect_dead(api->clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT, true,
            "clSetUserEventStatus uses the cl_event of clCreateUserEvent");
expect_dead(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, NULL, NULL),
            CL_INVALID_EVENT, true, "clGetEventProfilingInfo uses");
expect_dead(clEnqueueMigrateMemObjects(own, 1, &buffer, 0, 0, NULL, NULL), CL_INVALID_MEM_OBJECT,
            false, "clEnqueueMigrateMemObjects uses");
expect_dead(clEnqueueNativeKernel(own, NULL, NULL, 0, 1, &buffer, NULL, 0, NULL, NULL),
            CL_INVALID_MEM_OBJECT, false, "clEnqueueNativeKernel uses");
expect_dead(api->clFlush((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE, false,
            "clFlush uses the object of clCreateContext, which is of another kind");
clSVMFree(context, shared);
expect_dead(0, 0, false, "clSVMFree of what clSVMAlloc had made and was released before");
expect_dead(clEnqueueSVMFree(own, 1, &queued, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE, false,
            "clEnqueueSVMFree of what clSVMAlloc had made and was released before");
LAYER_END

LAYER_TEST(shared_memory_is_held_as_buffers_are)
LOADED(clSVMAlloc);
LOADED(clSVMFree);
LOADED(clEnqueueSVMMemFill);
LOADED(clFinish);
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&theirs, "opencl.context");
cl_command_queue queue = (cl_command_queue)(uintptr_t)ops->native_handle(&theirs, "opencl.queue");
cl_command_queue other = api->clCreateCommandQueue(
    context, (cl_device_id)(uintptr_t)ops->native_handle(&theirs, "opencl.device"), 0, NULL);
char *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
char *read = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0), out[BYTES];
cl_event early, late;
interceptor->pause(true);
api->clEnqueueMarkerWithWaitList(queue, 0, NULL, &early);
ck_assert_int_eq(clEnqueueSVMMemFill(queue, shared + 8, "x", 1, BYTES - 8, 0, NULL, NULL),
                 CL_SUCCESS);
api->clEnqueueMarkerWithWaitList(queue, 0, NULL, &late);
ck_assert(interceptor->pending(shared + 4));
ck_assert(!interceptor->pending(read));
ck_assert(!interceptor->covers(early, shared + 4));
ck_assert(interceptor->covers(late, shared + 4));
ck_assert(!interceptor->used(read));
api->clEnqueueSVMMemcpy(other, CL_FALSE, out, read, BYTES, 0, NULL, NULL);
ck_assert(interceptor->used(read + 1));
ck_assert_int_eq(observed.count, 0);
interceptor->resume();
clFinish(queue);
clFinish(other);
api->clReleaseEvent(early);
api->clReleaseEvent(late);
api->clReleaseCommandQueue(other);
clSVMFree(context, shared);
clSVMFree(context, read);
LAYER_END

LAYER_TEST(shared_memory_is_read_and_known_to_its_end)
__typeof__(&clSVMAlloc) allocate;
__typeof__(&clSVMFree) give_back;
void *functions[] = {loader_function("clSVMAlloc"), loader_function("clSVMFree")};
memcpy(&allocate, &functions[0], sizeof allocate);
memcpy(&give_back, &functions[1], sizeof give_back);
cl_context context = (cl_context)(uintptr_t)ops->native_handle(&theirs, "opencl.context");
char *shared = allocate(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
char out[BYTES];
struct adi_device second;
ck_assert_ptr_nonnull(shared);
memset(shared, 's', BYTES);
ck_assert(ops->accessible(&ours, shared + 1, NULL));
ck_assert_int_eq(ops->read(&ours, shared, 1, out, BYTES - 1, NULL), 0);
ck_assert_mem_eq(out, shared, BYTES - 1);
ck_assert_int_eq(ops->read(&ours, shared, 1, out, BYTES, NULL), EFAULT);
if (ops->open(1, &second, NULL) == 0) {
    ck_assert(!ops->accessible(&second, shared, NULL));
    ops->close(&second);
}
give_back(context, shared);
ck_assert_int_eq(ops->read(&ours, shared, 0, out, 1, NULL), EFAULT);
LAYER_END

LAYER_TEST(references_of_the_implementation_are_counted)
void *buffer, *event;
size_t before = interceptor->references();
export(&buffer, &event);
ck_assert_uint_eq(interceptor->references(), before);
ck_assert_int_eq(api->clRetainEvent(*(cl_event *)event), CL_SUCCESS);
ck_assert_uint_eq(interceptor->references(), before + 1);
api->clReleaseEvent(*(cl_event *)event);
ck_assert_uint_eq(interceptor->references(), before);
release(buffer, event);
LAYER_END

Suite *devices_opencl_layer_suite(void) {
    Suite *suite = suite_create("devices_opencl_layer");
    TCase *tests = tcase_create("layer");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, who_waits_lets_go_and_is_not_blamed);
    tcase_add_test(tests, who_does_not_wait_is_blamed);
    tcase_add_test(tests, what_the_harness_does_is_not_told);
    tcase_add_test(tests, a_kernel_that_does_not_wait_is_blamed);
    tcase_add_test(tests, an_event_covers_what_was_queued_before_it);
    tcase_add_test(tests, however_many_there_were_the_next_is_seen);
    tcase_add_test(tests, a_hold_ends_by_itself);
    tcase_add_test(tests, queued_reads_are_known_until_they_have_run);
    tcase_add_test(tests, a_reference_of_another_is_not_given_up);
    tcase_add_test(tests, the_dead_are_not_used);
    tcase_add_test(tests, the_address_of_an_event_is_no_event);
    tcase_add_test(tests, the_dead_do_not_reach_the_runtime);
    tcase_add_test(tests, shared_memory_is_held_as_buffers_are);
    tcase_add_test(tests, shared_memory_is_read_and_known_to_its_end);
    tcase_add_test(tests, references_of_the_implementation_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
