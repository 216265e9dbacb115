/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices.h"

Suite *devices_ext_dev_suite(void);

static struct adi_device device, other;
static const struct adi_device_ops *ops = &adi_device_ext_dev;
static char log_path[64];

static void set_library(void) {
    const char *build = getenv("ADI_TEST_BUILD");
    char path[4096];
    snprintf(path, sizeof path, "%s/libadisim.so", build == NULL ? "build" : build);
    ck_assert_int_eq(setenv("ADI_SIM", path, 1), 0);
}

static void set_up(void) {
    set_library();
    snprintf(log_path, sizeof log_path, "/tmp/ext_dev.%d", (int)getpid());
    ck_assert_int_eq(setenv("ADI_SIM_LOG", log_path, 1), 0);
    ck_assert_int_eq(ops->open(0, &device, NULL), 0);
    ck_assert_int_eq(ops->open(1, &other, NULL), 0);
}

/* Lines of the log with this in them. */
static int logged(const char *text) {
    char line[4096];
    int n = 0;
    FILE *file = fopen(log_path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) n += strstr(line, text) != NULL;
    fclose(file);
    return n;
}

static void tear_down(void) {
    ops->close(&device);
    ops->close(&other);
    int leaks = logged("{\"violation\":\"leak\"");
    unlink(log_path);
    ck_assert_int_eq(leaks, 0);
}

START_TEST(there_are_two)
{
    struct adi_device_probe found;
    struct adi_device none;
    struct adi_error error;
    ops->probe(&found);
    ck_assert_int_eq(found.count, 2);
    ck_assert_int_eq(found.ids[0], 0);
    ck_assert_int_eq(found.ids[1], 1);
    ck_assert_str_eq(found.runtime, "simulated");
    ck_assert_int_eq(device.id, 0);
    ck_assert_int_eq(other.id, 1);
    ck_assert_int_eq(ops->open(2, &none, &error), ENODEV);
    ck_assert_str_eq(error.text, "there is no ext_dev:2, only 0 to 1");
    ck_assert_int_eq(ops->open(-1, &none, &error), ENODEV);
}
END_TEST

START_TEST(the_library_is_looked_for)
{
    struct adi_device_probe found;
    struct adi_device none;
    ck_assert_int_eq(setenv("ADI_SIM", "./no/libadisim.so", 1), 0);
    ops->probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_ptr_nonnull(strstr(found.why.text, "./no/libadisim.so"));
    ck_assert_int_eq(ops->open(0, &none, NULL), ENODEV);
    ck_assert_int_eq(setenv("ADI_SIM", "libm.so.6", 1), 0);
    ops->probe(&found);
    ck_assert_int_eq(found.count, 0);
    ck_assert_ptr_nonnull(strstr(found.why.text, "libadisim.so has no adi_sim_"));
    ck_assert_int_eq(unsetenv("ADI_SIM"), 0); /* is found from where the program lies */
    ops->probe(&found);
    ck_assert_int_eq(found.count, 2);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    void *buffer, *event, *far;
    char out[4] = "";
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, NULL), 0);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    ck_assert_int_eq(ops->write(&device, buffer, 97, "abc", 3, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(ops->wait(&device, event, NULL), 0);
    ck_assert_int_eq(ops->wait(&device, NULL, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, event, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, NULL, NULL), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 97, out, 3, NULL), 0);
    ck_assert_str_eq(out, "abc");
    ck_assert_int_eq(ops->read(&device, NULL, 0, out, 0, NULL), 0);
    ops->event_free(&device, event);
    ck_assert_int_eq(ops->alloc(&other, 64, &far, NULL), 0);
    ck_assert(ops->accessible(&device, buffer, NULL));
    ck_assert(!ops->accessible(&device, far, NULL));
    ck_assert(!ops->accessible(&device, out, NULL));
    ops->free(&other, far);
    ops->free(&device, buffer);
    ck_assert_int_eq(logged("violation"), 0);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
    void *buffer;
    char out[16] = "";
    struct adi_error error;
    ck_assert_int_eq(ops->alloc(&device, 8, &buffer, NULL), 0);
    ck_assert_int_eq(ops->read(&device, buffer, 1, out, 8, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "8 bytes at byte 1 of"));
    const void *wild[] = {NULL, out, (void *)8, (void *)(UINTPTR_MAX - 8), (char *)buffer + 8};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        ck_assert_int_eq(ops->read(&device, wild[i], 0, out, 4, NULL), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, -1, out, 1, NULL), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, 0, out, -1, NULL), EFAULT);
    ck_assert_int_eq(ops->read(&device, buffer, INT64_MAX, out, INT64_MAX, NULL), EFAULT);
    ck_assert_int_eq(ops->write(&other, buffer, 0, out, 8, &error), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is memory of ext_dev:0, not of ext_dev:1"));
    ck_assert_int_eq(ops->alloc(&device, INT64_MAX, &buffer, NULL), ENOMEM);
    ck_assert_int_eq(ops->alloc(&device, 0, &buffer, NULL), EINVAL);
    ops->free(&device, (void *)(uintptr_t)((const char *)wild[4] - 8));
}
END_TEST

/* A consumer with a queue of its own: with the wait it sees the bytes, without it poison, and is
 * named. */
