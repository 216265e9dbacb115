/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge is judged: adapters with one planted defect each, and adapters that are odd but legal,
 * go through the built command (ADI_TEST_BUILD/adicheck). The table is tests/mutants/mutants.def.
 *
 * `make test` judges each defect in the cases of its row, one on the CPU once, one on another
 * device three times, each with another seed and policy of the simulation, and each odd adapter in
 * the cases of its row, of a few types, or on the CPU with typical samples (a correct one with
 * all); under a sanitizer, a share of both, once. Left to ADI_TEST_FULL: a defect of the CPU 20
 * times, of the simulation 100 times, of another device 200 times, on every device of its kind, and
 * as often what is odd but legal there; all samples; all of it sanitized. `make seeds` counts over
 * 200 seeds, of each defect, how often it is found.
 */
#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"
#include "harness/judged.h"
#include "rule.h"
#include "slow.h"

Suite *harness_mutants_suite(void);
Suite *harness_sound_suite(void);

#ifndef DEVICE_RUNS
#define DEVICE_RUNS 3 /* one under each policy of the simulation */
#endif
#define POLICIES     3 /* of the simulation */
#define MUTANT_SHARE 5 /* one in so many, where processes are dear */
#define SOUND_SHARE  4
#define PARTS        10 /* of the runs of an odd adapter: each has the time limit for itself */

static const struct {
    const char *name, *rule, *party, *cases;
} mutants[] = {
#define MUTANT(name, rule, party, cases) {#name, rule, party, cases},
#include "../mutants/mutants.def"
};
#define MUTANTS (sizeof mutants / sizeof mutants[0])
#define AT_ONCE 6 /* mutants; much of what they do is waiting for a time limit */

static const char *const sound[] = {
#define SOUND(name) #name,
#include "../mutants/mutants.def"
};
#define SOUNDS (sizeof sound / sizeof sound[0])

static const struct {
    const char *name, *cases;
} odd[] = {
#define ODD(name, cases) {#name, cases},
#include "../mutants/mutants.def"
};
#define ODDS (sizeof odd / sizeof odd[0])

static const struct {
    const char *rule, *options;
} options[] = {
#define OPTIONS(rule, options) {rule, options},
#include "../mutants/mutants.def"
};

static const char *const at_random[] = {
#define AT_RANDOM(name) #name,
#include "../mutants/mutants.def"
};

/* Under which policy of the simulation. */
static const char *policy_of(const char *name, int seed) {
    static const char *const policies[POLICIES] = {"lazy", "random", "eager"};
    for (size_t i = 0; i < sizeof at_random / sizeof *at_random; i++)
        if (strcmp(at_random[i], name) == 0) return "random";
    return seed <= POLICIES ? policies[seed - 1] : "random";
}

/* Rules that nobody who is judged on the CPU alone can break. */
static const char *const elsewhere[] = {
#define ELSEWHERE(rule, why) rule,
#include "../mutants/mutants.def"
    NULL};

static const char *options_of(const char *rule) {
    for (size_t i = 0; rule != NULL && i < sizeof options / sizeof options[0]; i++)
        if (strcmp(options[i].rule, rule) == 0) return options[i].options;
    return "";
}

/* How often a defect is judged. */
static const struct amount {
    const char *device;
    int runs, full;
} amounts[] = {
    {"ext_dev", DEVICE_RUNS, 100},
    {"cuda", DEVICE_RUNS, 100},
    {"rocm", DEVICE_RUNS, 100},
    {"opencl", DEVICE_RUNS, 200},
    {"vulkan", DEVICE_RUNS, 200},
    {"vpi", DEVICE_RUNS, 200},
    {"metal", DEVICE_RUNS, 100},
    {"hexagon", DEVICE_RUNS, 200},
    {"oneapi", DEVICE_RUNS, 100},
    {"webgpu", DEVICE_RUNS, 100},
    {"cpu", 1, 20},
};

static bool is_of(const char *name, const char *device) {
    return strncmp(adapter_device(name), device, strlen(device)) == 0;
}

static int runs_of(const char *name) {
    const struct amount *row = amounts;
    while (!is_of(name, row->device)) row++;
    return is_full() ? row->full : IS_SANITIZED ? 1 : row->runs;
}

static bool is_simulated(const char *name) {
    return is_of(name, "ext_dev") || is_of(name, "cuda") || is_of(name, "rocm") ||
           is_of(name, "metal") || is_of(name, "oneapi") || is_of(name, "webgpu");
}

/* On which devices; one of a kind sees a defect as well as two. */
static const char *devices_of(const char *name) {
    static char glob[64];
    bool one = strcmp(adapter_device(name), "cpu") != 0 && !is_full();
    snprintf(glob, sizeof glob, "%s%s", adapter_device(name), one ? ":0" : "*");
    return glob;
}

