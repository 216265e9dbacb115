/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <check.h>
#include <string.h>

#include "charge.h"
#include "finding.h"
#include "observed.h"
#include "report.h"

Suite *harness_rule_suite(void);

static const char *const families[] = {
    "schema/", "array/",    "device/",    "sync/",      "life/", "stream/",          "async/",
    "dlpack/", "exchange/", "pycapsule/", "array-api/", "cai/",  "array-interface/", "buffer/"};

#define FAMILIES ((int)(sizeof families / sizeof *families))

static int family_of(const char *id) {
    for (int i = 0; i < FAMILIES; i++)
        if (strncmp(id, families[i], strlen(families[i])) == 0) return i;
    return -1;
}

/* At a rule: what every row must be. */
static void look_at_row(const struct adi_rule *rule) {
    const char *name = strchr(rule->id, '/') + 1;
    ck_assert_msg(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name), "%s",
                  rule->id);
    const char *const texts[] = {rule->document,  rule->section, rule->anchor,
                                 rule->statement, rule->how,     rule->mend};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(texts[i] != NULL && *texts[i] != '\0', "%s, text %zu", rule->id, i);
    ck_assert_msg(rule->statement[strlen(rule->statement) - 1] != '.', "%s", rule->id);
    ck_assert_msg((rule->check != NULL) == (rule->finder == ADI_BY_CHECK), "%s", rule->id);
    ck_assert(adi_rule_counts(rule, ADI_RULES_VERSION));
}

START_TEST(every_row_is_complete_and_in_order)
{
    const struct adi_rule *rule;
    int family = 0;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        ck_assert_msg(family_of(rule->id) >= family, "%s is out of order", rule->id);
        family = family_of(rule->id);
        look_at_row(rule);
        ck_assert_ptr_eq(adi_rule_named(rule->id), rule); /* so no id is there twice */
        ck_assert_uint_eq(adi_rule_index(rule), i);
    }
    ck_assert_int_eq(family, FAMILIES - 1);
    ck_assert_ptr_null(adi_rule(adi_rule_count()));
    ck_assert_ptr_null(adi_rule_named("array/no-such-rule"));
}
END_TEST

/* A practice has no document to cite, and binds nobody. */
START_TEST(what_breaks_conformance_cites_a_document)
{
    static const char *const documents[] = {"C data interface",
                                            "C Device data interface",
                                            "C stream interface",
                                            "Columnar format",
                                            "dlpack.h",
                                            "Python specification for DLPack",
                                            "Array API standard",
                                            "PyCapsule interface",
                                            "CUDA Array Interface",
                                            "Array interface protocol",
                                            "Buffer protocol"};
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++) {
        bool known = false;
        for (size_t d = 0; d < sizeof documents / sizeof *documents; d++)
            known = known || strcmp(rule->document, documents[d]) == 0;
        ck_assert_msg(known || rule->basis == ADI_PRACTICE, "%s: %s", rule->id, rule->document);
    }
}
END_TEST

static bool names_a_rule(const char *word, size_t length) {
    const struct adi_rule *rule;
    bool any = word[length - 1] == '*';
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (strncmp(rule->id, word, any ? length - 1 : length) == 0 &&
            (any || rule->id[length] == '\0'))
            return true;
    return false;
}

START_TEST(what_a_rule_implies_exists)
{
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        for (const char *word = rule->implies; *word != '\0';) {
            size_t length = strcspn(word, " ");
            ck_assert_msg(length > 0 && names_a_rule(word, length), "%s implies \"%s\"", rule->id,
                          rule->implies);
            word += length + (word[length] == ' ');
        }
}
END_TEST

static bool implies(const char *cause, const char *consequence) {
    return adi_rule_implies(adi_rule_named(cause), adi_rule_named(consequence));
}

