/* SPDX-License-Identifier: Apache-2.0 */
#include "adicheck.h"

#include <check.h>
#include <string.h>

#include "devices.h"
#include "finding.h"
#include "findings.h"
#include "kind.h"
#include "move.h"
#include "planted.h"
#include "sample.h"

Suite *harness_adicheck_suite(void);

static struct planted p;
static struct adi_findings *findings;

static void set_up(void) {
    planted_tree(&p);
    findings = adi_findings_new();
}

static void tear_down(void) {
    adi_findings_free(findings);
}

START_TEST(a_correct_array_has_no_findings)
{
    ck_assert_int_eq(adi_check_device_array(p.root.schema, &p.array, findings), 0);
    ck_assert_int_eq(adi_check_device_array(p.root.schema, NULL, findings), 0);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
    ck_assert_ptr_null(adi_findings_get(findings, 0));
}
END_TEST

START_TEST(a_finding_says_it_all)
{
    p.array.reserved[0] = 1;
    ck_assert_int_eq(adi_check_device_array(p.root.schema, &p.array, findings), 0);
    ck_assert_uint_eq(adi_findings_count(findings), 1);
    const struct adi_finding *finding = adi_findings_get(findings, 0);
    ck_assert_str_eq(finding->rule, "array/reserved-not-zero");
    ck_assert_str_eq(finding->level, "MUST");
    ck_assert_str_eq(finding->basis, "text");
    ck_assert_str_eq(finding->party, "producer");
    ck_assert_str_eq(finding->document, "C Device data interface");
    ck_assert_str_eq(finding->message, "reserved is not zero");
    ck_assert_str_eq(finding->wanted, "24 zero bytes");
    ck_assert_int_eq(finding->breaks_conformance, 1);
}
END_TEST

START_TEST(a_recommendation_does_not_break_conformance)
{
    p.array.device_id = 7;
    adi_check_device_array(p.root.schema, &p.array, findings);
    ck_assert_uint_eq(adi_findings_count(findings), 1);
    ck_assert_int_eq(adi_findings_get(findings, 0)->breaks_conformance, 0);
}
END_TEST

START_TEST(buffers_are_read_on_the_cpu_only)
{
    p.indices[0] = 100;
    p.array.device_type = adi_device_cuda.type;
    adi_check_device_array(p.root.schema, &p.array, findings);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
    p.array.device_type = p.ops.type;
    adi_check_device_array(p.root.schema, &p.array, findings);
    ck_assert_uint_eq(adi_findings_count(findings), 1);
}
END_TEST

START_TEST(findings_add_up_and_have_an_end)
{
    p.array.reserved[0] = 1;
    for (int i = 0; i < 300; i++) adi_check_device_array(p.root.schema, &p.array, findings);
    ck_assert_uint_eq(adi_findings_count(findings), 256);
    ck_assert_ptr_null(adi_findings_get(findings, 256));
}
END_TEST

START_TEST(the_sink_appends_to_the_list)
{
    adi_report(adi_findings_sink(findings), "life/never-released", ADI_CONSUMER, NULL, NULL, "!");
    ck_assert_uint_eq(adi_findings_count(findings), 1);
    ck_assert_str_eq(adi_findings_get(findings, 0)->party, "consumer");
}
END_TEST

/* ---- the watch ---- */

struct watched {
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    struct adi_watch *watch;
};

static struct watched watched(const char *type) {
    struct watched w = {.array = {.device_id = -1, .device_type = p.ops.type}};
    ck_assert_int_eq(adi_sample(adi_sample_type_named(type), adi_sample_shape_named("many"), 1,
                                &w.schema, &w.array.array, NULL),
                     0);
    return w;
}

static void finish(struct watched *w) {
    adi_watch_finish(w->watch, findings);
    adi_schema_release(&w->schema);
}

static void flip(const struct ArrowArray *array) {
    ((char *)array->buffers[array->n_buffers - 1])[0] ^= 1;
}

static void expect(const char *rule, const char *message) {
    ck_assert_uint_eq(adi_findings_count(findings), 1);
    ck_assert_str_eq(adi_findings_get(findings, 0)->rule, rule);
    ck_assert_str_eq(adi_findings_get(findings, 0)->party, "consumer");
    ck_assert_str_eq(adi_findings_get(findings, 0)->message, message);
}

