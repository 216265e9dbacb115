/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device remembers of its own buffers and events.
 */
#include "made.h"

#include <check.h>
#include <stdint.h>

Suite *devices_made_suite(void);

#define MANY 1000

static struct adi_made_buffers buffers;
static struct adi_made_queue queue;

/* As a runtime may give them out: many of one bucket. */
static const void *address(uintptr_t i) {
    return (const void *)(0x7f0000000000 + 256 * (i % 2 == 0 ? i : MANY + i * ADI_MADE_BUCKETS));
}

START_TEST(a_buffer_has_its_bytes_until_it_is_taken)
{
    adi_made_begin(&buffers);
    for (uintptr_t i = 1; i < MANY; i++) ck_assert_int_eq(adi_made_add(&buffers, address(i), i), 0);
    for (uintptr_t i = 1; i < MANY; i++) ck_assert_uint_eq(adi_made_bytes(&buffers, address(i)), i);
    for (uintptr_t i = 1; i < MANY; i += 3)
        ck_assert_uint_eq(adi_made_take(&buffers, address(i)), i);
    for (uintptr_t i = 1; i < MANY; i++)
        ck_assert_uint_eq(adi_made_bytes(&buffers, address(i)), i % 3 == 1 ? 0 : i);
    ck_assert_uint_eq(adi_made_take(&buffers, address(1)), 0);
    ck_assert_uint_eq(adi_made_bytes(&buffers, NULL), 0);
    adi_made_end(&buffers);
}
END_TEST

START_TEST(only_where_it_begins_a_buffer_is_known)
{
    adi_made_begin(&buffers);
    ck_assert_int_eq(adi_made_add(&buffers, address(2), 100), 0);
    ck_assert_uint_eq(adi_made_bytes(&buffers, (const char *)address(2) + 1), 0);
    adi_made_end(&buffers);
}
END_TEST

/* Somebody else has freed what was there. */
START_TEST(the_newest_of_an_address_counts)
{
    adi_made_begin(&buffers);
    ck_assert_int_eq(adi_made_add(&buffers, address(2), 100), 0);
    ck_assert_int_eq(adi_made_add(&buffers, address(2), 7), 0);
    ck_assert_uint_eq(adi_made_take(&buffers, address(2)), 7);
    ck_assert_uint_eq(adi_made_bytes(&buffers, address(2)), 0);
    adi_made_end(&buffers);
}
END_TEST

START_TEST(an_event_is_known_until_it_is_dropped)
{
    static char at[2 * 16 * ADI_MADE_EVENTS];
    ck_assert(!adi_made_has_event(&queue, at));
    adi_made_keep_event(&queue, at);
    adi_made_keep_event(&queue, at + 16);
    ck_assert(adi_made_has_event(&queue, at) && adi_made_has_event(&queue, at + 16));
    adi_made_drop_event(&queue, at + 32); /* of somebody else */
    adi_made_drop_event(&queue, at);
    ck_assert(!adi_made_has_event(&queue, at) && adi_made_has_event(&queue, at + 16));
}
END_TEST

/* It is taken for somebody else's then, and its end forgets nothing. */
START_TEST(a_newer_event_may_take_an_events_place)
{
    static char at[2 * 16 * ADI_MADE_EVENTS];
    char *newer = at + 16 * ADI_MADE_EVENTS;
    adi_made_keep_event(&queue, at);
    adi_made_keep_event(&queue, newer);
    ck_assert(!adi_made_has_event(&queue, at) && adi_made_has_event(&queue, newer));
    adi_made_drop_event(&queue, at);
    ck_assert(adi_made_has_event(&queue, newer));
}
END_TEST

START_TEST(an_event_is_sure_behind_nothing_of_others)
{
    static char at[16];
    ck_assert(!adi_made_is_sure(&queue, at));
    adi_made_keep_event(&queue, at);
    ck_assert(adi_made_is_sure(&queue, at));
    queue.waits = 2;
    queue.passed = 1;
    ck_assert(!adi_made_is_sure(&queue, at));
    queue.passed = 2;
    ck_assert(adi_made_is_sure(&queue, at));
    queue.is_lent = true;
    ck_assert(!adi_made_is_sure(&queue, at));
}
END_TEST

Suite *devices_made_suite(void) {
    Suite *suite = suite_create("devices_made");
    TCase *tests = tcase_create("made");
    tcase_add_test(tests, a_buffer_has_its_bytes_until_it_is_taken);
    tcase_add_test(tests, only_where_it_begins_a_buffer_is_known);
    tcase_add_test(tests, the_newest_of_an_address_counts);
    tcase_add_test(tests, an_event_is_known_until_it_is_dropped);
    tcase_add_test(tests, a_newer_event_may_take_an_events_place);
    tcase_add_test(tests, an_event_is_sure_behind_nothing_of_others);
    suite_add_tcase(suite, tests);
    return suite;
}
