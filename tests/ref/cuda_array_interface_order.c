/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for whom, over queues that are held: what does not wait reads what was there before.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "description.h"
#include "export.h"
#include "interceptor.h"
#include "literal.h"
#include "move.h"
#include "on_cuda.h"

Suite *ref_cuda_array_interface_order_suite(void);

static const int32_t six[] = {1, 2, 3, 4, 5, 6}, old[] = {-1, -1, -1, -1, -1, -1};
static const struct adi_interceptor *interceptor;
static struct adi_device third;
static void *data;
static int races;

static void on_misuse(void *unused, enum adi_misuse misuse, bool is_event, const char *text) {
    (void)unused, (void)is_event;
    races += misuse == ADI_MISUSE_UNORDERED;
    ck_assert_msg(misuse == ADI_MISUSE_UNORDERED, "%s", text);
}

/* The six are on their way behind the old, in the producer's stream, which is held. */
static void set_up(void) {
    open_both();
    ck_assert_int_eq(adi_device_cuda.open(0, &third, &error), 0);
    data = put(old, sizeof old);
    settle();
    interceptor = producer.ops->interceptor();
    ck_assert_ptr_nonnull(interceptor);
    interceptor->subscribe(on_misuse, NULL);
    interceptor->pause(true);
    ck_assert_int_eq(producer.ops->write(&producer, data, 0, six, sizeof six, &error), 0);
    ck_assert(interceptor->pending(data));
}

static void tear_down(bool in_order) {
    interceptor->resume();
    settle();
    producer.ops->free(&producer, data);
    third.ops->close(&third);
    close_both();
    ck_assert_int_eq(races == 0, in_order);
}

/* The consumer reads in its own stream, whatever is in others. */
static bool reads_six(const void *buffer) {
    int32_t seen[6] = {0};
    ck_assert_int_eq(consumer.ops->read(&consumer, buffer, 0, seen, sizeof seen, &error), 0);
    ck_assert(memcmp(seen, six, sizeof six) == 0 || memcmp(seen, old, sizeof old) == 0);
    return memcmp(seen, six, sizeof six) == 0;
}

/* ---- the producer's stream is waited for: to Arrow ---- */

static struct ArrowSchema schema;
static struct ArrowDeviceArray out;

static void import(struct adi_cuda_array *in, enum adi_copy copy, bool sync) {
    int code = adi_cuda_array_to_arrow(&consumer, in, copy, sync, &schema, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    adi_schema_release(&schema);
}

START_TEST(the_event_is_behind_the_producers_stream)
{
    set_up();
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(6), .has_stream = G,
                                           .stream = stream_of(&producer));
    import(&in, ADI_COPY_NEVER, true);
    ck_assert(interceptor->pending(data)); /* nobody was waited for */
    ck_assert_ptr_nonnull(out.sync_event);
    ck_assert(interceptor->covers(*(void **)out.sync_event, data));
    ck_assert_int_eq(consumer.ops->wait(&consumer, out.sync_event, &error), 0);
    ck_assert(reads_six(out.array.buffers[1]));
    adi_device_array_release(&out);
    tear_down(true);
}
END_TEST

/* The twins: nothing promises an order, and none is made up. */
START_TEST(without_a_stream_there_is_no_event)
{
    set_up();
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data, SHAPE(6), .has_stream = G,
                                           .stream = stream_of(&producer));
    if (_i == 0) in.has_stream = ADI_ENTRY_NONE;
    if (_i == 1) in.has_stream = ADI_ENTRY_ABSENT;
    if (_i == 2) in.version = 2;
    import(&in, ADI_COPY_NEVER, _i != 3);
    ck_assert_ptr_null(out.sync_event);
    ck_assert(!reads_six(out.array.buffers[1]));
    adi_device_array_release(&out);
    tear_down(false);
}
END_TEST

/* 1 is the legacy default stream, 2 that of the thread. */
START_TEST(default_streams_have_numbers)
{
    static const int64_t numbers[] = {1, 2};
    void *before;
    unsigned long long to;
    set_up();
    void *other = put(old, sizeof old);
    interceptor->resume();
    settle();
    interceptor->pause(true);
    to = (uintptr_t)other;
    producer.ops->push_context(&producer, &before);
    ck_assert_int_eq(DRIVER(cuMemcpyHtoDAsync_v2, unsigned long long, const void *, size_t,
                            void *)(to, six, sizeof six, (void *)(uintptr_t)numbers[_i]),
                     0);
    ck_assert(producer.ops->restore_context(&producer, before));
    ck_assert(interceptor->pending(other));
    struct adi_cuda_array in =
        DESCRIPTION(3, "<i4", to, SHAPE(6), .has_stream = G, .stream = numbers[_i]);
    struct adi_cuda_array wrong = in;
    wrong.stream = stream_of(&producer);
    import(&wrong, ADI_COPY_NEVER, true); /* another stream's event says nothing of this one */
    ck_assert(!interceptor->covers(*(void **)out.sync_event, other));
    adi_device_array_release(&out);
    import(&in, ADI_COPY_NEVER, true);
    ck_assert(interceptor->covers(*(void **)out.sync_event, other));
    ck_assert_int_eq(consumer.ops->wait(&consumer, out.sync_event, &error), 0);
    ck_assert(reads_six(out.array.buffers[1]));
    adi_device_array_release(&out);
    producer.ops->free(&producer, other);
    references += numbers[_i] == 2; /* the thread has a default stream from now on */
    tear_down(true);
}
END_TEST