START_TEST(consequences_follow_through_others)
{
    ck_assert(implies("array/offsets-decreasing", "array/offset-out-of-range"));
    ck_assert(implies("array/type-id-unknown", "array/union-offset-decreasing"));
    ck_assert(implies("schema/not-written", "schema/flags-unknown"));
    ck_assert(implies("life/never-released", "life/memory-leaked"));
    ck_assert(!implies("array/offset-out-of-range", "array/offsets-decreasing"));
    ck_assert(!implies("array/length-negative", "array/length-negative"));
    ck_assert(!implies("schema/not-written", "array/not-written"));
    ck_assert(implies("sync/work-not-ordered", "array/data-differs"));
    ck_assert(!implies("sync/work-not-ordered", "sync/read-before-wait"));
}
END_TEST

START_TEST(a_must_that_is_written_breaks_conformance_and_nothing_else_does)
{
    for (int level = ADI_MUST; level <= ADI_MAY; level++)
        for (int basis = ADI_TEXT; basis <= ADI_PRACTICE; basis++) {
            const struct adi_rule rule = {.level = (enum adi_level)level,
                                          .basis = (enum adi_basis)basis};
            bool binds = level == ADI_MUST && basis <= ADI_IMPLIED;
            ck_assert_int_eq(adi_rule_binds(&rule), binds);
            ck_assert_int_eq(adi_verdict_of_violation(&rule, false) == ADI_FAIL, binds);
        }
}
END_TEST

/* Two that explain each other, or themselves through others. */
static const struct adi_rule *find_circle(const struct adi_rule **other) {
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        for (size_t k = 0; (*other = adi_rule(k)) != NULL; k++)
            if (adi_rule_implies(rule, *other) && adi_rule_implies(*other, rule)) return rule;
    return NULL;
}

START_TEST(of_two_that_explain_each_other_the_first_is_the_cause)
{
    const struct adi_rule *cause = adi_rule_named("life/never-released");
    const struct adi_rule *leak = adi_rule_named("life/memory-leaked"), *one, *other;
    ck_assert(adi_follows(leak, cause, true));
    ck_assert(adi_follows(leak, cause, false));
    ck_assert(!adi_follows(cause, leak, true));
    one = find_circle(&other);
    ck_assert_ptr_nonnull(one);
    ck_assert(adi_follows(one, other, true));
    ck_assert(!adi_follows(one, other, false));
}
END_TEST

START_TEST(a_mistake_takes_what_follows_from_it)
{
    struct adi_mistake mistake = adi_mistake("life/never-released", false);
    struct adi_found leak = {.rule = adi_rule_named("life/memory-leaked"), .party = ADI_PRODUCER};
    struct adi_found other = {.rule = adi_rule_named("sync/data-not-ready"), .party = ADI_PRODUCER};
    ck_assert(adi_mistake_takes(&mistake, &leak));
    ck_assert_str_eq(leak.rule->id, "life/never-released");
    ck_assert_int_eq(leak.party, leak.rule->party);
    ck_assert(adi_mistake_takes(&mistake, &other));
    ck_assert_str_eq(other.rule->id, "sync/data-not-ready");
}
END_TEST

START_TEST(what_all_follows_from_is_told_once)
{
    struct adi_mistake mistake = adi_mistake("life/released-input-used", true);
    struct adi_mistake none = adi_mistake(NULL, true);
    struct adi_found any = {.rule = adi_rule_named("sync/data-not-ready"), .party = ADI_PRODUCER};
    for (int i = 0; i < 2; i++) ck_assert(adi_mistake_takes(&none, &any));
    ck_assert_str_eq(any.rule->id, "sync/data-not-ready");
    ck_assert(adi_mistake_takes(&mistake, &any));
    ck_assert_str_eq(any.rule->id, "life/released-input-used");
    ck_assert_int_eq(any.party, ADI_CONSUMER);
    ck_assert(!adi_mistake_takes(&mistake, &any));
}
END_TEST

