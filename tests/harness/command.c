/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the built command as a user would: by words, exit statuses and files. ADI_TEST_BUILD names
 * the folder that `adicheck` lies in.
 */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/shell.h"

Suite *harness_command_suite(void);

/* Builds an adapter that plays no role, libmine.so. */
#define BUILD "$A new mine >said && cc -shared -fPIC -I $B/include mine.c -o libmine.so"

#define ONE "--case int32/nulls/export --device cpu"

START_TEST(help_and_version_are_no_mistakes)
{
    expect("$A --help", 0, "adicheck run|adicheck explain|Examples:|--version");
    expect("$A --version", 0, "adicheck |rules 1.");
    expect("$A run --help", 0, "--device GLOB|--in-process|Exit status");
    expect("$A help new", 0, "adicheck new");
    expect("$A", 254, "adicheck run");
}
END_TEST

START_TEST(an_unknown_word_gets_the_nearest_names)
{
    expect("$A rnu", 254, "no command is named rnu; nearest: run");
    expect("$A run --jbos 2", 254, "--jbos; nearest: --jobs");
    expect("$A run --rule 'life/relase-twice'", 254,
           "matches no rule; nearest: life/release-twice");
    expect("$A run --case 'int32/nuls/export'", 254,
           "matches no case; nearest: int32/nulls/export");
    expect("$A run --device cpuu", 254, "matches no device; nearest: cpu");
    expect("$A run --require cpu,cuba", 254, "'cuba'; nearest: cuda");
    expect("$A explain life/relase-twice", 254, "nearest: life/release-twice");
    expect("$A list casse", 254, "nearest: cases");
    expect("$A explain array/reserved", 254, "nearest: array/reserved-not-zero");
    expect("$A run $B", 254, "is a directory");
}
END_TEST

START_TEST(a_bad_value_is_said_before_anything_runs)
{
    expect("$A run --jobs 0", 254, "from 1 to");
    expect("$A run --timeout x", 254, "wanted seconds");
    expect("$A run --rules 9.9", 254, "up to 1.");
    expect("$A run --in-process", 254, "--in-process plays one case");
    expect("$A run --known nowhere", 254, "nowhere: No such file");
    expect("echo nonsense > known; $A run --known known", 254, "known:1:9: ");
    expect("$A run --json no/such/folder/x", 254, "no/such/folder/x cannot be written");
    expect("$A run --json - --tap -", 254, "--json and --tap both go to -");
    expect("$A run --json x --html ./x", 254, "both go to ./x");
    expect("$A run ./nope.so", 254, "nope.so");
    expect("echo text > text.so; $A run ./text.so", 254, "text.so");
    expect("$A devices cpu", 254, "takes no argument");
    expect("$A devices --json no/such/folder/x", 254, "no/such/folder/x cannot be written");
    expect("$A run --rules x", 254, "wanted a version such as 1.");
    expect("$A run --rules 1.0.0", 254, "wanted a version such as 1.");
    expect("$A run --timeout 1e999", 254, "wanted seconds");
    expect("$A run --timeout 0", 254, "wanted seconds");
    expect("$A run --timeout 1x", 254, "wanted seconds");
    expect("$A run --jobs 99999999999999999999", 254, "from 1 to");
    expect("$A run --jobs 3x", 254, "from 1 to");
    expect("$A run --jobs ''", 254, "from 1 to");
    expect("$A run --strict=1", 254, "takes no value");
    expect("$A run --jobs", 254, "needs a value");
    expect("$A run --in-process --case 'int32/nulls/*'", 254, "--case chooses ");
    expect("$A run --device webgpu:3", 254, "matches no device");
    expect("$A run --device cpu:7", 254, "matches no device; nearest: cpu:-1");
    expect("$A explain", 254, "wanted the id of a rule");
    expect("$A list rules cases", 254, "one list at a time; leave out cases");
    expect("$A help nothing", 254, "no command is named nothing");
}
END_TEST

START_TEST(a_device_that_only_an_adapter_can_bring_is_taken_on_trust)
{
    expect(BUILD " && ADI_WEBGPU=off $A run ./libmine.so --device webgpu:3", 2,
           "nothing was judged");
    expect("$A run ./libmine.so --device nothing:3", 254, "matches no device");
}
END_TEST

START_TEST(nobody_is_a_worker_by_hand)
{
    expect("$A --adi-worker", 3, "");
    expect("$A --adi-worker 0 0 </dev/null", 3, "");
    expect("head -c 100000 /dev/zero > log; $A --adi-worker 3 3 3<>log", 3, "");
}
END_TEST

