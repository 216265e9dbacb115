/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls a consumer makes of a stream, and what is left behind when one fails: of a stream
 * that keeps books, and of one whose n-th allocation and n-th call of the device fail.
 */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "counting.h"
#include "devices.h"
#include "failing.h"
#include "literal.h"
#include "move.h"
#include "source.h"
#include "stream.h"

Suite *ref_stream_calls_suite(void);

#define MOST 2000 /* faults in one program: more is no end */

/* ---- a stream that keeps books ---- */

/* The stream passes calls on to a wrapped source. The text of an error is freed with the next call.
 */
struct strict {
    struct ArrowArrayStream in;
    int64_t fail_at; /* calls of get_next before the one that fails; -1: none */
    ArrowDeviceType chunk_type;
    void *event;
    bool fails_schema, is_mute;
    int calls, schemas, texts, texts_unasked, after_error;
    bool has_failed;
    char *text;
};

static void begin_call(struct strict *strict) {
    strict->calls++;
    strict->after_error += strict->has_failed;
    strict->has_failed = false;
    free(strict->text);
    strict->text = NULL;
}

static int fail_with(struct strict *strict, int code) {
    strict->has_failed = true;
    strict->text = strict->is_mute ? NULL : strdup("a text that is gone with the next call");
    return code;
}

static int strict_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct strict *strict = self->private_data;
    begin_call(strict);
    strict->schemas++;
    return strict->fails_schema ? fail_with(strict, EPERM)
                                : strict->in.get_schema(&strict->in, out);
}

static int strict_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct strict *strict = self->private_data;
    struct ArrowArray chunk;
    begin_call(strict);
    if (strict->fail_at-- == 0) return fail_with(strict, EIO);
    ck_assert_int_eq(strict->in.get_next(&strict->in, &chunk), 0);
    memset(out, 0xa5, sizeof *out);
    out->array.release = NULL;
    if (chunk.release == NULL) return 0;
    *out = adi_device_array_of_cpu(&chunk);
    out->device_type = strict->chunk_type;
    out->sync_event = strict->event;
    return 0;
}

static const char *strict_error(struct ArrowDeviceArrayStream *self) {
    struct strict *strict = self->private_data;
    strict->texts++;
    strict->texts_unasked += !strict->has_failed;
    return strict->text;
}

static void strict_release(struct ArrowDeviceArrayStream *self) {
    struct strict *strict = self->private_data;
    begin_call(strict);
    strict->after_error = 0;
    adi_array_stream_release(&strict->in);
    memset(self, 0xa5, sizeof *self); /* whoever calls on is lost */
    self->release = NULL;
}

static const struct adi_source_chunk three[] = {
    {"nulls", 1, 0}, {"empty-null-buffers", 2, 0}, {"many", 3, 0}};
static const struct adi_source_plan plan = {.type = "utf8", .chunks = three, .n_chunks = 3};

static void open_strict(struct strict *strict, struct ArrowDeviceArrayStream *out) {
    struct adi_error error = {""};
    *strict = (struct strict){.fail_at = -1, .chunk_type = ARROW_DEVICE_CPU};
    ck_assert_msg(adi_source_open(&plan, &strict->in, &error) == 0, "%s", error.text);
    *out = (struct ArrowDeviceArrayStream){ARROW_DEVICE_CPU, strict_schema,  strict_next,
                                           strict_error,     strict_release, strict};
}

static void consume(struct adi_device *device, struct ArrowDeviceArrayStream *in,
                    struct adi_batches *out) {
    struct ArrowArrayStream host;
    ck_assert_int_eq(adi_stream_consume(&device, 1, in, &host, NULL), 0);
    ck_assert(in->release == NULL);
    adi_batches_collect(&host, out);
}

static struct adi_device cpu(void) {
    struct adi_device device;
    ck_assert_int_eq(adi_device_cpu.open(-1, &device, NULL), 0);
    return device;
}

START_TEST(a_consumer_asks_for_texts_after_errors_alone)
{
    static const char *text = "a text that is gone with the next call";
    for (int64_t fail_at = -1; fail_at <= 4; fail_at++)
        for (int how = 0; how < 4; how++) {
            struct strict strict;
            struct ArrowDeviceArrayStream stream;
            struct adi_batches seen;
            struct adi_device device = cpu();
            open_strict(&strict, &stream);
            strict.fail_at = fail_at;
            strict.fails_schema = how & 1;
            strict.is_mute = how & 2;
            consume(&device, &stream, &seen);
            bool fails = fail_at >= 0 && fail_at < 4;
            int code = strict.fails_schema ? EPERM : fails ? EIO : 0;
            const struct adi_last_error *error =
                strict.fails_schema ? &seen.schema_error : &seen.error;
            ck_assert_int_eq(error->code, code);
            if (code != 0 && !strict.is_mute) ck_assert_str_eq(error->text, text);
            if (code == 0 || strict.is_mute) ck_assert_ptr_null(error->text);
            ck_assert_int_eq(strict.texts, code != 0);
            ck_assert_int_eq(strict.texts_unasked, 0);
            ck_assert_int_eq(strict.after_error, 0);
            ck_assert_uint_eq(seen.count, strict.fails_schema ? 0 : fails ? (size_t)fail_at : 3);
            ck_assert_int_eq(strict.schemas > 0, 1);
            adi_batches_release(&seen);
        }
}
END_TEST

