/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults as loops: each program, over each of a dozen samples, has its n-th allocation fail and,
 * apart from that, its n-th call of the device, for n = 1, 2, ... until it passes untouched. Each
 * time the failure is told and explained, outputs are untouched, inputs are as they were or
 * released, and nothing is left behind.
 */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compare.h"
#include "counting.h"
#include "export.h"
#include "failing.h"
#include "import.h"
#include "move.h"
#include "sample.h"
#include "schema.h"

Suite *ref_faults_suite(void);

#define UNTOUCHED 0x5a
#define MOST      20000 /* faults in one program: more is no end */

static const struct {
    const char *type, *shape;
} samples[] = {
    {"int32", "nulls"},
    {"null", "many"},
    {"utf8", "many"},
    {"large_binary", "offset"},
    {"utf8_view", "view-several"},
    {"list_utf8", "nulls"},
    {"list_view_utf8", "many"},
    {"fixed_size_list_int32", "many"},
    {"struct_everything", "nulls"},
    {"map", "many"},
    {"dense_union", "many"},
    {"sparse_union", "many"},
    {"ree_int32_float64", "many"},
    {"dictionary_int8_utf8", "nulls"},
    {"struct", "empty"},
};

#define SAMPLES ((int)(sizeof samples / sizeof *samples))

/* What a program works on. Outputs begin as UNTOUCHED bytes. */
struct run {
    struct counting counting;
    struct ArrowSchema schema, schema_out;
    struct ArrowArray host, host_out;
    struct ArrowDeviceArray in, out;
};

static int run_sample(struct run *run, int sample, struct adi_error *error) {
    return adi_sample(adi_sample_type_named(samples[sample].type),
                      adi_sample_shape_named(samples[sample].shape), 2, &run->schema_out,
                      &run->host_out, error);
}

static int run_schema_export(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_schema_export(&run->schema, &run->schema_out, error);
}

static int run_export(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_export(&run->host, (struct adi_owner){NULL, NULL}, &run->host_out, error);
}

static int run_export_host(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_export_host(&run->host, &run->out, error);
}

static int run_produce(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_produce(&run->counting.device, &run->schema, &run->host, &run->out, error);
}

static int run_import(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_import(&run->counting.device, &run->schema, &run->in, &run->out, error);
}

static int run_copy_to_host(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_copy_to_host(&run->counting.device, &run->schema, &run->in, &run->host_out, error);
}

static int run_consume(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_consume(&run->counting.device, &run->schema, &run->in, &run->host_out, error);
}

static int run_compare(struct run *run, int sample, struct adi_error *error) {
    (void)sample;
    return adi_array_compare(&run->schema, &run->host, &run->schema, &run->host, error);
}

static const struct program {
    const char *name;
    int (*play)(struct run *run, int sample, struct adi_error *error);
} programs[] = {
    {"sample", run_sample},
    {"schema export", run_schema_export},
    {"export", run_export},
    {"export host", run_export_host},
    {"produce", run_produce},
    {"import", run_import},
    {"copy to host", run_copy_to_host},
    {"consume", run_consume},
    {"compare", run_compare},
};

#define PROGRAMS ((int)(sizeof programs / sizeof *programs))

enum fault {
    IN_MEMORY,
    ON_DEVICE
};

static bool is_untouched(const void *output, size_t bytes) {
    const unsigned char *byte = output;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != UNTOUCHED) return false;
    return true;
}

static void make_sample(int sample, struct ArrowSchema *schema, struct ArrowArray *host) {
    struct adi_error error = {""};
    ck_assert_msg(adi_sample(adi_sample_type_named(samples[sample].type),
                             adi_sample_shape_named(samples[sample].shape), 1, schema, host,
                             &error) == 0,
                  "%s", error.text);
}

/* `in` is another copy of the same sample, on the device. */
static void open_run(struct run *run, int sample) {
    memset(run, UNTOUCHED, sizeof *run);
    counting_open(&run->counting);
    struct ArrowArray other;
    struct ArrowSchema schema;
    make_sample(sample, &schema, &other);
    ck_assert_int_eq(adi_produce(&run->counting.device, &schema, &other, &run->in, NULL), 0);
    adi_schema_release(&schema);
    make_sample(sample, &run->schema, &run->host);
    run->counting.calls = 0;
}

static void release_outputs(struct run *run) {
    if (!is_untouched(&run->schema_out, sizeof run->schema_out))
        adi_schema_release(&run->schema_out);
    if (!is_untouched(&run->host_out, sizeof run->host_out)) adi_array_release(&run->host_out);
    if (!is_untouched(&run->out, sizeof run->out)) adi_device_array_release(&run->out);
}

static void close_run(struct run *run) {
    adi_schema_release(&run->schema);
    adi_array_release(&run->host);
    adi_device_array_release(&run->in);
}

static void judge_failure(const struct run *run, const struct run *before, int code,
                          const struct adi_error *error, const char *about) {
    ck_assert_msg(code == ENOMEM || code == EIO, "%s: passes, or fails with %d", about, code);
    ck_assert_msg(error->text[0] != '\0', "%s: nothing is said", about);
    ck_assert_msg(is_untouched(&run->schema_out, sizeof run->schema_out),
                  "%s: the schema is touched", about);
    ck_assert_msg(is_untouched(&run->host_out, sizeof run->host_out), "%s: the array is touched",
                  about);
    ck_assert_msg(is_untouched(&run->out, sizeof run->out), "%s: the device array is touched",
                  about);
    ck_assert_msg(memcmp(&run->host, &before->host, sizeof run->host) == 0, "%s: the input differs",
                  about);
    ck_assert_msg(run->in.array.release == NULL ||
                      memcmp(&run->in, &before->in, sizeof run->in) == 0,
                  "%s: the device input differs", about);
}

