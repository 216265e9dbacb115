/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as consumer and as producer of an asynchronous stream: what a wrong party does is one
 * finding, of the right rule, and what an odd one does is none. And the layout of a producer that
 * somebody else has filled in.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "async_drive.h"
#include "async_handler.h"
#include "devices.h"
#include "guarded_input.h"
#include "harness/collector.h"
#include "move.h"
#include "sample.h"
#include "schema.h"
#include "shell.h"
#include "slow.h"

Suite *harness_guarded_async_suite(void);

static const enum adi_party producer_party = ADI_PRODUCER, consumer_party = ADI_CONSUMER;
static struct collector collector;

#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))

/* ---- the harness as consumer: what producers call ---- */

static struct adi_async_handler watched;
static struct {
    union adi_any_producer any;
    _Atomic int requests, cancels;
    char calls; /* what its next request calls itself; 0: nothing */
} producer;

static struct ArrowAsyncDeviceStreamHandler moved;
static bool is_moved;

static void call(char letter);

static void count_request(struct ArrowAsyncProducer *self, int64_t n) {
    char letter = producer.calls;
    (void)self, (void)n;
    producer.requests++;
    producer.calls = 0;
    if (letter != 0) call(letter);
}

static void count_cancel(struct ArrowAsyncProducer *self) {
    (void)self;
    producer.cancels++;
}

static int extract_int32(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    struct ArrowSchema schema;
    (void)self;
    if (out == NULL) return 0;
    memset(out, 0, sizeof *out);
    out->device_type = adi_device_cpu.type;
    out->device_id = -1;
    int code = adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named("many"), 1,
                          &schema, &out->array, NULL);
    adi_schema_release(&schema);
    return code;
}

static int extract_nothing(struct ArrowAsyncTask *self, struct ArrowDeviceArray *out) {
    (void)self, (void)out;
    return 0;
}

/* s on_schema, t a task, n one that gives nothing, m one without its callback, e the end, x
 * on_error, c on_error with no code, a on_error with ECANCELED, r release, p another private_data
 * of the producer, d another device type, 0 none. X, E, R: the consumer's request calls it. C: from
 * here on a copy of the handler is called; M: it is moved. */
static void call(char letter) {
    struct ArrowAsyncDeviceStreamHandler *self = is_moved ? &moved : watched.structure;
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowAsyncTask task = {letter == 't'   ? extract_int32
                                  : letter == 'n' ? extract_nothing
                                                  : NULL,
                                  NULL};
    if (letter == 's') {
        ck_assert_int_eq(adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named("many"),
                                    1, &schema, &array, NULL),
                         0);
        adi_array_release(&array);
        self->on_schema(self, &schema);
        adi_schema_release(&schema);
    }
    if (letter == 't' || letter == 'n' || letter == 'm') self->on_next_task(self, &task, NULL);
    if (letter == 'e') self->on_next_task(self, NULL, NULL);
    if (letter == 'x' || letter == 'c' || letter == 'a')
        self->on_error(self, letter == 'x' ? EIO : letter == 'a' ? ECANCELED : -5, "gone", NULL);
    if (letter == 'C' || letter == 'M') {
        moved = *self;
        is_moved = true;
    }
    if (letter == 'M') self->release = NULL;
    if (letter == 'p') producer.any.shipped.private_data = &producer;
    if (letter == 'd') producer.any.shipped.device_type++;
    if (strchr("XER", letter) != NULL) {
        producer.calls = (char)(letter - 'A' + 'a');
        adi_async_handler_request(&watched, 1);
    }
    if (letter == '0') self->producer = NULL;
    if (letter == 'r') self->release(self);
}