START_TEST(a_copy_is_read_behind_the_stream)
{
    bool sync = _i == 0;
    int32_t seen[6];
    set_up();
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data + 20, SHAPE(6), STRIDES(-4),
                                           .has_stream = G, .stream = stream_of(&producer));
    import(&in, ADI_COPY_IF_NEEDED, sync);
    ck_assert_int_eq(consumer.ops->wait(&consumer, out.sync_event, &error), 0);
    ck_assert_int_eq(
        consumer.ops->read(&consumer, out.array.buffers[1], 0, seen, sizeof seen, &error), 0);
    for (int i = 0; i < 6; i++) ck_assert_int_eq(seen[i], sync ? six[5 - i] : -1);
    adi_device_array_release(&out);
    tear_down(sync);
}
END_TEST

/* ---- the consumer's stream waits: from Arrow ---- */

static int released;
static bool used_when_released;

static void release_owner(void *unused) {
    (void)unused;
    released++;
    used_when_released = interceptor->used(data);
}

/* `data` as an array of the producer, whose event is behind the six. */
static void export(struct ArrowDeviceArray *array) {
    const void *const buffers[] = {NULL, data};
    struct ArrowArray values = {.length = 6, .n_buffers = 2, .buffers = (const void **)buffers};
    struct adi_owner owner = {release_owner, NULL};
    *array = (struct ArrowDeviceArray){.device_type = ARROW_DEVICE_CUDA};
    ck_assert_int_eq(adi_export(&values, owner, &array->array, &error), 0);
    ck_assert_int_eq(producer.ops->event(&producer, &array->sync_event, &error), 0);
}

static struct ArrowSchema int32 = SCHEMA("i");