/* Plays the program with its n-th call failing. False: it had no such call. */
static bool play(const struct program *program, int sample, enum fault fault, int n) {
    static struct run run, before;
    struct adi_error error = {""};
    char about[128];
    snprintf(about, sizeof about, "%s of %s/%s, %s %d", program->name, samples[sample].type,
             samples[sample].shape, fault == IN_MEMORY ? "allocation" : "device call", n);
    failing_open();
    open_run(&run, sample);
    before = run;
    failing_at(fault == IN_MEMORY ? n : 0);
    run.counting.fail_at = fault == ON_DEVICE ? n : 0;
    int code = program->play(&run, sample, &error);
    failing_at(0);
    bool failed = fault == IN_MEMORY ? failing_now().has_failed : run.counting.calls >= n;
    run.counting.fail_at = 0;
    if (failed)
        judge_failure(&run, &before, code, &error, about);
    else
        ck_assert_msg(code == 0, "%s, which it has not: %s", about, error.text);
    release_outputs(&run);
    close_run(&run);
    struct failing count = failing_close();
    ck_assert_msg(count.live == 0, "%s: %d pieces of memory are left", about, count.live);
    ck_assert_msg(run.counting.buffers == 0 && run.counting.events == 0,
                  "%s: %d buffers and %d events are left", about, run.counting.buffers,
                  run.counting.events);
    return failed;
}

START_TEST(a_program_survives_each_fault)
{
    int injected = 0;
    for (int sample = 0; sample < SAMPLES; sample++)
        for (enum fault fault = IN_MEMORY; fault <= ON_DEVICE; fault++) {
            int n = 1;
            while (n < MOST && play(&programs[_i], sample, fault, n)) n++;
            ck_assert_int_lt(n, MOST);
            injected += n - 1;
        }
    printf("%s: %d faults injected over %d samples\n", programs[_i].name, injected, SAMPLES);
    fflush(stdout);
}
END_TEST

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink;
    ck_abort_msg("%s: %s", finding->rule->id, finding->message);
}

/* A check that runs out of memory knows less; it never blames for that. */
START_TEST(a_check_without_memory_blames_nobody)
{
    int injected = 0;
    for (int sample = 0; sample < SAMPLES; sample++)
        for (int n = 1, failed = 1; failed; n++) {
            static struct run run;
            struct adi_sink sink = {.violated = on_finding};
            failing_open();
            open_run(&run, sample);
            failing_at(n);
            adi_check_schema(&run.schema, &sink);
            adi_check_array(&run.schema, &run.in, &run.counting.device, &sink);
            failing_at(0);
            failed = failing_now().has_failed;
            injected += failed;
            close_run(&run);
            ck_assert_int_eq(failing_close().live, 0);
        }
    printf("check: %d faults injected over %d samples\n", injected, SAMPLES);
    fflush(stdout);
}
END_TEST

/* Tests the tester: a leak and a touched output would be seen. */
START_TEST(what_is_left_behind_is_counted)
{
    void *(*volatile allocate)(size_t) = malloc; /* a compiler may leave out what it knows */
    failing_open();
    failing_at(2);
    void *kept = allocate(1), *none = allocate(1);
    struct failing count = failing_close();
    ck_assert_ptr_nonnull(kept);
    ck_assert_ptr_null(none);
    ck_assert(count.has_failed);
    ck_assert_int_eq(count.live, 1);
    free(kept);
}
END_TEST

/* What a backend does not say is not what was said before. */
static int refuse(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    (void)device, (void)buffer, (void)offset, (void)to, (void)bytes, (void)error;
    return EIO;
}

START_TEST(a_failure_without_words_has_those_of_its_code)
{
    struct adi_error error = {"what went wrong before"};
    static struct run run;
    counting_open(&run.counting);
    ck_assert_int_eq(run_sample(&run, 0, &error), 0);
    ck_assert_int_eq(
        adi_produce(&run.counting.device, &run.schema_out, &run.host_out, &run.out, &error), 0);
    struct adi_device_ops silent = *run.counting.device.ops;
    struct adi_device device = run.counting.device;
    silent.read = refuse;
    device.ops = &silent;
    ck_assert_int_eq(adi_copy_to_host(&device, &run.schema_out, &run.out, &run.host_out, &error),
                     EIO);
    ck_assert_str_eq(error.text, "buffers[0]: Input/output error");
    adi_array_release(&run.out.array);
    adi_schema_release(&run.schema_out);
}
END_TEST

Suite *ref_faults_suite(void) {
    Suite *suite = suite_create("ref_faults");
    TCase *faults = tcase_create("faults");
    tcase_set_timeout(faults, 120);
    tcase_add_test(faults, what_is_left_behind_is_counted);
    tcase_add_loop_test(faults, a_program_survives_each_fault, 0, PROGRAMS);
    tcase_add_test(faults, a_check_without_memory_blames_nobody);
    tcase_add_test(faults, a_failure_without_words_has_those_of_its_code);
    suite_add_tcase(suite, faults);
    return suite;
}