START_TEST(every_charge_is_a_rule_and_falls_on_one_party)
{
    for (int what = 0; what <= ADI_CHARGE_PROCESS; what++)
        for (int consumes = 0; consumes < 2; consumes++) {
            const struct adi_rule *rule = adi_charge_rule((enum adi_charge)what, consumes);
            ck_assert_msg(rule != NULL, "charge %d is of no rule", what);
            for (int party = ADI_PRODUCER; party < ADI_BOTH; party++) {
                struct observed observed;
                observed_open(&observed);
                adi_charge(&observed.sink, (enum adi_charge)what, consumes, (enum adi_party)party,
                           "seen", "here");
                observed_only(&observed, rule->id, "a charge");
                ck_assert_int_eq(observed.findings[0].party,
                                 rule->party == ADI_BOTH ? party : (int)rule->party);
                ck_assert_str_eq(observed.findings[0].seen, "seen");
                ck_assert(strncmp(observed.findings[0].message, "here", 4) == 0);
            }
        }
}
END_TEST

START_TEST(what_is_misused_is_charged_by_role)
{
    const struct {
        enum adi_misuse misuse;
        bool is_event;
        const char *of_producer, *of_consumer;
    } rows[] = {
        {ADI_MISUSE_EARLY, false, "sync/work-not-ordered", "sync/read-before-wait"},
        {ADI_MISUSE_DEAD, false, "device/object-misused", "device/object-misused"},
        {ADI_MISUSE_DEAD, true, "device/object-misused", "sync/event-not-owned"},
        {ADI_MISUSE_NOT_OWNED, true, "device/object-misused", "sync/event-not-owned"},
        {ADI_MISUSE_RELEASED, true, "device/object-misused", "life/use-after-release"},
        {ADI_MISUSE_MUTATED, false, "device/object-misused", "array/buffer-mutated"},
        {ADI_MISUSE_ADDRESS, true, "device/object-misused", "device/object-misused"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int consumes = 0; consumes < 2; consumes++) {
            enum adi_charge what = adi_charge_of_misuse(rows[i].misuse, rows[i].is_event, consumes);
            ck_assert_str_eq(adi_charge_rule(what, consumes)->id,
                             consumes ? rows[i].of_consumer : rows[i].of_producer);
        }
}
END_TEST

/* DLPack has streams where Arrow has events. */
START_TEST(of_a_tensor_nothing_is_told_of_events)
{
    static const enum adi_charge early[] = {ADI_CHARGE_MISUSE_EARLY, ADI_CHARGE_TOUCH_EARLY};
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        struct observed observed;
        observed_open(&observed);
        adi_charge(&observed.sink, early[i], true, ADI_CONSUMER, "seen", NULL);
        struct adi_found found = observed.findings[0];
        ck_assert_ptr_nonnull(strstr(found.message, "event"));
        adi_charge_tensor(&found);
        ck_assert_str_eq(found.rule->id, "dlpack/stream-not-passed");
        ck_assert_str_eq(found.message,
                         "the tensor was used without a wait for the stream that was passed");
        ck_assert_str_eq(found.wanted, "the stream that was passed");
        ck_assert_str_eq(found.seen, "seen");
    }
}
END_TEST

/* Only what came with an array is pointed to by a sync_event. */
START_TEST(sync_event_is_named_where_it_is_the_event_that_came_with_an_array)
{
    for (int is_event = 0; is_event < 2; is_event++)
        for (int consumes = 0; consumes < 2; consumes++) {
            struct observed observed;
            observed_open(&observed);
            adi_charge(&observed.sink, adi_charge_of_misuse(ADI_MISUSE_ADDRESS, is_event, consumes),
                       consumes, ADI_CONSUMER, "seen", NULL);
            observed_only(&observed, "device/object-misused", "an address");
            const char *message = observed.findings[0].message;
            ck_assert_msg((strstr(message, "sync_event") != NULL) == (is_event && consumes), "%s",
                          message);
        }
}
END_TEST

