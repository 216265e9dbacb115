/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "devices.h"
#include "export.h"
#include "hexagon_driver.h"
#include "hexagon_there.h"
#include "host.h"
#include "import.h"
#include "move.h"
#include "sample.h"

Suite *devices_hexagon_suite(void);

#define BIG         (3 * (int)ADI_HEXAGON_PAGE)
#define FULL_QUEUE  (10 << 20)
#define ALL_OF_IT   ((int64_t)ADI_HEXAGON_BYTES)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct adi_device device;
static const struct adi_device_ops *const ops = &adi_device_hexagon;
static struct adi_error error;

int hexagon_count_ways(const char *suite) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct adi_device_probe probe;
        setenv("ADI_HEXAGON", "real", 1);
        ops->probe(&probe);
        if (probe.count == 0) printf("left out: half of %s: %s\n", suite, probe.why.text);
        fflush(stdout);
        _exit(probe.count == 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    waitpid(child, &status, 0);
    return status == 0 ? 2 : 1;
}

static void set_up(int way) {
    setenv("ADI_HEXAGON", hexagon_ways[way], 1);
    ck_assert_msg(ops->open(0, &device, &error) == 0, "%s", error.text);
}

static uint8_t *new_buffer(int64_t bytes) {
    void *buffer;
    ck_assert_msg(ops->alloc(&device, bytes, &buffer, &error) == 0, "%s", error.text);
    return buffer;
}

static void finish(void) {
    void *sync_event = &device;
    ck_assert_msg(ops->event(&device, &sync_event, &error) == 0, "%s", error.text);
    ck_assert_ptr_null(sync_event);
}

static void expect_bytes(const void *buffer, int64_t offset, const void *wanted, size_t bytes) {
    uint8_t *seen = malloc(bytes);
    ck_assert_msg(ops->read(&device, buffer, offset, seen, (int64_t)bytes, &error) == 0, "%s",
                  error.text);
    ck_assert_mem_eq(seen, wanted, bytes);
    free(seen);
}

static void expect_fault(const void *buffer, int64_t offset, int64_t bytes, const char *words) {
    char scratch[64] = "";
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(ops->read(&device, buffer, offset, scratch, bytes, &error), EFAULT);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_int_eq(ops->write(&device, (void *)buffer, offset, scratch, bytes, NULL), EFAULT);
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
    static const int64_t offsets[] = {0, 1, 7, 8, 63, 4094, 4095, 4096, 4097, 5000, 8191};
    static const int64_t sizes[] = {1, 2, 3, 8, 9, 63, 64, 65, 1000, 4095, 4096, 4097};
    static uint8_t mirror[BIG], piece[ADI_HEXAGON_PAGE + 1];
    unsigned next = 1;
    set_up(_i);
    uint8_t *buffer = new_buffer(BIG);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    memset(mirror, ADI_HEXAGON_POISON, sizeof mirror);
    for (size_t i = 0; i < COUNT(offsets) * COUNT(sizes); i++) {
        int64_t offset = offsets[i / COUNT(sizes)], bytes = sizes[i % COUNT(sizes)];
        if (offset + bytes > BIG) continue;
        for (int64_t at = 0; at < bytes; at++)
            piece[at] = (uint8_t)((next = next * 1103515245 + 12345) >> 16);
        memcpy(mirror + offset, piece, (size_t)bytes);
        ck_assert_int_eq(ops->write(&device, buffer, offset, piece, bytes, NULL), 0);
        memset(piece, 0, sizeof piece);
        expect_bytes(buffer, offset, mirror + offset, (size_t)bytes);
        expect_bytes(buffer, 0, mirror, sizeof mirror);
    }
    ck_assert_int_eq(ops->write(&device, buffer, BIG, "", 0, NULL), 0);
    ck_assert_int_eq(ops->read(&device, NULL, 0, NULL, 0, NULL), 0);
    ops->close(&device);
}
END_TEST