#define NEVER .cancels_at = ADI_NEVER, .cancels = 1
static const struct {
    const char *calls, *rule; /* NULL: none */
    struct adi_async_conduct conduct;
} calls[] = {
    {"ster", NULL, {NEVER, .asks = true, .at_schema = 1}},
    {"ser", NULL, {NEVER}},
    {"xr", NULL, {NEVER}},
    {"sxr", NULL, {NEVER, .source_fails = true}},
    {"sttter", NULL, {NEVER, .asks = true, .at_schema = 3, .gives_up = true}},
    {"str", NULL, {.cancels_at = 1, .cancels = 1, .asks = true, .at_schema = 1}},
    {"ster", NULL, {.cancels_at = 1, .cancels = 4, .asks = true, .at_schema = 1}},
    {"sr", NULL, {NEVER, .schema_refusal = EINVAL}},
    {"str", NULL, {NEVER, .asks = true, .at_schema = 1, .task_refusal = EIO}},
    {"sxr", NULL, {NEVER, .asks = true, .at_schema = 0}},
    {"ster", NULL, {NEVER, .asks = true, .at_schema = 1, .extraction = ADI_EXTRACT_LATER}},
    {"ster", NULL, {NEVER, .asks = true, .at_schema = 1, .extraction = ADI_EXTRACT_ELSEWHERE}},
    {"0ser", "async/producer-not-set", {NEVER}},
    {"sper", NULL, {NEVER}},
    {"sder", "async/producer-not-valid", {NEVER}},
    {"sser", "async/schema-not-first", {NEVER}},
    {"esr", "async/schema-not-first", {NEVER}},
    {"stter", "async/task-beyond-requests", {NEVER, .asks = true, .at_schema = 1}},
    {"ster", "async/task-without-request", {NEVER}},
    {"seer", "async/called-after-end", {NEVER}},
    {"seter", "async/called-after-end", {NEVER, .asks = true, .at_schema = 1}},
    {"str", "async/end-missing", {NEVER, .asks = true, .at_schema = 1}},
    {"sxer", "async/called-after-error", {NEVER, .source_fails = true}},
    {"sxr", "async/called-after-refused-schema", {NEVER, .schema_refusal = EINVAL}},
    {"stxr",
     "async/called-after-refused-task",
     {NEVER, .asks = true, .at_schema = 1, .task_refusal = EIO}},
    {"sar", "async/cancel-ends-in-error", {.cancels_at = 0, .cancels = 1}},
    {"sxr", "async/error-after-cancel", {.cancels_at = 0, .cancels = 1}},
    {"scr", "async/error-code-unknown", {.cancels_at = 0, .cancels = 1}},
    {"sar", NULL, {.cancels_at = 0, .cancels = 1, .source_fails = true}},
    {"ser", "async/source-error-lost", {NEVER, .source_fails = true}},
    {"scr", "async/error-code-unknown", {NEVER, .source_fails = true}},
    {"ster", "async/bad-request-accepted", {NEVER, .asks = true, .at_schema = -1}},
    {"sner", "async/extracted-nothing", {NEVER, .asks = true, .at_schema = 1}},
    {"seR", NULL, {NEVER}}, /* of release nothing is said */
    {"sEr", "async/request-calls-back", {NEVER}},
    {"sXr", "async/request-calls-back", {NEVER, .source_fails = true}},
    {"smer", "async/callback-missing", {NEVER, .asks = true, .at_schema = 1}},
};

static void play(const char *letters, const struct adi_async_conduct *how) {
    collector = collector_open();
    is_moved = false;
    memset(&watched, 0, sizeof watched);
    memset(&producer, 0, sizeof producer);
    ck_assert_int_eq(adi_guard_start(&collector.sink, NULL, &producer_party), 0);
    struct ArrowAsyncDeviceStreamHandler *structure =
        adi_async_handler_open(&watched, how, ADI_ASYNC_SHIPPED, &collector.sink, 1);
    ck_assert_ptr_nonnull(structure);
    const struct adi_shipped_producer members = {adi_device_cpu.type, count_request, count_cancel,
                                                 NULL, NULL};
    adi_async_fill(ADI_ASYNC_SHIPPED, &members, &producer.any);
    structure->producer = &producer.any.producer;
    for (const char *at = letters; *at != '\0'; at++) call(*at);
    ck_assert(watched.is_over);
    for (size_t i = 0; i < watched.n_taken; i++) adi_device_array_release(&watched.taken[i].array);
    adi_schema_release(&watched.schema);
    adi_async_handler_close(&watched);
}

