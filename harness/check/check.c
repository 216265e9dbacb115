/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <assert.h>
#include <string.h>

#include "tree.h"

#define BROKEN_MOST 16
#define RULES_MOST  512

/* One look at a tree. */
struct look {
    struct adi_sink *sink;
    bool at_array; /* else at its schema */
    bool sound;
    const struct adi_rule *rules[RULES_MOST]; /* those that it is about */
    size_t n_rules;
    struct adi_found finding;
};

/* What a node has broken so far; what follows from it is not looked at. */
struct broken {
    const struct adi_rule *rules[BROKEN_MOST];
    size_t count;
};

static bool is_of(const struct adi_rule *rule, const char *family) {
    return strncmp(rule->id, family, strlen(family)) == 0;
}

static bool concerns(const struct look *look, const struct adi_rule *rule) {
    if (rule->finder != ADI_BY_CHECK) return false;
    if (is_of(rule, "life/")) return true;
    return look->at_array != is_of(rule, "schema/");
}

bool adi_violation_is_harmless(const struct adi_rule *rule) {
    static const char *const ids[] = {"array/reserved-not-zero", "array/view-prefix-differs",
                                      "array/view-padding-not-zero",
                                      "array/union-offset-decreasing", "life/points-into-itself"};
    if (rule->level != ADI_MUST) return true;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(rule->id, ids[i]) == 0) return true;
    return false;
}

static bool is_explained(const struct broken *broken, const struct adi_rule *rule) {
    for (size_t i = 0; i < broken->count; i++)
        if (adi_follows(rule, broken->rules[i], true)) return true;
    return false;
}

static void apply(struct look *look, const struct adi_node *node, const struct adi_rule *rule,
                  struct broken *broken) {
    struct adi_sink *sink = look->sink;
    look->finding.not_applicable = false;
    if (rule->check(node, &look->finding)) {
        if (!look->finding.not_applicable && sink->satisfied != NULL) sink->satisfied(sink, rule);
        return;
    }
    if (broken->count < BROKEN_MOST) broken->rules[broken->count++] = rule;
    look->sound = look->sound && adi_violation_is_harmless(rule);
    look->finding.rule = rule;
    look->finding.party = rule->party;
    sink->violated(sink, &look->finding);
}

static void look_at(struct look *look, const struct adi_node *node) {
    enum adi_unreadable unreadable =
        look->at_array ? node->array_unreadable : node->schema_unreadable;
    if (unreadable != ADI_COPIED) look->sound = false;
    /* An unreadable child is its parent's violation. */
    if (unreadable != ADI_COPIED && node->parent != NULL) return;

    struct broken broken = {.count = 0};
    for (size_t i = 0; i < look->n_rules; i++)
        if (!is_explained(&broken, look->rules[i])) apply(look, node, look->rules[i], &broken);
    for (int64_t i = 0; i < node->n_children; i++) look_at(look, node->children[i]);
    if (node->dictionary != NULL) look_at(look, node->dictionary);
}

static bool check_tree(struct look *look, const struct ArrowSchema *schema,
                       const struct ArrowDeviceArray *array, struct adi_device *device) {
    struct adi_node *root = adi_tree_copy(schema, array, device);
    if (root == NULL) return false;
    const struct adi_rule *rule;
    assert(adi_rule_count() <= RULES_MOST);
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (concerns(look, rule)) look->rules[look->n_rules++] = rule;
    look->sound = true;
    look_at(look, root);
    adi_tree_free(root);
    return look->sound;
}

bool adi_check_schema(const struct ArrowSchema *schema, struct adi_sink *sink) {
    struct look at = {.sink = sink, .at_array = false};
    return check_tree(&at, schema, NULL, NULL);
}

bool adi_check_array(const struct ArrowSchema *schema, const struct ArrowDeviceArray *array,
                     struct adi_device *device, struct adi_sink *sink) {
    struct look at = {.sink = sink, .at_array = true};
    if (array != NULL) return check_tree(&at, schema, array, device);
    adi_report(sink, "array/release-null", ADI_PRODUCER, "NULL", "an array", "the array is NULL");
    return false;
}
