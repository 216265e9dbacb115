/* SPDX-License-Identifier: Apache-2.0
 *
 * What the interceptor over the simulation tells of an implementation, what it counts and answers,
 * and that the harness is blamed for nothing: for ext_dev and for CUDA, which lie on the same
 * engine.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "misuse_observed.h"
#include "sim_engine.h"

Suite *devices_sim_interceptor_suite(void);

static const struct adi_device_ops *const backends[] = {
    &adi_device_ext_dev, &adi_device_cuda, &adi_device_cuda_managed, &adi_device_cuda_host};
#define BACKENDS ((int)(sizeof backends / sizeof *backends))

static const struct adi_device_ops *ops;
static const struct adi_interceptor *interceptor;
static struct adi_device ours, theirs; /* the harness's and the implementation's */
static struct adi_error error;

static void open_as(bool implementation, struct adi_device *out) {
    interceptor->enter(implementation);
    ck_assert_msg(ops->open(0, out, &error) == 0, "%s", error.text);
}

/* As the harness does it: its device first, then the implementation's. */
static void set_up(int which) {
    ops = backends[which];
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    interceptor = ops->interceptor();
    ck_assert_ptr_nonnull(interceptor);
    open_as(false, &ours);
    open_as(true, &theirs);
    interceptor->subscribe(on_misuse, &observed);
}

static void tear_down(void) {
    ck_assert_msg(observed.count == 0, "%s", observed.text);
    interceptor->subscribe(NULL, NULL);
    ops->close(&theirs);
    interceptor->enter(false);
    ops->close(&ours);
}

/* A written buffer and an event behind that, by the harness. */
static void export_ours(void **buffer, void **event) {
    bool before = interceptor->enter(false);
    ck_assert_int_eq(ops->alloc(&ours, 64, buffer, &error), 0);
    ck_assert_int_eq(ops->write(&ours, *buffer, 0, "abcd", 4, &error), 0);
    ck_assert_int_eq(ops->event(&ours, event, &error), 0);
    interceptor->enter(before);
}

static void release_ours(void *buffer, void *event) {
    bool before = interceptor->enter(false);
    ops->event_free(&ours, event);
    ops->free(&ours, buffer);
    interceptor->enter(before);
}

START_TEST(who_waits_is_not_told_of)
{
    void *buffer, *event;
    char out[4];
    set_up(_i);
    export_ours(&buffer, &event);
    ck_assert_int_eq(ops->wait(&theirs, event, &error), 0);
    ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, 4, &error), 0);
    ck_assert_int_eq(memcmp(out, "abcd", 4), 0);
    release_ours(buffer, event);
    tear_down();
}
END_TEST

START_TEST(who_does_not_wait_is_too_early)
{
    void *buffer, *event;
    char out[4];
    set_up(_i);
    export_ours(&buffer, &event);
    ck_assert_int_eq(ops->read(&theirs, buffer, 0, out, 4, &error), 0);
    expect_observed(ADI_MISUSE_EARLY, false, " wait");
    release_ours(buffer, event);
    tear_down();
}
END_TEST

START_TEST(the_harness_is_blamed_for_nothing)
{
    void *buffer, *event, *other;
    char out[4];
    set_up(_i);
    export_ours(&buffer, &event);
    interceptor->enter(false);
    struct adi_device second;
    ck_assert_int_eq(ops->open(0, &second, &error), 0);
    ck_assert_int_eq(ops->read(&second, buffer, 0, out, 4, &error), 0);
    ck_assert_int_eq(ops->alloc(&second, 8, &other, &error), 0);
    ops->free(&second, other);
    ops->free(&second, other);
    ops->close(&second);
    ck_assert_int_eq(observed.count, 0);
    interceptor->enter(true);
    release_ours(buffer, event);
    tear_down();
}
END_TEST

