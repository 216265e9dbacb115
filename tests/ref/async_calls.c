/* SPDX-License-Identifier: Apache-2.0
 *
 * Call by call: what request, cancel and extract_data do, both layouts, metadata, devices with
 * events, and what is left behind when an allocation fails.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "async_pair.h"
#include "counting.h"
#include "devices.h"
#include "failing.h"
#include "move.h"
#include "stream.h"

Suite *ref_async_calls_suite(void);

#define MOST 2000 /* faults in one program: more is no end */

static const struct adi_source_chunk three[] = {{"nulls", 1, 0}, {"empty", 2, 0}, {"offset", 3, 0}};
static const struct adi_source_plan plan = {.type = "struct", .chunks = three, .n_chunks = 3};

static int seen_error;

static void expect_error(struct pair *pair, int code, const char *text) {
    struct adi_batches batches;
    ck_assert(pair_drive(pair));
    ck_assert_int_eq(pair->observer.errors, code != 0);
    pair_close(pair, "", &batches);
    ck_assert_int_eq(batches.error.code, code);
    if (text != NULL) ck_assert_str_eq(batches.error.text, text);
    adi_batches_release(&batches);
}

/* ---- request and cancel ---- */

START_TEST(back_pressure_is_kept)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    while (adi_async_producer_step(pair.producer) == ADI_ASYNC_STEPPED) continue;
    ck_assert_int_eq(pair.observer.schemas, 1);
    ck_assert_int_eq(pair.observer.tasks, 0);
    for (int i = 1; i <= 3; i++) {
        adi_async_consumer_request(pair.consumer, 1);
        ck_assert_int_eq(pair.observer.tasks, i - 1); /* not within the request */
        while (adi_async_producer_step(pair.producer) == ADI_ASYNC_STEPPED) continue;
        ck_assert_int_eq(pair.observer.tasks, i);
    }
    ck_assert_int_eq(pair.observer.ends, 1);
    ck_assert_int_eq(pair.observer.releases, 1);
    pair_close(&pair, "", NULL);
}
END_TEST

START_TEST(a_producer_that_pulls_late_ends_with_a_request_more)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){.pulls_late = true},
              &(struct adi_async_consume){0});
    ck_assert(!pair_drive(&pair));
    adi_async_consumer_request(pair.consumer, 3);
    ck_assert(!pair_drive(&pair));
    ck_assert_int_eq(pair.observer.tasks, 3);
    ck_assert_int_eq(pair.observer.ends, 0);
    adi_async_consumer_request(pair.consumer, 1);
    expect_error(&pair, 0, NULL);
}
END_TEST

START_TEST(what_is_not_above_zero_is_an_error)
{
    static const struct {
        int64_t n;
        const char *text;
    } bad[] = {{0, "request(0): n has to be above 0"},
               {-1, "request(-1): n has to be above 0"},
               {INT64_MIN, "request(-9223372036854775808): n has to be above 0"}};
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    ck_assert(!pair_drive(&pair));
    adi_async_consumer_request(pair.consumer, 1);
    adi_async_consumer_request(pair.consumer, bad[_i].n);
    ck_assert_int_eq(pair.observer.errors, 0); /* not within the request */
    expect_error(&pair, EINVAL, bad[_i].text);

    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    ck_assert(!pair_drive(&pair));
    adi_async_consumer_cancel(pair.consumer);
    adi_async_consumer_request(pair.consumer, bad[_i].n); /* it does nothing */
    expect_error(&pair, 0, NULL);
}
END_TEST

START_TEST(requests_add_up_without_end)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    ck_assert(!pair_drive(&pair));
    for (int i = 0; i < 3; i++) adi_async_consumer_request(pair.consumer, INT64_MAX);
    ck_assert(pair_drive(&pair));
    ck_assert_int_eq(pair.observer.tasks, 3);
    pair_close(&pair, "", NULL);
}
END_TEST

