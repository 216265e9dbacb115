/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "cmd_options.h"
#include "handles_page.h"
#include "life_page.h"
#include "rule.h"

static void list_rules(FILE *out) {
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        fprintf(out, "%-36s  %-6s  %-8s  %-8s  %s\n", rule->id, adi_level_name(rule->level),
                adi_basis_name(rule->basis), adi_party_name(rule->party), rule->statement);
}

static void list_cases(FILE *out) {
    const struct adi_case *a_case;
    for (size_t i = 0; (a_case = adi_case(i)) != NULL; i++)
        fprintf(out, "%-52s  %s; %s%s\n", a_case->name, a_case->shape->what, a_case->scenario->what,
                a_case->scenario->robustness ? " (--robustness)" : "");
}

static void list_types(FILE *out) {
    const struct adi_sample_type *type;
    for (size_t i = 0; (type = adi_sample_type(i)) != NULL; i++)
        fprintf(out, "%-28s  %s\n", type->name, type->format);
}

static void list_shapes(FILE *out) {
    const struct adi_sample_shape *shape;
    for (size_t i = 0; (shape = adi_sample_shape(i)) != NULL; i++)
        fprintf(out, "%-28s  %s\n", shape->name, shape->what);
}

static const struct {
    const char *name;
    void (*list)(FILE *out);
} lists[] = {{"rules", list_rules},   {"cases", list_cases},   {"types", list_types},
             {"shapes", list_shapes}, {"life", adi_life_page}, {"handles", adi_handles_page}};

#define LISTS (sizeof lists / sizeof *lists)

static const char *list_name_at(size_t index) {
    return index < LISTS ? lists[index].name : NULL;
}

static int list(const struct adi_command *command, const struct adi_options *options, void *none) {
    (void)none;
    const char *word = options->n_arguments == 0 ? lists[0].name : options->arguments[0];
    if (options->n_arguments > 1)
        return adi_usage(command, "one list at a time; leave out %s", options->arguments[1]);
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(lists[i].name, word) != 0) continue;
        lists[i].list(stdout);
        return ADI_EXIT_OK;
    }
    return adi_unknown(command, word, list_name_at, "no list is named %s", word);
}

int adi_cmd_list(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option none[] = {{0}};
    return adi_options_act(command, none, argc, argv, NULL, list);
}
