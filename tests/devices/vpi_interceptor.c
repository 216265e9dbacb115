/* SPDX-License-Identifier: Apache-2.0
 *
 * What the interceptor of the models counts and tells, and on whom it is silent.
 */
#include <check.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "misuse_observed.h"
#include "vpi_map.h"
#include "vpi_model.h"
#include "vpi_there.h"

Suite *devices_vpi_interceptor_suite(void);

static const struct adi_device_ops *const ops = &adi_device_vpi;
static const struct adi_interceptor *interceptor;
static const struct adi_vpi_driver *driver;
static struct adi_device device;
static struct adi_error error;

static void set_up(void) {
    interceptor = ops->interceptor();
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
    driver = ops->native_handle(&device, "vpi.driver");
    interceptor->subscribe(on_misuse, &observed);
    interceptor->enter(false);
}

static void tear_down(void) {
    interceptor->subscribe(NULL, NULL);
    ops->close(&device);
}

static uint64_t allocate(bool implementation) {
    uint64_t address;
    bool before = interceptor->enter(implementation);
    ck_assert_int_eq(driver->alloc(driver, 100, &address), 0);
    interceptor->enter(before);
    return address;
}

static void free_as(bool implementation, uint64_t address) {
    bool before = interceptor->enter(implementation);
    driver->free(driver, address);
    interceptor->enter(before);
}

START_TEST(what_an_implementation_allocates_is_held_until_it_is_freed)
{
    uint64_t ours = allocate(false);
    ck_assert_uint_eq(interceptor->references(), 0);
    uint64_t theirs = allocate(true);
    ck_assert_uint_eq(interceptor->references(), 1);
    free_as(true, theirs);
    ck_assert_uint_eq(interceptor->references(), 0);
    free_as(false, ours);
    ck_assert_int_eq(observed.count, 0);
}
END_TEST

START_TEST(a_second_free_is_told_of_the_implementation_only)
{
    uint64_t theirs = allocate(true);
    free_as(true, theirs);
    free_as(false, theirs);
    ck_assert_int_eq(observed.count, 0);
    free_as(true, theirs);
    expect_observed(ADI_MISUSE_DEAD, false, "of vpi:0: no allocation begins there");
}
END_TEST

START_TEST(what_the_harness_allocated_is_not_freed_by_others)
{
    uint64_t ours = allocate(false);
    free_as(true, ours);
    expect_observed(ADI_MISUSE_NOT_OWNED, false, "of vpi:0: somebody else allocated it");
    ck_assert(ops->accessible(&device, (void *)(uintptr_t)ours, &error));
    free_as(false, ours);
    ck_assert(!ops->accessible(&device, (void *)(uintptr_t)ours, &error));
}
END_TEST

/* By the harness's functions, as the implementation's. */
static void look_as(bool implementation, uint64_t address) {
    struct adi_vpi_model *model;
    char byte;
    bool before = interceptor->enter(implementation);
    adi_vpi_lock();
    ck_assert_int_eq(adi_vpi_model(0, &model, &error), 0);
    adi_vpi_peek(model, address, &byte, 1);
    adi_vpi_unlock();
    interceptor->enter(before);
}

static void sum_as(bool implementation, uint64_t address) {
    struct adi_vpi_model *model;
    bool before = interceptor->enter(implementation);
    adi_vpi_lock();
    ck_assert_int_eq(adi_vpi_model(0, &model, &error), 0);
    ck_assert_int_eq(adi_vpi_dma(model, ADI_VPI_DMA_SUM, address, 1, &error), 0);
    adi_vpi_unlock();
    interceptor->enter(before);
}

START_TEST(a_read_of_what_was_freed_is_told_with_its_place)
{
    char words[80];
    uint64_t ours = allocate(false), other = allocate(false);
    free_as(false, ours);
    snprintf(words, sizeof words,
             "PEEK of 0x%" PRIx64 " of vpi:0: it was freed, with the 100 bytes", ours + 8);
    look_as(true, ours + 8);
    expect_observed(ADI_MISUSE_RELEASED, false, words);
    sum_as(true, ours);
    expect_observed(ADI_MISUSE_RELEASED, false, "DMA SUM of ");
    look_as(false, ours);
    look_as(true, other);
    sum_as(true, other);
    ck_assert_int_eq(observed.count, 0);
    free_as(false, other);
}
END_TEST