START_TEST(a_consumer_calls_nobody_before_and_after)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    adi_async_consumer_request(pair.consumer, 3);
    adi_async_consumer_cancel(pair.consumer);
    ck_assert_int_eq(pair.observer.requested, 0);
    ck_assert(!pair_drive(&pair));
    ck_assert_int_eq(pair.observer.tasks, 0);
    adi_async_consumer_cancel(pair.consumer);
    ck_assert(pair_drive(&pair));
    adi_async_consumer_request(pair.consumer, 3);
    adi_async_consumer_cancel(pair.consumer);
    pair_close(&pair, "", NULL);
}
END_TEST

START_TEST(an_error_of_a_request_is_told_whatever_follows)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    ck_assert(!pair_drive(&pair));
    adi_async_consumer_request(pair.consumer, -1);
    adi_async_consumer_cancel(pair.consumer);
    while (pair.observer.errors == 0)
        ck_assert_int_eq(adi_async_producer_step(pair.producer), ADI_ASYNC_STEPPED);
    adi_async_consumer_request(pair.consumer, 3); /* the consumer calls nobody after on_error */
    ck_assert_int_eq(pair.observer.calls, 2);
    expect_error(&pair, EINVAL, "request(-1): n has to be above 0");
}
END_TEST

/* The chunks are on the CPU, the consumer is elsewhere. */
START_TEST(a_consumer_that_cannot_go_on_cancels)
{
    struct counting counting;
    struct pair pair;
    struct adi_batches batches;
    counting_open(&counting);
    struct adi_device *const devices[] = {&counting.device};
    pair_open(&pair, &plan, &(struct adi_async_produce){0},
              &(struct adi_async_consume){
                  .devices = devices, .n_devices = 1, .at_once = 1, .extracts = ADI_ASYNC_LATER});
    ck_assert(pair_drive(&pair));
    ck_assert_int_eq(pair.observer.tasks, 1);
    ck_assert(pair.observer.is_cancelled);
    pair_close(&pair, "", &batches);
    ck_assert_uint_eq(batches.count, 0);
    ck_assert_int_eq(batches.error.code, ENOTSUP);
    ck_assert_str_eq(batches.error.text, "the array is of device_type 1 (cpu)");
    adi_batches_release(&batches);
}
END_TEST

/* ---- tasks ---- */

/* A handler that keeps its tasks and does nothing else. */
struct keeper {
    struct ArrowAsyncTask tasks[3];
    int count;
};

static int keep_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    (void)schema;
    self->producer->request(self->producer, 3);
    return 0;
}

static int keep_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                     const char *metadata) {
    struct keeper *keeper = self->private_data;
    (void)metadata;
    if (task != NULL) keeper->tasks[keeper->count++] = *task;
    return 0;
}

static void note_code(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                      const char *metadata) {
    (void)self, (void)message, (void)metadata;
    seen_error = code;
}

static void end_handler(struct ArrowAsyncDeviceStreamHandler *self) {
    self->release = NULL;
}

static void open_wrapped(const struct adi_source_plan *of, struct ArrowDeviceArrayStream *out) {
    struct ArrowArrayStream host;
    struct adi_error error = {""};
    ck_assert_msg(adi_source_open(of, &host, &error) == 0, "%s", error.text);
    ck_assert_int_eq(adi_stream_wrap(&host, out, NULL), 0);
}

