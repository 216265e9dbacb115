/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "predicates.h"
#include "rules/rules.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CHECK(name, how) ADI_BY_CHECK, adi_holds_##name, how
#define MONITOR(how)     ADI_BY_MONITOR, NULL, how
#define CASE(how)        ADI_BY_CASE, NULL, how
#define IN_PYTHON(how)   ADI_BY_CASE, NULL, how "; in Python alone"
#define RULE(id, level, basis, party, where, since, statement, found, implies, mend)               \
    {id, ADI_##level, ADI_##basis, ADI_##party, where, since, statement, found, implies, mend},
static const struct adi_rule rules[] = {
#include "rules/all.def"
};

const struct adi_rule *adi_rule(size_t index) {
    return index < COUNT(rules) ? &rules[index] : NULL;
}

size_t adi_rule_count(void) {
    return COUNT(rules);
}

const struct adi_rule *adi_rule_named(const char *id) {
    for (size_t i = 0; i < COUNT(rules); i++)
        if (rules[i].id[0] == id[0] && strcmp(rules[i].id, id) == 0) return &rules[i];
    return NULL;
}

size_t adi_rule_index(const struct adi_rule *rule) {
    return (size_t)(rule - rules);
}

/* Does a word of `implies`, `length` bytes long, name `id`? */
static bool names(const char *word, size_t length, const char *id) {
    if (word[length - 1] == '*') return strncmp(word, id, length - 1) == 0;
    return strncmp(word, id, length) == 0 && id[length] == '\0';
}

static bool names_directly(const struct adi_rule *cause, const struct adi_rule *consequence) {
    const char *word = cause->implies;
    while (*word != '\0') {
        size_t length = strcspn(word, " ");
        if (names(word, length, consequence->id)) return true;
        word += length;
        word += strspn(word, " ");
    }
    return false;
}

/* explains[cause][consequence], closed over: made when it is first asked for. */
static bool explains[COUNT(rules)][COUNT(rules)];
static pthread_once_t explained = PTHREAD_ONCE_INIT;

/* Whatever lies in between: a wait for one's own work and one for the event are two. */
static const char *const apart[][2] = {{"sync/work-not-ordered", "sync/read-before-wait"}};

static void explain(void) {
    for (size_t from = 0; from < COUNT(rules); from++)
        for (size_t to = 0; to < COUNT(rules); to++)
            explains[from][to] = names_directly(&rules[from], &rules[to]);
    for (size_t via = 0; via < COUNT(rules); via++)
        for (size_t from = 0; from < COUNT(rules); from++)
            for (size_t to = 0; explains[from][via] && to < COUNT(rules); to++)
                explains[from][to] |= explains[via][to];
    for (size_t i = 0; i < COUNT(apart); i++)
        explains[adi_rule_named(apart[i][0]) - rules][adi_rule_named(apart[i][1]) - rules] = false;
}

bool adi_rule_implies(const struct adi_rule *cause, const struct adi_rule *consequence) {
    pthread_once(&explained, explain);
    return cause != consequence && explains[cause - rules][consequence - rules];
}

enum adi_party adi_charged(const struct adi_rule *rule, enum adi_party at_hand) {
    return rule == NULL || rule->party == ADI_BOTH ? at_hand : rule->party;
}

bool adi_rule_is_written(const struct adi_rule *rule) {
    return rule->basis == ADI_TEXT || rule->basis == ADI_IMPLIED;
}

bool adi_rule_binds(const struct adi_rule *rule) {
    return rule->level == ADI_MUST && adi_rule_is_written(rule);
}

bool adi_rule_counts(const struct adi_rule *rule, const char *version) {
    char *end;
    long major = strtol(version, &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return rule->since_major < major || (rule->since_major == major && rule->since_minor <= minor);
}

const char *adi_level_name(enum adi_level level) {
    static const char *const of[] = {
        [ADI_MUST] = "MUST", [ADI_SHOULD] = "SHOULD", [ADI_MAY] = "MAY"};
    return of[level];
}

const char *adi_basis_name(enum adi_basis basis) {
    static const char *const of[] = {[ADI_TEXT] = "text",
                                     [ADI_IMPLIED] = "implied",
                                     [ADI_DECISION] = "decision",
                                     [ADI_PRACTICE] = "practice"};
    return of[basis];
}

const char *adi_party_name(enum adi_party party) {
    static const char *const of[] = {
        [ADI_PRODUCER] = "producer", [ADI_CONSUMER] = "consumer", [ADI_BOTH] = "both"};
    return of[party];
}
