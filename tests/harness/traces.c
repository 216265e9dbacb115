/* SPDX-License-Identifier: Apache-2.0
 *
 * A program is the same program on every device: step by step the same answers and findings, the
 * same slots alive, the same values read, and the same calls to the device in the same order, apart
 * from the waiting. Under a sanitizer one program in four is played, and ADI_TEST_FULL plays all.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "cover.h"
#include "devices.h"
#include "execution.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "random_program.h"
#include "recorder.h"
#include "slow.h"
#include "stream.h"

Suite *harness_traces_suite(void);

#define PROGRAMS  4096
#define AT_RANDOM 40 /* a type: legal ones, with streams and without; and as many of any bytes */
#define BYTES     24
#define SHARE     4

static const char *const types[] = {"int32", "utf8", "struct", "list_int32",
                                    "dictionary_int8_utf8"};
#define TYPES (sizeof types / sizeof types[0])

static const uint64_t operations = ADI_COVER(export) | ADI_COVER(move) | ADI_COVER(move_child) |
                                   ADI_COVER(move_dictionary) | ADI_COVER(wait) | ADI_COVER(read) |
                                   ADI_COVER(release) | ADI_COVER(relay) | ADI_COVER(consume);

static const uint64_t of_streams = ADI_COVER(stream_export) | ADI_COVER(stream_export_failing) |
                                   ADI_COVER(stream_schema) | ADI_COVER(stream_next) |
                                   ADI_COVER(stream_error) | ADI_COVER(schema_read);

struct book {
    struct adi_sink sink; /* first */
    struct adi_execution *execution;
    const char *device;
    char *traces[PROGRAMS]; /* of the first device */
    size_t n, n_seen, n_programs, n_steps, differences;
};

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink;
    recorder_say("  %s %d\n", finding->rule->id, (int)finding->party);
}

/* ---- the reference takes part ---- */

static int produce(void *context, struct ArrowArray *host, const struct ArrowArray *wanted,
                   struct ArrowDeviceArray *out) {
    (void)wanted;
    struct adi_execution *p = context;
    return adi_produce(p->device, &p->schema, host, out, &p->error);
}

static int relay(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 const struct ArrowArray *wanted, struct ArrowDeviceArray *out) {
    (void)wanted;
    struct adi_execution *p = context;
    return adi_import(p->device, schema, in, out, &p->error);
}

static int consume(void *context, const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                   const struct ArrowArray *wanted) {
    struct adi_execution *p = context;
    struct ArrowArray copy;
    ADI_TRY(adi_consume(p->device, schema, in, &copy, &p->error));
    int code = adi_array_compare(schema, &copy, schema, wanted, &p->error);
    adi_array_release(&copy);
    return code;
}

static int produce_stream(void *context, struct ArrowArrayStream *host, void *out) {
    struct adi_execution *p = context;
    const struct adi_stream_plan plan = {.devices = &p->device, .n_devices = 1};
    return adi_stream_produce(&plan, host, out, &p->error);
}

static int look_at_chunk(void *context, struct ArrowDeviceArray *chunk,
                         const struct ArrowArray *wanted) {
    (void)context, (void)chunk, (void)wanted;
    return 0;
}

static int look_at_schema(void *context, const struct ArrowSchema *schema) {
    (void)context, (void)schema;
    return 0;
}

static void refuse(void *context) {
    (void)context;
    ck_abort_msg("the reference refuses");
}

/* ---- a program becomes a trace ---- */

static void say_slots(const struct adi_execution *execution) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        const struct adi_execution_slot *slot = &execution->slots[i];
        if (slot->lives && slot->kind != &adi_kind_array)
            recorder_say("  %d: %s\n", i, slot->kind->name);
        else if (slot->lives)
            recorder_say("  %d: %lld rows, %lld buffers, %lld children\n", i,
                         (long long)slot->array->array.length,
                         (long long)slot->array->array.n_buffers,
                         (long long)slot->array->array.n_children);
    }
}

/* What has a finding is played no further, as in a run. */
static char *trace_of(struct book *book, const struct adi_program *program) {
    struct adi_execution *execution = book->execution;
    char word[ADI_STEP_TEXT];
    for (size_t i = 0; i < program->n && execution->n_findings == 0; i++) {
        recorder_say("%s\n", adi_step_text(&program->steps[i], word));
        recorder_say("  %d\n", adi_execution_step(execution, &program->steps[i]));
        say_slots(execution);
        book->n_steps++;
    }
    recorder_say("end\n");
    if (execution->n_findings == 0) adi_execution_finish(execution);
    ck_assert_int_eq(adi_execution_restart(execution), 0);
    return recorder_take();
}