START_TEST(who_does_not_wait_reads_poison)
{
    struct adi_device consumer;
    void *buffer, *event;
    unsigned char out[4];
    ck_assert_int_eq(ops->open(0, &consumer, NULL), 0);
    ck_assert_int_eq(ops->alloc(&device, 4, &buffer, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "abc", 4, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
    if (_i == 1) ck_assert_int_eq(ops->wait(&consumer, event, NULL), 0);
    ck_assert_int_eq(ops->read(&consumer, buffer, 0, out, 4, NULL), 0);
    ck_assert_int_eq(out[0], _i == 1 ? 'a' : 0xDE);
    ck_assert_int_eq(logged("{\"violation\":\"race\""), _i == 1 ? 0 : 1);
    ops->event_free(&device, event);
    ops->free(&device, buffer);
    ops->close(&consumer);
}
END_TEST

START_TEST(queues_are_of_its_own_choice)
{
    void *buffer, *queue, *event, *again;
    uint64_t sum;
    ck_assert_int_eq(ops->queue_open(&device, &queue, NULL), 0);
    ck_assert_int_eq(ops->alloc(&device, 3, &buffer, NULL), 0);
    ck_assert_int_eq(ops->pause(&device, NULL), 0);
    ck_assert_int_eq(ops->write(&device, buffer, 0, "\1\2\377", 3, NULL), 0);
    ck_assert_int_eq(ops->event(&device, &event, NULL), 0);
    ck_assert_int_eq(ops->resume(&device, NULL), 0);
    ck_assert_int_eq(ops->wait_on(&device, queue, event, NULL), 0);
    ck_assert_int_eq(ops->record_on(&device, queue, &again, NULL), 0);
    ck_assert_int_eq(ops->wait_host(&device, again, NULL), 0);
    ck_assert_int_eq(ops->checksum(&device, buffer, 0, 3, &sum, NULL), 0);
    ck_assert_uint_eq(sum, 1 + 2 + 255);
    ck_assert_int_eq(ops->checksum(&device, buffer, 1, 1, &sum, NULL), 0);
    ck_assert_uint_eq(sum, 2);
    ck_assert_int_eq(ops->checksum(&device, buffer, 1, 3, &sum, NULL), EFAULT);
    ck_assert_ptr_nonnull(ops->native_handle(&device, "ext_dev.context"));
    ck_assert_ptr_nonnull(ops->native_handle(&device, "ext_dev.queue"));
    ck_assert_ptr_null(ops->native_handle(&device, "ext_dev.abacus"));
    ck_assert_str_eq(ops->native_handle(&device, "ext_dev.library"), getenv("ADI_SIM"));
    ops->event_free(&device, event);
    ops->event_free(&device, again);
    ops->queue_close(&device, queue);
    ops->free(&device, buffer);
    ck_assert_int_eq(logged("violation"), 0);
}
END_TEST

/* What the CPU reads by a pointer is named, and the program goes on. */
START_TEST(a_dereference_is_named)
{
    void *buffer;
    ck_assert_int_eq(ops->alloc(&device, 100, &buffer, NULL), 0);
    ck_assert_int_eq(((volatile unsigned char *)buffer)[5], 0xDE);
    ck_assert_int_eq(logged("{\"violation\":\"device-memory-touched\""), 1);
    ck_assert_int_eq(logged("(100 bytes, made by adi_sim_alloc in call "), 1);
    ck_assert_int_eq(logged("is read by the CPU at byte 5"), 1);
    ops->free(&device, buffer);
}
END_TEST

/* Every call that may fail is let fail once: nothing is lost, and nothing is wrong. */
static void export_once(void) {
    struct adi_device one;
    void *buffer = NULL, *event = NULL, *queue = NULL;
    char out[4];
    uint64_t sum;
    if (ops->open(0, &one, NULL) != 0) return;
    if (ops->alloc(&one, 4, &buffer, NULL) == 0) {
        ops->write(&one, buffer, 0, "abc", 4, NULL);
        if (ops->event(&one, &event, NULL) == 0) {
            ops->wait(&one, event, NULL);
            ops->wait_host(&one, event, NULL);
            ops->event_free(&one, event);
        }
        if (ops->queue_open(&one, &queue, NULL) == 0) ops->queue_close(&one, queue);
        ops->checksum(&one, buffer, 0, 4, &sum, NULL);
        ops->read(&one, buffer, 0, out, 4, NULL);
        ops->free(&one, buffer);
    }
    ops->close(&one);
}

START_TEST(any_call_may_fail)
{
    char n[16];
    int failed = 0;
    set_library();
    snprintf(log_path, sizeof log_path, "/tmp/ext_dev.%d", (int)getpid());
    for (int i = 1; i <= 20; i++) {
        pid_t child = fork();
        int status;
        snprintf(n, sizeof n, "%d", i);
        if (child == 0) {
            setenv("ADI_SIM_FAIL", n, 1);
            setenv("ADI_SIM_LOG", log_path, 1);
            export_once();
            exit(EXIT_SUCCESS);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        ck_assert_int_eq(logged("violation"), 0);
        failed += logged("{\"fault\":\"call\"");
        unlink(log_path);
    }
    ck_assert_int_ge(failed, 10);
    ck_assert_int_lt(failed, 20); /* all of them were had */
}
END_TEST

Suite *devices_ext_dev_suite(void) {
    Suite *suite = suite_create("devices_ext_dev");
    TCase *tests = tcase_create("ext_dev"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, there_are_two);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, what_is_not_there_is_refused);
    tcase_add_loop_test(tests, who_does_not_wait_reads_poison, 0, 2);
    tcase_add_test(tests, queues_are_of_its_own_choice);
    tcase_add_test(tests, a_dereference_is_named);
    suite_add_tcase(suite, tests);
    tcase_set_timeout(faults, 60);
    tcase_add_test(faults, the_library_is_looked_for);
    tcase_add_test(faults, any_call_may_fail);
    suite_add_tcase(suite, faults);
    return suite;
}
