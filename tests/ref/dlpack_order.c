/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors of simulated devices, whose queues run late: who names its stream reads what was written,
 * and who does without is seen to.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda_internal.h"
#include "devices.h"
#include "dlpack.h"
#include "dlpack_stream.h"
#include "export.h"
#include "import.h"
#include "literal.h"
#include "move.h"
#include "tensor.h"

Suite *ref_dlpack_order_suite(void);

static const struct adi_device_ops *const backends[] = {
    &adi_device_ext_dev, &adi_device_cuda, &adi_device_cuda_host, &adi_device_cuda_managed};
#define BACKENDS ((int)(sizeof backends / sizeof *backends))

/* Three parties with a queue each on one device. */
static struct adi_device producer, consumer, third;
static const struct adi_device_ops *ops;
static struct adi_error error;
static char log_path[64];

static void set_up(int which) {
    const char *build = getenv("ADI_TEST_BUILD");
    char path[4096];
    snprintf(path, sizeof path, "%s/libadisim.so", build == NULL ? "build" : build);
    ck_assert_int_eq(setenv("ADI_SIM", path, 1), 0);
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    snprintf(log_path, sizeof log_path, "/tmp/dlpack_order.%d", (int)getpid());
    ck_assert_int_eq(setenv("ADI_SIM_LOG", log_path, 1), 0);
    ops = backends[which];
    ck_assert_msg(ops->open(0, &producer, &error) == 0, "%s", error.text);
    ck_assert_int_eq(ops->open(0, &consumer, &error), 0);
    ck_assert_int_eq(ops->open(0, &third, &error), 0);
}

/* Lines of the log with this in them. */
static int logged(const char *text) {
    char line[4096];
    int n = 0;
    FILE *file = fopen(log_path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) n += strstr(line, text) != NULL;
    fclose(file);
    return n;
}

static void tear_down(int violations) {
    ops->close(&producer);
    ops->close(&consumer);
    ops->close(&third);
    int seen = logged("{\"violation\"");
    unlink(log_path);
    ck_assert_msg(violations == 0 ? seen == 0 : seen > 0, "%d violations", seen);
}

/* The stream of a device, as a consumer names it. */
static int64_t stream_of(struct adi_device *device) {
    const void *queue =
        ops->native_handle(device, ops == &adi_device_ext_dev ? "ext_dev.queue" : "cuda.stream");
    return (int64_t)(uintptr_t)queue;
}

static struct adi_dlpack_arguments by(int64_t stream) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    arguments.stream = stream;
    return arguments;
}

static const int32_t numbers[] = {11, 22, 33, 44, 55, 66};

/* What is on the device when this returns is still to be written. */
static void produce(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct ArrowArray host = ARRAY(.length = 6, BUFFERS(NULL, numbers));
    ck_assert_msg(adi_produce(&producer, schema, &host, out, &error) == 0, "%s", error.text);
    ck_assert_ptr_nonnull(out->sync_event);
}

/* Does the party, on its own queue, read what was written? */
static bool reads(struct adi_device *device, const DLTensor *tensor) {
    int32_t seen[6] = {0};
    ck_assert_msg(ops->read(device, tensor->data, (int64_t)tensor->byte_offset, seen, sizeof seen,
                            &error) == 0,
                  "%s", error.text);
    return memcmp(seen, numbers, sizeof seen) == 0;
}

/* An array of the producer, exported by `device`; the tensor within it. */
static const DLTensor *export_by(struct adi_device *device,
                                 const struct adi_dlpack_arguments *asked, struct adi_dlpack *out,
                                 uint64_t *flags) {
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array;
    const DLTensor *tensor;
    produce(&schema, &array);
    ck_assert_msg(
        adi_dlpack_export(device, &schema, &array, ADI_DLPACK_READ_ONLY, asked, out, &error) == 0,
        "%s", error.text);
    ck_assert_int_eq(adi_dlpack_look(out, &tensor, NULL, flags, NULL), 0);
    return tensor;
}