/* What comes to lie where something was freed may be read. */
START_TEST(a_place_that_is_allocated_again_may_be_read)
{
    uint64_t first = allocate(true);
    free_as(true, first);
    uint64_t again = first + ADI_VPI_PAGE;
    for (int i = 0; i < 70000 && again != first; i++) {
        if (again != first + ADI_VPI_PAGE) free_as(true, again);
        again = allocate(true);
    }
    ck_assert_uint_eq(again, first);
    look_as(true, again);
    ck_assert_int_eq(observed.count, 0);
    free_as(true, again);
}
END_TEST

static char told[4][200];
static int n_told;

static void note(bool implementation, const char *line) {
    if (n_told < 4) snprintf(told[n_told++], 200, "%d %s", implementation, line);
}

START_TEST(commands_of_the_engine_are_told_as_lines)
{
    char name[48];
    uint64_t ours = allocate(false);
    n_told = 0;
    interceptor->trace(note);
    sum_as(true, ours);
    interceptor->trace(NULL);
    ck_assert_int_eq(n_told, 2);
    ck_assert(interceptor->name_of((void *)(uintptr_t)ours, name));
    ck_assert_msg(strstr(told[0], name) != NULL && strstr(told[0], "\"reads\"") != NULL, "%s",
                  told[0]);
    ck_assert_msg(strstr(told[1], "\"knows\":\"engine 0\"") != NULL, "%s", told[1]);
    free_as(false, ours);
    ck_assert(!interceptor->name_of((void *)(uintptr_t)ours, name));
}
END_TEST

static void *free_theirs(void *address) {
    driver->free(driver, *(uint64_t *)address);
    return NULL;
}

START_TEST(a_thread_begins_as_the_implementations)
{
    uint64_t ours = allocate(false);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, free_theirs, &ours), 0);
    pthread_join(thread, NULL);
    expect_observed(ADI_MISUSE_NOT_OWNED, false, "somebody else allocated it");
    free_as(false, ours);
}
END_TEST

START_TEST(what_is_idle_is_neither_pending_nor_used)
{
    static const char bytes[100];
    void *buffer;
    ck_assert_int_eq(ops->alloc(&device, sizeof bytes, &buffer, &error), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, bytes, sizeof bytes, &error), 0);
    ck_assert(!interceptor->pending(buffer) && !interceptor->used(buffer));
    ops->free(&device, buffer);
    ck_assert(!interceptor->pending(NULL) && !interceptor->used(&device));
}
END_TEST

START_TEST(the_map_is_closed_to_the_host_and_nothing_else)
{
    ck_assert(interceptor->closed((void *)(uintptr_t)ADI_VPI_BASE));
    ck_assert(interceptor->closed((void *)(uintptr_t)(ADI_VPI_BASE + ADI_VPI_BYTES - 1)));
    ck_assert(!interceptor->closed((void *)(uintptr_t)(ADI_VPI_BASE + ADI_VPI_BYTES)));
    ck_assert(!interceptor->closed((void *)(uintptr_t)(ADI_VPI_BASE - 1)));
    ck_assert(!interceptor->closed(&device));
}
END_TEST

Suite *devices_vpi_interceptor_suite(void) {
    Suite *suite = suite_create("devices_vpi_interceptor");
    TCase *tests = tcase_create("interceptor");
    if (!vpi_is_there("devices_vpi_interceptor")) return suite;
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_an_implementation_allocates_is_held_until_it_is_freed);
    tcase_add_test(tests, a_second_free_is_told_of_the_implementation_only);
    tcase_add_test(tests, what_the_harness_allocated_is_not_freed_by_others);
    tcase_add_test(tests, a_thread_begins_as_the_implementations);
    tcase_add_test(tests, what_is_idle_is_neither_pending_nor_used);
    tcase_add_test(tests, a_read_of_what_was_freed_is_told_with_its_place);
    tcase_add_test(tests, a_place_that_is_allocated_again_may_be_read);
    tcase_add_test(tests, commands_of_the_engine_are_told_as_lines);
    tcase_add_test(tests, the_map_is_closed_to_the_host_and_nothing_else);
    suite_add_tcase(suite, tests);
    return suite;
}
