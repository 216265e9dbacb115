/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "hexagon_driver.h"
#include "hexagon_there.h"
#include "host.h"
#include "one_device.h"

Suite *devices_hexagon_suite(void);

#define BIG         (3 * (int)ADI_HEXAGON_PAGE)
#define FULL_QUEUE  (10 << 20)
#define ALL_OF_IT   ((int64_t)ADI_HEXAGON_BYTES)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct adi_device device;
static const struct adi_device_ops *const ops = &adi_device_hexagon;
static struct adi_error error;

int hexagon_count_ways(const char *suite) {
    char what[64];
    snprintf(what, sizeof what, "half of %s", suite);
    return is_there(ops, "ADI_HEXAGON=real", NULL, what) ? 2 : 1;
}

static void set_up(int way) {
    setenv("ADI_HEXAGON", hexagon_ways[way], 1);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

START_TEST(there_are_two)
{
    struct adi_device_probe probe;
    struct adi_device other;
    set_up(_i);
    ops->probe(&probe);
    ck_assert_int_eq(probe.count, 2);
    ck_assert_int_eq(probe.ids[0], 0);
    ck_assert_int_eq(probe.ids[1], 1);
    ck_assert_str_eq(probe.runtime, _i == 0 ? "simulated" : "qemu-hexagon");
    ck_assert_str_eq(probe.why.text, "");
    ck_assert_int_eq(ops->open(2, &other, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no hexagon:2, only 0 to 1");
    ck_assert_int_eq(ops->open(-1, &other, NULL), ENODEV);
    ops->close(&device);
}
END_TEST

START_TEST(pieces_of_every_size_lie_where_they_belong)
{
    set_up(_i);
    expect_pieces(&device, BIG, ADI_HEXAGON_POISON);
    expect_written_is_read(&device);
    ops->close(&device);
}
END_TEST

START_TEST(fresh_and_freed_memory_is_poison)
{
    set_up(_i);
    expect_poison(&device, BIG, ALL_OF_IT, ADI_HEXAGON_POISON,
                  "nothing is allocated at 0x50000000 of hexagon:0");
    void *more;
    ck_assert_int_eq(ops->alloc(&device, 1, &more, &error), ENOMEM);
    ck_assert_str_eq(error.text, "no room for 1 bytes in the 134217728 of hexagon:0");
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &more, NULL), ENOMEM);
    ck_assert_int_eq(ops->alloc(&device, 0, &more, NULL), EINVAL);
    ops->close(&device);
}
END_TEST

START_TEST(what_was_not_finished_is_stale_every_time)
{
    set_up(_i);
    expect_stale_until_finished(&device, ADI_HEXAGON_POISON);
    ops->close(&device);
}
END_TEST

START_TEST(a_paused_queue_stands_still)
{
    set_up(_i);
    uint8_t *buffer = expect_pauses(&device);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "none", 4, NULL), 0);
    ops->free(&device, buffer); /* with what is queued for it */
    finish(&device);
    ops->close(&device);
}
END_TEST