START_TEST(what_is_cut_short_is_no_success)
{
    expect("$A list >/dev/full", 2, "standard output could not be written to its end: No space");
    expect("$A list life >/dev/full", 2, "standard output could not be written");
    expect("$A explain life/crash >/dev/full", 2, "standard output could not be written");
    expect("$A devices >/dev/full", 2, "standard output could not be written");
    expect("$A --version >/dev/full", 2, "standard output could not be written");
    expect("$A replay 'cpu struct e0 x0' >/dev/full", 2, "standard output could not be written");
    expect("$A devices --json /dev/full", 2, "/dev/full could not be written to its end");
    expect("$A run --device cpu --case int32/nulls/export >/dev/full", 2, "could not be written");
    expect(
        "$A run --device cpu --case int32/nulls/export 2>&1 >/dev/full | grep -c 'not be written'",
        0, "1");
    expect("$A run " ONE " --json - 2>said >/dev/full; grep -c 'could not be written' said", 0,
           "1");
}
END_TEST

START_TEST(a_terminal_gets_colours_and_progress)
{
    if (run("command -v script") != 0) {
        puts("  a_terminal_gets_colours_and_progress: skipped, there is no script(1)");
        return;
    }
    expect("TERM=xterm script -qec \"$A run --device cpu --case 'int32/*'\" typed | cat", 0,
           "\033[32mconformant\033[0m|\rcpu:-1  ");
    expect("TERM=dumb script -qec \"$A run --device cpu --case 'int32/nulls/*'\" typed | grep -q "
           "\"$(printf '\\033\\[32m')\"",
           1, "");
    expect("TERM=xterm NO_COLOR=1 script -qec \"$A run --device cpu --case 'int32/nulls/*'\" typed "
           "| grep -q "
           "\"$(printf '\\033\\[32m')\"",
           1, "");
}
END_TEST

START_TEST(what_has_not_been_built_says_so)
{ expect("$A sim -- true", 254, "has not been built yet"); }
END_TEST

START_TEST(a_run_can_be_bounded)
{
    expect("$A run --time-limit 0", 254, "wanted seconds");
    expect("$A run --profile gpu", 254, "--profile 'gpu' is none");
    expect("$A run --profile cpu --device opencl", 254, "leave out --device opencl");
    expect("$A run --time-limit 0.01 --device cpu", 2, "undecided: the time limit was over");
    expect("$A run --time-limit 500 --device cpu --case 'int32/nulls/*'", 0, ": conformant");
    expect("$A run --profile cpu --json p.json; grep -c '\"device\": \"cpu:-1\"' p.json", 0,
           ": conformant");
    expect("$A run --profile cpu --json p.json >/dev/null; grep -c opencl p.json", 1, "");
    /* One limit for all adapters. */
    expect("time -p $A run $B/tests/hostile/hangs_everywhere.so $B/tests/hostile/sleep.so "
           "--device cpu --time-limit 3 | grep -c 'undecided: the time limit was over'",
           0, "2");
    expect("$A run $B/tests/hostile/sleep.so --case int8/nulls/export", 2, "no role on: ");
}
END_TEST

START_TEST(lists_and_devices_are_written)
{
    expect("$A list", 0, "life/release-twice|MUST|consumer");
    expect("$A list handles", 0, "| `DLManagedTensorVersioned` | 80 |");
    expect("$A list types", 0, "list_int32                    +l\n|dictionary_int8_utf8");
    expect("$A list shapes", 0, "nulls  |offset-on-child");
    expect("$A help program", 0, "c0.1>2  move child 1|t+ t-|u0      consume");
    expect("$A run $B/tests/mutants/moved_child_released.so --device cpu "
           "--case list_int32/many/program-export",
           1, "program-export|`adicheck help program` explains the steps");
    expect("$A run " ONE " --device cpu | grep -c 'help program'", 1, "0");
    expect("$A list cases > cases && grep ^int32/nulls/export cases", 0, "int32/nulls/export");
    expect("$A explain life/release-twice life/crash", 0, "level|basis|mend|life/crash");
    expect("$A devices", 0, "cpu:-1|found  native|hexagon");
    expect("$A devices --json d.json", 0, "cpu:-1");
    ck_assert_int_eq(run("cat d.json"), 0);
    json_t *json = json_loads(said, 0, NULL);
    ck_assert_ptr_nonnull(json_object_get(json, "devices"));
    json_decref(json);
}
END_TEST

START_TEST(a_required_device_that_is_missing_is_undecided)
{
    expect("$A run " ONE " --require cpu", 0, "conformant");
    expect("$A run " ONE " --require cpu:7", 2, "is missing: cpu:7 (cpu:7: there are others");
    expect("ADI_WEBGPU=off $A run --case int32/nulls/export --device '@(cpu|webgpu)*' "
           "--require cpu,webgpu,opencl",
           2, "undecided: |webgpu, opencl (webgpu: ADI_WEBGPU is off; opencl: --device or ");
}
END_TEST

#define DEVICES "$A run --case int32/nulls/export --require opencl,vulkan,vpi"

/* How each is taken away. */
static const struct {
    const char *setting, *words;
} hidden[] = {
    {"OCL_ICD_VENDORS=$PWD/none", "undecided: a required device is missing: opencl|(opencl: "},
    {"VK_DRIVER_FILES=$PWD/none.json", "a required device is missing: |(vulkan: "},
    {"ADI_VPI=off", "a required device is missing: |(vpi: "},
};

