/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batches.h"
#include "compare.h"
#include "counting.h"
#include "devices.h"
#include "import.h"
#include "move.h"
#include "schema.h"
#include "source.h"

Suite *ref_stream_suite(void);

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define LONG_TEXT   ((size_t)1 << 20)

static const struct adi_source_chunk odd[] = {
    {"nulls", 1, 0},
    {"empty", 2, 0},
    {"offset", 3, 0},
    {"empty-at-offset", 4, 0},
    {"many", 5, 3},
    {"empty", 6, 2},
    {"null-count-unknown", 7, 0},
};
static const struct adi_source_chunk plain[] = {{"nulls", 1, 0}, {"many", 2, 0}, {"one", 3, 0}};
static const struct adi_source_chunk bufferless[] = {
    {"many", 1, 0}, {"empty-null-buffers", 2, 0}, {"one", 3, 0}};

static const struct adi_source_chunk nothing[] = {{"many", 1, 0}, {"one", 2, 0}};

#define PLAN(of, rows)                                                                             \
    { .type = of, .chunks = rows, .n_chunks = COUNT(rows) }

static char long_text[LONG_TEXT];

static const struct adi_source_plan plans[] = {
    PLAN("struct", odd),
    PLAN("dictionary_int8_utf8", plain),
    PLAN("int32", plain),
    PLAN("null", nothing),
    PLAN("list_utf8", bufferless),
    {.type = "struct"},
    {"struct", plain, 2, .error = {EIO, "the source is dry"}},
    {"struct", plain, 1, .error = {ENOSPC, NULL}},
    {"struct", plain, 3, .error = {12345, long_text}},
    {"struct", plain, 0, .error = {EIO, ""}},
    {"struct", plain, 1, .schema_error = {EINVAL, "there is no schema"}},
};

static void open_source(const struct adi_source_plan *plan, struct ArrowArrayStream *out) {
    struct adi_error error = {""};
    memset(long_text, 'x', LONG_TEXT - 1);
    ck_assert_msg(adi_source_open(plan, out, &error) == 0, "%s", error.text);
}

static void collect_plan(const struct adi_source_plan *plan, struct adi_batches *out) {
    struct ArrowArrayStream stream;
    open_source(plan, &stream);
    adi_batches_collect(&stream, out);
    ck_assert(stream.release == NULL);
}

static void same_error(const struct adi_last_error *seen, const struct adi_source_error *wanted) {
    ck_assert_int_eq(seen->code, wanted->code);
    ck_assert_int_eq(seen->text == NULL, wanted->text == NULL);
    if (wanted->text != NULL) ck_assert(strcmp(seen->text, wanted->text) == 0);
}

/* What the plan says is what came. */
static void judge(const struct adi_source_plan *plan, const struct adi_batches *seen) {
    struct adi_batches wanted;
    struct adi_error error = {""};
    collect_plan(plan, &wanted);
    same_error(&seen->schema_error, &plan->schema_error);
    if (plan->schema_error.code == 0) {
        same_error(&seen->error, &plan->error);
        ck_assert_msg(adi_schema_compare(&seen->schema, &wanted.schema, &error) == 0, "%s",
                      error.text);
    }
    ck_assert_uint_eq(seen->count, wanted.count);
    for (size_t i = 0; i < seen->count; i++)
        ck_assert_msg(adi_array_compare(&seen->schema, &seen->batches[i].array, &wanted.schema,
                                        &wanted.batches[i].array, &error) == 0,
                      "chunk %zu: %s", i, error.text);
    adi_batches_release(&wanted);
}

/* ---- sources ---- */

START_TEST(a_source_gives_what_its_plan_lists)
{
    struct adi_batches seen;
    collect_plan(&plans[0], &seen);
    ck_assert_uint_eq(seen.count, 10);
    ck_assert_str_eq(seen.schema.format, "+s");
    const int64_t lengths[] = {67, 0, 67, 0, 67, 67, 67, 0, 0, 67};
    for (size_t i = 0; i < seen.count; i++)
        ck_assert_int_eq(seen.batches[i].array.length, lengths[i]);
    ck_assert_int_eq(seen.batches[2].array.offset, 3);
    ck_assert_ptr_eq(seen.batches[4].array.children[0]->buffers[1],
                     seen.batches[6].array.children[0]->buffers[1]);
    ck_assert_int_eq(adi_array_compare(&seen.schema, &seen.batches[4].array, &seen.schema,
                                       &seen.batches[9].array, NULL),
                     EILSEQ);
    ck_assert_int_eq(seen.error.code, 0);
    adi_batches_release(&seen);
}
END_TEST