/* Where there is no GPU, Vulkan's loader need not try the drivers of all that there might be: that
 * is a third of what a run costs. The suites of the device leave it its way. */
static void ask_lavapipe_alone(void) {
    static const char *const gpus[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg"};
    glob_t found;
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (access(gpus[i], F_OK) == 0) return;
    if (glob("/usr/share/vulkan/icd.d/lvp_icd*.json", 0, NULL, &found) != 0) return;
    setenv("VK_ICD_FILENAMES", found.gl_pathv[0], 0);
    globfree(&found);
}

/* A defect may well lose memory beside: a sanitizer's word on that is wanted of sound adapters
 * only.
 */
static FILE *start(const char *name, const char *rule, const char *cases, int seed) {
    const char *build = getenv("ADI_TEST_BUILD");
    bool waits = rule != NULL && strcmp(rule, "sync/event-never-completes") == 0;
    char line[640];
    if (build == NULL) build = "build";
    snprintf(line, sizeof line, "%s/tests/mutants/%s.so", build, name);
    ck_assert_msg(access(line, R_OK) == 0, "%s: `make check` builds it", line);
    snprintf(line, sizeof line,
             "%s %s ADI_SIM_POLICY=%s ADI_SIM_SEED=%d "
             "%s/adicheck run %s/tests/mutants/%s.so --device '%s' --case '%s' --seed %d %s "
             "--json - 2>/dev/null",
             rule == NULL ? "" : "ASAN_OPTIONS=detect_leaks=0", waits ? "ADI_WAIT_MS=200" : "",
             policy_of(name, seed), seed, build, build, name, devices_of(name), cases, seed,
             options_of(rule));
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    return pipe;
}

static const char *text(const json_t *row, const char *key) {
    const char *value = json_string_value(json_object_get(row, key));
    return value == NULL ? "" : value;
}

static bool is_finding(const char *verdict) {
    static const char *const quiet[] = {"pass", "skip", "unsupported"};
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++)
        if (strcmp(verdict, quiet[i]) == 0) return false;
    return true;
}

/* Without its device an adapter breaks nothing. */
static bool has_device(const json_t *report) {
    size_t index;
    const json_t *device;
    json_array_foreach(json_object_get(report, "devices"), index,
                       device) if (json_is_true(json_object_get(device, "available"))) return true;
    return false;
}

/* Is it about what its case is there for? Predicates pass beside that wherever data comes. */
static bool is_of_its_case(const json_t *row) {
    for (size_t i = 0; i < adi_case_count(); i++)
        if (strcmp(adi_case(i)->name, text(row, "case")) == 0)
            return strcmp(adi_case(i)->scenario->rule, text(row, "rule")) == 0;
    return false;
}

/* Is a case of programs named beside others? It is to find the defect by itself. */
static bool has_programs(const char *name, const char *cases) {
    return strstr(cases, "|program-") != NULL && strcmp(adapter_device(name), "cpu") == 0;
}

static void expect_results(const json_t *report, const char *name, const char *cases,
                           const char *rule, const char *party) {
    size_t found = 0, in_programs = 0, passed = 0, index;
    const json_t *row;
    json_array_foreach(json_object_get(report, "results"), index, row) {
        const char *verdict = text(row, "verdict");
        passed += strcmp(verdict, "pass") == 0 && is_of_its_case(row);
        if (!is_finding(verdict)) continue;
        bool expected = rule != NULL && strcmp(text(row, "rule"), rule) == 0 &&
                        strcmp(text(row, "party"), party) == 0 && strcmp(verdict, "error") != 0;
        ck_assert_msg(expected, "%s: %s of %s by the %s in %s (%s), wanted %s", name, verdict,
                      text(row, "rule"), text(row, "party"), text(row, "case"),
                      text(row, "message"), rule == NULL ? "nothing" : rule);
        found++;
        in_programs += strstr(text(row, "case"), "/program-") != NULL;
    }
    ck_assert_msg(rule == NULL || found > 0, "%s: %s was not found", name, rule);
    ck_assert_msg(rule == NULL || in_programs > 0 || !has_programs(name, cases),
                  "%s: %s was found, but not in the programs of %s", name, rule, cases);
    ck_assert_msg(rule != NULL || passed > 0, "%s: nothing was judged", name);
}

/* Reads what a run has to say; expects the rule to be broken by the party and no other (NULL: none
 * at all). */
static void expect_only(FILE *pipe, const char *name, const char *cases, const char *rule,
                        const char *party) {
    json_error_t error;
    json_t *report = json_loadf(pipe, 0, &error);
    int status = pclose(pipe);
    ck_assert_msg(report != NULL, "%s: no report: %s", name, error.text);
    if (has_device(report)) {
        expect_results(report, name, cases, rule, party);
        ck_assert_msg(WIFEXITED(status) && (rule != NULL || WEXITSTATUS(status) == 0),
                      "%s: status %d", name, status);
    } else {
        ck_assert_str_ne(adapter_device(name), "cpu");
        printf("skip: %s: its device is not here (adicheck devices)\n", name);
    }
    json_decref(report);
}

