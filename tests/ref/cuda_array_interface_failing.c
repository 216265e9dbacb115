/* SPDX-License-Identifier: Apache-2.0
 *
 * A device of which each call in turn fails: nothing is lost, and nothing has happened.
 */
#include <errno.h>
#include <string.h>

#include "description.h"
#include "export.h"
#include "literal.h"
#include "move.h"
#include "on_cuda.h"

Suite *ref_cuda_array_interface_failing_suite(void);

static const uint8_t bits[] = {0x2d};
static int calls, fail_at, timeouts, released;
static struct adi_device_ops failing;

static int fails(struct adi_error *why) {
    return ++calls == fail_at ? adi_error_set(why, EIO, "call %d fails", calls) : 0;
}

static int alloc_or_fail(struct adi_device *device, int64_t bytes, void **buffer,
                         struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.alloc(device, bytes, buffer, why);
}

static int write_or_fail(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                         int64_t bytes, struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.write(device, buffer, offset, from, bytes, why);
}

static int read_or_fail(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.read(device, buffer, offset, to, bytes, why);
}

static int event_or_fail(struct adi_device *device, void **sync_event, struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.event(device, sync_event, why);
}

static int wait_or_fail(struct adi_device *device, void *sync_event, struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.wait(device, sync_event, why);
}

static int wait_host_or_fail(struct adi_device *device, void *sync_event, struct adi_error *why) {
    int code = fails(why);
    if (code == 0 && timeouts > 0 && timeouts-- > 0) return ETIMEDOUT;
    return code != 0 ? code : adi_device_cuda.wait_host(device, sync_event, why);
}

static int record_or_fail(struct adi_device *device, void *queue, void **sync_event,
                          struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.record_on(device, queue, sync_event, why);
}

static int wait_on_or_fail(struct adi_device *device, void *queue, void *sync_event,
                           struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.wait_on(device, queue, sync_event, why);
}

static int attributes_or_fail(struct adi_device *device, const void *pointer,
                              struct adi_pointer_attributes *out, struct adi_error *why) {
    int code = fails(why);
    return code != 0 ? code : adi_device_cuda.pointer_attributes(device, pointer, out, why);
}

static void *data;

static void set_up(void) {
    open_both();
    failing = adi_device_cuda;
    failing.alloc = alloc_or_fail;
    failing.write = write_or_fail;
    failing.read = read_or_fail;
    failing.event = event_or_fail;
    failing.wait = wait_or_fail;
    failing.wait_host = wait_host_or_fail;
    failing.record_on = record_or_fail;
    failing.wait_on = wait_on_or_fail;
    failing.pointer_attributes = attributes_or_fail;
    data = put(bits, sizeof bits);
    settle();
    consumer.ops = &failing;
}

static void tear_down(void) {
    consumer.ops = &adi_device_cuda;
    producer.ops->free(&producer, data);
    close_both();
}

static void count_release(struct adi_cuda_array *array) {
    released++;
    array->release = NULL;
}

static void count_owner(void *unused) {
    (void)unused;
    released++;
}

/* The last round fails no call any more. */
START_TEST(an_import_that_fails_has_done_nothing)
{
    struct ArrowSchema schema;
    struct ArrowDeviceArray out;
    int code;
    set_up();
    const size_t before = failing.interceptor()->references();
    struct adi_cuda_array in =
                              DESCRIPTION(3, "|b1", (uintptr_t)data, SHAPE(1), .has_stream = G,
                                          .stream = stream_of(&producer), .release = count_release),
                          copy;
    memcpy(&copy, &in, sizeof in);
    do {
        fail_at++;
        calls = 0;
        code = adi_cuda_array_to_arrow(&consumer, &in, ADI_COPY_IF_NEEDED, true, &schema, &out,
                                       &error);
        ck_assert_int_eq(code, calls < fail_at ? 0 : EIO);
        if (code == 0) break;
        ck_assert_int_eq(released, 0);
        ck_assert_int_eq(memcmp(&copy, &in, sizeof in), 0);
        ck_assert_uint_eq(failing.interceptor()->references(), before);
    } while (true);
    ck_assert_int_eq(fail_at, 8); /* attributes, record, wait, alloc, read, write, event, none */
    adi_schema_release(&schema);
    adi_device_array_release(&out);
    tear_down();
}
END_TEST