/* By a device whose own stream has nothing to do with the array. */
static void describe(const struct adi_cuda_array_options *options, struct adi_cuda_array *as) {
    struct ArrowDeviceArray array;
    export(&array);
    void *event = array.sync_event;
    int code = adi_cuda_array_from_arrow(&third, &int32, &array, options, as, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert(array.array.release == NULL);
    producer.ops->event_free(&producer, event); /* a wait that was queued keeps what it needs */
}

START_TEST(the_stream_that_is_named_waits_for_the_event)
{
    bool sync = _i == 0;
    struct adi_cuda_array as;
    set_up();
    describe(
        &(struct adi_cuda_array_options){
            .version = 3, .has_stream = G, .stream = stream_of(&consumer), .no_sync = !sync},
        &as);
    ck_assert_int_eq(as.has_stream, G);
    ck_assert_int_eq(as.stream, stream_of(&consumer));
    ck_assert(interceptor->pending(data)); /* the host was not kept */
    ck_assert(reads_six((void *)(uintptr_t)as.data) == sync);
    adi_cuda_array_release(&as);
    ck_assert_int_eq(released, 1);
    tear_down(sync);
}
END_TEST

/* Versions 0 to 3: the twin ends in `no_sync`. */
START_TEST(without_a_stream_the_host_waits)
{
    bool sync = _i < 4;
    struct adi_cuda_array as;
    set_up();
    describe(&(struct adi_cuda_array_options){.version = _i % 4, .no_sync = !sync}, &as);
    ck_assert_int_eq(as.has_stream, ADI_ENTRY_ABSENT);
    ck_assert(interceptor->pending(data) == !sync);
    ck_assert(reads_six((void *)(uintptr_t)as.data) == sync);
    adi_cuda_array_release(&as);
    tear_down(sync);
}
END_TEST

/* Of the bitmap, which is in the same memory, the first six bits: with the six there, the first
 * value is valid and the others are null; with the old, all are valid. */
START_TEST(a_bitmap_is_read_behind_the_event)
{
    struct ArrowDeviceArray array;
    struct adi_cuda_array as;
    const struct adi_cuda_array_options options = {.version = 3};
    set_up();
    export(&array);
    array.array.null_count = -1;
    array.array.buffers[0] = data;
    ck_assert_int_eq(adi_cuda_array_from_arrow(&third, &int32, &array, &options, &as, &error),
                     ENOTSUP);
    ck_assert_str_eq(error.text, "the array has 5 nulls, and masks are not made");
    producer.ops->event_free(&producer, array.sync_event);
    adi_device_array_release(&array);
    tear_down(true);
}
END_TEST

/* ---- the owner is let go while work is queued ---- */

static void *release_it(void *as) {
    adi_cuda_array_release(as);
    return NULL;
}

/* A copy that reads `data` in the consumer's stream. */
static void *queue_copy(void) {
    void *target, *before;
    ck_assert_int_eq(consumer.ops->alloc(&consumer, sizeof six, &target, &error), 0);
    consumer.ops->push_context(&consumer, &before);
    ck_assert_int_eq(DRIVER(cuMemcpyDtoDAsync_v2, unsigned long long, unsigned long long, size_t,
                            const void *)((uintptr_t)target, (uintptr_t)data, sizeof six,
                                          consumer.ops->native_handle(&consumer, "cuda.stream")),
                     0);
    ck_assert(consumer.ops->restore_context(&consumer, before));
    ck_assert(interceptor->used(data));
    return target;
}

START_TEST(the_array_is_released_when_the_stream_has_done_with_it)
{
    bool on_stream = _i < 2;
    struct adi_cuda_array as;
    pthread_t thread;
    set_up();
    describe(&(struct adi_cuda_array_options){.version = 3,
                                              .has_stream = on_stream ? G : 0,
                                              .stream = stream_of(&consumer)},
             &as);
    interceptor->resume();
    interceptor->pause(true);
    void *target = queue_copy();
    ck_assert_int_eq(pthread_create(&thread, NULL, release_it, &as), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(released, 1);
    ck_assert(used_when_released == !on_stream); /* the twin: nobody has said where work is */
    ck_assert(as.release == NULL);
    ck_assert(on_stream == !interceptor->used(data));
    interceptor->resume();
    ck_assert(reads_six(target));
    consumer.ops->free(&consumer, target);
    tear_down(true);
}
END_TEST

/* The user sees to the order of what he knows of, and of our own stream he does not. */
START_TEST(a_copy_is_waited_for_whatever_the_user_does)
{
    bool on_stream = _i % 2 == 0, sync = _i < 2;
    struct adi_cuda_array as;
    set_up();
    describe(&(struct adi_cuda_array_options){.version = 3,
                                              .has_stream = on_stream ? G : 0,
                                              .copy = ADI_COPY_ALWAYS,
                                              .stream = stream_of(&consumer),
                                              .no_sync = !sync},
             &as);
    ck_assert(reads_six((void *)(uintptr_t)as.data));
    adi_cuda_array_release(&as);
    tear_down(true);
}
END_TEST

START_TEST(a_copy_is_freed_when_the_stream_has_done_with_it)
{
    struct adi_cuda_array as;
    set_up();
    describe(
        &(struct adi_cuda_array_options){
            .version = 3, .has_stream = G, .copy = ADI_COPY_ALWAYS, .stream = stream_of(&consumer)},
        &as);
    ck_assert_int_eq(released, 1); /* it was read */
    ck_assert(!as.read_only);
    void *copy = (void *)(uintptr_t)as.data, *kept = data;
    ck_assert_ptr_ne(copy, data);
    ck_assert(reads_six(copy));
    data = copy;
    interceptor->pause(true);
    void *target = queue_copy();
    adi_cuda_array_release(&as);
    interceptor->resume();
    ck_assert(reads_six(target));
    data = kept;
    consumer.ops->free(&consumer, target);
    tear_down(true);
}
END_TEST

Suite *ref_cuda_array_interface_order_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_order");
    TCase *tests = tcase_create("order");
    tcase_add_test(tests, the_event_is_behind_the_producers_stream);
    tcase_add_loop_test(tests, without_a_stream_there_is_no_event, 0, 4);
    tcase_add_loop_test(tests, default_streams_have_numbers, 0, 2);
    tcase_add_loop_test(tests, a_copy_is_read_behind_the_stream, 0, 2);
    tcase_add_loop_test(tests, the_stream_that_is_named_waits_for_the_event, 0, 2);
    tcase_add_loop_test(tests, without_a_stream_the_host_waits, 0, 8);
    tcase_add_test(tests, a_bitmap_is_read_behind_the_event);
    tcase_add_loop_test(tests, the_array_is_released_when_the_stream_has_done_with_it, 0, 3);
    tcase_add_loop_test(tests, a_copy_is_waited_for_whatever_the_user_does, 0, 4);
    tcase_add_test(tests, a_copy_is_freed_when_the_stream_has_done_with_it);
    suite_add_tcase(suite, tests);
    return suite;
}