START_TEST(fresh_and_freed_memory_is_poison)
{
    uint8_t poison[BIG], data[BIG] = "data";
    set_up(_i);
    memset(poison, ADI_HEXAGON_POISON, sizeof poison);
    uint8_t *first = new_buffer(BIG), *again;
    expect_bytes(first, 0, poison, sizeof poison);
    ck_assert_int_eq(ops->write(&device, first, 0, data, BIG, NULL), 0);
    expect_bytes(first, 0, data, BIG);
    ops->free(&device, first);
    expect_fault(first, 0, 1, "nothing is allocated at 0x50000000 of hexagon:0");
    again = new_buffer(BIG);
    ck_assert_ptr_ne(again, first);
    ops->free(&device, again);
    again = new_buffer(ALL_OF_IT);
    ck_assert_ptr_eq(again, first);
    expect_bytes(again, 0, poison, sizeof poison);
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
    uint8_t poison[8];
    set_up(_i);
    memset(poison, ADI_HEXAGON_POISON, sizeof poison);
    struct adi_device consumer;
    ck_assert_int_eq(ops->open(0, &consumer, NULL), 0);
    for (int i = 0; i < 50; i++) {
        uint8_t *buffer = new_buffer(8), seen[8];
        ck_assert_int_eq(ops->write(&device, buffer, 0, "12345678", 8, NULL), 0);
        ck_assert_int_eq(ops->read(&consumer, buffer, 0, seen, 8, NULL), 0);
        ck_assert_mem_eq(seen, poison, 8);
        finish();
        ck_assert_int_eq(ops->read(&consumer, buffer, 0, seen, 8, NULL), 0);
        ck_assert_mem_eq(seen, "12345678", 8);
        ops->free(&device, buffer);
    }
    ops->close(&consumer);
    ops->close(&device);
}
END_TEST

START_TEST(a_paused_queue_stands_still)
{
    set_up(_i);
    uint8_t *buffer = new_buffer(4);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "old.", 4, NULL), 0);
    ck_assert_int_eq(ops->pause(&device, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "new.", 4, NULL), 0);
    expect_bytes(buffer, 0, "old.", 4);
    ck_assert_int_eq(ops->resume(&device, NULL), 0);
    expect_bytes(buffer, 0, "new.", 4);
    ck_assert_int_eq(ops->pause(&device, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "last", 4, NULL), 0);
    finish();
    expect_bytes(buffer, 0, "last", 4);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "none", 4, NULL), 0);
    ops->free(&device, buffer); /* with what is queued for it */
    finish();
    ops->close(&device);
}
END_TEST

START_TEST(values_that_are_no_addresses_are_refused)
{
    char host[64];
    struct adi_device other;
    set_up(_i);
    uint8_t *buffer = new_buffer(100), *end = buffer + ADI_HEXAGON_PAGE;
    const void *const wild[] = {NULL,
                                host,
                                (void *)8,
                                (void *)UINTPTR_MAX,
                                (void *)(uintptr_t)(ADI_HEXAGON_BASE(0) - 1),
                                (void *)(uintptr_t)ADI_HEXAGON_BASE(2),
                                (void *)((uintptr_t)buffer | (uintptr_t)1 << 32)};
    for (size_t i = 0; i < COUNT(wild); i++) {
        expect_fault(wild[i], 0, 1, "is no address of a DSP; is it a host pointer?");
        ck_assert(!ops->accessible(&device, wild[i], &error));
        ops->free(&device, (void *)wild[i]);
    }
    ck_assert(ops->accessible(&device, buffer, &error));
    expect_fault(end, 0, 1, "nothing is allocated at");
    expect_fault(buffer, 0, 101, "101 bytes at 0x50000000 + 0 are not in the allocation of 100");
    expect_fault(buffer + 99, 0, 2, "are not in the allocation of 100 bytes");
    expect_fault(buffer, -1, 1, "are not in the allocation of 100 bytes");
    expect_fault(buffer, 0, -1, "are not in the allocation of 100 bytes");
    expect_fault(buffer, INT64_MAX, INT64_MAX, "are not in the allocation of 100 bytes");
    ck_assert_int_eq(ops->open(1, &other, NULL), 0);
    ck_assert(!ops->accessible(&other, buffer, &error));
    ck_assert_str_eq(error.text, "0x50000000 is memory of hexagon:0, not of hexagon:1");
    ops->free(&other, buffer);
    ops->close(&other);
    ops->free(&device, buffer + 64);
    expect_bytes(buffer, 99, "\xdb", 1);
    ops->free(&device, buffer);
    ops->free(&device, buffer);
    expect_fault(buffer, 0, 1, "nothing is allocated at");
    ops->close(&device);
}
END_TEST

