/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of a host copy that is wrong, and how often a device is read to make one.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "log.h"
#include "move.h"
#include "observed.h"
#include "play.h"
#include "reference.h"
#include "sample.h"

Suite *harness_play_copy_suite(void);

/* A struct that was copied, and what it is to be. */
static struct ArrowSchema schema, wanted_schema;
static struct ArrowArray copy, wanted;
static struct observed observed;
static bool exports; /* what the implementation does beside consuming */

static void make(const char *type_name, const char *shape_name) {
    const struct adi_sample_type *type = adi_sample_type_named(type_name);
    const struct adi_sample_shape *shape = adi_sample_shape_named(shape_name);
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &copy, NULL), 0);
    ck_assert_int_eq(adi_sample(type, shape, 1, &wanted_schema, &wanted, NULL), 0);
    observed_open(&observed);
    exports = false;
}

static void set_up(void) {
    make("struct", "many");
}

/* An int32 that has a bitmap. */
static void set_up_nulls(void) {
    make("int32", "nulls");
    ck_assert_ptr_nonnull(copy.buffers[0]);
}

static void tear_down(void) {
    adi_schema_release(&schema);
    adi_schema_release(&wanted_schema);
    adi_array_release(&copy);
    adi_array_release(&wanted);
}

static int judge(void) {
    struct adi_error why = {""};
    return adi_play_judge_copy(&observed.sink, exports, &schema, &copy, &wanted_schema, &wanted,
                               &why);
}

static void expect_told(const char *message) {
    observed_only(&observed, "array/misread", "the copy");
    ck_assert_msg(strncmp(observed.findings[0].message, message, strlen(message)) == 0, "%s",
                  observed.findings[0].message);
}

START_TEST(a_copy_that_is_right_is_not_blamed)
{
    ck_assert_int_eq(judge(), 0);
    observed_only(&observed, "", "the copy");
}
END_TEST

START_TEST(advice_that_a_copy_does_not_take_is_not_told)
{
    schema.flags |= 64;
    ck_assert_int_eq(judge(), 0);
    observed_only(&observed, "", "the copy");
}
END_TEST

START_TEST(a_must_is_told_where_advice_was_broken_first)
{
    schema.flags |= 64; /* schema/flags-unknown, SHOULD */
    const char *format = schema.children[0]->format;
    schema.children[0]->format = "?";
    ck_assert_int_eq(judge(), EINVAL);
    schema.children[0]->format = format;
    expect_told("the host copy is unsound: schema/format-invalid: children[0].format");
    ck_assert_str_eq(observed.findings[0].seen, "\"?\"");
}
END_TEST

START_TEST(what_makes_the_array_unsound_is_told_where_its_schema_is_only_unwise)
{
    schema.flags |= 64;
    int64_t length = copy.children[1]->length;
    copy.children[1]->length = -3;
    ck_assert_int_eq(judge(), EBADMSG);
    copy.children[1]->length = length;
    expect_told("the host copy is unsound: array/length-negative: children[1].length");
    ck_assert_str_eq(observed.findings[0].seen, "-3");
}
END_TEST

START_TEST(of_two_that_are_as_grave_the_first_is_told)
{
    int64_t lengths[] = {copy.children[0]->length, copy.children[1]->length};
    copy.children[0]->length = -1;
    copy.children[1]->length = -3;
    ck_assert_int_eq(judge(), EBADMSG);
    for (int i = 0; i < 2; i++) copy.children[i]->length = lengths[i];
    expect_told("the host copy is unsound: array/length-negative: children[0].length");
}
END_TEST

START_TEST(what_does_not_fit_together_is_the_exporters)
{
    exports = true;
    copy.children[0]->length--;
    ck_assert_int_eq(judge(), EBADMSG);
    copy.children[0]->length++;
    observed_only(&observed, "array/child-too-short", "the copy");
    ck_assert_int_eq(observed.findings[0].party, ADI_PRODUCER);
}
END_TEST

START_TEST(wrong_values_are_the_importers_though_it_exports)
{
    exports = true;
    int32_t *offsets = (int32_t *)copy.children[1]->buffers[1];
    offsets[2] += offsets[3] + 1;
    ck_assert_int_eq(judge(), EILSEQ);
    offsets[2] -= offsets[3] + 1;
    expect_told("the host copy is unsound: array/offsets-decreasing: children[1].buffers[1]");
    ck_assert_str_eq(observed.findings[0].copied->id, "array/offsets-decreasing");
}
END_TEST

/* The values are right, so that nothing was misread: it is the exporter of the copy who counts. */
START_TEST(a_copy_that_only_miscounts_its_nulls_is_its_producers)
{
    static const struct {
        int64_t more;
        const char *rule;
    } rows[] = {{1, "array/null-count-differs"}, {1000, "array/null-count-out-of-range"}};
    exports = true;
    copy.null_count += rows[_i].more;
    ck_assert_int_eq(judge(), EILSEQ);
    observed_only(&observed, rows[_i].rule, "the copy");
    ck_assert_int_eq(observed.findings[0].party, ADI_PRODUCER);
    ck_assert(observed.findings[0].copied == NULL);
}
END_TEST

