/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge is judged: adapters with one planted defect each, and adapters that are odd but legal,
 * go through the built command (ADI_TEST_BUILD/adicheck). The table is tests/mutants/mutants.def.
 */
#include <check.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/judged.h"
#include "rule.h"

Suite *harness_mutants_suite(void);
Suite *harness_sound_suite(void);

/* How often a mutant is judged, all at once and each time with another seed. */
#if defined(__has_feature)
#define IS_SLOW __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SLOW 1
#else
#define IS_SLOW 0
#endif
#ifndef RUNS
#define RUNS (IS_SLOW ? 2 : 5)
#endif
/* What lies on the simulation is the same every time, but for the policy: in slow variants each one
 * has its turn of the three, else all have all of them. */
#define POLICIES  3
#define SIMULATED (IS_SLOW ? 1 : RUNS)
#define FULL      100 /* with ADI_TEST_FULL */

static const struct {
    const char *name, *rule, *party, *cases;
} mutants[] = {
#define MUTANT(name, rule, party, cases) {#name, rule, party, cases},
#include "../mutants/mutants.def"
};
#define MUTANTS (sizeof mutants / sizeof mutants[0])

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

/* Rules that nobody who is judged on the CPU alone can break. */
static const char *const elsewhere[] = {
#define ELSEWHERE(rule, why) rule,
#include "../mutants/mutants.def"
    NULL};

/* What names a device is for its mutants only. */
static const char *options_of(const char *name, const char *rule) {
    for (size_t i = 0; rule != NULL && i < sizeof options / sizeof options[0]; i++) {
        const char *text = options[i].options;
        if (strcmp(options[i].rule, rule) == 0 &&
            (strstr(text, "--device") == NULL || strstr(text, adapter_device(name)) != NULL))
            return text;
    }
    return "";
}

static bool is_simulated(const char *name) {
    static const char *const families[] = {"ext_dev", "cuda"};
    bool found = false;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        found = found || strncmp(name, families[i], strlen(families[i])) == 0;
    return found;
}

static bool is_full(void) {
    return getenv("ADI_TEST_FULL") != NULL;
}

static int runs_of(const char *name) {
    if (!is_simulated(name)) return RUNS;
    return is_full() ? FULL : SIMULATED;
}

/* The devices that it is judged on: in a hurry one of a kind. */
static const char *ids_of(const char *name) {
    return is_simulated(name) && !is_full() ? ":0" : "*";
}

/* A defect may well lose memory beside: a sanitizer's word on that is wanted of sound adapters
 * only.
 */
static FILE *start(const char *name, const char *rule, const char *cases, int seed) {
    static const char *const policies[] = {"lazy", "random", "eager"}; /* of the simulation */
    const char *policy = seed <= 3 ? policies[seed - 1] : "random";
    const char *build = getenv("ADI_TEST_BUILD");
    char line[640];
    if (build == NULL) build = "build";
    snprintf(line, sizeof line, "%s/tests/mutants/%s.so", build, name);
    ck_assert_msg(access(line, R_OK) == 0, "%s: `make check` builds it", line);
    snprintf(line, sizeof line,
             "%s ADI_SIM_POLICY=%s ADI_SIM_SEED=%d "
             "%s/adicheck run %s/tests/mutants/%s.so --device '%s%s' --case '%s' --seed %d %s "
             "--json - "
             "2>/dev/null",
             rule == NULL ? "" : "ASAN_OPTIONS=detect_leaks=0", policy, seed, build, build, name,
             adapter_device(name), ids_of(name), cases, seed, options_of(name, rule));
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

/* Reads what a run has to say; expects the rule to be broken by the party and no other (NULL: none
 * at all). */
static void expect_only(FILE *pipe, const char *name, const char *rule, const char *party) {
    json_error_t error;
    json_t *report = json_loadf(pipe, 0, &error);
    int status = pclose(pipe);
    ck_assert_msg(report != NULL, "%s: no report: %s", name, error.text);
    size_t found = 0, index;
    const json_t *row;
    json_array_foreach(json_object_get(report, "results"), index, row) {
        const char *verdict = text(row, "verdict");
        if (!is_finding(verdict)) continue;
        bool expected = rule != NULL && strcmp(text(row, "rule"), rule) == 0 &&
                        strcmp(text(row, "party"), party) == 0 && strcmp(verdict, "error") != 0;
        ck_assert_msg(expected, "%s: %s of %s by the %s in %s (%s), wanted %s", name, verdict,
                      text(row, "rule"), text(row, "party"), text(row, "case"),
                      text(row, "message"), rule == NULL ? "nothing" : rule);
        found++;
    }
    ck_assert_msg(rule == NULL || found > 0, "%s: %s was not found", name, rule);
    ck_assert_msg(WIFEXITED(status) && (rule != NULL || WEXITSTATUS(status) == 0), "%s: status %d",
                  name, status);
    json_decref(report);
}

START_TEST(a_planted_defect_is_found_as_what_it_is_every_time)
{
    const char *name = mutants[_i].name, *rule = mutants[_i].rule;
    FILE *runs[RUNS];
    if (!adapter_has_device(name)) return;
    int n = runs_of(name), seed = n == 1 ? 1 + _i % POLICIES : 1;
    for (int done = 0, now; done < n; done += now) {
        now = n - done < RUNS ? n - done : RUNS;
        for (int i = 0; i < now; i++)
            runs[i] = start(name, rule, mutants[_i].cases, seed + done + i);
        for (int i = 0; i < now; i++) expect_only(runs[i], name, rule, mutants[_i].party);
    }
}
END_TEST

START_TEST(nothing_is_said_about_what_is_odd_but_legal)
{ expect_only(start(sound[_i], NULL, "*", 1 + _i), sound[_i], NULL, NULL); }
END_TEST

START_TEST(nothing_is_said_about_what_a_device_allows)
{
    const char *name = odd[_i].name;
    bool all = is_simulated(name) && !IS_SLOW;
    int n = all ? (is_full() ? FULL : POLICIES) : 1;
    if (!adapter_has_device(name)) return;
    for (int i = 0; i < n; i++)
        expect_only(start(name, NULL, odd[_i].cases, all ? 1 + i : 1 + _i), name, NULL, NULL);
}
END_TEST

START_TEST(every_rule_has_a_mutant)
{
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        bool covered = false;
        for (size_t m = 0; m < MUTANTS; m++)
            covered = covered || strcmp(mutants[m].rule, rule->id) == 0;
        for (size_t e = 0; elsewhere[e] != NULL; e++)
            covered = covered || strcmp(elsewhere[e], rule->id) == 0;
        ck_assert_msg(covered, "%s: no adapter of tests/mutants breaks it", rule->id);
    }
}
END_TEST

Suite *harness_mutants_suite(void) {
    Suite *suite = suite_create("harness_mutants");
    TCase *tests = tcase_create("planted");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_planted_defect_is_found_as_what_it_is_every_time, 0, MUTANTS);
    tcase_add_test(tests, every_rule_has_a_mutant);
    suite_add_tcase(suite, tests);
    return suite;
}

Suite *harness_sound_suite(void) {
    Suite *suite = suite_create("harness_sound");
    TCase *tests = tcase_create("sound");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, nothing_is_said_about_what_is_odd_but_legal, 0, SOUNDS);
    tcase_add_loop_test(tests, nothing_is_said_about_what_a_device_allows, 0, ODDS);
    suite_add_tcase(suite, tests);
    return suite;
}