/* Tests the tester. */
START_TEST(a_consumer_that_asks_too_early_or_goes_on_would_be_seen)
{
    struct strict strict;
    struct ArrowDeviceArrayStream stream;
    struct ArrowDeviceArray chunk;
    open_strict(&strict, &stream);
    strict.fail_at = 0;
    ck_assert_ptr_null(stream.get_last_error(&stream));
    ck_assert_int_eq(strict.texts_unasked, 1);
    ck_assert_int_eq(stream.get_next(&stream, &chunk), EIO);
    ck_assert_int_eq(stream.get_next(&stream, &chunk), 0);
    ck_assert_int_eq(strict.after_error, 1);
    adi_device_array_release(&chunk);
    stream.release(&stream);
}
END_TEST

/* The second chunk has no buffers and says that it is on the CPU, the others have. */
START_TEST(a_chunk_without_buffers_is_taken_anywhere)
{
    struct counting counting;
    struct strict strict;
    struct ArrowDeviceArrayStream stream;
    struct adi_batches seen;
    counting_open(&counting);
    open_strict(&strict, &stream);
    stream.device_type = ARROW_DEVICE_EXT_DEV;
    strict.chunk_type = ARROW_DEVICE_CUDA;
    consume(&counting.device, &stream, &seen);
    ck_assert_uint_eq(seen.count, 0);
    ck_assert_int_eq(seen.error.code, ENOTSUP);
    ck_assert_str_eq(seen.error.text, "the array is of device_type 2 (cuda)");
    adi_batches_release(&seen);

    open_strict(&strict, &stream);
    struct ArrowDeviceArray first;
    ck_assert_int_eq(stream.get_next(&stream, &first), 0);
    adi_device_array_release(&first);
    stream.device_type = ARROW_DEVICE_EXT_DEV;
    consume(&counting.device, &stream, &seen);
    ck_assert_uint_eq(seen.count, 1);
    ck_assert_int_eq(seen.batches[0].array.length, 0);
    ck_assert_int_eq(seen.error.code, ENOTSUP);
    adi_batches_release(&seen);
}
END_TEST

START_TEST(each_event_is_waited_on_and_each_chunk_released)
{
    struct counting counting;
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream stream;
    struct adi_batches seen;
    counting_open(&counting);
    struct adi_device *const devices[] = {&counting.device};
    ck_assert_int_eq(adi_source_open(&plan, &host, NULL), 0);
    ck_assert_int_eq(
        adi_stream_produce(&(struct adi_stream_plan){devices, 1, NULL, 0}, &host, &stream, NULL),
        0);
    ck_assert_int_eq(counting.calls, 0);
    consume(&counting.device, &stream, &seen);
    ck_assert_uint_eq(seen.count, 3);
    ck_assert_int_eq(counting.waits, 3);
    ck_assert_int_eq(counting.buffers, 0);
    ck_assert_int_eq(counting.events, 0);
    adi_batches_release(&seen);
}
END_TEST

/* ---- faults ---- */

/* From a source through a device, wrapped where it can be, to the end; what fails is an error. No
 * assertions: they allocate. */
