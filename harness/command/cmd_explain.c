/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cmd_options.h"
#include "last.h"
#include "life_page.h"
#include "report.h"
#include "rule.h"

static const char *const finders[] = {
    [ADI_BY_CHECK] = "by a check of each node",
    [ADI_BY_MONITOR] = "by watching calls and memory",
    [ADI_BY_CASE] = "by the outcome of a case",
};

static const char *const bases[] = {
    [ADI_TEXT] = "a sentence of the document says so",
    [ADI_IMPLIED] = "it follows from a sentence of the document",
    [ADI_DECISION] = "the text can be read in two ways: docs/ambiguities.md",
    [ADI_PRACTICE] = "implementations rely on it, no document says it",
};

static void line(const char *what, const char *text) {
    if (text != NULL && text[0] != '\0') printf("  %-9s %s\n", what, text);
}

static void explain(const struct adi_rule *rule) {
    printf("%s\n\n  %s\n\n", rule->id, rule->statement);
    printf("  %-9s %s\n", "level", adi_level_name(rule->level));
    printf("  %-9s %s (%s)\n", "basis", adi_basis_name(rule->basis), bases[rule->basis]);
    line("party", adi_party_name(rule->party));
    printf("  %-9s %s, \"%s\"\n", "document", rule->document, rule->section);
    line("anchor", rule->anchor);
    printf("  %-9s %d.%d\n", "since", rule->since_major, rule->since_minor);
    printf("  %-9s %s", "found", finders[rule->finder]);
    printf("%s%s\n", rule->how[0] == '\0' ? "" : ": ", rule->how);
    adi_life_explain(rule->id, stdout);
    printf("  %-9s %s\n", "a breach", adi_verdict_name(adi_verdict_of_violation(rule, false)));
    line("implies", rule->implies);
    line("mend", rule->mend);
}

struct wanted {
    bool last;
    const char *record; /* path; NULL: none */
};

static int explain_findings(const struct adi_command *command, const struct adi_options *options,
                            const struct wanted *wanted) {
    struct adi_error error;
    const char *rule = options->arguments[0];
    if (options->n_arguments > 1)
        return adi_usage(command, "one rule at most, or a glob; leave out %s",
                         options->arguments[1]);
    if (wanted->last && wanted->record != NULL)
        return adi_usage(command, "--last and --record are two records; leave out one of them");
    if (adi_last_tell(wanted->record, rule, stdout, &error) == 0) return ADI_EXIT_OK;
    return adi_usage(command, "%s", error.text);
}

static int explain_all(const struct adi_command *command, const struct adi_options *options) {
    if (options->n_arguments == 0)
        return adi_usage(
            command,
            "wanted the id of a rule (`adicheck list` lists them), or --last: what the last "
            "run found");
    for (size_t i = 0; i < options->n_arguments; i++) {
        const char *id = options->arguments[i];
        if (adi_rule_named(id) == NULL)
            return adi_unknown(command, id, adi_rule_id_at, "no rule is named %s", id);
    }
    for (size_t i = 0; i < options->n_arguments; i++) {
        if (i > 0) putchar('\n');
        explain(adi_rule_named(options->arguments[i]));
    }
    return ADI_EXIT_OK;
}

static int explain_wanted(const struct adi_command *command, const struct adi_options *options,
                          void *wanted_at) {
    const struct wanted *wanted = wanted_at;
    bool findings = wanted->last || wanted->record != NULL;
    return findings ? explain_findings(command, options, wanted) : explain_all(command, options);
}

int adi_cmd_explain(const struct adi_command *command, int argc, const char **argv) {
    static const struct adi_option table[] = {
        {"last", NULL, "what the last run found, drawn", adi_take_flag,
         offsetof(struct wanted, last)},
        {"record", "FILE", "the same of a record that --json wrote", adi_take_text,
         offsetof(struct wanted, record)},
        {0},
    };
    struct wanted wanted = {0};
    return adi_options_act(command, table, argc, argv, &wanted, explain_wanted);
}