static void *delete_it(void *tensor) {
    adi_dlpack_delete(tensor);
    return NULL;
}

static void delete_on_thread(struct adi_dlpack *tensor) {
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, delete_it, tensor), 0);
    pthread_join(thread, NULL);
}

/* ---- the producer's half ---- */

START_TEST(the_stream_that_is_named_waits)
{
    struct adi_dlpack out;
    set_up(_i);
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    ck_assert(reads(&consumer, export_by(&producer, &asked, &out, NULL)));
    delete_on_thread(&out);
    tear_down(0);
}
END_TEST

/* With -1 the export does not wait either, and the simulation tells. */
START_TEST(who_asks_for_no_order_has_none)
{
    struct adi_dlpack out;
    set_up(_i);
    struct adi_dlpack_arguments asked = by(-1);
    ck_assert(!reads(&consumer, export_by(&producer, &asked, &out, NULL)));
    adi_dlpack_delete(&out);
    tear_down(1);
}
END_TEST

static int ignore(struct adi_device *device, void *queue, void *sync_event, struct adi_error *why) {
    (void)device, (void)queue, (void)sync_event, (void)why;
    return 0;
}

/* The defect: an export that lets nothing wait on the stream that was passed. */
START_TEST(an_export_without_the_wait_is_seen)
{
    struct adi_dlpack out;
    set_up(_i);
    struct adi_device_ops deaf = *ops;
    deaf.wait_on = ignore;
    struct adi_device wrong = {&deaf, producer.id, producer.state};
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    ck_assert(!reads(&consumer, export_by(&wrong, &asked, &out, NULL)));
    adi_dlpack_delete(&out);
    tear_down(1);
}
END_TEST

/* Of CUDA: None and 1 are the legacy default stream, 2 that of the thread. One that nobody named
 * reads what is there. */
START_TEST(the_default_streams_of_cuda_wait)
{
    static const struct {
        int64_t stream;
        uintptr_t handle;
    } cases[] = {{ADI_DLPACK_NONE, 1}, {1, 1}, {2, 2}};
    struct adi_dlpack out;
    bool is_named = _i < 3;
    set_up(1);
    struct adi_cuda *cuda = consumer.state;
    adi_cu_stream own = cuda->stream;
    struct adi_dlpack_arguments asked = by(cases[_i % 3].stream);
    const DLTensor *tensor = export_by(&producer, &asked, &out, NULL);
    if (is_named) cuda->stream = (adi_cu_stream)cases[_i].handle;
    ck_assert_int_eq(reads(&consumer, tensor), is_named);
    cuda->stream = own;
    adi_dlpack_delete(&out);
    tear_down(!is_named);
}
END_TEST

/* Of a type without a convention None waits on the host: whoever reads then is right. */
START_TEST(none_of_other_types_is_the_host)
{
    struct adi_dlpack out;
    set_up(0);
    struct adi_dlpack_arguments asked = by(ADI_DLPACK_NONE);
    ck_assert(reads(&third, export_by(&producer, &asked, &out, NULL)));
    adi_dlpack_delete(&out);
    tear_down(0);
}
END_TEST

/* A copy is as late as anything: the stream that is named waits for it. It is made by another queue
 * than that which has written. */
START_TEST(a_copy_is_waited_for)
{
    struct adi_dlpack out;
    uint64_t flags;
    set_up(_i / 2);
    bool is_named = _i % 2 == 0;
    struct adi_dlpack_arguments asked = by(is_named ? stream_of(&consumer) : -1);
    asked.copy = 1;
    const DLTensor *tensor = export_by(&third, &asked, &out, &flags);
    ck_assert_uint_eq(flags, DLPACK_FLAG_BITMASK_IS_COPIED);
    ck_assert_int_eq(reads(&consumer, tensor), is_named);
    delete_on_thread(&out);
    tear_down(!is_named);
}
END_TEST

