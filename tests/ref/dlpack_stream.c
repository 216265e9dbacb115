/* SPDX-License-Identifier: Apache-2.0
 *
 * What each number that names a stream is on each type of device.
 */
#include "dlpack_stream.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "counting.h"
#include "device_types.h"
#include "dlpack.h"

Suite *ref_dlpack_stream_suite(void);

static struct adi_error error;

#define NO    ADI_DLPACK_BY_NOBODY
#define HOST  ADI_DLPACK_BY_HOST
#define QUEUE ADI_DLPACK_BY_QUEUE
#define BAD   (-1)

/* None, then the numbers: what each is, and its handle where it is a queue. */
#define NUMBERS 8
#define A_QUEUE 0x7f0012345678
static const int64_t numbers[NUMBERS] = {ADI_DLPACK_NONE, -2, -1, 0, 1, 2, 3, A_QUEUE};
struct convention {
    int order[NUMBERS];
    uintptr_t handles[NUMBERS];
};

static const struct convention no_streams = {{HOST, BAD, BAD, BAD, BAD, BAD, BAD, BAD}, {0}};
static const struct convention cuda = {{QUEUE, BAD, NO, BAD, QUEUE, QUEUE, QUEUE, QUEUE},
                                       {1, 0, 0, 0, 1, 2, 3, A_QUEUE}};
static const struct convention rocm = {{QUEUE, BAD, NO, QUEUE, BAD, BAD, QUEUE, QUEUE},
                                       {0, 0, 0, 0, 0, 0, 3, A_QUEUE}};
static const struct convention ours = {{HOST, BAD, NO, BAD, BAD, BAD, QUEUE, QUEUE},
                                       {0, 0, 0, 0, 0, 0, 3, A_QUEUE}};

static const struct {
    int device_type;
    const struct convention *convention;
} rows[] = {
    {kDLCPU, &no_streams},     {kDLVPI, &no_streams}, {kDLWebGPU, &no_streams},
    {kDLHexagon, &no_streams}, {kDLCUDA, &cuda},      {kDLCUDAHost, &cuda},
    {kDLCUDAManaged, &cuda},   {kDLROCM, &rocm},      {kDLROCMHost, &rocm},
    {kDLOpenCL, &ours},        {kDLVulkan, &ours},    {kDLMetal, &ours},
    {kDLExtDev, &ours},        {kDLOneAPI, &ours},
};
#define ROWS ((int)(sizeof rows / sizeof *rows))

START_TEST(each_number_is_what_the_page_says)
{
    const char *name = adi_device_type_name(rows[_i].device_type);
    const struct convention *wanted = rows[_i].convention;
    for (int i = 0; i < NUMBERS; i++) {
        struct adi_dlpack_queue queue = {HOST, (void *)&queue};
        error.text[0] = '\0';
        int code = adi_dlpack_stream(rows[_i].device_type, numbers[i], &queue, &error);
        if (wanted->order[i] == BAD) {
            ck_assert_msg(code == EINVAL, "%s: %" PRId64, name, numbers[i]);
            ck_assert_ptr_nonnull(strstr(error.text, name));
            continue;
        }
        ck_assert_msg(code == 0, "%s: %" PRId64 ": %s", name, numbers[i], error.text);
        ck_assert_int_eq((int)queue.order, wanted->order[i]);
        ck_assert_uint_eq((uintptr_t)queue.handle, wanted->handles[i]);
    }
}
END_TEST

START_TEST(each_type_has_a_row)
{
    int types = 0;
    while (adi_device_type_at((size_t)types) != NULL) types++;
    ck_assert_int_eq(types, ROWS);
}
END_TEST