START_TEST(tasks_outlive_both_parties)
{
    static const struct adi_async_produce how = {.extract_fails_at = 2, .extract_code = EIO};
    struct keeper keeper = {.count = 0};
    struct ArrowAsyncDeviceStreamHandler handler = {keep_schema, keep_task, note_code,
                                                    end_handler, NULL,      &keeper};
    struct ArrowDeviceArrayStream in;
    struct ArrowDeviceArray array = {.array = {.release = NULL}};
    struct adi_async_producer *producer;
    seen_error = 0;
    open_wrapped(&plan, &in);
    ck_assert_int_eq(adi_async_producer_open(&how, &in, &handler, &producer, NULL), 0);
    adi_async_producer_run(producer);
    ck_assert(handler.release == NULL);
    adi_async_producer_close(producer);
    ck_assert_int_eq(keeper.count, 3);
    ck_assert_int_eq(keeper.tasks[2].extract_data(&keeper.tasks[2], &array), 0);
    ck_assert_int_eq(array.array.length, 67);
    ck_assert_int_eq(array.array.offset, 3);
    adi_device_array_release(&array);
    ck_assert_int_eq(keeper.tasks[1].extract_data(&keeper.tasks[1], &array), EIO);
    ck_assert(array.array.release == NULL);
    ck_assert_int_eq(keeper.tasks[1].extract_data(&keeper.tasks[1], &array), EINVAL);
    ck_assert_int_eq(seen_error, 0);
    ck_assert_int_eq(keeper.tasks[0].extract_data(&keeper.tasks[0], NULL), 0);
}
END_TEST

START_TEST(a_refused_task_that_nobody_has_is_taken_back)
{
    static const struct adi_async_consume refuses = {
        .at_once = 3, .refuses_at = 2, .task_refusal = EPROTO, .leaves_refused = true};
    struct ArrowAsyncDeviceStreamHandler handler;
    struct ArrowDeviceArrayStream in;
    struct pair pair;
    failing_open();
    open_wrapped(&plan, &in);
    int code = adi_async_consumer_open(&refuses, &handler, &pair.consumer, NULL);
    const struct adi_async_produce takes_back = {.takes_back = true};
    code |= adi_async_producer_open(&takes_back, &in, &handler, &pair.producer, NULL);
    bool is_over = pair_drive(&pair);
    int refusal = adi_async_producer_refusal(pair.producer);
    int64_t tasks = adi_async_consumer_seen(pair.consumer)->tasks;
    adi_async_producer_close(pair.producer);
    adi_async_consumer_close(pair.consumer, NULL);
    struct failing count = failing_close();
    ck_assert_int_eq(code, 0);
    ck_assert(is_over);
    ck_assert_int_eq(refusal, EPROTO);
    ck_assert_int_eq(tasks, 2);
    ck_assert_int_eq(count.live, 0);
}
END_TEST

START_TEST(handlers_and_streams_that_cannot_be_are_refused)
{
    struct ArrowAsyncDeviceStreamHandler handler = {keep_schema, keep_task, note_code,
                                                    NULL,        NULL,      NULL};
    struct ArrowDeviceArrayStream in;
    struct adi_async_producer *producer;
    struct adi_error error = {""};
    open_wrapped(&plan, &in);
    ck_assert_int_eq(adi_async_producer_open(NULL, &in, &handler, &producer, &error), EINVAL);
    ck_assert_str_eq(error.text, "a callback of the handler is NULL");
    ck_assert(in.release != NULL);
    ck_assert_ptr_null(handler.producer);
    handler.release = end_handler;
    adi_device_array_stream_release(&in);
    ck_assert_int_eq(adi_async_producer_open(NULL, &in, &handler, &producer, &error), EINVAL);
    ck_assert_str_eq(error.text, "the stream is released");
}
END_TEST

/* A consumer that is left without its release would wait for ever. */
START_TEST(closing_ends_what_is_not_over)
{
    struct pair pair;
    pair_open(&pair, &plan, &(struct adi_async_produce){0}, &(struct adi_async_consume){0});
    if (_i > 0) ck_assert_int_eq(adi_async_producer_start(pair.producer, NULL), 0);
    adi_async_producer_close(pair.producer);
    ck_assert_int_eq(pair.observer.schemas, 1);
    ck_assert_int_eq(pair.observer.releases, 1);
    ck_assert_int_eq(pair.observer.errors, 0);
    ck_assert(adi_async_consumer_is_over(pair.consumer));
    adi_async_consumer_close(pair.consumer, NULL);
    adi_async_producer_close(NULL);
}
END_TEST

/* ---- devices ---- */