/* The first device's traces are kept, those of the others compared with them. */
static bool play(void *book_at, const struct adi_program *program) {
    struct book *book = book_at;
    if (is_left_out(book->n_seen++, SHARE)) return true;
    char text[4 * ADI_PROGRAM_STEPS], *trace = trace_of(book, program);
    size_t at = book->n_programs++;
    ck_assert_uint_lt(at, PROGRAMS);
    if (at == book->n) {
        book->traces[book->n++] = trace;
        return true;
    }
    if (strcmp(trace, book->traces[at]) != 0 && book->differences++ == 0)
        printf("  %s: %s: saw\n%swanted\n%s", book->device,
               adi_program_text(program, text, sizeof text), trace, book->traces[at]);
    free(trace);
    return true;
}

/* ---- which programs ---- */

static void play_legal(struct book *book) {
    const struct ArrowSchema *schema = &book->execution->schema;
    struct adi_random random = {.state = 1};
    struct adi_program program;
    struct adi_cover cover;
    ck_assert_int_eq(adi_cover_open(&cover, schema, 2, operations, 0, true), 0);
    adi_cover_programs(&cover, adi_cover_operations(ADI_LIFE_array), play, book);
    adi_cover_free(&cover);
    for (int i = 0; i < AT_RANDOM; i++) {
        adi_program_random(&program, schema, operations, &random);
        play(book, &program);
        adi_program_random(&program, schema, operations | of_streams, &random);
        play(book, &program);
    }
}

static void play_any(struct book *book) {
    struct adi_random random = {.state = 2};
    struct adi_program program;
    for (int i = 0; i < AT_RANDOM; i++) {
        uint8_t bytes[BYTES];
        for (size_t k = 0; k < BYTES; k++) bytes[k] = (uint8_t)adi_random_below(&random, 256);
        adi_program_of_bytes(bytes, BYTES, &program);
        play(book, &program);
    }
}

/* Legal programs go through the recording device; in programs of any bytes the harness's own stage
 * takes its place, and on the CPU it has pages of its own. */
static void play_type(struct book *book, struct adi_device *real, const char *type, bool legal,
                      bool twice) {
    static struct adi_execution execution;
    struct adi_device device = *real;
    struct adi_error error = {""};
    if (legal) recorder_open(real, twice, &device);
    ck_assert_msg(adi_execution_open(&execution, &device, adi_sample_type_named(type),
                                     adi_sample_shape_named("nulls"), 1, &book->sink, NULL,
                                     &error) == 0,
                  "%s", error.text);
    book->execution = &execution;
    if (legal)
        execution.binding = (struct adi_binding){.context = &execution,
                                                 .produce = produce,
                                                 .relay = relay,
                                                 .consume = consume,
                                                 .produce_stream = produce_stream,
                                                 .look_at_chunk = look_at_chunk,
                                                 .look_at_schema = look_at_schema,
                                                 .refuse = refuse};
    (legal ? play_legal : play_any)(book);
    adi_execution_close(&execution);
    free(recorder_take());
}

static void play_device(struct book *book, const struct adi_device_ops *ops, int64_t id,
                        bool twice) {
    struct adi_device real;
    char name[32];
    snprintf(name, sizeof name, "%s:%lld", ops->name, (long long)id);
    book->device = name;
    book->n_seen = book->n_programs = book->n_steps = 0;
    ck_assert_int_eq(ops->open(id, &real, NULL), 0);
    for (size_t t = 0; t < TYPES; t++) {
        play_type(book, &real, types[t], true, twice);
        play_type(book, &real, types[t], false, twice);
    }
    ops->close(&real);
    ck_assert_uint_eq(book->n_programs, book->n);
    printf("  traces of %s: %zu programs, %zu steps, %zu differ\n", name, book->n_programs,
           book->n_steps, book->differences);
    fflush(stdout);
}

static void book_free(struct book *book) {
    for (size_t i = 0; i < book->n; i++) free(book->traces[i]);
}

START_TEST(a_program_does_the_same_on_every_device)
{
    static struct book book = {.sink = {.violated = on_finding}};
    const struct adi_device_ops *ops;
    for (size_t i = 0; (ops = adi_device_at(i)) != NULL; i++) {
        struct adi_device_probe probe = {.count = 0};
        ops->probe(&probe);
        for (int k = 0; k < probe.count; k++) play_device(&book, ops, probe.ids[k], false);
        if (probe.count == 0) printf("  left out: %s: %s\n", ops->name, probe.why.text);
    }
    ck_assert_uint_eq(book.differences, 0);
    book_free(&book);
}
END_TEST

START_TEST(a_call_too_many_is_a_difference)
{
    static struct book book = {.sink = {.violated = on_finding}};
    play_device(&book, &adi_device_cpu, -1, false);
    play_device(&book, &adi_device_cpu, -1, true);
    ck_assert_uint_gt(book.differences, 0);
    book_free(&book);
}
END_TEST

Suite *harness_traces_suite(void) {
    Suite *suite = suite_create("harness_traces");
    TCase *tests = tcase_create("traces");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_program_does_the_same_on_every_device);
    tcase_add_test(tests, a_call_too_many_is_a_difference);
    suite_add_tcase(suite, tests);
    return suite;
}