START_TEST(a_write_to_a_buffer_is_seen_by_who_knows_the_type)
{
    struct watched w = watched("struct");
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    flip(w.array.array.children[0]);
    w.array.array.release(&w.array.array);
    finish(&w);
    expect("array/buffer-mutated", "children[0].buffers[1] was written by its consumer");
}
END_TEST

START_TEST(a_write_is_seen_where_the_child_was_moved_to)
{
    struct watched w = watched("struct");
    struct ArrowArray child;
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    adi_array_move_child(&w.array.array, 1, &child);
    w.array.array.release(&w.array.array);
    flip(&child);
    child.release(&child);
    finish(&w);
    expect("array/buffer-mutated", "children[1].buffers[2] was written by its consumer");
}
END_TEST

START_TEST(a_dictionary_is_compared_too)
{
    struct watched w = watched("dictionary_int8_utf8");
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    flip(w.array.array.dictionary);
    w.array.array.release(&w.array.array);
    finish(&w);
    expect("array/buffer-mutated", "dictionary.buffers[2] was written by its consumer");
}
END_TEST

START_TEST(nothing_is_said_of_who_reads)
{
    struct watched w = watched("list_int32");
    struct ArrowArray child;
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    adi_array_move_child(&w.array.array, 0, &child);
    w.array.array.release(&w.array.array);
    child.release(&child);
    finish(&w);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
}
END_TEST

/* A producer may do with its buffers what it likes once it is told to release them. */
static adi_release_fn *release_before;

static void wipe_and_release(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) flip(array->children[i]);
    ((void (*)(struct ArrowArray *))release_before)(array);
}

START_TEST(a_producer_may_write_when_it_releases)
{
    struct watched w = watched("struct");
    release_before = (adi_release_fn *)w.array.array.release;
    w.array.array.release = wipe_and_release;
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    w.array.array.release(&w.array.array);
    finish(&w);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
}
END_TEST

START_TEST(without_a_type_the_structures_are_watched)
{
    struct watched w = watched("struct");
    w.watch = adi_watch_device_array(&w.array);
    flip(w.array.array.children[0]);
    w.array.array.release(&w.array.array);
    finish(&w);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
}
END_TEST

START_TEST(what_is_never_released_is_told_at_the_end)
{
    struct watched w = watched("int32");
    struct ArrowArray again;
    w.watch = adi_watch_device_array_of(&w.schema, &w.array);
    again = w.array.array;
    finish(&w);
    expect("life/never-released", "array was never released");
    again.release(&again);
}
END_TEST

START_TEST(a_released_array_cannot_be_watched)
{
    struct watched w = {.array = {.device_type = p.ops.type}};
    ck_assert_ptr_null(adi_watch_device_array(&w.array));
    ck_assert_ptr_null(adi_watch_device_array_of(p.root.schema, &w.array));
}
END_TEST

Suite *harness_adicheck_suite(void) {
    Suite *suite = suite_create("harness_adicheck");
    TCase *list = tcase_create("list");
    tcase_add_checked_fixture(list, set_up, tear_down);
    tcase_add_test(list, a_correct_array_has_no_findings);
    tcase_add_test(list, a_finding_says_it_all);
    tcase_add_test(list, a_recommendation_does_not_break_conformance);
    tcase_add_test(list, buffers_are_read_on_the_cpu_only);
    tcase_add_test(list, findings_add_up_and_have_an_end);
    tcase_add_test(list, the_sink_appends_to_the_list);
    suite_add_tcase(suite, list);
    TCase *watch = tcase_create("watch");
    tcase_add_checked_fixture(watch, set_up, tear_down);
    tcase_add_test(watch, a_write_to_a_buffer_is_seen_by_who_knows_the_type);
    tcase_add_test(watch, a_write_is_seen_where_the_child_was_moved_to);
    tcase_add_test(watch, a_dictionary_is_compared_too);
    tcase_add_test(watch, nothing_is_said_of_who_reads);
    tcase_add_test(watch, a_producer_may_write_when_it_releases);
    tcase_add_test(watch, without_a_type_the_structures_are_watched);
    tcase_add_test(watch, what_is_never_released_is_told_at_the_end);
    tcase_add_test(watch, a_released_array_cannot_be_watched);
    suite_add_tcase(suite, watch);
    return suite;
}