START_TEST(the_first_wrong_call_of_a_producer_is_told)
{
    play(calls[_i].calls, &calls[_i].conduct);
    ck_assert_int_eq(producer.requests,
                     (calls[_i].conduct.asks ? 1 : 0) + (strpbrk(calls[_i].calls, "XER") != NULL));
    if (calls[_i].rule == NULL && calls[_i].conduct.cancels_at != ADI_NEVER)
        ck_assert_int_eq(producer.cancels, calls[_i].conduct.cancels);
    if (calls[_i].rule == NULL) {
        expect_nothing(collector);
        return;
    }
    ck_assert_msg(collector.n == 1, "%s: %d findings", calls[_i].calls, collector.n);
    ck_assert_msg(strcmp(collector.rule[0], calls[_i].rule) == 0, "%s: %s", calls[_i].calls,
                  collector.rule[0]);
    ck_assert_int_eq(collector.party[0], ADI_PRODUCER);
}
END_TEST

/* Ambiguity 34. What is wrong beside that is told as well. */
START_TEST(a_handler_that_was_moved_is_noted_and_judged)
{
    static const struct {
        const char *calls, *rule;
    } rows[] = {{"Mster", NULL},
                {"Cster", NULL},
                {"sMter", NULL},
                {"Msser", "async/schema-not-first"},
                {"C0ser", "async/producer-not-set"},
                {"sMere", "async/called-after-release"}};
    static const struct adi_async_conduct one = {NEVER, .asks = true, .at_schema = 1};
    for (int i = 0; i < COUNT(rows); i++) {
        play(rows[i].calls, &one);
        ck_assert_msg(collector.n == 1 + (rows[i].rule != NULL), "%s: %d findings", rows[i].calls,
                      collector.n);
        ck_assert_str_eq(collector.rule[0], "async/handler-moved");
        if (rows[i].rule != NULL) ck_assert_str_eq(collector.rule[1], rows[i].rule);
    }
}
END_TEST

/* ---- a late callback ---- */

#define OPENED 200

static _Atomic bool is_enough;
static _Atomic int answered;
static struct ArrowAsyncDeviceStreamHandler gone;

static void *call_what_is_gone(void *unused) {
    while (!is_enough) answered = gone.on_schema(&gone, NULL);
    return unused;
}

/* A thread may call a handler that was given back while others come and go. */
START_TEST(who_calls_a_handler_that_is_gone_meets_no_other)
{
    static const struct adi_async_conduct conduct = {.cancels_at = ADI_NEVER};
    pthread_t thread;
    collector = collector_open();
    is_enough = false;
    answered = 0;
    ck_assert_int_eq(adi_guard_start(&collector.sink, NULL, &producer_party), 0);
    for (int i = 0; i < OPENED; i++) {
        struct adi_async_handler *handler = calloc(1, sizeof *handler);
        ck_assert_ptr_nonnull(
            adi_async_handler_open(handler, &conduct, ADI_ASYNC_SHIPPED, &collector.sink, 1));
        if (i == 0) gone = *handler->structure;
        if (i == 1) ck_assert_int_eq(pthread_create(&thread, NULL, call_what_is_gone, NULL), 0);
        while (i > 0 && answered == 0) sched_yield();
        adi_async_handler_close(handler);
        free(handler);
    }
    is_enough = true;
    pthread_join(thread, NULL);
    ck_assert_int_eq(answered, EINVAL);
    expect_nothing(collector);
}
END_TEST

/* ---- the harness as producer: what consumers do ---- */

#define BATCHES ADI_FEED_TASKS

static const struct conduct {
    const char *rule; /* NULL: none */
    int64_t asks;     /* in on_schema */
    int times;        /* that each task is extracted; -1: given up */
    int answer;       /* of a task that could not be extracted */
    bool cancels_in_release, cancels;
    size_t fails_at;
    int errors, tasks; /* that come */
} conducts[] = {
    {NULL, 9, 1, 0, false, false, 0, 0, BATCHES + 1},
    {NULL, 9, -1, 0, false, false, 0, 0, BATCHES + 1},
    {NULL, 9, 1, 0, false, false, 2, 1, 2},            /* it waits for on_error */
    {NULL, 9, 1, EIO, false, false, 2, 0, 2},          /* it answers the error */
    {NULL, 9, -1, 0, false, false, 2, 0, BATCHES + 1}, /* what is given up cannot fail */
    {NULL, 2, 1, 0, false, true, 0, 0, 2},             /* what is requested comes after a cancel */
    {"async/task-not-extracted", 9, 0, 0, false, false, 0, 0, BATCHES + 1},
    {"async/extracted-twice", 9, 2, 0, false, false, 0, 0, BATCHES + 1},
    {"async/bad-request", 0, 1, 0, false, false, 0, 1, 0},
    {"async/answer-unknown", 9, 1, -7, false, false, 2, 0, 2},
    {"async/producer-called-at-end", 9, 1, 0, true, false, 0, 0, BATCHES + 1},
};