/* The bitmap is on the device, too, and still to be written. */
START_TEST(an_unknown_null_count_is_looked_at_on_the_device)
{
    static const uint8_t full[] = {0x3f}, holes[] = {0x37};
    bool has_null = _i % 2 == 1;
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowArray host = ARRAY(.length = 6, .null_count = has_null ? 1 : 0,
                                   BUFFERS(has_null ? holes : full, numbers));
    struct ArrowDeviceArray array;
    struct adi_dlpack out;
    set_up(_i / 2);
    ck_assert_int_eq(adi_produce(&producer, &schema, &host, &array, &error), 0);
    array.array.null_count = -1;
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    int code =
        adi_dlpack_export(&third, &schema, &array, ADI_DLPACK_READ_ONLY, &asked, &out, &error);
    ck_assert_int_eq(code, has_null ? ENOTSUP : 0);
    if (has_null)
        adi_device_array_release(&array);
    else
        adi_dlpack_delete(&out);
    tear_down(0);
}
END_TEST

START_TEST(a_stream_that_is_none_is_refused)
{
    static const int64_t streams[][3] = {{0, 1, 2}, {0, -2, INT64_MIN + 1}};
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array;
    struct adi_dlpack out;
    set_up(_i);
    produce(&schema, &array);
    for (int i = 0; i < 3; i++) {
        struct adi_dlpack_arguments asked = by(streams[_i][i]);
        ck_assert_int_eq(adi_dlpack_export(&producer, &schema, &array, ADI_DLPACK_READ_ONLY, &asked,
                                           &out, &error),
                         EINVAL);
        ck_assert(array.array.release != NULL);
    }
    adi_device_array_release(&array);
    tear_down(0);
}
END_TEST

/* ---- the consumer's half ---- */

/* A producer of tensors as it should be: the consumer's stream is behind its writes. */
static void make_tensor(struct tensor *made, int64_t *shape, int64_t *strides, void **buffer) {
    void *event;
    ck_assert_int_eq(ops->alloc(&producer, sizeof numbers, buffer, &error), 0);
    ck_assert_int_eq(ops->write(&producer, *buffer, 0, numbers, sizeof numbers, &error), 0);
    ck_assert_int_eq(ops->event(&producer, &event, &error), 0);
    ck_assert_int_eq(
        ops->wait_on(&producer, (void *)(uintptr_t)stream_of(&consumer), event, &error), 0);
    ops->event_free(&producer, event);
    DLTensor tensor = {.data = *buffer,
                       .device = {(DLDeviceType)ops->type, 0},
                       .ndim = 1,
                       .dtype = {kDLInt, 32, 1},
                       .shape = shape,
                       .strides = strides};
    tensor_deleted = 0;
    tensor_make(&tensor, 3, 0, made);
}

START_TEST(an_import_records_an_event_on_the_stream)
{
    struct tensor made;
    void *buffer;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    set_up(_i / 2);
    bool waits = _i % 2 == 0;
    make_tensor(&made, LIST(6), LIST(1), &buffer);
    struct adi_dlpack in = tensor_of(&made, true);
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    ck_assert_msg(adi_dlpack_import(&consumer, &in, &asked, &schema, &array, &error) == 0, "%s",
                  error.text);
    ck_assert_ptr_nonnull(array.sync_event);
    ck_assert_int_eq(array.device_type, ops->type);
    if (waits) ck_assert_int_eq(ops->wait(&third, array.sync_event, &error), 0);
    DLTensor there = {.data = (void *)(uintptr_t)array.array.buffers[1],
                      .byte_offset = (uint64_t)(4 * array.array.offset)};
    ck_assert_int_eq(reads(&third, &there), waits);
    adi_device_array_release(&array);
    ck_assert_int_eq(tensor_deleted, 1);
    adi_schema_release(&schema);
    ops->free(&producer, buffer);
    tear_down(!waits);
}
END_TEST

