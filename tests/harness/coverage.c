/* SPDX-License-Identifier: Apache-2.0
 *
 * Every sentence of the documents is accounted for: docs/coverage.tsv, docs/uncheckable.md and the
 * rules say the same.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rule.h"

Suite *harness_coverage_suite(void);

/* The sentences that were found in the documents: their ids run from 1 to `count`. */
static const struct {
    const char *prefix;
    int count, digits;
} documents[] = {{"CD", 102, 3}, {"DV", 70, 3},  {"AS", 80, 3},   {"CS", 23, 3},   {"PC", 34, 3},
                 {"DLH", 80, 2}, {"DLP", 26, 2}, {"AAI", 6, 2},   {"AAS", 3, 2},   {"AAX", 32, 2},
                 {"AAD", 2, 2},  {"AAF", 7, 2},  {"CAI2", 20, 2}, {"CAI3", 25, 2}, {"NPI", 21, 2},
                 {"BUF", 24, 2}, {"MAP", 19, 2}};

#define DOCUMENTS ((int)(sizeof documents / sizeof *documents))
#define ROWS_MOST 800
#define ID_SIZE   20

enum field {
    ID,
    DOCUMENT,
    DISPOSITION,
    BY,
    NOTE,
    FIELDS
};

static struct row {
    char line[600];
    const char *fields[FIELDS];
} rows[ROWS_MOST];
static int n_rows;

static void read_coverage(void) {
    FILE *file = fopen("docs/coverage.tsv", "r");
    ck_assert_ptr_nonnull(file);
    n_rows = 0;
    while (fgets(rows[n_rows].line, sizeof rows->line, file) != NULL) {
        struct row *row = &rows[n_rows++];
        ck_assert_int_lt(n_rows, ROWS_MOST);
        row->line[strcspn(row->line, "\n")] = '\0';
        char *at = row->line;
        for (int i = 0; i < FIELDS; i++) row->fields[i] = at == NULL ? "" : strsep(&at, "\t");
        ck_assert_msg(at == NULL, "%s: too many fields", row->fields[ID]);
    }
    fclose(file);
}

static const struct row *row_of(const char *id) {
    const struct row *found = NULL;
    for (int i = 1; i < n_rows; i++) {
        if (strcmp(rows[i].fields[ID], id) != 0) continue;
        ck_assert_msg(found == NULL, "%s is listed twice", id);
        found = &rows[i];
    }
    return found;
}

static bool is(const struct row *row, enum field field, const char *text) {
    return strcmp(row->fields[field], text) == 0;
}

START_TEST(every_sentence_is_listed_once)
{
    int listed = 0;
    for (int d = 0; d < DOCUMENTS; d++)
        for (int number = 1; number <= documents[d].count; number++, listed++) {
            char id[ID_SIZE];
            snprintf(id, sizeof id, "%s-%0*d", documents[d].prefix, documents[d].digits, number);
            ck_assert_msg(row_of(id) != NULL, "%s is not listed", id);
        }
    for (int i = 1; i < n_rows; i++) listed += is(&rows[i], ID, "none");
    ck_assert_int_eq(listed, n_rows - 1); /* and nothing that is no sentence */
}
END_TEST

START_TEST(every_disposition_is_known)
{
    static const char *const known[] = {"rule",  "part",  "uncheckable",
                                        "later", "extra", "reference"};
    for (int i = 1; i < n_rows; i++) {
        const struct row *row = &rows[i];
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            found = found || is(row, DISPOSITION, known[k]);
        ck_assert_msg(found, "%s: \"%s\"", row->fields[ID], row->fields[DISPOSITION]);
        ck_assert_msg(!is(row, BY, ""), "%s says nothing more", row->fields[ID]);
        ck_assert_msg(is(row, DISPOSITION, "extra") == is(row, ID, "none"), "row %d", i + 1);
        ck_assert_msg(!is(row, ID, "none") || !is(row, NOTE, ""), "%s: why?", row->fields[BY]);
    }
}
END_TEST

/* Does `words`, ids between blanks, have `id` in it? */
static bool has_word(const char *words, const char *id) {
    for (size_t length = strlen(id); (words = strstr(words, id)) != NULL; words += length)
        if (words[length] == ' ' || words[length] == '\0') return true;
    return false;
}

