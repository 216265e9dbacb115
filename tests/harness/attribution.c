/* SPDX-License-Identifier: Apache-2.0
 *
 * What an interceptor that takes lengths is asked, and what is taken for said where it takes none.
 */
#include "attribution.h"

#include <check.h>
#include <stddef.h>

#include "async_handler.h"
#include "guard.h"

Suite *harness_attribution_suite(void);

static const char buffer[64];
static struct { int64_t offset, bytes; } asked;

static bool yes(const void *object) {
    ck_assert_ptr_eq(object, buffer);
    return true;
}

static bool yes_in(const void *object, int64_t offset, int64_t bytes) {
    ck_assert_ptr_eq(object, buffer);
    asked.offset = offset;
    asked.bytes = bytes;
    return true;
}

static bool no_in(const void *event, const void *object, int64_t offset, int64_t bytes) {
    (void)event;
    yes_in(object, offset, bytes);
    return false;
}

static struct adi_interceptor interceptor = {.size = sizeof interceptor,
                                             .pending = yes,
                                             .used = yes,
                                             .written = yes,
                                             .pending_in = yes_in,
                                             .used_in = yes_in,
                                             .written_in = yes_in,
                                             .covers_in = no_in};

START_TEST(bytes_are_asked_for)
{
    adi_attribution_set(&interceptor);
    ck_assert(adi_interceptor_pending(buffer, 3, 5));
    ck_assert(asked.offset == 3 && asked.bytes == 5);
    ck_assert(!adi_interceptor_covers(NULL, buffer, 4, 6));
    ck_assert(asked.offset == 4 && asked.bytes == 6);
    ck_assert(adi_interceptor_used(buffer, 5, 7));
    ck_assert(asked.offset == 5 && asked.bytes == 7);
    ck_assert(adi_interceptor_written(buffer, 6, 8));
    ck_assert(asked.offset == 6 && asked.bytes == 8);
}
END_TEST

START_TEST(nothing_is_done_to_no_bytes)
{
    adi_attribution_set(&interceptor);
    ck_assert(!adi_interceptor_pending(buffer, 0, 0) && adi_interceptor_covers(NULL, buffer, 0, 0));
    ck_assert(!adi_interceptor_used(buffer, 0, 0) && !adi_interceptor_written(buffer, 0, 0));
}
END_TEST

/* Of how many bytes is not known. */
START_TEST(what_is_pending_somewhere_blames_nobody)
{
    adi_attribution_set(&interceptor);
    ck_assert(!adi_interceptor_pending(buffer, 0, -1) &&
              adi_interceptor_covers(NULL, buffer, 0, -1));
    ck_assert(adi_interceptor_used(buffer, 0, -1) && adi_interceptor_written(buffer, 0, -1));
}
END_TEST

START_TEST(an_interceptor_from_before_blames_nobody_for_a_part)
{
    interceptor.size = offsetof(struct adi_interceptor, pending_in);
    adi_attribution_set(&interceptor);
    ck_assert(!adi_interceptor_pending(buffer, 0, 8) && adi_interceptor_covers(NULL, buffer, 0, 8));
    ck_assert(adi_interceptor_used(buffer, 0, 8) && adi_interceptor_written(buffer, 0, 8));
    adi_attribution_set(NULL);
    ck_assert(!adi_interceptor_pending(buffer, 0, 8) && !adi_interceptor_used(buffer, 0, 8));
}
END_TEST

static bool is_implementation;

static bool enter(bool implementation) {
    bool before = is_implementation;
    is_implementation = implementation;
    return before;
}

/* A callback that comes when its handler is gone says nothing about what its thread does next. */
START_TEST(a_stray_callback_leaves_its_thread_to_the_implementation)
{
    static struct adi_async_handler handler;
    const struct adi_async_conduct conduct = {.cancels_at = ADI_NEVER, .cancels = 1};
    struct adi_sink sink = {.violated = NULL};
    const enum adi_party party = ADI_PRODUCER;
    ck_assert_int_eq(adi_guard_start(&sink, NULL, &party), 0);
    ck_assert_ptr_nonnull(adi_async_handler_open(&handler, &conduct, ADI_ASYNC_SHIPPED, &sink, 1));
    struct ArrowAsyncDeviceStreamHandler stray = handler.original;
    adi_async_handler_close(&handler);
    const struct adi_interceptor whose = {.size = sizeof whose, .enter = enter};
    adi_attribution_set(&whose);
    adi_attribution_enter(true);
    ck_assert_int_ne(stray.on_schema(&stray, NULL), 0);
    ck_assert(is_implementation);
    ck_assert_int_ne(stray.on_next_task(&stray, NULL, NULL), 0);
    ck_assert(is_implementation);
    stray.on_error(&stray, 5, NULL, NULL);
    ck_assert(is_implementation);
    stray.release(&stray);
    ck_assert(is_implementation);
    adi_attribution_set(NULL);
}
END_TEST

Suite *harness_attribution_suite(void) {
    Suite *suite = suite_create("harness_attribution");
    TCase *tests = tcase_create("whose");
    tcase_add_test(tests, bytes_are_asked_for);
    tcase_add_test(tests, nothing_is_done_to_no_bytes);
    tcase_add_test(tests, what_is_pending_somewhere_blames_nobody);
    tcase_add_test(tests, an_interceptor_from_before_blames_nobody_for_a_part);
    tcase_add_test(tests, a_stray_callback_leaves_its_thread_to_the_implementation);
    suite_add_tcase(suite, tests);
    return suite;
}