static int play_all(struct counting *counting, size_t *chunks, struct adi_error *error) {
    static const struct adi_source_chunk some[] = {{"nulls", 1, 0}, {"offset", 2, 2}};
    static const struct adi_source_plan of = {"struct", some, 2, .error = {EPROTO, "the end"}};
    static const struct adi_chunk_plan turns[] = {{0, ADI_CHUNK_PENDING},
                                                  {0, ADI_CHUNK_WITHOUT_EVENT}};
    struct adi_device *const devices[] = {&counting->device};
    struct adi_stream_plan on = {devices, 1, turns, 2};
    struct ArrowArrayStream source = {.release = NULL}, unwrapped = {.release = NULL},
                            copies = {.release = NULL};
    struct ArrowDeviceArrayStream wrapped = {.release = NULL}, stream = {.release = NULL};
    struct adi_batches seen = {0};
    int code = adi_source_open(&of, &source, error);
    if (code == 0) code = adi_stream_wrap(&source, &wrapped, error);
    if (code == 0) code = adi_stream_unwrap(&wrapped, &unwrapped, error);
    if (code == 0) code = adi_stream_produce(&on, &unwrapped, &stream, error);
    if (code == 0) code = adi_stream_consume(devices, 1, &stream, &copies, error);
    if (code == 0) {
        adi_batches_collect(&copies, &seen);
        code = seen.schema_error.code != 0 ? seen.schema_error.code : seen.error.code;
        *chunks = seen.count;
    }
    adi_batches_release(&seen);
    adi_array_stream_release(&copies);
    adi_device_array_stream_release(&stream);
    adi_array_stream_release(&unwrapped);
    adi_device_array_stream_release(&wrapped);
    adi_array_stream_release(&source);
    return code;
}

START_TEST(a_stream_survives_each_fault)
{
    int injected = 0;
    for (int on_device = 0; on_device < 2; on_device++)
        for (int n = 1, failed = 1; failed; n++) {
            struct counting counting;
            struct adi_error error;
            size_t chunks = 0;
            counting_open(&counting);
            failing_open();
            failing_at(on_device ? 0 : n);
            counting.fail_at = on_device ? n : 0;
            int code = play_all(&counting, &chunks, &error);
            failing_at(0);
            struct failing count = failing_close();
            failed = on_device ? counting.calls >= n : count.has_failed;
            /* A text without memory for it is NULL, and no failure. */
            ck_assert_msg(code == EPROTO || (failed && code == (on_device ? EIO : ENOMEM)),
                          "fault %d: %d", n, code);
            ck_assert(code != EPROTO || chunks == 3);
            ck_assert_msg(count.live == 0, "fault %d: %d pieces of memory are left", n, count.live);
            ck_assert_int_eq(counting.buffers, 0);
            ck_assert_int_eq(counting.events, 0);
            ck_assert_int_lt(n, MOST);
            injected += failed;
        }
    ck_assert_int_gt(injected, 50);
    printf("streams: %d faults injected\n", injected);
    fflush(stdout);
}
END_TEST

/* A device that fails once: the chunk that it cost is not left out in silence. */
START_TEST(a_stream_that_has_failed_fails_again)
{
    struct counting counting;
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream stream;
    struct ArrowDeviceArray chunk;
    counting_open(&counting);
    struct adi_device *const devices[] = {&counting.device};
    ck_assert_int_eq(adi_source_open(&plan, &host, NULL), 0);
    ck_assert_int_eq(
        adi_stream_produce(&(struct adi_stream_plan){devices, 1, NULL, 0}, &host, &stream, NULL),
        0);
    counting.fail_at = 2;
    for (int i = 0; i < 2; i++) {
        memset(&chunk, 0x5a, sizeof chunk);
        struct ArrowDeviceArray before = chunk;
        ck_assert_int_eq(stream.get_next(&stream, &chunk), EIO);
        ck_assert_str_eq(stream.get_last_error(&stream), "buffers[0]: call 2 fails");
        ck_assert_mem_eq(&chunk, &before, sizeof chunk);
    }
    struct ArrowSchema schema;
    ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
    ck_assert_ptr_null(stream.get_last_error(&stream));
    adi_schema_release(&schema);
    stream.release(&stream);
    ck_assert_int_eq(counting.buffers, 0);
}
END_TEST

START_TEST(a_chunk_of_another_shape_is_not_produced)
{
    struct counting counting;
    struct adi_batches batches = {.schema = SCHEMA("u")};
    static const int32_t values[] = {1};
    struct ArrowArray array = ARRAY(.length = 1, BUFFERS(NULL, values));
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream stream;
    struct ArrowDeviceArray chunk;
    counting_open(&counting);
    struct adi_device *const devices[] = {&counting.device};
    ck_assert_int_eq(adi_batches_add(&batches, &array, 1, NULL), 0);
    ck_assert_int_eq(adi_batches_stream(&batches, &host, NULL), 0);
    ck_assert_int_eq(
        adi_stream_produce(&(struct adi_stream_plan){devices, 1, NULL, 0}, &host, &stream, NULL),
        0);
    ck_assert_int_eq(stream.get_next(&stream, &chunk), EINVAL);
    ck_assert_ptr_nonnull(stream.get_last_error(&stream));
    stream.release(&stream);
}
END_TEST

/* ---- wrapping ---- */