START_TEST(chunks_on_devices_come_with_their_events)
{
    const char *build = getenv("ADI_TEST_BUILD");
    const struct adi_device_ops *ops = _i == 0 ? &adi_device_ext_dev : &adi_device_cuda;
    char path[4096], log[64], line[4096];
    struct adi_device devices[4];
    struct adi_error error = {""};
    snprintf(path, sizeof path, "%s/libadisim.so", build == NULL ? "build" : build);
    snprintf(log, sizeof log, "/tmp/ref_async.%d", (int)getpid());
    ck_assert_int_eq(setenv("ADI_SIM", path, 1) | setenv("ADI_CUDA", "sim", 1) |
                         setenv("ADI_SIM_LOG", log, 1),
                     0);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(ops->open(i % 2, &devices[i], &error) == 0, "%s", error.text);
    struct adi_device *const producers[] = {&devices[0], &devices[1]};
    struct adi_device *const consumers[] = {&devices[2], &devices[3]};
    static const struct adi_chunk_plan turns[] = {{1, ADI_CHUNK_PENDING}, {0, ADI_CHUNK_PENDING}};
    struct adi_stream_plan on = {producers, 2, turns, 2};
    struct ArrowArrayStream host;
    struct ArrowDeviceArrayStream in;
    struct pair pair;
    struct adi_batches batches;
    observer_open(&pair.observer, ADI_ASYNC_SHIPPED);
    ck_assert_int_eq(adi_source_open(&plan, &host, NULL), 0);
    ck_assert_int_eq(adi_stream_produce(&on, &host, &in, NULL), 0);
    struct adi_async_consume how = {
        .devices = consumers, .n_devices = 2, .at_once = 3, .extracts = ADI_ASYNC_LAST_FIRST};
    ck_assert_int_eq(adi_async_consumer_open(&how, &pair.observer.inner, &pair.consumer, NULL), 0);
    ck_assert_int_eq(
        adi_async_producer_open(NULL, &in, &pair.observer.handler, &pair.producer, NULL), 0);
    ck_assert_int_eq(pair.observer.handler.producer->device_type, ops->type);
    ck_assert_int_eq(adi_async_producer_start(pair.producer, NULL), 0);
    adi_async_consumer_wait(pair.consumer);
    adi_async_producer_join(pair.producer);
    pair_close(&pair, ops->name, &batches);
    pair_judge(&plan, 3, &batches, ops->name);
    adi_batches_release(&batches);
    for (int i = 0; i < 4; i++) ops->close(&devices[i]);
    FILE *file = fopen(log, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        ck_assert_msg(strstr(line, "{\"violation\"") == NULL, "%s", line);
    if (file != NULL) fclose(file);
    unlink(log);
}
END_TEST

/* ---- faults ---- */

struct outcome {
    int code;
    size_t chunks;
};

/* Everything by one thread. No assertions: they allocate. */
static struct outcome play_all(struct counting *counting, enum adi_async_extract extracts,
                               bool gives_up) {
    static char tasks[64];
    struct adi_device *const devices[] = {&counting->device};
    const struct adi_stream_plan on = {devices, 1, NULL, 0};
    const struct adi_async_produce produce = {.task_metadata = pair_metadata("a", "b", tasks),
                                              .stream_metadata = tasks,
                                              .error_metadata = tasks};
    const struct adi_async_consume consume = {.devices = devices,
                                              .n_devices = 1,
                                              .at_once = 2,
                                              .extracts = extracts,
                                              .gives_up = gives_up};
    const struct adi_source_plan of = {"struct", three, 3, .error = {EPROTO, "dry"}};
    struct ArrowArrayStream host = {.release = NULL};
    struct ArrowDeviceArrayStream in = {.release = NULL};
    struct ArrowAsyncDeviceStreamHandler handler;
    struct pair pair = {.producer = NULL, .consumer = NULL};
    struct adi_batches batches = {0};
    struct outcome outcome = {0, 0};
    outcome.code = adi_source_open(&of, &host, NULL);
    if (outcome.code == 0) outcome.code = adi_stream_produce(&on, &host, &in, NULL);
    if (outcome.code == 0)
        outcome.code = adi_async_consumer_open(&consume, &handler, &pair.consumer, NULL);
    if (outcome.code == 0)
        outcome.code = adi_async_producer_open(&produce, &in, &handler, &pair.producer, NULL);
    bool is_stuck = outcome.code == 0 && !pair_drive(&pair);
    int refusal = outcome.code == 0 ? adi_async_producer_refusal(pair.producer) : 0;
    adi_async_producer_close(pair.producer);
    if (pair.consumer != NULL) adi_async_consumer_close(pair.consumer, &batches);
    int schema_code = batches.schema_error.code, code = batches.error.code;
    if (outcome.code == 0)
        outcome.code = is_stuck           ? EDEADLK
                       : schema_code != 0 ? schema_code
                       : code != 0        ? code
                                          : refusal;
    outcome.chunks = batches.count;
    adi_batches_release(&batches);
    adi_device_array_stream_release(&in);
    adi_array_stream_release(&host);
    return outcome;
}

START_TEST(a_pair_survives_each_fault)
{
    static const enum adi_async_extract ways[] = {ADI_ASYNC_WITHIN, ADI_ASYNC_LATER,
                                                  ADI_ASYNC_LAST_FIRST, ADI_ASYNC_LATER};
    int injected = 0;
    for (int on_device = 0; on_device < 2; on_device++)
        for (int n = 1, failed = 1; failed; n++) {
            struct counting counting;
            counting_open(&counting);
            failing_open();
            failing_at(on_device ? 0 : n);
            counting.fail_at = on_device ? n : 0;
            struct outcome outcome = play_all(&counting, ways[_i], _i == 3);
            failing_at(0);
            struct failing count = failing_close();
            failed = on_device ? counting.calls >= n : count.has_failed;
            ck_assert_msg(outcome.code == EPROTO ||
                              (failed && outcome.code == (on_device ? EIO : ENOMEM)),
                          "fault %d: %d", n, outcome.code);
            if (!failed) ck_assert_uint_eq(outcome.chunks, _i == 3 ? 0 : 3);
            ck_assert_msg(count.live == 0, "fault %d: %d pieces of memory are left", n, count.live);
            ck_assert_int_eq(counting.buffers, 0);
            ck_assert_int_eq(counting.events, 0);
            ck_assert_int_lt(n, MOST);
            injected += failed;
        }
    ck_assert_int_gt(injected, 50);
    printf("asynchronous streams: %d faults injected\n", injected);
    fflush(stdout);
}
END_TEST

Suite *ref_async_calls_suite(void) {
    Suite *suite = suite_create("ref_async_calls");
    TCase *calls = tcase_create("calls");
    tcase_set_timeout(calls, 120);
    tcase_add_test(calls, back_pressure_is_kept);
    tcase_add_test(calls, a_producer_that_pulls_late_ends_with_a_request_more);
    tcase_add_loop_test(calls, what_is_not_above_zero_is_an_error, 0, 3);
    tcase_add_test(calls, requests_add_up_without_end);
    tcase_add_test(calls, a_consumer_calls_nobody_before_and_after);
    tcase_add_test(calls, an_error_of_a_request_is_told_whatever_follows);
    tcase_add_test(calls, a_consumer_that_cannot_go_on_cancels);
    tcase_add_test(calls, tasks_outlive_both_parties);
    tcase_add_test(calls, a_refused_task_that_nobody_has_is_taken_back);
    tcase_add_test(calls, handlers_and_streams_that_cannot_be_are_refused);
    tcase_add_loop_test(calls, closing_ends_what_is_not_over, 0, 2);
    tcase_add_loop_test(calls, chunks_on_devices_come_with_their_events, 0, 2);
    tcase_add_loop_test(calls, a_pair_survives_each_fault, 0, 4);
    suite_add_tcase(suite, calls);
    return suite;
}
