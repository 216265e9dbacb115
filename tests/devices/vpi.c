/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "host.h"
#include "one_device.h"
#include "vpi_map.h"
#include "vpi_there.h"

Suite *devices_vpi_suite(void);

#define BIG         (3 * ADI_VPI_PAGE)
#define FULL_QUEUE  (40 << 20)
#define ALL_OF_IT   ((int64_t)ADI_VPI_BYTES)
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Each test is done by DPI and by VPI alone. */
static const char *const ways[] = {"dpi", "vpi"};

static struct adi_device device;
static const struct adi_device_ops *const ops = &adi_device_vpi;
static struct adi_error error;

static void set_up(int way) {
    setenv("ADI_VPI", ways[way], 1);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

START_TEST(there_are_two)
{
    struct adi_device_probe probe;
    set_up(_i);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 2);
    ck_assert_int_eq(probe.ids[0], 0);
    ck_assert_int_eq(probe.ids[1], 1);
    ck_assert_str_eq(probe.runtime, "simulated");
    struct adi_device other;
    ck_assert_int_eq(ops->open(2, &other, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no vpi:2; there are 0 to 1");
    ck_assert_int_eq(ops->open(-1, &other, NULL), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    set_up(_i);
    expect_written_is_read(&device);
    ops->close(&device);
}
END_TEST

START_TEST(pieces_of_every_size_lie_where_they_belong)
{
    set_up(_i);
    expect_pieces(&device, BIG, ADI_VPI_POISON);
    ops->close(&device);
}
END_TEST

START_TEST(fresh_and_freed_memory_is_poison)
{
    set_up(_i);
    expect_poison(&device, BIG, ALL_OF_IT, ADI_VPI_POISON,
                  "nothing is allocated at 0x10000000 of vpi:0");
    ops->close(&device);
}
END_TEST

START_TEST(what_was_not_finished_is_stale_every_time)
{
    set_up(_i);
    expect_stale_until_finished(&device, ADI_VPI_POISON);
    ops->close(&device);
}
END_TEST

START_TEST(a_held_queue_stands_still)
{
    set_up(_i);
    expect_pauses(&device);
    ops->close(&device);
}
END_TEST

START_TEST(a_freed_buffer_waits_for_what_is_queued)
{
    set_up(_i);
    ck_assert_int_eq(ops->pause(&device, NULL), 0);
    uint8_t *buffer = new_buffer(&device, ALL_OF_IT), poison = ADI_VPI_POISON;
    void *none;
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 3, NULL), 0);
    ops->free(&device, buffer);
    ck_assert_int_eq(ops->alloc(&device, 1, &none, NULL), ENOMEM);
    ck_assert_int_eq(ops->resume(&device, NULL), 0);
    expect_bytes(&device, new_buffer(&device, ALL_OF_IT), 0, &poison, 1);
    ops->close(&device);
}
END_TEST

START_TEST(values_that_are_no_addresses_are_refused)
{
    char host[64];
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, 100), *end = buffer + ADI_VPI_PAGE;
    const void *const wild[] = {NULL,
                                host,
                                (void *)8,
                                (void *)UINTPTR_MAX,
                                (void *)(uintptr_t)(ADI_VPI_BASE - 1),
                                (void *)(uintptr_t)(ADI_VPI_BASE + ADI_VPI_BYTES)};
    for (size_t i = 0; i < COUNT(wild); i++) {
        expect_fault(&device, wild[i], 0, 1,
                     "is not in the memory map of the model, which is 0x10000000 to");
        ck_assert(!ops->accessible(&device, wild[i], &error));
    }
    ck_assert(ops->accessible(&device, buffer, &error));
    expect_fault(&device, end, 0, 1, "nothing is allocated at");
    expect_fault(&device, buffer, 0, 101,
                 "101 bytes at 0x10000000 + 0 are not in the allocation of 100");
    expect_fault(&device, buffer + 99, 0, 2, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer + 100, 1, 1, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, -1, 1, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, 0, -1, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, INT64_MAX, INT64_MAX, "are not in the allocation of 100 bytes");
    ops->free(&device, buffer + 64);
    ops->free(&device, host);
    ck_assert_int_eq(ops->write(&device, buffer + 99, 0, "z", 1, NULL), 0);
    expect_bytes(&device, buffer, 99, "z", 1);
    ops->free(&device, buffer);
    ops->free(&device, buffer);
    expect_fault(&device, buffer, 0, 1, "nothing is allocated at");
    ck_assert(!ops->accessible(&device, buffer, NULL));
    ops->close(&device);
}
END_TEST

START_TEST(the_host_cannot_look_through_a_buffer_value)
{
    char byte;
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, 1);
    ck_assert_int_eq(adi_host_read(buffer, 0, &byte, 1, NULL), EFAULT);
    ops->close(&device);
}
END_TEST