/* What is waited on is the address of a handle, and not the handle. */
START_TEST(whose_event_is_given_by_its_address_is_told)
{
    void *buffer, *event, *own;
    set_up(_i);
    export_ours(&buffer, &event);
    ck_assert_int_ne(ops->wait_host(&theirs, &event, &error), 0);
    expect_observed(ADI_MISUSE_ADDRESS, true, "the address of the handle of an event");
    ck_assert_int_eq(ops->event(&theirs, &own, &error), 0);
    ck_assert_int_ne(ops->wait_host(&theirs, &own, &error), 0);
    expect_observed(ADI_MISUSE_ADDRESS, false, "the address of the handle of an event");
    ops->event_free(&theirs, own);
    release_ours(buffer, event);
    tear_down();
}
END_TEST

START_TEST(what_is_pending_is_asked_of_the_order)
{
    void *buffer, *event, *early;
    set_up(_i);
    ck_assert_int_eq(ops->alloc(&theirs, 64, &buffer, &error), 0);
    ck_assert_int_eq(ops->event(&theirs, &early, &error), 0);
    ck_assert_int_eq(ops->wait_host(&theirs, early, &error), 0);
    ck_assert(!interceptor->pending(buffer));
    ck_assert_int_eq(ops->write(&theirs, buffer, 0, "abcd", 4, &error), 0);
    ck_assert_int_eq(ops->event(&theirs, &event, &error), 0);
    ck_assert(interceptor->pending(buffer));
    ck_assert(!interceptor->covers(*(void **)early, buffer));
    ck_assert(interceptor->covers(*(void **)event, buffer));
    ck_assert_int_eq(ops->wait_host(&theirs, event, &error), 0);
    ck_assert(!interceptor->pending(buffer));
    ck_assert(!interceptor->pending(&ours)); /* no buffer */
    ck_assert(interceptor->covers(&ours, buffer));
    ops->event_free(&theirs, event);
    ops->event_free(&theirs, early);
    ops->free(&theirs, buffer);
    tear_down();
}
END_TEST

/* A copy out of the buffer that nobody has waited for, where a write takes such a source. */
START_TEST(what_reads_it_uses_it_until_it_was_waited_for)
{
    static const int queued[] = {0, 2};
    void *buffer, *event, *copy, *over;
    set_up(queued[_i]);
    export_ours(&buffer, &event);
    ck_assert(!interceptor->used(buffer));
    ck_assert_int_eq(ops->wait(&theirs, event, &error), 0);
    ck_assert_int_eq(ops->alloc(&theirs, 64, &copy, &error), 0);
    ck_assert_int_eq(ops->write(&theirs, copy, 0, buffer, 4, &error), 0);
    ck_assert(interceptor->used(buffer));
    ck_assert(interceptor->used_in(buffer, 0, 1) && interceptor->used_in(buffer, 3, 8));
    ck_assert(!interceptor->used_in(buffer, 4, 60));
    ck_assert_int_eq(ops->event(&theirs, &over, &error), 0);
    ck_assert_int_eq(ops->wait_host(&theirs, over, &error), 0);
    ck_assert(!interceptor->used(buffer));
    ops->event_free(&theirs, over);
    ops->free(&theirs, copy);
    release_ours(buffer, event);
    tear_down();
}
END_TEST

START_TEST(what_it_holds_is_counted)
{
    void *buffer, *event;
    set_up(_i);
    size_t before = interceptor->references();
    export_ours(&buffer, &event);
    ck_assert_uint_eq(interceptor->references(), before);
    release_ours(buffer, event);
    ck_assert_int_eq(ops->alloc(&theirs, 64, &buffer, &error), 0);
    ck_assert_int_eq(ops->event(&theirs, &event, &error), 0);
    ck_assert_uint_eq(interceptor->references(), before + 2);
    ops->event_free(&theirs, event);
    ops->free(&theirs, buffer);
    ck_assert_uint_eq(interceptor->references(), before);
    tear_down();
}
END_TEST

static void *free_event(void *event) {
    ops->event_free(&theirs, event);
    return NULL;
}

