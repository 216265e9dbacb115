/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "tree.h"

#define BROKEN_MOST 16
#define RULES_MOST  512

/* One look at a tree. */
struct look {
    struct adi_sink *sink;
    bool at_array; /* else at its schema */
    bool sound;
    struct adi_found finding;
};

/* The rules that a look is about: at a schema, and at an array. */
static struct {
    struct concern {
        adi_predicate *check;
        const struct adi_rule *rule;
    } list[RULES_MOST];
    size_t n;
} concerned[2];
static pthread_once_t sorted = PTHREAD_ONCE_INIT;

/* What a node has broken so far; what follows from it is not looked at. */
struct broken {
    const struct adi_rule *rules[BROKEN_MOST];
    size_t count;
};

static bool is_of(const struct adi_rule *rule, const char *family) {
    return strncmp(rule->id, family, strlen(family)) == 0;
}

static bool concerns(bool at_array, const struct adi_rule *rule) {
    if (rule->finder != ADI_BY_CHECK) return false;
    if (is_of(rule, "life/")) return true;
    return at_array != is_of(rule, "schema/");
}

static void sort_rules(void) {
    const struct adi_rule *rule;
    assert(adi_rule_count() <= RULES_MOST);
    for (int at_array = 0; at_array < 2; at_array++)
        for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
            if (concerns(at_array, rule))
                concerned[at_array].list[concerned[at_array].n++] =
                    (struct concern){rule->check, rule};
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

static void apply(struct look *look, const struct adi_node *node, const struct concern *concern,
                  struct broken *broken) {
    struct adi_sink *sink = look->sink;
    const struct adi_rule *rule = concern->rule;
    look->finding.not_applicable = false;
    if (concern->check(node, &look->finding)) {
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
    for (size_t i = 0; i < concerned[look->at_array].n; i++) {
        const struct concern *concern = &concerned[look->at_array].list[i];
        if (!is_explained(&broken, concern->rule)) apply(look, node, concern, &broken);
    }
    for (int64_t i = 0; i < node->n_children; i++) look_at(look, node->children[i]);
    if (node->dictionary != NULL) look_at(look, node->dictionary);
}

static bool check_copy(struct look *look, const struct adi_node *root) {
    pthread_once(&sorted, sort_rules);
    look->sound = true;
    look_at(look, root);
    return look->sound;
}

static bool check_tree(struct look *look, const struct ArrowSchema *schema,
                       const struct ArrowDeviceArray *array, struct adi_device *device) {
    struct adi_node *root = adi_tree_copy(schema, array, device);
    if (root == NULL) return false;
    bool is_sound = check_copy(look, root);
    adi_tree_free(root);
    return is_sound;
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

struct mark {
    struct adi_sink sink; /* first */
    bool is_set;
};

static void set_mark(struct adi_sink *sink, const struct adi_found *finding) {
    (void)finding;
    ((struct mark *)sink)->is_set = true;
}

/* What of a schema has no array beside it is not in the copy; but that the array breaks a rule. */
bool adi_check_is_clean(const struct adi_node *root) {
    struct mark broken = {.sink.violated = set_mark};
    struct look look = {.sink = &broken.sink, .at_array = false};
    if (!check_copy(&look, root)) return false;
    look.at_array = true;
    return check_copy(&look, root) && !broken.is_set;
}