START_TEST(the_host_cannot_look_through_a_buffer_value)
{
    char byte;
    set_up(_i);
    uint8_t *buffer = new_buffer(1);
    ck_assert_int_eq(adi_host_read(buffer, 0, &byte, 1, NULL), EFAULT);
    ck_assert(ops->interceptor()->closed(buffer));
    ck_assert(!ops->interceptor()->closed(&byte));
    ops->close(&device);
}
END_TEST

static void *free_all(void *buffers) {
    for (void **at = buffers; *at != NULL; at++) ops->free(&device, *at);
    return NULL;
}

START_TEST(any_thread_may_free)
{
    enum {
        ROUNDS = 20,
        BUFFERS = 64
    };
    set_up(_i);
    for (int round = 0; round < ROUNDS; round++) {
        void *buffers[BUFFERS + 1] = {NULL};
        pthread_t thread;
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = new_buffer(100 + i);
            ck_assert_int_eq(ops->write(&device, buffers[i], 0, &i, sizeof i, NULL), 0);
        }
        ck_assert_int_eq(pthread_create(&thread, NULL, free_all, buffers), 0);
        uint8_t *mine = new_buffer(3);
        ck_assert_int_eq(ops->write(&device, mine, 0, "abc", 3, NULL), 0);
        expect_bytes(mine, 0, "abc", 3);
        pthread_join(thread, NULL);
        ops->free(&device, mine);
    }
    ops->free(&device, new_buffer(ALL_OF_IT));
    ops->close(&device);
}
END_TEST

START_TEST(a_sum_is_made_by_the_dsp)
{
    static uint8_t data[BIG];
    set_up(_i);
    uint8_t *buffer = new_buffer(BIG);
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
    uint8_t *buffer = new_buffer(FULL_QUEUE), *data = calloc(1, FULL_QUEUE), seen[2];
    struct adi_device other;
    memset(data + FULL_QUEUE - 5, 'x', 5);
    ck_assert_int_eq(ops->write(&device, buffer, 0, data, FULL_QUEUE, NULL), 0);
    ck_assert_int_eq(ops->open(0, &other, NULL), 0);
    ck_assert_int_eq(ops->read(&other, buffer, 0, &seen[0], 1, NULL), 0);
    ck_assert_int_eq(ops->read(&other, buffer, FULL_QUEUE - 1, &seen[1], 1, NULL), 0);
    ck_assert_uint_eq(seen[0], 0);
    ck_assert_uint_eq(seen[1], ADI_HEXAGON_POISON);
    ops->close(&other);
    expect_bytes(buffer, 0, data, FULL_QUEUE);
    free(data);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "left", 4, NULL), 0);
    ops->close(&device); /* with something in the queue, and something allocated */
    set_up(_i);
    expect_bytes(new_buffer(4), 0, "\xdb\xdb\xdb\xdb", 4);
    ops->close(&device);
}
END_TEST

START_TEST(every_sample_goes_there_and_back)
{
    size_t n = 0;
    set_up(_i);
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    for (size_t t = 0; (type = adi_sample_type(t)) != NULL; t++)
        for (size_t s = 0; (shape = adi_sample_shape(s)) != NULL; s++) {
            struct ArrowSchema schema, again;
            struct ArrowArray host, wanted, back;
            struct ArrowDeviceArray there;
            if (!adi_sample_exists(type, shape)) continue;
            ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &host, NULL), 0);
            ck_assert_int_eq(adi_sample(type, shape, 1, &again, &wanted, NULL), 0);
            ck_assert_msg(adi_produce(&device, &schema, &host, &there, &error) == 0, "%s/%s: %s",
                          type->name, shape->name, error.text);
            ck_assert_ptr_null(there.sync_event);
            ck_assert_msg(adi_consume(&device, &schema, &there, &back, &error) == 0, "%s/%s: %s",
                          type->name, shape->name, error.text);
            ck_assert_msg(adi_array_compare(&schema, &back, &again, &wanted, &error) == 0,
                          "%s/%s: %s", type->name, shape->name, error.text);
            adi_array_release(&back);
            adi_array_release(&wanted);
            adi_schema_release(&schema);
            adi_schema_release(&again);
            n++;
        }
    ck_assert_uint_gt(n, 500);
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