/* Bools are copied; with a stream, and without. */
START_TEST(an_export_that_fails_has_done_nothing)
{
    struct ArrowSchema schema = SCHEMA("b");
    struct ArrowDeviceArray array = {.device_type = ARROW_DEVICE_CUDA}, before;
    struct adi_cuda_array as;
    int code;
    set_up();
    const size_t held = failing.interceptor()->references();
    const struct adi_cuda_array_options options = {.version = 3,
                                                   .has_stream = _i == 0 ? G : ADI_ENTRY_NONE,
                                                   .stream = stream_of(&producer),
                                                   .copy = ADI_COPY_IF_NEEDED};
    struct ArrowArray values = {.length = 6, .null_count = -1, BUFFERS(NULL, data)};
    struct adi_owner owner = {count_owner, NULL};
    ck_assert_int_eq(adi_export(&values, owner, &array.array, &error), 0);
    memcpy(&before, &array, sizeof array);
    do {
        fail_at++;
        calls = 0;
        code = adi_cuda_array_from_arrow(&consumer, &schema, &array, &options, &as, &error);
        ck_assert_int_eq(code, calls < fail_at ? 0 : EIO);
        if (code == 0) break;
        ck_assert_int_eq(released, 0);
        ck_assert_int_eq(memcmp(&before, &array, sizeof array), 0);
        ck_assert_uint_eq(failing.interceptor()->references(), held);
    } while (true);
    ck_assert_int_eq(fail_at, 7); /* wait, read, alloc, write, event, wait for it, none */
    ck_assert_int_eq(released, 1);
    fail_at = 0;
    adi_cuda_array_release(&as);
    tear_down();
}
END_TEST

/* What commands may still read is not given back because they take long. */
START_TEST(a_release_waits_as_long_as_it_takes)
{
    struct ArrowSchema schema = SCHEMA("C");
    struct ArrowDeviceArray array = {.device_type = ARROW_DEVICE_CUDA};
    struct adi_cuda_array as;
    set_up();
    const struct adi_cuda_array_options options = {
        .version = 3, .has_stream = G, .stream = stream_of(&producer)};
    struct ArrowArray values = {.length = 1, BUFFERS(NULL, data)};
    struct adi_owner owner = {count_owner, NULL};
    ck_assert_int_eq(adi_export(&values, owner, &array.array, &error), 0);
    ck_assert_int_eq(adi_cuda_array_from_arrow(&consumer, &schema, &array, &options, &as, &error),
                     0);
    timeouts = 3;
    adi_cuda_array_release(&as);
    ck_assert_int_eq(timeouts, 0);
    ck_assert_int_eq(released, 1);
    tear_down();
}
END_TEST

static int reach_nothing(struct adi_device *device, const void *pointer,
                         struct adi_pointer_attributes *out, struct adi_error *why) {
    int code = adi_device_cuda.pointer_attributes(device, pointer, out, why);
    out->device_pointer = NULL;
    return code;
}

/* Host memory that was registered, but not mapped. */
START_TEST(a_pointer_that_no_device_has_is_refused)
{
    struct ArrowSchema schema = SCHEMA("C");
    struct ArrowDeviceArray array = {.device_type = ARROW_DEVICE_CUDA};
    struct adi_cuda_array as = DESCRIPTION(3, "|u1", 0, SHAPE(1));
    struct adi_pointer_attributes found;
    set_up();
    failing.pointer_attributes = reach_nothing;
    as.data = (uintptr_t)data;
    ck_assert_int_eq(adi_cuda_array_reach(&consumer, &as, &found, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "data: no device reaches"));
    const struct adi_cuda_array_options options = {.version = 3};
    struct ArrowArray values = {.length = 1, BUFFERS(NULL, data)};
    struct adi_owner owner = {count_owner, NULL};
    ck_assert_int_eq(adi_export(&values, owner, &array.array, &error), 0);
    ck_assert_int_eq(adi_cuda_array_from_arrow(&consumer, &schema, &array, &options, &as, &error),
                     EFAULT);
    adi_device_array_release(&array);
    tear_down();
}
END_TEST

/* A device that was compiled before there was such a slot. */
START_TEST(a_device_that_cannot_be_asked_is_refused)
{
    struct ArrowSchema schema;
    struct ArrowDeviceArray out;
    struct adi_cuda_array as = DESCRIPTION(3, "|u1", 0, SHAPE(0));
    set_up();
    failing.size = offsetof(struct adi_device_ops, pointer_attributes);
    ck_assert_int_eq(
        adi_cuda_array_to_arrow(&consumer, &as, ADI_COPY_NEVER, true, &schema, &out, &error),
        ENOTSUP);
    ck_assert_str_eq(error.text, "cuda:0 knows nothing of pointers and streams of others");
    tear_down();
}
END_TEST

Suite *ref_cuda_array_interface_failing_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_failing");
    TCase *tests = tcase_create("failing");
    tcase_add_test(tests, an_import_that_fails_has_done_nothing);
    tcase_add_loop_test(tests, an_export_that_fails_has_done_nothing, 0, 2);
    tcase_add_test(tests, a_release_waits_as_long_as_it_takes);
    tcase_add_test(tests, a_pointer_that_no_device_has_is_refused);
    tcase_add_test(tests, a_device_that_cannot_be_asked_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