/* Who reads the bitmap from its first bit, and takes the count over, contradicts himself, too. */
START_TEST(a_copy_of_other_values_that_miscounts_was_misread)
{
    exports = true;
    ((uint8_t *)(uintptr_t)copy.buffers[0])[1] ^= 0xFF;
    ck_assert_int_eq(judge(), EILSEQ);
    expect_told("[8]: saw");
}
END_TEST

START_TEST(a_null_count_of_who_only_consumes_is_his)
{
    copy.null_count += 1;
    ck_assert_int_eq(judge(), EILSEQ);
    expect_told("the host copy is unsound: array/null-count-differs");
}
END_TEST

/* ---- how often a device is read ---- */

#define BUFFERS_MOST 8
static struct {
    const void *buffer;
    int reads;
} seen[BUFFERS_MOST];
static size_t n_seen;

static int read_counted(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    const struct adi_device_ops *counted = adi_device_named(device->ops->name);
    size_t i = 0;
    while (i < n_seen && seen[i].buffer != buffer) i++;
    ck_assert_uint_lt(i, BUFFERS_MOST);
    if (i == n_seen) seen[n_seen++].buffer = buffer;
    seen[i].reads++;
    return counted->read(device, buffer, offset, to, bytes, error);
}

static void fail_broken(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink;
    ck_abort_msg("%s: %s", finding->rule->id, finding->message);
}

static const struct adi_case *case_named(const char *name) {
    size_t i = 0;
    while (adi_case(i) != NULL && strcmp(adi_case(i)->name, name) != 0) i++;
    return adi_case(i);
}

/* Plays the reference's export on the first device of the name. false: there is none. */
static bool play_export_on(const char *name) {
    const struct adi_device_ops *ops = adi_device_named(name);
    struct adi_device_ops counting = *ops;
    struct adi_device device;
    int fd;
    if (ops->open(0, &device, NULL) != 0) return false;
    counting.read = read_counted;
    device.ops = &counting;
    struct adi_adapter *reference = adi_reference_adapter();
    struct adi_test test = {.adapter = reference,
                            .device = &device,
                            .seed = 1,
                            .log = adi_log_create(&fd),
                            .now = case_named("int32/nulls/export"),
                            .sink = {.violated = fail_broken}};
    ck_assert_ptr_nonnull(test.log);
    ck_assert_int_eq(reference->open == NULL ? 0 : reference->open(reference, NULL), 0);
    adi_play_export(&test);
    ck_assert(test.judged && !test.refused && !test.skipped);
    if (reference->close != NULL) reference->close(reference);
    ops->close(&device);
    adi_log_destroy(test.log);
    return true;
}

START_TEST(a_device_buffer_is_read_twice_at_most)
{
    static const char *const devices[] = {"opencl", "ext_dev"};
    if (!play_export_on(devices[_i])) {
        printf("skip: %s is not there\n", devices[_i]);
        return;
    }
    ck_assert_uint_eq(n_seen, 2); /* validity and values */
    for (size_t i = 0; i < n_seen; i++)
        ck_assert_msg(seen[i].reads >= 1 && seen[i].reads <= 2, "buffer %zu is read %d times", i,
                      seen[i].reads);
}
END_TEST

Suite *harness_play_copy_suite(void) {
    Suite *suite = suite_create("harness_play_copy");
    TCase *copies = tcase_create("copies");
    tcase_add_checked_fixture(copies, set_up, tear_down);
    tcase_add_test(copies, a_copy_that_is_right_is_not_blamed);
    tcase_add_test(copies, advice_that_a_copy_does_not_take_is_not_told);
    tcase_add_test(copies, a_must_is_told_where_advice_was_broken_first);
    tcase_add_test(copies, what_makes_the_array_unsound_is_told_where_its_schema_is_only_unwise);
    tcase_add_test(copies, of_two_that_are_as_grave_the_first_is_told);
    tcase_add_test(copies, what_does_not_fit_together_is_the_exporters);
    tcase_add_test(copies, wrong_values_are_the_importers_though_it_exports);
    TCase *nulls = tcase_create("nulls");
    tcase_add_checked_fixture(nulls, set_up_nulls, tear_down);
    tcase_add_loop_test(nulls, a_copy_that_only_miscounts_its_nulls_is_its_producers, 0, 2);
    tcase_add_test(nulls, a_copy_of_other_values_that_miscounts_was_misread);
    suite_add_tcase(suite, nulls);
    tcase_add_test(nulls, a_null_count_of_who_only_consumes_is_his);
    tcase_add_loop_test(copies, a_device_buffer_is_read_twice_at_most, 0, 2);
    suite_add_tcase(suite, copies);
    return suite;
}