/* A device whose queues cannot wait: the host does. One that cannot record says so. */
START_TEST(a_device_does_what_it_can)
{
    struct counting counting;
    struct adi_dlpack_queue queue = {QUEUE, &counting}, nobody = {NO, NULL}, host = {HOST, NULL};
    void *event, *none = &event;
    counting_open(&counting);
    ck_assert_int_eq(counting.device.ops->event(&counting.device, &event, NULL), 0);
    ck_assert_int_eq(adi_dlpack_wait(&counting.device, nobody, event, &error), 0);
    ck_assert_int_eq(counting.waits, 0);
    ck_assert_int_eq(adi_dlpack_wait(&counting.device, queue, event, &error), 0);
    ck_assert_int_eq(adi_dlpack_wait(&counting.device, host, event, &error), 0);
    ck_assert_int_eq(counting.waits, 2);
    ck_assert_int_eq(adi_dlpack_wait(NULL, queue, NULL, &error), 0);
    ck_assert_int_eq(adi_dlpack_wait(NULL, nobody, event, &error), 0);
    ck_assert_int_eq(adi_dlpack_wait(NULL, host, event, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "there is an event, and no device to wait for it by");
    counting.device.ops->event_free(&counting.device, event);

    ck_assert_int_eq(adi_dlpack_record(&counting.device, queue, &none, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "ext_dev records no event on a stream of others");
    ck_assert_int_eq(adi_dlpack_record(NULL, queue, &none, &error), ENOTSUP);
    ck_assert_int_eq(adi_dlpack_record(NULL, nobody, &none, &error), 0);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(adi_dlpack_record(NULL, host, &none, &error), 0);
    ck_assert_ptr_null(none);
}
END_TEST

/* Of each row: the number that is to be none is refused, and only where the page has numbers has a
 * stream one. */
START_TEST(what_is_no_stream_is_refused)
{
    struct adi_dlpack_queue queue;
    const int type = rows[_i].device_type;
    enum adi_dlpack_numbers has = adi_dlpack_numbers(type);
    bool has_streams = adi_device_type_has_event(type);
    ck_assert_int_eq(has == ADI_DLPACK_STREAMLESS, !has_streams);
    ck_assert_int_eq(adi_dlpack_stream(type, adi_dlpack_no_stream(type), &queue, &error), EINVAL);
    ck_assert(has != ADI_DLPACK_NUMBERED || rows[_i].convention->order[0] == QUEUE);
}
END_TEST

static const void *handle_of(struct adi_device *device, const char *what) {
    (void)device;
    return strcmp(what, "cuda.stream") == 0 ? (const void *)(uintptr_t)0x1230 : NULL;
}

START_TEST(a_device_tells_the_number_of_its_own_stream)
{
    struct adi_device_ops ops = {
        .size = sizeof ops, .type = (ArrowDeviceType)kDLCUDAManaged, .native_handle = handle_of};
    struct adi_device device = {&ops, 0, NULL};
    ck_assert_int_eq(adi_dlpack_own_stream(&device), 0x1230);
    ops.type = (ArrowDeviceType)kDLROCM; /* which has no such handle here */
    ck_assert_int_eq(adi_dlpack_own_stream(&device), ADI_DLPACK_NONE);
    ops.type = (ArrowDeviceType)kDLOpenCL;
    ck_assert_int_eq(adi_dlpack_own_stream(&device), ADI_DLPACK_NONE);
    ops.type = (ArrowDeviceType)kDLCUDA;
    ops.native_handle = NULL;
    ck_assert_int_eq(adi_dlpack_own_stream(&device), ADI_DLPACK_NONE);
}
END_TEST

Suite *ref_dlpack_stream_suite(void) {
    Suite *suite = suite_create("ref_dlpack_stream");
    TCase *tests = tcase_create("streams");
    tcase_add_loop_test(tests, each_number_is_what_the_page_says, 0, ROWS);
    tcase_add_test(tests, each_type_has_a_row);
    tcase_add_test(tests, a_device_does_what_it_can);
    tcase_add_loop_test(tests, what_is_no_stream_is_refused, 0, ROWS);
    tcase_add_test(tests, a_device_tells_the_number_of_its_own_stream);
    suite_add_tcase(suite, tests);
    return suite;
}
