/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the list is for which device, where nobody asks for certain cases.
 */
#include <check.h>
#include <fnmatch.h>
#include <string.h>

#include "case.h"

Suite *harness_share_suite(void);

/* To count the nulls is to read a bitmap, which may be where the CPU cannot. */
START_TEST(an_unknown_null_count_is_for_every_device)
{
    size_t n = 0;
    for (size_t i = 0; i < adi_case_count(); i++)
        n += fnmatch("int32/null-count-unknown/@(export|consume|relay)", adi_case(i)->name,
                     FNM_EXTMATCH) == 0 &&
             adi_case_in_share(adi_case(i), ADI_SHARE_MEMORY);
    ck_assert_uint_eq(n, 3);
}
END_TEST

/* Chunks may be wrong on one device only; what programs walk is the same everywhere. */
START_TEST(each_scenario_of_streams_is_for_every_device_but_programs_are_for_the_cpu)
{
    const unsigned arrays = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS;
    const struct adi_scenario *scenario = NULL;
    size_t scenarios = 0, cases = 0;
    const struct adi_case *played;
    enum adi_share share = _i == 0 ? ADI_SHARE_MEMORY : ADI_SHARE_SMOKE;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        if ((played->scenario->role & ~arrays) == 0) continue;
        bool is_program = strncmp(played->scenario->name, "program-", 8) == 0;
        if (played->scenario != scenario && scenario != NULL)
            ck_assert_msg(cases > 0, "%s", scenario->name);
        if (played->scenario != scenario) cases = 0;
        ck_assert(!is_program || !adi_case_in_share(played, share));
        cases += is_program || adi_case_in_share(played, share);
        scenarios += played->scenario != scenario;
        scenario = played->scenario;
    }
    ck_assert_uint_gt(cases, 0);
    ck_assert_uint_gt(scenarios, 80);
}
END_TEST

Suite *harness_share_suite(void) {
    Suite *suite = suite_create("harness_share");
    TCase *share = tcase_create("share");
    tcase_add_test(share, an_unknown_null_count_is_for_every_device);
    tcase_add_loop_test(
        share, each_scenario_of_streams_is_for_every_device_but_programs_are_for_the_cpu, 0, 2);
    suite_add_tcase(suite, share);
    return suite;
}
