/* SPDX-License-Identifier: Apache-2.0 */
#include "adicheck.h"

#include <check.h>
#include <string.h>

#include "finding.h"
#include "findings.h"
#include "planted.h"

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
    p.array.device_type = ARROW_DEVICE_CUDA;
    adi_check_device_array(p.root.schema, &p.array, findings);
    ck_assert_uint_eq(adi_findings_count(findings), 0);
    p.array.device_type = ARROW_DEVICE_CPU;
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
    return suite;
}