/* Is the mutant played with this seed? */
static bool is_played(size_t mutant, int seed) {
    return mutant < MUTANTS && !is_left_out(mutant, MUTANT_SHARE) &&
           seed <= runs_of(mutants[mutant].name);
}

START_TEST(a_planted_defect_is_found_as_what_it_is_every_time)
{
    FILE *runs[AT_ONCE];
    const size_t first = AT_ONCE * (size_t)_i;
    size_t played = 1;
    for (int seed = 1; played > 0; seed++) {
        played = 0;
        for (size_t i = 0, m = first; i < AT_ONCE; i++, m++)
            if (is_played(m, seed))
                runs[i] = start(mutants[m].name, mutants[m].rule, mutants[m].cases, seed);
        for (size_t i = 0, m = first; i < AT_ONCE; i++, m++) {
            if (!is_played(m, seed)) continue;
            expect_only(runs[i], mutants[m].name, mutants[m].cases, mutants[m].rule,
                        mutants[m].party);
            played++;
        }
    }
}
END_TEST

/* What is odd is so with any sample: a few types, or a few shapes, do. */
#define FEW "@(int32|utf8|struct|dictionary_int8_utf8)"
#define TYPICAL                                                                                    \
    "*/@(nulls|many|empty|offset|sliced-child-of-sliced-parent|view-several|batch|unaligned)/*"

static const char *with_few(const char *cases) {
    static char glob[128];
    if (is_full() || strncmp(cases, "*/", 2) != 0) return cases;
    snprintf(glob, sizeof glob, FEW "%s", cases + 1);
    return glob;
}

START_TEST(nothing_is_said_about_what_is_odd_but_legal)
{
    const char *cases = _i == 0 || is_full() ? "*" : TYPICAL;
    const int first = 1 + _i;
    if (is_left_out((size_t)_i, SOUND_SHARE)) return;
    for (int seed = first; seed < first + runs_of(sound[_i]); seed++, cases = TYPICAL)
        expect_only(start(sound[_i], NULL, cases, seed), sound[_i], cases, NULL, NULL);
}
END_TEST

START_TEST(nothing_is_said_about_what_a_device_allows)
{
    const size_t which = (size_t)_i / PARTS;
    const char *name = odd[which].name;
    if (is_left_out(which, SOUND_SHARE)) return;
    int runs = is_full() ? runs_of(name) : is_simulated(name) ? POLICIES : 1;
    for (int seed = 1 + _i % PARTS; seed <= runs; seed += PARTS)
        expect_only(start(name, NULL, with_few(odd[which].cases), seed), name, odd[which].cases,
                    NULL, NULL);
}
END_TEST

START_TEST(every_rule_has_a_mutant)
{
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        bool covered = strstr(rule->how, "in Python alone") != NULL; /* python/tests/defects.py */
        for (size_t m = 0; m < MUTANTS; m++)
            covered = covered || strcmp(mutants[m].rule, rule->id) == 0;
        for (size_t e = 0; elsewhere[e] != NULL; e++)
            covered = covered || strcmp(elsewhere[e], rule->id) == 0;
        ck_assert_msg(covered, "%s: no adapter of tests/mutants breaks it", rule->id);
    }
}
END_TEST

/* Else it depends on who reads the table which of them counts. */
START_TEST(the_options_of_a_rule_are_one_row)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        ck_assert_str_eq(options_of(options[i].rule), options[i].options);
}
END_TEST

Suite *harness_mutants_suite(void) {
    Suite *suite = suite_create("harness_mutants");
    TCase *tests = tcase_create("planted");
    tcase_add_unchecked_fixture(tests, ask_lavapipe_alone, NULL);
    tcase_set_timeout(tests, is_full() ? 1800 : 120);
    tcase_add_loop_test(tests, a_planted_defect_is_found_as_what_it_is_every_time, 0,
                        (MUTANTS + AT_ONCE - 1) / AT_ONCE);
    tcase_add_test(tests, every_rule_has_a_mutant);
    tcase_add_test(tests, the_options_of_a_rule_are_one_row);
    suite_add_tcase(suite, tests);
    return suite;
}

Suite *harness_sound_suite(void) {
    Suite *suite = suite_create("harness_sound");
    TCase *tests = tcase_create("sound");
    tcase_add_unchecked_fixture(tests, ask_lavapipe_alone, NULL);
    tcase_set_timeout(tests, is_full() ? 1800 : 120);
    tcase_add_loop_test(tests, nothing_is_said_about_what_is_odd_but_legal, 0, SOUNDS);
    tcase_add_loop_test(tests, nothing_is_said_about_what_a_device_allows, 0, PARTS * (int)ODDS);
    suite_add_tcase(suite, tests);
    return suite;
}
