/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the DSPs: what is wrong with them costs the hexagon devices, with a reason
 * that a person can act on, and nothing else; and nobody is blamed for a DSP that is lost.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "harness/shell.h"
#include "hexagon_there.h"
#include "run_device.h"

Suite *devices_hexagon_run_suite(void);

#define MISSING "hexagon           none   "

static const struct {
    const char *settings, *program, *why;
} absent[] = {
    {"ADI_HEXAGON=off", "", "ADI_HEXAGON is off"},
    {"ADI_HEXAGON=nowhere", "", "ADI_HEXAGON=nowhere: No such file"},
    {"ADI_HEXAGON=$PWD/dsp", "exit 3", "|is lost: it has ended: status 3"},
    {"ADI_HEXAGON=$PWD/dsp", "kill -SEGV $$", "|is lost: it has ended: signal 11"},
    {"ADI_HEXAGON=$PWD/dsp ADI_WAIT_MS=300", "exec sleep 1000", "|is lost: it does not answer"},
    {"ADI_HEXAGON=$PWD/dsp", "head -c 16 /dev/zero; exec cat >/dev/null",
     "|/dsp is no program of a DSP, or of another version"},
    {"ADI_HEXAGON=$PWD/dsp", "yes; exit", "|is lost: its reply has code 17"},
};

START_TEST(a_dsp_that_is_not_to_be_had_costs_its_own_devices)
{
    char line[512];
    snprintf(line, sizeof line, "printf '#!/bin/sh\\n%%s\\n' '%s' > dsp; chmod +x dsp",
             absent[_i].program);
    expect(line, 0, "");
    expect_absent("hexagon", absent[_i].settings, absent[_i].why);
}
END_TEST

/* The program is looked for from where the command lies, and QEMU on the PATH. */
START_TEST(where_there_is_no_qemu_the_host_stands_in_and_says_so)
{
    static const char found[] = "hexagon:0         found  simulated; the host's own instructions "
                                "stand in for a DSP: ";
    char words[256];
    snprintf(words, sizeof words, "%s|type: make deps", found);
    expect("mkdir empty; PATH=$PWD/empty $A devices --json devices.json", 0, words);
    expect("PATH=$PWD/empty $A devices --json -", 0,
           "\"remark\": \"the host's own instructions stand in for a DSP: |type: make deps");
    expect("mkdir bin; cp $A bin && bin/adicheck devices", 0, words);
    expect("PATH=$PWD/empty $A run --device hexagon:0 --case 'int32/nulls/*'", 0, "conformant");
    expect("ADI_HEXAGON=real PATH=$PWD/empty $A devices", 0, MISSING "|; type: make deps");
    expect("ADI_HEXAGON=sim $A devices", 0, "hexagon:1         found  simulated\n");
}
END_TEST

#define JUDGE "ADI_HEXAGON_LOSE=%d ADI_HEXAGON=%s $A run %s --device hexagon:0 --case '%s' "

static const struct {
    const char *adapter, *cases;
} judged[] = {
    {"", "int32/many/@(export|consume|relay|stream|relay-stream|relay-stream-schema|async)"},
    {"$B/tests/mutants/hexagon_odd_two_queues.so", "int32/@(nulls|many)/@(export|consume|relay)"},
};

/* Wherever it happens. */
START_TEST(a_dsp_that_ends_is_nobodys_fault)
{
    static const int ends[] = {3, 8, 21};
    int ways = hexagon_count_ways("devices_hexagon_run"), way = _i % 2;
    if (way >= ways) return;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char line[512];
        snprintf(line, sizeof line, JUDGE, ends[i], hexagon_ways[way], judged[_i / 2].adapter,
                 judged[_i / 2].cases);
        expect_no_blame(line, "the DSP of hexagon:0 is lost: it has ended");
    }
}
END_TEST

Suite *devices_hexagon_run_suite(void) {
    Suite *suite = suite_create("devices_hexagon_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, a_dsp_that_is_not_to_be_had_costs_its_own_devices, 0,
                        sizeof absent / sizeof absent[0]);
    tcase_add_test(tests, where_there_is_no_qemu_the_host_stands_in_and_says_so);
    tcase_add_loop_test(tests, a_dsp_that_ends_is_nobodys_fault, 0,
                        2 * sizeof judged / sizeof judged[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