static bool names_rules(const struct row *row) {
    return is(row, DISPOSITION, "rule") || is(row, DISPOSITION, "part") ||
           is(row, DISPOSITION, "extra");
}

START_TEST(every_rule_that_is_named_exists)
{
    for (int i = 1; i < n_rows; i++) {
        char words[600], *left = words;
        if (!names_rules(&rows[i])) continue;
        snprintf(words, sizeof words, "%s", rows[i].fields[BY]);
        while (left != NULL) {
            const char *id = strsep(&left, " ");
            ck_assert_msg(adi_rule_named(id) != NULL, "%s: \"%s\"", rows[i].fields[ID], id);
        }
    }
}
END_TEST

START_TEST(every_rule_is_named)
{
    const struct adi_rule *rule;
    for (size_t r = 0; (rule = adi_rule(r)) != NULL; r++) {
        bool named = false, extra = false;
        for (int i = 1; i < n_rows; i++) {
            if (!names_rules(&rows[i]) || !has_word(rows[i].fields[BY], rule->id)) continue;
            named = named || !is(&rows[i], ID, "none");
            extra = extra || is(&rows[i], ID, "none");
        }
        ck_assert_msg(named != extra, "%s is %s", rule->id,
                      named ? "an extra, though a sentence names it" : "named by no sentence");
    }
}
END_TEST

/* The rows of a table in docs/uncheckable.md begin with an id; the heading above is the reason. */
START_TEST(what_is_uncheckable_says_why)
{
    FILE *file = fopen("docs/uncheckable.md", "r");
    ck_assert_ptr_nonnull(file);
    char line[400], reason[40] = "";
    int listed = 0, wanted = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char id[ID_SIZE];
        sscanf(line, "## %39[a-z]", reason);
        if (sscanf(line, "| %9[A-Z0-9-]", id) != 1 || id[0] == '-') continue;
        const struct row *row = row_of(id);
        ck_assert_msg(row != NULL && is(row, DISPOSITION, "uncheckable"), "%s", id);
        ck_assert_msg(is(row, BY, reason), "%s: \"%s\" and \"%s\"", id, row->fields[BY], reason);
        listed++;
    }
    fclose(file);
    for (int i = 1; i < n_rows; i++) wanted += is(&rows[i], DISPOSITION, "uncheckable");
    ck_assert_int_eq(listed, wanted);
}
END_TEST

START_TEST(every_decision_is_registered)
{
    static char text[60000];
    FILE *file = fopen("docs/ambiguities.md", "r");
    ck_assert_ptr_nonnull(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    ck_assert_uint_lt(bytes, sizeof text - 1);
    const struct adi_rule *rule;
    for (size_t r = 0; (rule = adi_rule(r)) != NULL; r++)
        ck_assert_msg(rule->basis != ADI_DECISION || strstr(text, rule->id) != NULL,
                      "%s rests on a decision that docs/ambiguities.md does not have", rule->id);
}
END_TEST

START_TEST(what_comes_later_names_its_family)
{
    static const char *const families[] = {
        "stream", "async", "sync", "pycapsule", "dlpack", "cai", "array-interface", "buffer"};
    for (int i = 1; i < n_rows; i++) {
        if (!is(&rows[i], DISPOSITION, "later")) continue;
        bool known = false;
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            known = known || is(&rows[i], BY, families[f]);
        ck_assert_msg(known, "%s: \"%s\"", rows[i].fields[ID], rows[i].fields[BY]);
    }
}
END_TEST

Suite *harness_coverage_suite(void) {
    Suite *suite = suite_create("harness_coverage");
    TCase *lists = tcase_create("lists");
    tcase_add_checked_fixture(lists, read_coverage, NULL);
    tcase_add_test(lists, every_sentence_is_listed_once);
    tcase_add_test(lists, every_disposition_is_known);
    tcase_add_test(lists, every_rule_that_is_named_exists);
    tcase_add_test(lists, every_rule_is_named);
    tcase_add_test(lists, what_is_uncheckable_says_why);
    tcase_add_test(lists, every_decision_is_registered);
    tcase_add_test(lists, what_comes_later_names_its_family);
    suite_add_tcase(suite, lists);
    return suite;
}