START_TEST(each_of_several_required_devices_counts)
{
    char line[256];
    snprintf(line, sizeof line, "mkdir none; %s " DEVICES, hidden[_i].setting);
    expect(line, 2, hidden[_i].words);
}
END_TEST

START_TEST(required_devices_that_are_there_are_no_matter)
{
    if (run("$A devices > there; for t in opencl vulkan vpi; do "
            "grep \"^$t .*none\" there && exit 1; done; true") == 0)
        expect(DEVICES, 0, "conformant");
    else
        printf("skip: %s: %s", "required_devices_that_are_there_are_no_matter", said);
}
END_TEST

START_TEST(a_known_deviation_that_holds_is_red)
{
    expect("echo 'array/reserved-not-zero | int32/nulls/export | * | r | l | 2999-12-31' > known; "
           "$A run " ONE " --known known",
           1, "xpass  array/reserved-not-zero|delete it|known:1|out of date");
    expect("echo 'array/reserved-not-zero | int32/nulls/export | 999.* | r | l | 2999-12-31' > "
           "known; $A run " ONE " --known known",
           0, "conformant");
}
END_TEST

/* ---- what a user meets ---- */

START_TEST(a_role_without_its_function_is_the_adapters_mistake)
{
    expect("$A run $B/tests/hostile/empty_slot.so " ONE, 254,
           "ADI_CONSUMES|its slot `consume` is NULL");
    expect("$A run $B/tests/hostile/empty_slot_of_streams.so " ONE, 254,
           "ADI_CONSUMES_STREAM|its slot `consume_stream` is NULL");
}
END_TEST

START_TEST(the_last_run_is_kept_in_a_home_that_has_nothing)
{
    expect("unset XDG_STATE_HOME; mkdir fresh; export HOME=$PWD/fresh; "
           "$A run $B/tests/mutants/reserved_never_written.so " ONE " >/dev/null;"
           "$A explain --last",
           0, "array/reserved-not-zero");
}
END_TEST

START_TEST(what_hangs_in_this_process_can_be_ended)
{
    expect("timeout 2 $A run $B/tests/hostile/hangs_everywhere.so --in-process --device cpu "
           "--case int32/nulls/export",
           124, "");
}
END_TEST

START_TEST(several_adapters_make_one_array)
{
    expect(BUILD, 0, "");
    expect("$A run ./libmine.so ./libmine.so " ONE " --json r.json", 2, "undecided");
    ck_assert_int_eq(run("cat r.json"), 0);
    json_t *json = json_loads(said, 0, NULL);
    ck_assert_uint_eq(json_array_size(json), 2);
    json_decref(json);
}
END_TEST

START_TEST(an_interrupted_run_leaves_a_whole_record)
{
    expect("$A run $B/tests/hostile/hangs_everywhere.so --device cpu --timeout 60 --json r.json "
           ">out 2>&1 & sleep 1; "
           "kill -INT $!; wait $!; status=$?; cat out; exit $status",
           2, "undecided: interrupted");
    ck_assert_int_eq(run("cat r.json"), 0);
    json_t *json = json_loads(said, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "exit")), 2);
    json_decref(json);
}
END_TEST

Suite *harness_command_suite(void) {
    Suite *suite = suite_create("harness_command");
    TCase *words = tcase_create("words");
    tcase_add_checked_fixture(words, shell_open, shell_close);
    tcase_set_timeout(words, 120);
    tcase_add_test(words, help_and_version_are_no_mistakes);
    tcase_add_test(words, an_unknown_word_gets_the_nearest_names);
    tcase_add_test(words, a_bad_value_is_said_before_anything_runs);
    tcase_add_test(words, a_device_that_only_an_adapter_can_bring_is_taken_on_trust);
    tcase_add_test(words, nobody_is_a_worker_by_hand);
    tcase_add_test(words, what_is_cut_short_is_no_success);
    tcase_add_test(words, a_terminal_gets_colours_and_progress);
    tcase_add_test(words, what_has_not_been_built_says_so);
    tcase_add_test(words, a_run_can_be_bounded);
    tcase_add_test(words, lists_and_devices_are_written);
    suite_add_tcase(suite, words);
    TCase *runs = tcase_create("runs");
    tcase_add_checked_fixture(runs, shell_open, shell_close);
    tcase_set_timeout(runs, 120);
    tcase_add_test(runs, a_required_device_that_is_missing_is_undecided);
    tcase_add_loop_test(runs, each_of_several_required_devices_counts, 0,
                        sizeof hidden / sizeof hidden[0]);
    tcase_add_test(runs, required_devices_that_are_there_are_no_matter);
    tcase_add_test(runs, a_known_deviation_that_holds_is_red);
    tcase_add_test(runs, a_role_without_its_function_is_the_adapters_mistake);
    tcase_add_test(runs, the_last_run_is_kept_in_a_home_that_has_nothing);
    tcase_add_test(runs, what_hangs_in_this_process_can_be_ended);
    tcase_add_test(runs, several_adapters_make_one_array);
    tcase_add_test(runs, an_interrupted_run_leaves_a_whole_record);
    suite_add_tcase(suite, runs);
    return suite;
}