/* A thread begins as the implementation's. */
START_TEST(what_is_the_harnesss_is_not_given_up_by_others)
{
    void *buffer, *event, *kept = malloc(sizeof(void *));
    pthread_t thread;
    set_up(_i);
    export_ours(&buffer, &event);
    memcpy(kept, event, sizeof(void *));
    ck_assert_int_eq(pthread_create(&thread, NULL, free_event, kept), 0);
    pthread_join(thread, NULL);
    expect_observed(ADI_MISUSE_NOT_OWNED, true, "is destroyed by another than who made it");
    ck_assert_int_eq(ops->wait(&theirs, event, &error), 0); /* it lives */
    ops->free(&theirs, buffer);
    expect_observed(ADI_MISUSE_NOT_OWNED, false, "is freed by another than who made it");
    release_ours(buffer, event);
    tear_down();
}
END_TEST

START_TEST(a_dereference_is_told_once_and_goes_on)
{
    void *buffer, *event;
    set_up(_i);
    export_ours(&buffer, &event);
    (void)*(volatile char *)buffer;
    expect_observed(ADI_MISUSE_DEREFERENCED, false, "is read by the CPU at byte 0");
    release_ours(buffer, event);
    (void)*(volatile char *)buffer;
    expect_observed(ADI_MISUSE_RELEASED, false, "freed by");
    tear_down();
}
END_TEST

/* Of those of the harness nothing is told. */
START_TEST(each_violation_is_mapped_or_told_as_unmapped)
{
    static const char *const known[] = {
#define VIOLATION(id, name, level, statement, mend) name,
#include "../../sim/violations.def"
#undef VIOLATION
    };
    struct adi_sim_report report = {.text = "text", .call = "call", .mend = "mend it"};
    set_up(1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        report.violation = known[i];
        adi_sim_interceptor_on_report(NULL, &report);
        ck_assert_msg(observed.misuse != ADI_MISUSE_UNMAPPED, "%s has no row in sim_misuse.def",
                      known[i]);
    }
    report.violation = "one-of-tomorrow";
    observed.count = 0;
    adi_sim_interceptor_on_report(NULL, &report);
    expect_observed(ADI_MISUSE_UNMAPPED, false, "call: text");
    ck_assert_str_eq(interceptor->mend(), "mend it");
    report.party = 1;
    adi_sim_interceptor_on_report(NULL, &report);
    tear_down();
}
END_TEST

START_TEST(a_violation_brings_its_own_mend)
{
    void *buffer, *event;
    set_up(0);
    export_ours(&buffer, &event);
    (void)*(volatile char *)buffer;
    expect_observed(ADI_MISUSE_DEREFERENCED, false, "is read by the CPU at byte 0");
    ck_assert_ptr_nonnull(strstr(interceptor->mend(), "copy it with a queue of the device"));
    release_ours(buffer, event);
    tear_down();
}
END_TEST

Suite *devices_sim_interceptor_suite(void) {
    Suite *suite = suite_create("devices_sim_interceptor");
    TCase *tests = tcase_create("interceptor");
    tcase_add_loop_test(tests, who_waits_is_not_told_of, 0, BACKENDS);
    tcase_add_loop_test(tests, who_does_not_wait_is_too_early, 0, BACKENDS);
    tcase_add_loop_test(tests, the_harness_is_blamed_for_nothing, 0, BACKENDS);
    tcase_add_loop_test(tests, whose_event_is_given_by_its_address_is_told, 0, BACKENDS);
    tcase_add_loop_test(tests, what_is_pending_is_asked_of_the_order, 0, BACKENDS);
    tcase_add_loop_test(tests, what_reads_it_uses_it_until_it_was_waited_for, 0, 2);
    tcase_add_loop_test(tests, what_it_holds_is_counted, 0, BACKENDS);
    tcase_add_loop_test(tests, what_is_the_harnesss_is_not_given_up_by_others, 0, BACKENDS);
    tcase_add_loop_test(tests, a_dereference_is_told_once_and_goes_on, 0, 2);
    tcase_add_test(tests, each_violation_is_mapped_or_told_as_unmapped);
    tcase_add_test(tests, a_violation_brings_its_own_mend);
    suite_add_tcase(suite, tests);
    return suite;
}