START_TEST(an_import_by_no_stream_has_no_event)
{
    struct tensor made;
    void *buffer;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    set_up(_i);
    make_tensor(&made, LIST(6), LIST(1), &buffer);
    struct adi_dlpack in = tensor_of(&made, false);
    struct adi_dlpack_arguments asked = by(-1);
    ck_assert_int_eq(adi_dlpack_import(&consumer, &in, &asked, &schema, &array, &error), 0);
    ck_assert_ptr_null(array.sync_event);
    adi_device_array_release(&array);
    adi_schema_release(&schema);
    ops->free(&producer, buffer);
    tear_down(0);
}
END_TEST

/* Every second element, backwards: read behind the stream, and written again for Arrow. */
START_TEST(what_arrow_cannot_stride_is_copied_on_the_device)
{
    struct tensor made;
    void *buffer;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    int32_t seen[3];
    set_up(_i);
    make_tensor(&made, LIST(3), LIST(-2), &buffer);
    made.versioned.dl_tensor.byte_offset = 20;
    struct adi_dlpack in = tensor_of(&made, true);
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    asked.copy = 0;
    ck_assert_int_eq(adi_dlpack_import(&third, &in, &asked, &schema, &array, &error), ENOTSUP);
    asked.copy = -1;
    ck_assert_msg(adi_dlpack_import(&third, &in, &asked, &schema, &array, &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(tensor_deleted, 1);
    ops->free(&producer, buffer);
    ck_assert_int_eq(ops->wait(&producer, array.sync_event, &error), 0);
    ck_assert_int_eq(ops->read(&producer, array.array.buffers[1], 0, seen, sizeof seen, &error), 0);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(seen[i], numbers[5 - 2 * i]);
    adi_device_array_release(&array);
    adi_schema_release(&schema);
    tear_down(0);
}
END_TEST

START_TEST(a_tensor_of_another_device_is_refused)
{
    struct tensor made;
    void *buffer;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    set_up(0);
    make_tensor(&made, LIST(6), LIST(1), &buffer);
    made.versioned.dl_tensor.device.device_id = 1;
    struct adi_dlpack in = tensor_of(&made, true);
    struct adi_dlpack_arguments asked = by(stream_of(&consumer));
    ck_assert_int_eq(adi_dlpack_import(&consumer, &in, &asked, &schema, &array, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "it is on ext_dev:1, and not on ext_dev:0");
    ops->free(&producer, buffer);
    tear_down(0);
}
END_TEST

Suite *ref_dlpack_order_suite(void) {
    Suite *suite = suite_create("ref_dlpack_order");
    TCase *tests = tcase_create("order");
    tcase_add_loop_test(tests, the_stream_that_is_named_waits, 0, BACKENDS);
    tcase_add_loop_test(tests, who_asks_for_no_order_has_none, 0, 2);
    tcase_add_loop_test(tests, an_export_without_the_wait_is_seen, 0, 2);
    tcase_add_loop_test(tests, the_default_streams_of_cuda_wait, 0, 6);
    tcase_add_loop_test(tests, a_copy_is_waited_for, 0, 4);
    tcase_add_loop_test(tests, an_unknown_null_count_is_looked_at_on_the_device, 0, 4);
    tcase_add_test(tests, none_of_other_types_is_the_host);
    tcase_add_loop_test(tests, a_stream_that_is_none_is_refused, 0, 2);
    tcase_add_loop_test(tests, an_import_records_an_event_on_the_stream, 0, 4);
    tcase_add_loop_test(tests, an_import_by_no_stream_has_no_event, 0, BACKENDS);
    tcase_add_loop_test(tests, what_arrow_cannot_stride_is_copied_on_the_device, 0, BACKENDS);
    tcase_add_test(tests, a_tensor_of_another_device_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
