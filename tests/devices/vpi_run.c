/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the model: what is wrong with it costs the vpi devices, with a reason that
 * a person can act on, and nothing else; an engine that never ends costs its worker.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"
#include "vpi_there.h"

Suite *devices_vpi_run_suite(void);

#define ONE     "$A run --case int32/nulls/export --device '@(cpu|vpi)*'"
#define MISSING "vpi               none   "
#define CPU     "|cpu:-1            found|conformant"

static const struct {
    const char *environment, *words;
} absent[] = {
    {"ADI_VPI=off", MISSING "ADI_VPI=off" CPU},
    {"ADI_VPI=dip", MISSING "ADI_VPI=dip; it may be dpi, vpi or off" CPU},
    {"ADI_VPI_MODEL=nowhere.so", MISSING "nowhere.so: cannot open shared object file" CPU},
    {"ADI_VPI_MODEL=$PWD/text", MISSING "|/text: |" CPU},
    {"ADI_VPI_MODEL=$B/libadicheck.so", MISSING "|it is no model of ours" CPU},
};

START_TEST(a_model_that_is_not_to_be_had_costs_its_own_devices)
{
    char line[512];
    snprintf(line, sizeof line, "echo text > text; export %s; $A devices && " ONE,
             absent[_i].environment);
    expect(line, 0, absent[_i].words);
    snprintf(line, sizeof line, "echo text > text; export %s; " ONE " --require vpi",
             absent[_i].environment);
    expect(line, 2, "undecided: a required device is missing");
}
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
{
    expect("export ADI_VPI_MODEL=$B/tests/hostile/load_crashes.so; $A devices && " ONE, 0,
           MISSING "looking for it: " CPU);
}
END_TEST

START_TEST(a_model_that_never_finishes_loading_is_not_waited_for)
{
    expect("export ADI_VPI_MODEL=$B/tests/hostile/load_hangs.so; " ONE " --timeout 1", 0,
           "looking for it: |did not |conformant");
}
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
