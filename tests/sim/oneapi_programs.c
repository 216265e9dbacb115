/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are linked with libDPCTLSyclInterface.so, as they are with dpctl's.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"

Suite *sim_oneapi_programs_suite(void);

START_TEST(it_answers_as_the_headers_say)
{
    expect("$B/tests/sim/oneapi/answers", 0, "");
    expect("ADI_SIM_POLICY=random $B/tests/sim/oneapi/answers", 0, "");
}
END_TEST

static const struct {
    const char *way, *violation;
} ways[] = {
    {"right", ""},
    {"right-unordered", ""},
    {"right-depends", ""},
    {"right-copies", ""},
    {"right-host", ""},
    {"no-wait", "race"},
    {"unordered", "race"},
    {"last-event", "race"},
    {"barrier-for-none", "race"},
    {"host-read", "touched-before-wait"},
    {"device-read", "device-memory-touched"},
    {"kept-event", "leak"},
    {"kept-queue", "leak"},
    {"kept-device", "leak"},
    {"kept-memory", "leak"},
    {"freed-early", "freed-in-use"},
    {"freed-twice", "double-free"},
    {"deleted-twice", "double-destroy"},
    {"device-twice", "double-destroy"},
    {"queue-twice", "double-destroy"},
    {"queue-after-end", "use-after-destroy"},
    {"queue-as-event", "bad-handle"},
    {"other-device", "foreign-device"},
    {"other-context", "foreign-device"},
    {"other-context-else", "foreign-device"},
    {"advice-too-long", "out-of-bounds"},
    {"too-long", "out-of-bounds"},
};

/* What a wrong program leaves behind a sanitizer would name, too. */
static void play(const char *way, const char *violation, const char *policy) {
    char line[512];
    snprintf(
        line, sizeof line,
        "rm -f log; %s ADI_SIM_LEAKS=1 ADI_SIM_LOG=log ADI_SIM_POLICY=%s "
        "$B/tests/sim/oneapi/exchange %s && "
        "grep '\"level\":\"error\"' log | grep -o '\"violation\":\"[a-z-]*\"' | sort -u > named; "
        "cat named",
        *violation == '\0' ? "" : "ASAN_OPTIONS=detect_leaks=0", policy, way);
    expect(line, 0, violation);
    if (*violation == '\0')
        expect("[ ! -s named ]", 0, "");
    else
        expect("[ $(wc -l < named) = 1 ]", 0, "");
}

START_TEST(what_is_wrong_is_named)
{
    static const char *const policies[] = {"lazy", "eager", "random"};
    for (int i = 0; i < 3; i++) play(ways[_i].way, ways[_i].violation, policies[i]);
}
END_TEST

/* What is read from a plain array of the host before it was waited for is not there yet. */
START_TEST(a_copy_to_the_host_is_late)
{
    expect("$B/tests/sim/oneapi/exchange host-early", 1, "");
    expect("ADI_SIM_POLICY=eager $B/tests/sim/oneapi/exchange host-early", 0, "");
}
END_TEST

/* So is what it reads there: memory that has gone by then is named with the call that queued it. */
START_TEST(a_copy_from_the_host_is_late)
{
    expect("ADI_SIM_LOG=log $B/tests/sim/oneapi/exchange source-gone; cat log", 0,
           "\"violation\":\"not-allocated\"|\"in\":\"DPCTLQueue_Memcpy\"|"
           "a copy reads memory that the program does not have");
}
END_TEST

START_TEST(what_is_odd_is_said)
{
    expect("ADI_SIM_LOG=log $B/tests/sim/oneapi/exchange odd && ! grep violation log && cat log", 0,
           "\"remark\":\"event\",\"text\":\"a reference is NULL\"|"
           "\"remark\":\"queue\",\"text\":\"a reference is NULL\"|"
           "\"remark\":\"device\",\"text\":\"a reference is NULL\"|"
           "\"remark\":\"device\",\"text\":\"a reference is one to an object of another kind\"|"
           "\"remark\":\"memory\",\"text\":\"no more than 256 bytes of alignment");
}
END_TEST

START_TEST(what_is_not_served_says_so)
{
    expect("ADI_SIM_LOG=log $B/tests/sim/oneapi/exchange unserved && cat log", 0,
           "\"remark\":\"DPCTLQueue_SubmitRange\",\"text\":\"not simulated: 0, NULL or false\"");
}
END_TEST

Suite *sim_oneapi_programs_suite(void) {
    Suite *suite = suite_create("sim_oneapi_programs");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, it_answers_as_the_headers_say);
    tcase_add_loop_test(tests, what_is_wrong_is_named, 0, sizeof ways / sizeof *ways);
    tcase_add_test(tests, a_copy_to_the_host_is_late);
    tcase_add_test(tests, a_copy_from_the_host_is_late);
    tcase_add_test(tests, what_is_odd_is_said);
    tcase_add_test(tests, what_is_not_served_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}
