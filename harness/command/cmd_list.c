/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "cmd_options.h"
#include "handles_page.h"
#include "life_page.h"
#include "nearest.h"
#include "rule.h"

static void list_rules(void) {
    const struct adi_rule *rule;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        printf("%-36s  %-6s  %-8s  %-8s  %s\n", rule->id, adi_level_name(rule->level),
               adi_basis_name(rule->basis), adi_party_name(rule->party), rule->statement);
}

static void list_cases(void) {
    const struct adi_case *a_case;
    for (size_t i = 0; (a_case = adi_case(i)) != NULL; i++)
        printf("%-52s  %s; %s%s\n", a_case->name, a_case->shape->what, a_case->scenario->what,
               a_case->scenario->robustness ? " (--robustness)" : "");
}

static void list_life(void) {
    adi_life_page(stdout);
}

static void list_handles(void) {
    adi_handles_page(stdout);
}

static const struct {
    const char *name;
    void (*list)(void);
} lists[] = {
    {"rules", list_rules}, {"cases", list_cases}, {"life", list_life}, {"handles", list_handles}};

#define LISTS (sizeof lists / sizeof *lists)

static const char *list_name_at(size_t index) {
    return index < LISTS ? lists[index].name : NULL;
}

static int list(const struct adi_command *command, const struct adi_options *options) {
    const char *word = options->n_arguments == 0 ? lists[0].name : options->arguments[0];
    if (options->n_arguments > 1)
        return adi_usage(command, "one list at a time; leave out %s", options->arguments[1]);
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(lists[i].name, word) != 0) continue;
        lists[i].list();
        return ADI_EXIT_OK;
    }
    struct adi_error near;
    adi_nearest_text(word, list_name_at, &near);
    return adi_usage(command, "no list is named %s%s", word, near.text);
}

int adi_cmd_list(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option none[] = {{0}};
    struct adi_options options;
    int status = adi_options_read(&options, command, none, argc, argv, NULL);
    if (status == 0) status = list(command, &options);
    adi_options_free(&options);
    return status < 0 ? ADI_EXIT_OK : status;
}