START_TEST(dictionaries_change_from_chunk_to_chunk)
{
    struct adi_batches seen;
    collect_plan(&plans[1], &seen);
    ck_assert_int_eq(adi_array_compare(seen.schema.dictionary, seen.batches[0].array.dictionary,
                                       seen.schema.dictionary, seen.batches[1].array.dictionary,
                                       NULL),
                     EILSEQ);
    adi_batches_release(&seen);
}
END_TEST

START_TEST(errors_come_where_the_plan_has_them)
{
    struct adi_batches seen;
    for (size_t i = 6; i < COUNT(plans); i++) {
        collect_plan(&plans[i], &seen);
        bool has_schema = plans[i].schema_error.code == 0;
        same_error(&seen.schema_error, &plans[i].schema_error);
        if (has_schema) same_error(&seen.error, &plans[i].error);
        ck_assert_uint_eq(seen.count, has_schema ? plans[i].n_chunks : 0);
        adi_batches_release(&seen);
    }
}
END_TEST

START_TEST(a_plan_that_cannot_be_is_refused)
{
    static const struct adi_source_chunk nested[] = {{"many", 1, 0}, {"nested-3", 1, 0}};
    static const struct adi_source_chunk unknown[] = {{"spiral", 1, 0}};
    const struct {
        struct adi_source_plan plan;
        const char *sentence;
    } refused[] = {
        {PLAN("list_utf8", nested), "list_utf8/nested-3 is not of the type of list_utf8/many"},
        {PLAN("int32", unknown), "there is no sample int32/spiral"},
        {PLAN("int33", plain), "there is no sample int33/nulls"},
    };
    struct ArrowArrayStream out, before;
    memset(&out, 0x5a, sizeof out);
    before = out;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct adi_error error = {""};
        ck_assert_int_eq(adi_source_open(&refused[i].plan, &out, &error), EINVAL);
        ck_assert_str_eq(error.text, refused[i].sentence);
        ck_assert_mem_eq(&out, &before, sizeof out);
    }
}
END_TEST

START_TEST(the_schema_and_the_end_can_be_asked_for_again)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schemas[3];
    struct ArrowArray chunk;
    open_source(&plans[2], &stream);
    ck_assert_int_eq(stream.get_schema(&stream, &schemas[0]), 0);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(stream.get_next(&stream, &chunk), 0);
        chunk.release(&chunk);
    }
    ck_assert_int_eq(stream.get_schema(&stream, &schemas[1]), 0);
    for (int i = 0; i < 2; i++) {
        memset(&chunk, 0xa5, sizeof chunk);
        ck_assert_int_eq(stream.get_next(&stream, &chunk), 0);
        ck_assert(chunk.release == NULL);
    }
    ck_assert_int_eq(stream.get_schema(&stream, &schemas[2]), 0);
    stream.release(&stream);
    ck_assert(stream.release == NULL);
    for (int i = 0; i < 3; i++) {
        ck_assert_str_eq(schemas[i].format, "i");
        schemas[i].release(&schemas[i]);
    }
}
END_TEST

START_TEST(an_error_stays_and_so_does_its_text_until_the_next_call)
{
    struct ArrowArrayStream stream;
    struct ArrowArray chunk;
    struct ArrowSchema schema;
    open_source(&plans[9], &stream);
    for (int i = 0; i < 2; i++) {
        memset(&chunk, 0xa5, sizeof chunk);
        ck_assert_int_eq(stream.get_next(&stream, &chunk), EIO);
        ck_assert_str_eq(stream.get_last_error(&stream), "");
        ck_assert_str_eq(stream.get_last_error(&stream), "");
    }
    ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
    ck_assert_ptr_null(stream.get_last_error(&stream));
    schema.release(&schema);
    stream.release(&stream);
}
END_TEST

/* ---- devices ---- */

/* Producers and consumers have devices of their own: other queues of the same two. */
static struct adi_device devices[4];
static struct adi_device *const producers[] = {&devices[0], &devices[1]};
static struct adi_device *const consumers[] = {&devices[2], &devices[3]};
static const struct adi_device_ops *const kinds[] = {&adi_device_cpu, &adi_device_ext_dev,
                                                     &adi_device_cuda};
static char log_path[64];