START_TEST(values_that_are_no_addresses_are_refused)
{
    char host[64];
    struct adi_device other;
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, 100), *end = buffer + ADI_HEXAGON_PAGE;
    const void *const wild[] = {NULL,
                                host,
                                (void *)8,
                                (void *)UINTPTR_MAX,
                                (void *)(uintptr_t)(ADI_HEXAGON_BASE(0) - 1),
                                (void *)(uintptr_t)ADI_HEXAGON_BASE(2),
                                (void *)((uintptr_t)buffer | (uintptr_t)1 << 32)};
    for (size_t i = 0; i < COUNT(wild); i++) {
        expect_fault(&device, wild[i], 0, 1, "is no address of a DSP; is it a host pointer?");
        ck_assert(!ops->accessible(&device, wild[i], &error));
        ops->free(&device, (void *)wild[i]);
    }
    ck_assert(ops->accessible(&device, buffer, &error));
    expect_fault(&device, end, 0, 1, "nothing is allocated at");
    expect_fault(&device, buffer, 0, 101,
                 "101 bytes at 0x50000000 + 0 are not in the allocation of 100");
    expect_fault(&device, buffer + 99, 0, 2, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, -1, 1, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, 0, -1, "are not in the allocation of 100 bytes");
    expect_fault(&device, buffer, INT64_MAX, INT64_MAX, "are not in the allocation of 100 bytes");
    ck_assert_int_eq(ops->open(1, &other, NULL), 0);
    ck_assert(!ops->accessible(&other, buffer, &error));
    ck_assert_str_eq(error.text, "0x50000000 is memory of hexagon:0, not of hexagon:1");
    ops->free(&other, buffer);
    ops->close(&other);
    ops->free(&device, buffer + 64);
    expect_bytes(&device, buffer, 99, "\xdb", 1);
    ops->free(&device, buffer);
    ops->free(&device, buffer);
    expect_fault(&device, buffer, 0, 1, "nothing is allocated at");
    ops->close(&device);
}
END_TEST

START_TEST(the_host_cannot_look_through_a_buffer_value)
{
    char byte;
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, 1);
    ck_assert_int_eq(adi_host_read(buffer, 0, &byte, 1, NULL), EFAULT);
    ck_assert(ops->interceptor()->closed(buffer));
    ck_assert(!ops->interceptor()->closed(&byte));
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

START_TEST(a_sum_is_made_by_the_dsp)
{
    static uint8_t data[BIG];
    set_up(_i);
    uint8_t *buffer = new_buffer(&device, BIG);
    for (int i = 0; i < BIG; i++) data[i] = (uint8_t)(i % 5 == 0 ? 255 : i * 7 + i / 256);
    ck_assert_int_eq(ops->write(&device, buffer, 0, data, BIG, NULL), 0);
    for (int first = 0; first < 9; first++)
        for (int less = 0; less < 9; less++) {
            uint64_t wanted = 0, sum = 1;
            for (int i = first; i < BIG - less; i++) wanted += data[i];
            ck_assert_int_eq(ops->checksum(&device, buffer, first, BIG - less - first, &sum, NULL),
                             0);
            ck_assert_uint_eq(sum, wanted);
        }
    uint64_t sum = 1;
    ck_assert_int_eq(ops->checksum(&device, buffer, 5, 0, &sum, NULL), 0);
    ck_assert_uint_eq(sum, 0);
    ck_assert_int_eq(ops->checksum(&device, buffer, 5, BIG, &sum, NULL), EFAULT);
    ops->close(&device);
}
END_TEST

START_TEST(a_full_queue_runs_but_for_the_last_of_it)
{
    set_up(_i);
    uint8_t *buffer = expect_full_queue_runs(&device, FULL_QUEUE, ADI_HEXAGON_POISON);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "left", 4, NULL), 0);
    ops->close(&device); /* with something in the queue, and something allocated */
    set_up(_i);
    expect_bytes(&device, new_buffer(&device, 4), 0, "\xdb\xdb\xdb\xdb", 4);
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

Suite *devices_hexagon_suite(void) {
    Suite *suite = suite_create("devices_hexagon");
    TCase *tests = tcase_create("hexagon");
    const TTest *const all[] = {there_are_two,
                                pieces_of_every_size_lie_where_they_belong,
                                fresh_and_freed_memory_is_poison,
                                what_was_not_finished_is_stale_every_time,
                                a_paused_queue_stands_still,
                                values_that_are_no_addresses_are_refused,
                                the_host_cannot_look_through_a_buffer_value,
                                any_thread_may_free,
                                a_sum_is_made_by_the_dsp,
                                a_full_queue_runs_but_for_the_last_of_it,
                                every_sample_goes_there_and_back};
    tcase_set_timeout(tests, 120);
    int ways = hexagon_count_ways("devices_hexagon");
    for (size_t i = 0; i < COUNT(all); i++) tcase_add_loop_test(tests, all[i], 0, ways);
    suite_add_tcase(suite, tests);
    return suite;
}