static const struct conduct *conduct;
static struct ArrowAsyncProducer *of_harness;
static int n_errors, n_tasks;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    of_harness = self->producer;
    adi_schema_release(schema);
    of_harness->request(of_harness, conduct->asks);
    return 0;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct ArrowDeviceArray array;
    int code = 0;
    (void)self, (void)metadata;
    n_tasks++;
    if (task == NULL) return 0;
    if (conduct->times < 0) task->extract_data(task, NULL);
    for (int i = 0; i < conduct->times; i++) {
        array.array.release = NULL;
        code = task->extract_data(task, &array);
        if (code == 0) adi_device_array_release(&array);
    }
    if (conduct->cancels && n_tasks == 1) of_harness->cancel(of_harness);
    return code == 0 || conduct->times != 1 ? 0 : conduct->answer;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    (void)self, (void)metadata;
    ck_assert_int_gt(code, 0);
    ck_assert_ptr_nonnull(message);
    n_errors++;
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    if (of_harness != NULL) ck_assert_int_eq(of_harness->additional_metadata[0], 1);
    if (conduct->cancels_in_release) of_harness->cancel(of_harness);
    self->release = NULL;
}

static struct adi_guarded inputs[BATCHES];
static struct adi_guarded_chunk chunks[BATCHES];

static void make_batches(struct adi_device *device, struct ArrowSchema *of_all) {
    for (size_t i = 0; i < BATCHES; i++) {
        struct ArrowSchema schema;
        struct ArrowArray array;
        adi_sample(adi_sample_type_named("struct"), adi_sample_shape_named("many"), i, &schema,
                   &array, NULL);
        if (i == 0) ck_assert_int_eq(adi_schema_export(&schema, of_all, NULL), 0);
        adi_guarded_open(&inputs[i], device, &collector.sink);
        chunks[i].input = &inputs[i];
        ck_assert_int_eq(adi_guarded_put(&inputs[i], &schema, &array, ADI_GUARDED_NO_SCHEMA,
                                         &chunks[i].pair, NULL),
                         0);
        adi_schema_release(&schema);
    }
}

START_TEST(what_a_consumer_does_wrong_is_told_once)
{
    static struct adi_async_feed feed;
    struct adi_device device;
    struct ArrowSchema schema;
    struct ArrowAsyncDeviceStreamHandler handler = {on_schema, on_next_task, on_error,
                                                    release,   NULL,         NULL};
    conduct = &conducts[_i];
    collector = collector_open();
    ck_assert_int_eq(adi_device_cpu.open(-1, &device, NULL), 0);
    ck_assert_int_eq(adi_guard_start(&collector.sink, NULL, &consumer_party), 0);
    make_batches(&device, &schema);
    const struct adi_async_feed_plan plan = {.schema = &schema,
                                             .chunks = chunks,
                                             .n_chunks = BATCHES,
                                             .type = adi_device_cpu.type,
                                             .layout = ADI_ASYNC_SHIPPED,
                                             .fails_at = conduct->fails_at};
    ck_assert(adi_async_feed_open(&feed, &plan, &collector.sink));
    ck_assert_int_eq(adi_async_drive_start(&feed, &handler), 0);
    adi_async_drive_serve(&feed, 5000);
    adi_async_drive_join(&feed);
    adi_async_feed_close(&feed);
    for (size_t i = 0; i < BATCHES; i++) adi_guarded_close(&inputs[i]);
    adi_schema_release(&schema);
    device.ops->close(&device);
    ck_assert_int_eq(n_errors, conduct->errors);
    ck_assert_int_eq(n_tasks, conduct->tasks);
    if (conduct->rule == NULL) {
        expect_nothing(collector);
        return;
    }
    ck_assert_int_eq(collector.n, 1);
    ck_assert_str_eq(collector.rule[0], conduct->rule);
    ck_assert_int_eq(collector.party[0], ADI_CONSUMER);
}
END_TEST