START_TEST(two_models_do_not_see_each_other)
{
    struct adi_device other;
    uint8_t seen = 0, poison = ADI_VPI_POISON;
    set_up(_i);
    ck_assert_int_eq(ops->open(1, &other, NULL), 0);
    uint8_t *buffer = new_buffer(&device, 64);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "a", 1, NULL), 0);
    finish(&device);
    ck_assert_int_eq(ops->read(&other, buffer, 0, &seen, 1, NULL), EFAULT);
    void *all;
    ck_assert_int_eq(ops->alloc(&other, ALL_OF_IT, &all, NULL), 0);
    ck_assert_ptr_eq(all, (void *)(uintptr_t)ADI_VPI_BASE);
    ck_assert_int_eq(ops->read(&other, buffer, 0, &seen, 1, NULL), 0);
    ck_assert_uint_eq(seen, poison);
    ck_assert_int_eq(ops->write(&other, buffer, 0, "b", 1, NULL), 0);
    ck_assert_int_eq(ops->read(&other, buffer, 0, &seen, 1, NULL), 0);
    ck_assert_uint_eq(seen, 'b');
    expect_bytes(&device, buffer, 0, "a", 1);
    ops->close(&other);
    ops->close(&device);
}
END_TEST

START_TEST(any_thread_may_free)
{
    set_up(_i);
    expect_many_freed_elsewhere(&device);
    ops->free(&device, new_buffer(&device, ALL_OF_IT));
    ops->close(&device);
}
END_TEST

START_TEST(a_sum_is_made_by_the_engine)
{
    static uint8_t data[BIG];
    uint64_t wanted = 0, sum = 1;
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, BIG);
    for (int i = 0; i < BIG; i++) data[i] = (uint8_t)(i * 7 + i / 256);
    for (int i = 5; i < BIG - 3; i++) wanted += data[i];
    ck_assert_int_eq(ops->write(&device, buffer, 0, data, BIG, NULL), 0);
    ck_assert_int_eq(ops->checksum(&device, buffer, 5, BIG - 8, &sum, NULL), 0);
    ck_assert_uint_eq(sum, wanted);
    ck_assert_int_eq(ops->checksum(&device, buffer, 5, 0, &sum, NULL), 0);
    ck_assert_uint_eq(sum, 0);
    ck_assert_int_eq(ops->checksum(&device, buffer, 5, BIG, &sum, NULL), EFAULT);
    ops->close(&device);
}
END_TEST

START_TEST(a_full_queue_runs_and_too_much_is_refused)
{
    set_up(_i);
    void *more;
    uint8_t *buffer = expect_full_queue_runs(&device, FULL_QUEUE, ADI_VPI_POISON);
    ck_assert_int_eq(ops->alloc(&device, ALL_OF_IT, &more, NULL), ENOMEM);
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &more, &error), ENOMEM);
    ck_assert_str_eq(error.text, "no memory for 9223372036854775807 bytes in a map of 268435456");
    ck_assert_int_eq(ops->write(&device, buffer, 0, "left", 4, NULL), 0);
    ops->close(&device); /* with something in the queue, and something allocated */
    set_up(_i);
    expect_bytes(&device, new_buffer(&device, ALL_OF_IT),
                 (int64_t)((uintptr_t)buffer - ADI_VPI_BASE), "\xdb\xdb\xdb\xdb", 4);
    ops->close(&device);
}
END_TEST

START_TEST(every_sample_goes_there_and_back)
{
    set_up(_i);
    expect_samples(&device);
    ops->close(&device);
}
END_TEST

Suite *devices_vpi_suite(void) {
    Suite *suite = suite_create("devices_vpi");
    if (!vpi_is_there("devices_vpi")) return suite;
    TCase *tests = tcase_create("vpi");
    const TTest *const all[] = {there_are_two,
                                what_is_written_is_read,
                                pieces_of_every_size_lie_where_they_belong,
                                fresh_and_freed_memory_is_poison,
                                what_was_not_finished_is_stale_every_time,
                                a_held_queue_stands_still,
                                a_freed_buffer_waits_for_what_is_queued,
                                values_that_are_no_addresses_are_refused,
                                the_host_cannot_look_through_a_buffer_value,
                                two_models_do_not_see_each_other,
                                any_thread_may_free,
                                a_sum_is_made_by_the_engine,
                                a_full_queue_runs_and_too_much_is_refused,
                                every_sample_goes_there_and_back};
    tcase_set_timeout(tests, 120);
    for (size_t i = 0; i < COUNT(all); i++) tcase_add_loop_test(tests, all[i], 0, (int)COUNT(ways));
    suite_add_tcase(suite, tests);
    return suite;
}