START_TEST(rules_count_from_their_version_on)
{
    const struct adi_rule rule = {.since_major = 1, .since_minor = 2};
    ck_assert(!adi_rule_counts(&rule, "1.0"));
    ck_assert(!adi_rule_counts(&rule, "0.9"));
    ck_assert(adi_rule_counts(&rule, "1.2"));
    ck_assert(adi_rule_counts(&rule, "1.10"));
    ck_assert(adi_rule_counts(&rule, "2"));
}
END_TEST

START_TEST(words_are_as_the_reports_print_them)
{
    ck_assert_str_eq(adi_level_name(ADI_SHOULD), "SHOULD");
    ck_assert_str_eq(adi_basis_name(ADI_PRACTICE), "practice");
    ck_assert_str_eq(adi_party_name(ADI_CONSUMER), "consumer");
}
END_TEST

START_TEST(a_report_takes_the_party_of_its_rule)
{
    struct observed observed;
    observed_open(&observed);
    adi_report(&observed.sink, "life/never-released", ADI_PRODUCER, "0", NULL, "released %d times",
               0);
    adi_report(&observed.sink, "life/memory-leaked", ADI_CONSUMER, NULL, NULL, "1 byte");
    ck_assert_uint_eq(observed.violated, 2);
    ck_assert_int_eq(observed.findings[0].party, ADI_CONSUMER);
    ck_assert_str_eq(observed.findings[0].message, "released 0 times");
    ck_assert_str_eq(observed.findings[0].seen, "0");
    ck_assert_str_eq(observed.findings[0].wanted, "");
    ck_assert_int_eq(observed.findings[1].party, ADI_CONSUMER);
}
END_TEST

START_TEST(a_text_that_is_cut_ends_with_a_whole_word)
{
    struct adi_found finding = {.not_applicable = false};
    char longer[2 * ADI_FINDING_SIZE] = "";
    while (strlen(longer) + 8 < sizeof longer) strcat(longer, "event 7 ");
    adi_see(&finding, longer, "short", "%s", longer);
    const char *const texts[] = {finding.seen, finding.message};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        ck_assert_uint_gt(length, ADI_FINDING_SIZE - 16);
        ck_assert_str_eq(texts[i] + length - 4, " ...");
        ck_assert(strncmp(texts[i] + length - 5, "7", 1) == 0 ||
                  strncmp(texts[i] + length - 9, "event", 5) == 0);
    }
    ck_assert_str_eq(finding.wanted, "short");
}
END_TEST

Suite *harness_rule_suite(void) {
    Suite *suite = suite_create("harness_rule");
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, every_row_is_complete_and_in_order);
    tcase_add_test(rows, what_breaks_conformance_cites_a_document);
    tcase_add_test(rows, a_must_that_is_written_breaks_conformance_and_nothing_else_does);
    tcase_add_test(rows, what_a_rule_implies_exists);
    tcase_add_test(rows, consequences_follow_through_others);
    tcase_add_test(rows, of_two_that_explain_each_other_the_first_is_the_cause);
    tcase_add_test(rows, a_mistake_takes_what_follows_from_it);
    tcase_add_test(rows, what_all_follows_from_is_told_once);
    tcase_add_test(rows, every_charge_is_a_rule_and_falls_on_one_party);
    tcase_add_test(rows, what_is_misused_is_charged_by_role);
    tcase_add_test(rows, of_a_tensor_nothing_is_told_of_events);
    tcase_add_test(rows, sync_event_is_named_where_it_is_the_event_that_came_with_an_array);
    tcase_add_test(rows, rules_count_from_their_version_on);
    tcase_add_test(rows, words_are_as_the_reports_print_them);
    tcase_add_test(rows, a_report_takes_the_party_of_its_rule);
    tcase_add_test(rows, a_text_that_is_cut_ends_with_a_whole_word);
    suite_add_tcase(suite, rows);
    return suite;
}