/* ---- layouts ---- */

START_TEST(a_layout_shows_by_what_lies_in_the_members)
{
    static const char metadata[] = "\1\0\0\0\3\0\0\0key\5\0\0\0value", none[] = "\0\0\0\0";
    static int object[16] = {1, 0, -1, -1};
    const void *code = (const void *)(uintptr_t)count_cancel;
    const struct {
        const void *third, *fourth;
        enum adi_async_evidence if_shipped, if_printed;
    } rows[] = {
        {NULL, NULL, ADI_LAYOUT_UNKNOWN, ADI_LAYOUT_UNKNOWN},
        {NULL, object, ADI_LAYOUT_RIGHT, ADI_LAYOUT_WRONG},
        {NULL, code, ADI_LAYOUT_RIGHT, ADI_LAYOUT_WRONG}, /* no metadata, and so private_data */
        {NULL, none, ADI_LAYOUT_UNKNOWN, ADI_LAYOUT_UNKNOWN},
        {NULL, metadata, ADI_LAYOUT_WRONG, ADI_LAYOUT_RIGHT},
        {metadata, object, ADI_LAYOUT_RIGHT, ADI_LAYOUT_WRONG},
        {none, NULL, ADI_LAYOUT_RIGHT, ADI_LAYOUT_WRONG},
        {code, NULL, ADI_LAYOUT_WRONG, ADI_LAYOUT_RIGHT},
        {code, metadata, ADI_LAYOUT_WRONG, ADI_LAYOUT_RIGHT},
        {object, object, ADI_LAYOUT_UNKNOWN, ADI_LAYOUT_UNKNOWN}, /* metadata that is malformed */
    };
    for (int i = 0; i < COUNT(rows); i++) {
        union adi_any_producer any = {
            .shipped = {.additional_metadata = rows[i].third,
                        .private_data = (void *)(uintptr_t)rows[i].fourth}};
        ck_assert_msg(adi_async_layout_of(&any, ADI_ASYNC_SHIPPED) == rows[i].if_shipped,
                      "row %d, shipped", i);
        ck_assert_msg(adi_async_layout_of(&any, ADI_ASYNC_WITH_RELEASE) == rows[i].if_printed,
                      "row %d, printed", i);
    }
}
END_TEST

/* ---- by the command ---- */

START_TEST(who_never_answers_gets_a_verdict_and_the_rest_is_played)
{
    expect("$A run $B/tests/mutants/async_never_answers.so --device cpu:-1 --timeout 0.5 "
           "--case 'struct/many/@(async|export)' --json r.json",
           1, "timeout  life/hang|struct/many/async|pass,|not conformant: 1 MUST broken");
}
END_TEST

START_TEST(a_consumer_alone_opens_what_it_is_told_of)
{ expect("$A run --device cpu:-1 --case 'struct/many/consume-async'", 0, "pass in|conformant"); }
END_TEST

Suite *harness_guarded_async_suite(void) {
    Suite *suite = suite_create("harness_guarded_async");
    TCase *parties = tcase_create("parties"), *rest = tcase_create("rest"),
          *command = tcase_create("command");
    tcase_add_loop_test(parties, the_first_wrong_call_of_a_producer_is_told, 0, COUNT(calls));
    tcase_add_test(parties, a_handler_that_was_moved_is_noted_and_judged);
    tcase_add_loop_test(parties, what_a_consumer_does_wrong_is_told_once, 0, COUNT(conducts));
    tcase_add_test(parties, who_calls_a_handler_that_is_gone_meets_no_other);
    suite_add_tcase(suite, parties);
    tcase_add_test(rest, a_layout_shows_by_what_lies_in_the_members);
    suite_add_tcase(suite, rest);
    if (IS_THREAD_SANITIZED) return suite; /* there are no adapters then */
    tcase_add_checked_fixture(command, shell_open, shell_close);
    tcase_set_timeout(command, 120);
    tcase_add_test(command, who_never_answers_gets_a_verdict_and_the_rest_is_played);
    tcase_add_test(command, a_consumer_alone_opens_what_it_is_told_of);
    suite_add_tcase(suite, command);
    return suite;
}
