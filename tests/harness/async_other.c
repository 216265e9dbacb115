/* SPDX-License-Identifier: Apache-2.0
 *
 * What lies where the other layout of ArrowAsyncProducer has additional_metadata: who decodes it,
 * and who follows private_data, are told apart.
 */
#include "async_other.h"

#include <setjmp.h>

#include "guard.h"
#include "harness/collector.h"

Suite *harness_async_other_suite(void);

static const enum adi_party consumer = ADI_CONSUMER;
static struct collector collector;
static struct adi_async_other other;

static void make(bool in_private_data, bool tells) {
    collector = collector_open();
    ck_assert_int_eq(adi_guard_start(&collector.sink, NULL, &consumer), 0);
    ck_assert(adi_async_other_make(&other));
    ck_assert_ptr_nonnull(other.value);
    adi_guard_seal();
    ck_assert(adi_async_other_listen(&other, in_private_data, tells));
    ck_assert(!adi_async_other_was_followed(&other) && !adi_async_other_was_decoded(&other));
}

/* As an implementation. false: there was a finding. */
static bool look(const char *at) {
    sigjmp_buf point;
    bool volatile goes = false;
    adi_guard_recover(&point);
    if (sigsetjmp(point, 1) == 0) {
        adi_guard_enter_implementation();
        (void)*(const volatile char *)at;
        goes = true;
    }
    adi_guard_leave_implementation();
    adi_guard_recover(NULL);
    return goes;
}

START_TEST(who_follows_private_data_goes_on_and_who_decodes_it_has_another_layout)
{
    make(true, false);
    ck_assert(look(other.begin));
    ck_assert(adi_async_other_was_followed(&other));
    expect_nothing(collector);
    ck_assert(!look(other.value));
    expect_only(collector, "async/layout-misstated", ADI_CONSUMER);
    adi_guard_reset();
}
END_TEST

START_TEST(who_is_asked_afterwards_has_decoded_it_or_not)
{
    make(true, true);
    ck_assert(look(other.begin));
    ck_assert(!adi_async_other_was_decoded(&other));
    ck_assert(look(other.value));
    ck_assert(adi_async_other_was_decoded(&other));
    ck_assert(!adi_async_other_was_followed(&other));
    expect_nothing(collector);
    adi_guard_reset();
}
END_TEST

/* Nobody reads a callback for anything else. */
START_TEST(who_looks_at_it_in_place_of_a_callback_takes_it_for_metadata)
{
    make(false, true);
    ck_assert(look(other.begin));
    ck_assert(adi_async_other_was_decoded(&other));
    expect_nothing(collector);
    adi_guard_reset();
}
END_TEST

Suite *harness_async_other_suite(void) {
    Suite *suite = suite_create("harness_async_other");
    TCase *tests = tcase_create("layouts");
    tcase_add_test(tests, who_follows_private_data_goes_on_and_who_decodes_it_has_another_layout);
    tcase_add_test(tests, who_is_asked_afterwards_has_decoded_it_or_not);
    tcase_add_test(tests, who_looks_at_it_in_place_of_a_callback_takes_it_for_metadata);
    suite_add_tcase(suite, tests);
    return suite;
}