static void open_devices(const struct adi_device_ops *ops) {
    const char *build = getenv("ADI_TEST_BUILD");
    char path[4096];
    struct adi_error error = {""};
    snprintf(path, sizeof path, "%s/libadisim.so", build == NULL ? "build" : build);
    snprintf(log_path, sizeof log_path, "/tmp/ref_stream.%d", (int)getpid());
    ck_assert_int_eq(setenv("ADI_SIM", path, 1), 0);
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    ck_assert_int_eq(setenv("ADI_SIM_LOG", log_path, 1), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(ops->open(ops == &adi_device_cpu ? -1 : i % 2, &devices[i], &error) == 0,
                      "%s", error.text);
}

/* What the simulation has seen, a leak among it, is in its log. */
static void close_devices(void) {
    char line[4096];
    for (int i = 0; i < 4; i++) devices[i].ops->close(&devices[i]);
    FILE *file = fopen(log_path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        ck_assert_msg(strstr(line, "{\"violation\"") == NULL, "%s", line);
    if (file != NULL) fclose(file);
    unlink(log_path);
}

static const struct adi_chunk_plan turns[] = {{1, ADI_CHUNK_PENDING},
                                              {0, ADI_CHUNK_COMPLETE},
                                              {1, ADI_CHUNK_WITHOUT_EVENT},
                                              {0, ADI_CHUNK_PENDING}};
static const struct adi_stream_plan on_two = {producers, 2, turns, COUNT(turns)};

static void produce(const struct adi_source_plan *plan, struct ArrowDeviceArrayStream *out) {
    struct ArrowArrayStream host;
    struct adi_error error = {""};
    open_source(plan, &host);
    memset(out, 0xa5, sizeof *out);
    ck_assert_msg(adi_stream_produce(&on_two, &host, out, &error) == 0, "%s", error.text);
    ck_assert(host.release == NULL);
}

START_TEST(what_is_produced_is_consumed)
{
    for (size_t kind = 0; kind < COUNT(kinds); kind++) {
        open_devices(kinds[kind]);
        for (size_t i = 0; i < COUNT(plans); i++) {
            struct ArrowDeviceArrayStream stream;
            struct ArrowArrayStream host;
            struct adi_batches seen;
            struct adi_error error = {""};
            produce(&plans[i], &stream);
            ck_assert_int_eq(stream.device_type, kinds[kind]->type);
            ck_assert_msg(adi_stream_consume(consumers, 2, &stream, &host, &error) == 0, "%s",
                          error.text);
            ck_assert(stream.release == NULL);
            adi_batches_collect(&host, &seen);
            judge(&plans[i], &seen);
            adi_batches_release(&seen);
        }
        close_devices();
    }
}
END_TEST

START_TEST(chunks_are_where_the_plan_has_them_and_outlive_their_stream)
{
    struct ArrowDeviceArrayStream stream, moved;
    struct ArrowDeviceArray chunks[4];
    struct ArrowSchema schema;
    struct adi_batches wanted;
    static const struct adi_source_chunk four[] = {{"nulls", 1, 4}};
    struct adi_source_plan plan = PLAN("struct", four);
    open_devices(&adi_device_ext_dev);
    collect_plan(&plan, &wanted);
    produce(&plan, &stream);
    ck_assert_int_eq(devices[1].ops->pause(&devices[1], NULL), 0);
    for (int i = 0; i < 4; i++) {
        memset(&chunks[i], 0xa5, sizeof chunks[i]);
        ck_assert_int_eq(stream.get_next(&stream, &chunks[i]), 0);
        ck_assert_int_eq(chunks[i].device_id, (int64_t)turns[i].device);
        ck_assert_int_eq(chunks[i].sync_event == NULL, i == 2);
        ck_assert_int_eq(chunks[i].reserved[2], 0);
        if (i == 0) ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
        adi_device_array_stream_move(&stream, &moved);
        memset(&stream, 0xa5, sizeof stream);
        adi_device_array_stream_move(&moved, &stream);
    }
    ck_assert_ptr_ne(chunks[0].sync_event, chunks[1].sync_event);
    stream.release(&stream);
    ck_assert(stream.release == NULL);
    for (int i = 3; i >= 0; i--) {
        struct ArrowArray host;
        struct adi_error error = {""};
        struct adi_device *device = consumers[chunks[i].device_id];
        ck_assert_msg(adi_consume(device, &schema, &chunks[i], &host, &error) == 0, "%s",
                      error.text);
        ck_assert_msg(adi_array_compare(&schema, &host, &wanted.schema, &wanted.batches[i].array,
                                        &error) == 0,
                      "%s", error.text);
        adi_array_release(&host);
    }
    adi_schema_release(&schema);
    adi_batches_release(&wanted);
    close_devices();
}
END_TEST

/* The same device, but a consumer that does not wait: what the tests above would not be worth
 * without. */
static int forget(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

START_TEST(a_consumer_that_does_not_wait_would_be_seen)
{
    struct ArrowDeviceArrayStream stream;
    struct ArrowArrayStream host;
    struct adi_batches seen, wanted;
    static const struct adi_source_chunk one[] = {{"nulls", 1, 0}};
    struct adi_source_plan plan = PLAN("int32", one);
    open_devices(&adi_device_ext_dev);
    struct adi_device_ops hasty = adi_device_ext_dev;
    hasty.wait = forget;
    devices[3].ops = &hasty;
    collect_plan(&plan, &wanted);
    produce(&plan, &stream);
    ck_assert_int_eq(adi_stream_consume(consumers, 2, &stream, &host, NULL), 0);
    adi_batches_collect(&host, &seen);
    ck_assert(seen.count == 0 ||
              adi_array_compare(&seen.schema, &seen.batches[0].array, &wanted.schema,
                                &wanted.batches[0].array, NULL) != 0);
    adi_batches_release(&seen);
    adi_batches_release(&wanted);
    unlink(log_path);
}
END_TEST

START_TEST(devices_that_do_not_fit_are_refused)
{
    struct ArrowArrayStream host, out, before;
    struct ArrowDeviceArrayStream stream;
    struct counting counting;
    struct adi_error error = {""};
    open_devices(&adi_device_cpu);
    counting_open(&counting);
    struct adi_device *const mixed[] = {&devices[0], &counting.device};
    static const struct adi_chunk_plan far[] = {{2, ADI_CHUNK_PENDING}};
    open_source(&plans[2], &host);
    ck_assert_int_eq(
        adi_stream_produce(&(struct adi_stream_plan){mixed, 2, NULL, 0}, &host, &stream, &error),
        EINVAL);
    ck_assert_str_eq(error.text, "device 1 is a ext_dev, the first is a cpu");
    ck_assert_int_eq(
        adi_stream_produce(&(struct adi_stream_plan){mixed, 1, far, 1}, &host, &stream, &error),
        EINVAL);
    ck_assert_str_eq(error.text, "row 0 names device 2 of 1");
    ck_assert(host.release != NULL);
    adi_array_stream_release(&host);
    ck_assert_int_eq(adi_stream_produce(&on_two, &host, &stream, NULL), EINVAL);

    produce(&plans[2], &stream);
    memset(&out, 0x5a, sizeof out);
    before = out;
    ck_assert_int_eq(adi_stream_copy_to_host(&mixed[1], 1, &stream, &out, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "the stream is of device_type 1 (cpu)");
    ck_assert_mem_eq(&out, &before, sizeof out);
    ck_assert(stream.release != NULL);
    adi_device_array_stream_release(&stream);
    ck_assert_int_eq(adi_stream_consume(mixed, 2, &stream, &out, &error), EINVAL);
    close_devices();
}
END_TEST

/* What nobody may hand over; what cannot be called is not called. */
START_TEST(a_stream_without_a_callback_is_refused_and_left_as_it_is)
{
    struct ArrowArrayStream host, out;
    struct ArrowDeviceArrayStream stream, wrapped;
    struct adi_device *const cpu = &devices[0];
    open_devices(&adi_device_cpu);
    open_source(&plans[2], &host);
    produce(&plans[2], &stream);
    const struct ArrowArrayStream whole_host = host;
    const struct ArrowDeviceArrayStream whole = stream;
    if (_i == 0) host.get_schema = NULL, stream.get_schema = NULL;
    if (_i == 1) host.get_next = NULL, stream.get_next = NULL;
    if (_i == 2) host.get_last_error = NULL, stream.get_last_error = NULL;
    ck_assert_int_eq(adi_stream_consume(&cpu, 1, &stream, &out, NULL), EINVAL);
    ck_assert_int_eq(adi_stream_unwrap(&stream, &out, NULL), EINVAL);
    ck_assert_int_eq(adi_stream_produce(&on_two, &host, &wrapped, NULL), EINVAL);
    ck_assert_int_eq(adi_stream_wrap(&host, &wrapped, NULL), EINVAL);
    ck_assert(stream.release == whole.release && host.release == whole_host.release);
    adi_device_array_stream_release(&stream);
    adi_array_stream_release(&host);
    close_devices();
}
END_TEST

Suite *ref_stream_suite(void) {
    Suite *suite = suite_create("ref_stream");
    TCase *source = tcase_create("source"), *stream = tcase_create("stream");
    tcase_add_test(source, a_source_gives_what_its_plan_lists);
    tcase_add_test(source, dictionaries_change_from_chunk_to_chunk);
    tcase_add_test(source, errors_come_where_the_plan_has_them);
    tcase_add_test(source, a_plan_that_cannot_be_is_refused);
    tcase_add_test(source, the_schema_and_the_end_can_be_asked_for_again);
    tcase_add_test(source, an_error_stays_and_so_does_its_text_until_the_next_call);
    suite_add_tcase(suite, source);
    tcase_set_timeout(stream, 120);
    tcase_add_test(stream, what_is_produced_is_consumed);
    tcase_add_test(stream, chunks_are_where_the_plan_has_them_and_outlive_their_stream);
    tcase_add_test(stream, a_consumer_that_does_not_wait_would_be_seen);
    tcase_add_test(stream, devices_that_do_not_fit_are_refused);
    tcase_add_loop_test(stream, a_stream_without_a_callback_is_refused_and_left_as_it_is, 0, 3);
    suite_add_tcase(suite, stream);
    return suite;
}
