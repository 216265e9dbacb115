/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that come later than their array are late; that they never come is known of those only who
 * had the time to bring them. The same of releases.
 */
#include <check.h>
#include <string.h>

#include "beside.h"
#include "busy.h"
#include "devices.h"
#include "export.h"
#include "move.h"
#include "play.h"
#include "sample.h"

Suite *harness_late_suite(void);

#define BUSY     20
#define LIMIT_MS 200

static size_t told;

static void count(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink, (void)finding;
    told++;
}

/* The rules over an array whose null_count is wrong, beside a thread, on a busy machine. */
static bool check_beside(void *(*run)(void *)) {
    pid_t busy[BUSY];
    struct adi_device cpu;
    struct adi_error error;
    struct ArrowSchema schema;
    struct ArrowArray host;
    struct ArrowDeviceArray array;
    struct adi_sink sink = {.violated = count};
    const struct adi_sample_type *type = adi_sample_type_named("int32");
    const struct adi_sample_shape *shapes[32];
    size_t i = 0, n = adi_sample_shapes(type, shapes, 32);
    while (i + 1 < n && strcmp(shapes[i]->name, "nulls") != 0) i++;
    ck_assert_int_eq(adi_sample(type, shapes[i], 1, &schema, &host, &error), 0);
    ck_assert_int_eq(adi_device_cpu.open(-1, &cpu, &error), 0);
    ck_assert_int_eq(adi_produce(&cpu, &schema, &host, &array, &error), 0);
    array.array.null_count++;
    told = 0;
    pin_to_one_processor();
    begin_thread(run);
    start_busy(busy, BUSY);
    bool is_starved, sound = adi_play_check_ready(&sink, &schema, &array, &cpu, &is_starved);
    stop_busy(busy, BUSY);
    end_thread();
    ck_assert(!sound);
    adi_schema_release(&schema);
    array.array.release(&array.array);
    adi_device_cpu.close(&cpu);
    return is_starved;
}

START_TEST(what_a_starved_thread_may_still_write_is_not_told)
{
    ck_assert(check_beside(work_on));
    ck_assert_uint_eq(told, 0);
}
END_TEST

/* The twin: nobody is about to write it. */
START_TEST(what_nobody_writes_is_told_on_a_busy_machine_too)
{
    ck_assert(!check_beside(sleep_on));
    ck_assert_uint_eq(told, 1);
}
END_TEST

/* ---- releases ---- */

static size_t is_live(const void *unused) {
    (void)unused;
    return 1;
}

static bool is_starved_beside(void *(*run)(void *)) {
    pid_t busy[BUSY];
    bool is_starved = false;
    pin_to_one_processor();
    begin_thread(run);
    start_busy(busy, BUSY);
    ck_assert(!adi_play_await_release(is_live, NULL, LIMIT_MS, &is_starved));
    stop_busy(busy, BUSY);
    end_thread();
    return is_starved;
}

START_TEST(what_a_starved_thread_may_still_release_is_not_known_to_be_kept)
{ ck_assert(is_starved_beside(work_on)); }
END_TEST

START_TEST(what_nobody_releases_is_kept_on_a_busy_machine_too)
{ ck_assert(!is_starved_beside(sleep_on)); }
END_TEST

Suite *harness_late_suite(void) {
    Suite *suite = suite_create("harness_late");
    TCase *late = tcase_create("late");
    tcase_set_timeout(late, 120);
    tcase_add_test(late, what_a_starved_thread_may_still_write_is_not_told);
    tcase_add_test(late, what_nobody_writes_is_told_on_a_busy_machine_too);
    tcase_add_test(late, what_a_starved_thread_may_still_release_is_not_known_to_be_kept);
    tcase_add_test(late, what_nobody_releases_is_kept_on_a_busy_machine_too);
    suite_add_tcase(suite, late);
    return suite;
}
