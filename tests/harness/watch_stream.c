/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch over somebody's stream: each violation is one finding, and a correct life is none.
 */
#include "watch_stream.h"

#include <errno.h>

#include "harness/collector.h"
#include "move.h"
#include "sample.h"
#include "schema.h"

#define CHUNKS 2

/* Somebody's stream: two chunks, or one and then a failure. */
static struct {
    struct ArrowSchema schema;
    struct ArrowArray chunks[CHUNKS];
    int next, fails_at, released;
} source;

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    (void)self;
    return adi_schema_export(&source.schema, out, NULL);
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    (void)self;
    if (source.next == source.fails_at) return EIO;
    out->release = NULL;
    if (source.next < CHUNKS) adi_array_move(&source.chunks[source.next++], out);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *self) {
    (void)self;
    return "it failed";
}

static void release(struct ArrowArrayStream *self) {
    for (int i = 0; i < CHUNKS; i++) adi_array_release(&source.chunks[i]);
    adi_schema_release(&source.schema);
    source.released++;
    self->release = NULL;
}

struct life {
    struct collector collector;
    struct ArrowArrayStream stream;
    struct adi_stream_watch *watch;
};

static void begin(struct life *life) {
    life->collector = collector_open();
    source.next = source.released = 0;
    source.fails_at = -1;
    for (int i = 0; i < CHUNKS; i++) {
        struct ArrowSchema schema;
        ck_assert_int_eq(adi_sample(adi_sample_type_named("struct"), adi_sample_shape_named("many"),
                                    1, &schema, &source.chunks[i], NULL),
                         0);
        if (i == 0)
            source.schema = schema;
        else
            adi_schema_release(&schema);
    }
    life->stream =
        (struct ArrowArrayStream){get_schema, get_next, get_last_error, release, &source};
    life->watch =
        adi_stream_watch_open(&adi_kind_array_stream, &life->stream, &life->collector.sink);
    ck_assert_ptr_nonnull(life->watch);
}

static struct ArrowArray next(struct life *life) {
    struct ArrowArray chunk;
    ck_assert_int_eq(life->stream.get_next(&life->stream, &chunk), 0);
    return chunk;
}

static void read_all(struct life *life) {
    for (int i = 0; i < CHUNKS; i++) {
        struct ArrowArray chunk = next(life);
        adi_array_release(&chunk);
    }
    ck_assert(next(life).release == NULL);
}

START_TEST(a_plain_life_is_not_blamed)
{
    struct life life;
    struct ArrowSchema schema;
    begin(&life);
    ck_assert_int_eq(life.stream.get_schema(&life.stream, &schema), 0);
    read_all(&life);
    adi_array_stream_release(&life.stream);
    adi_schema_release(&schema);
    ck_assert_int_eq(source.released, 1);
    adi_stream_watch_close(life.watch);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_moved_stream_that_fails_is_not_blamed)
{
    struct life life;
    struct ArrowArrayStream moved;
    struct ArrowArray chunk;
    begin(&life);
    source.fails_at = 1;
    adi_array_stream_move(&life.stream, &moved);
    ck_assert_int_eq(moved.get_next(&moved, &chunk), 0);
    ck_assert_int_eq(moved.get_next(&moved, &chunk), EIO);
    ck_assert_str_eq(moved.get_last_error(&moved), "it failed");
    adi_array_release(&chunk);
    adi_array_stream_release(&moved);
    adi_stream_watch_close(life.watch);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_second_release_is_caught)
{
    struct life life;
    begin(&life);
    struct ArrowArrayStream copy = life.stream;
    adi_array_stream_release(&life.stream);
    copy.release(&copy);
    ck_assert_int_eq(source.released, 1);
    expect_only(life.collector, "life/release-twice", ADI_CONSUMER);
    adi_stream_watch_close(life.watch);
    expect_nothing(life.collector);
}
END_TEST

START_TEST(a_call_after_the_release_is_caught_and_not_handed_on)
{
    struct life life;
    struct ArrowArray chunk;
    begin(&life);
    struct ArrowArrayStream before = life.stream;
    adi_array_stream_release(&life.stream);
    ck_assert_int_ne(before.get_next(&before, &chunk), 0);
    ck_assert_int_eq(source.next, 0);
    expect_only(life.collector, "life/use-after-release", ADI_CONSUMER);
    adi_stream_watch_close(life.watch);
}
END_TEST

START_TEST(an_error_asked_for_without_one_is_caught)
{
    struct life life;
    begin(&life);
    life.stream.get_last_error(&life.stream);
    expect_only(life.collector, "stream/error-asked-without-error", ADI_CONSUMER);
    adi_array_stream_release(&life.stream);
    adi_stream_watch_close(life.watch);
}
END_TEST

START_TEST(a_call_behind_the_end_is_caught)
{
    struct life life;
    begin(&life);
    read_all(&life);
    expect_nothing(life.collector);
    ck_assert(next(&life).release == NULL);
    expect_only(life.collector, "stream/next-after-end", ADI_CONSUMER);
    adi_array_stream_release(&life.stream);
    adi_stream_watch_close(life.watch);
}
END_TEST

START_TEST(what_is_never_released_is_reported_and_works_on)
{
    struct life life;
    begin(&life);
    struct ArrowArray chunk = next(&life);
    adi_stream_watch_close(life.watch);
    ck_assert_int_eq(life.collector.n, 2); /* the stream, and its chunk */
    for (int i = 0; i < life.collector.n; i++)
        ck_assert_str_eq(life.collector.rule[i], "life/never-released");
    adi_array_release(&chunk);
    chunk = next(&life);
    adi_array_release(&chunk);
    adi_array_stream_release(&life.stream);
    ck_assert_int_eq(source.released, 1);
    ck_assert_int_eq(life.collector.n, 2);
}
END_TEST

Suite *harness_watch_stream_suite(void) {
    Suite *suite = suite_create("harness_watch_stream");
    TCase *tests = tcase_create("watch_stream");
    tcase_add_test(tests, a_plain_life_is_not_blamed);
    tcase_add_test(tests, a_moved_stream_that_fails_is_not_blamed);
    tcase_add_test(tests, a_second_release_is_caught);
    tcase_add_test(tests, a_call_after_the_release_is_caught_and_not_handed_on);
    tcase_add_test(tests, an_error_asked_for_without_one_is_caught);
    tcase_add_test(tests, a_call_behind_the_end_is_caught);
    tcase_add_test(tests, what_is_never_released_is_reported_and_works_on);
    suite_add_tcase(suite, tests);
    return suite;
}
