/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory does not grow with the chunks of a stream: the harness asks the reference for chunks of
 * one row, and looks at, watches and releases each. A thousand are held against many: a million
 * where ADI_TEST_FULL asks for it, a hundred thousand else. Under a sanitizer, which keeps what is
 * freed, nothing is measured.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "devices.h"
#include "harness/collector.h"
#include "move.h"
#include "schema.h"
#include "slow.h"
#include "stream.h"
#include "watch.h"

Suite *harness_resident_suite(void);

#define FEW       1000
#define MANY      (is_full() ? 1000000 : 100000)
#define LEAK      16  /* bytes a chunk */
#define SPARE     20  /* one part in so many may be more */
#define NOISE_KIB 256 /* that the system takes and gives back on a busy machine */

/* ---- a source of one row after the other, which allocates nothing itself ---- */

struct source {
    int64_t left;
    bool leaks;
    struct leaked {
        struct leaked *next;
        char rest[LEAK - sizeof(void *)];
    } * leaked; /* a list, so that it is given back when all has been said */
};

static const struct ArrowSchema number = {.format = "i", .name = ""};

static int source_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    (void)self;
    return adi_schema_export(&number, out, NULL);
}

static void row_release(struct ArrowArray *self) {
    self->release = NULL;
}

static int source_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    static const int32_t value = 7;
    static const void *buffers[] = {NULL, &value};
    struct source *source = self->private_data;
    *out = (struct ArrowArray){.release = NULL};
    if (source->left-- == 0) return 0;
    if (source->leaks) {
        struct leaked *leaked = malloc(sizeof *leaked);
        if (leaked == NULL) return ENOMEM;
        leaked->next = source->leaked;
        source->leaked = leaked;
    }
    *out = (struct ArrowArray){
        .length = 1, .n_buffers = 2, .buffers = buffers, .release = row_release};
    return 0;
}

static const char *source_error(struct ArrowArrayStream *self) {
    (void)self;
    return NULL;
}

static void source_release(struct ArrowArrayStream *self) {
    struct source *source = self->private_data;
    while (source->leaked != NULL) {
        struct leaked *next = source->leaked->next;
        free(source->leaked);
        source->leaked = next;
    }
    self->release = NULL;
}

/* ---- memory ---- */

static long resident_kib(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%*s %ld", &pages), 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* ---- the harness as a consumer ---- */

static void take(struct ArrowDeviceArrayStream *stream, const struct ArrowSchema *schema,
                 struct adi_device *device, int64_t n) {
    struct collector found = collector_open();
    for (int64_t i = 0; i < n; i++) {
        struct ArrowDeviceArray chunk;
        ck_assert_int_eq(stream->get_next(stream, &chunk), 0);
        ck_assert(chunk.array.release != NULL);
        ck_assert(adi_check_array(schema, &chunk, device, &found.sink));
        struct adi_watch *watch =
            adi_watch_open(&adi_kind_array, &chunk.array, &found.sink, true, true);
        ck_assert_ptr_nonnull(watch);
        adi_device_array_release(&chunk);
        adi_watch_close(watch);
    }
    expect_nothing(found);
}

/* The same of what the reference, as a consumer, makes of the stream. */
static void take_copies(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                        int64_t n) {
    struct collector found = collector_open();
    for (int64_t i = 0; i < n; i++) {
        struct ArrowArray chunk;
        ck_assert_int_eq(stream->get_next(stream, &chunk), 0);
        ck_assert(chunk.release != NULL);
        struct ArrowDeviceArray moved = adi_device_array_of_cpu(&chunk);
        ck_assert(adi_check_array(schema, &moved, NULL, &found.sink));
        adi_device_array_release(&moved);
    }
    expect_nothing(found);
}

/* By how many KiB more than a part of what there was memory has grown. */
static long growth(bool copies, bool leaks) {
    struct source source = {.left = FEW + MANY, .leaks = leaks};
    struct ArrowArrayStream in = {source_schema, source_next, source_error, source_release,
                                  &source},
                            copied;
    struct ArrowDeviceArrayStream stream;
    struct adi_device device, *devices[] = {&device};
    const struct adi_stream_plan plan = {.devices = devices, .n_devices = 1};
    ck_assert_int_eq(adi_device_cpu.open(-1, &device, NULL), 0);
    ck_assert_int_eq(adi_stream_produce(&plan, &in, &stream, NULL), 0);
    if (copies) ck_assert_int_eq(adi_stream_copy_to_host(devices, 1, &stream, &copied, NULL), 0);
    long few = 0, many = 0;
    for (int turn = 0; turn < 2; turn++) {
        if (copies)
            take_copies(&copied, &number, turn == 0 ? FEW : MANY);
        else
            take(&stream, &number, &device, turn == 0 ? FEW : MANY);
        *(turn == 0 ? &few : &many) = resident_kib();
    }
    printf("%d chunks%s%s: %ld KiB after %d, %+ld KiB\n", MANY, copies ? ", copied" : "",
           leaks ? ", leaking" : "", few, FEW, many - few);
    if (copies)
        adi_array_stream_release(&copied);
    else
        adi_device_array_stream_release(&stream);
    device.ops->close(&device);
    return many - few - few / SPARE - NOISE_KIB;
}

static bool is_measured(void) {
    if (!IS_SANITIZED && !IS_THREAD_SANITIZED) return true;
    puts("left out: a sanitizer keeps what is freed");
    return false;
}

START_TEST(memory_is_after_many_chunks_what_it_is_after_a_thousand)
{
    if (is_measured()) ck_assert_int_le(growth(_i == 1, false), 0);
}
END_TEST

START_TEST(a_leak_of_16_bytes_a_chunk_would_be_seen)
{
    if (is_measured()) ck_assert_int_gt(growth(_i == 1, true), 0);
}
END_TEST

Suite *harness_resident_suite(void) {
    Suite *suite = suite_create("harness_resident");
    TCase *tests = tcase_create("resident");
    tcase_set_timeout(tests, is_full() ? 1800 : 240);
    tcase_add_loop_test(tests, memory_is_after_many_chunks_what_it_is_after_a_thousand, 0, 2);
    tcase_add_loop_test(tests, a_leak_of_16_bytes_a_chunk_would_be_seen, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