START_TEST(a_wrapped_stream_gives_the_same_buffers_and_allocates_nothing)
{
    struct ArrowArrayStream host, back;
    struct ArrowDeviceArrayStream stream;
    struct adi_batches batches = {0}, seen;
    struct ArrowArray chunk = {0};
    static const int32_t values[] = {1, 2};
    struct ArrowArray array = ARRAY(.length = 2, BUFFERS(NULL, values));
    batches.schema = (struct ArrowSchema)SCHEMA("i");
    ck_assert_int_eq(adi_batches_add(&batches, &array, 1, NULL), 0);
    ck_assert_int_eq(adi_last_error_set(&batches.error, EIO, "dry"), EIO);
    ck_assert_int_eq(adi_batches_stream(&batches, &host, NULL), 0);
    ck_assert_int_eq(adi_stream_wrap(&host, &stream, NULL), 0);
    ck_assert(host.release == NULL);
    ck_assert_int_eq(stream.device_type, ARROW_DEVICE_CPU);
    ck_assert_int_eq(adi_stream_unwrap(&stream, &back, NULL), 0);
    ck_assert(stream.release == NULL);
    failing_open();
    int code = back.get_next(&back, &chunk);
    struct failing count = failing_close();
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(count.calls, 0);
    ck_assert_ptr_eq(chunk.buffers[1], values);
    ck_assert(chunk.release == literal_array_release);
    adi_batches_collect(&back, &seen);
    ck_assert_uint_eq(seen.count, 0);
    ck_assert_int_eq(seen.error.code, EIO);
    ck_assert_str_eq(seen.error.text, "dry");
    adi_batches_release(&seen);
    ck_assert_int_eq(adi_stream_wrap(&host, &stream, NULL), EINVAL);
    ck_assert_int_eq(adi_stream_unwrap(&stream, &back, NULL), EINVAL);
}
END_TEST

/* The first chunk is elsewhere, the next are not. */
static int give_elsewhere(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    ArrowDeviceType *type = self->private_data;
    *out = (struct ArrowDeviceArray){.array = ARRAY(.length = 0), .device_type = *type};
    *type = ARROW_DEVICE_CPU;
    return 0;
}

static int give_int32(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    (void)self;
    *out = (struct ArrowSchema)SCHEMA("i");
    return 0;
}

static const char *no_text(struct ArrowDeviceArrayStream *self) {
    ck_abort_msg("nothing has failed: %p", (void *)self);
    return NULL;
}

static void end_stream(struct ArrowDeviceArrayStream *self) {
    self->release = NULL;
}

START_TEST(a_chunk_elsewhere_is_no_chunk_of_the_host)
{
    struct adi_batches seen;
    struct ArrowArrayStream out;
    ArrowDeviceType type = ARROW_DEVICE_METAL;
    struct ArrowDeviceArrayStream stream = {ARROW_DEVICE_CPU, give_int32, give_elsewhere,
                                            no_text,          end_stream, &type};
    ck_assert_int_eq(adi_stream_unwrap(&stream, &out, NULL), 0);
    struct ArrowArray chunk;
    ck_assert_int_eq(out.get_next(&out, &chunk), ENOTSUP);
    adi_batches_collect(&out, &seen);
    ck_assert_int_eq(seen.error.code, ENOTSUP);
    ck_assert_str_eq(seen.error.text, "a chunk is not on the CPU");
    adi_batches_release(&seen);
    stream = (struct ArrowDeviceArrayStream){
        ARROW_DEVICE_METAL, give_int32, give_elsewhere, no_text, end_stream, &type};
    struct adi_error error = {""};
    ck_assert_int_eq(adi_stream_unwrap(&stream, &out, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "the stream is of device_type 8 (metal)");
}
END_TEST

Suite *ref_stream_calls_suite(void) {
    Suite *suite = suite_create("ref_stream_calls");
    TCase *calls = tcase_create("calls");
    tcase_set_timeout(calls, 120);
    tcase_add_test(calls, a_consumer_asks_for_texts_after_errors_alone);
    tcase_add_test(calls, a_consumer_that_asks_too_early_or_goes_on_would_be_seen);
    tcase_add_test(calls, a_chunk_without_buffers_is_taken_anywhere);
    tcase_add_test(calls, each_event_is_waited_on_and_each_chunk_released);
    tcase_add_test(calls, a_stream_survives_each_fault);
    tcase_add_test(calls, a_stream_that_has_failed_fails_again);
    tcase_add_test(calls, a_chunk_of_another_shape_is_not_produced);
    tcase_add_test(calls, a_wrapped_stream_gives_the_same_buffers_and_allocates_nothing);
    tcase_add_test(calls, a_chunk_elsewhere_is_no_chunk_of_the_host);
    suite_add_tcase(suite, calls);
    return suite;
}
