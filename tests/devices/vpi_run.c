/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the model: what is wrong with it costs the vpi devices, with a reason that
 * a person can act on, and nothing else; an engine that never ends costs its worker.
 */
#include <check.h>

#include "harness/shell.h"
#include "run_device.h"
#include "vpi_there.h"

Suite *devices_vpi_run_suite(void);

#define MISSING "vpi               none   "

static const struct {
    const char *settings, *why;
} absent[] = {
    {"ADI_VPI=off", "ADI_VPI=off"},
    {"ADI_VPI=dip", "ADI_VPI=dip; it may be dpi, vpi or off"},
    {"ADI_VPI_MODEL=nowhere.so", "nowhere.so: cannot open shared object file"},
    {"ADI_VPI_MODEL=$PWD/text", "|/text: |"},
    {"ADI_VPI_MODEL=$B/libadicheck.so", "|it is no model of ours"},
};

START_TEST(a_model_that_is_not_to_be_had_costs_its_own_devices)
{ expect_absent("vpi", absent[_i].settings, absent[_i].why); }
END_TEST

/* The model is looked for from where the program lies. */
START_TEST(a_model_that_was_not_built_says_what_to_do)
{
    expect("mkdir bin bin/sim bin/sim/vpi; cp $A bin && bin/adicheck devices", 0,
           MISSING "its model was not built, for want of Verilator; type: make deps all");
    expect("touch bin/sim/vpi/libadivpi.log; bin/adicheck devices", 0,
           MISSING "its model did not build; |/bin/sim/vpi/libadivpi.log says why");
}
END_TEST

/* The model dies while it is loaded. */
START_TEST(a_model_that_crashes_costs_its_own_devices)
{ expect_absent("vpi", "ADI_VPI_MODEL=$B/tests/hostile/load_crashes.so", "looking for it: "); }
END_TEST

START_TEST(a_model_that_never_finishes_loading_is_not_waited_for)
{ expect_hang_is_left("vpi", "ADI_VPI_MODEL=$B/tests/hostile/load_hangs.so"); }
END_TEST

#define JUDGE(mutant)                                                                              \
    "$A run $B/tests/mutants/" mutant ".so --device vpi:0 --jobs 1 --timeout 0.5 --case "

START_TEST(who_waits_for_a_broken_engine_is_ended_and_the_rest_is_judged)
{
    if (!vpi_is_there("devices_vpi_run")) return;
    expect(JUDGE("vpi_engine_stuck") "'int32/@(nulls|many)/export'", 1,
           "timeout  life/hang  MUST  producer  vpi:0|did not end within 0.5 s; killed|1 skip, 1 "
           "timeout");
}
END_TEST

START_TEST(an_engine_that_was_left_broken_is_an_error_with_its_reason)
{
    if (!vpi_is_there("devices_vpi_run")) return;
    expect(JUDGE("vpi_engine_left_stuck") "'@(int8|int16)/nulls/consume'", 2,
           "no array to hand over: the DMA engine of vpi:0 has not raised dma_done|"
           "see dma_stuck and dma_latency of the model (only after 1 other case)|"
           "1 pass, 1 error|undecided");
}
END_TEST

Suite *devices_vpi_run_suite(void) {
    Suite *suite = suite_create("devices_vpi_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_model_that_is_not_to_be_had_costs_its_own_devices, 0,
                        sizeof absent / sizeof absent[0]);
    tcase_add_test(tests, a_model_that_was_not_built_says_what_to_do);
    tcase_add_test(tests, a_model_that_crashes_costs_its_own_devices);
    tcase_add_test(tests, a_model_that_never_finishes_loading_is_not_waited_for);
    tcase_add_test(tests, who_waits_for_a_broken_engine_is_ended_and_the_rest_is_judged);
    tcase_add_test(tests, an_engine_that_was_left_broken_is_an_error_with_its_reason);
    suite_add_tcase(suite, tests);
    return suite;
}
