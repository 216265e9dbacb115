/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case.h"
#include "nearest.h"

#define DEVICE_NAME 160 /* that is looked at */

enum {
    RULE,
    CASE,
    VERSION,
    REASON,
    LINK,
    UNTIL,
    FIELDS
};

struct row {
    char *line;          /* what the fields point into */
    char *field[FIELDS]; /* trimmed */
    char *device;        /* a glob; NULL: every device */
    size_t number;       /* of the line, from 1 */
};

struct adi_known {
    char *path;
    struct row *rows;
    size_t n_rows;
};

/* Where a sentence about a bad row points. */
struct where {
    const char *path, *line;
    size_t number;
    struct adi_error *error;
};

static int bad(const struct where *where, const char *at, const char *what, const char *text,
               const char *more) {
    return adi_error_set(where->error, EINVAL, "%s:%zu:%zu: %s%s%s%s%s", where->path, where->number,
                         (size_t)(at - where->line) + 1, what, text[0] == '\0' ? "" : " '", text,
                         text[0] == '\0' ? "" : "'", more);
}

static char *trim(char *text) {
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL) length--;
    text[length] = '\0';
    return text;
}

/* As it would be written. */
static bool is_date(const char *text) {
    struct tm day = {0}, same;
    char again[ADI_DATE_SIZE];
    const char *end = strptime(text, "%Y-%m-%d", &day);
    same = day;
    return end != NULL && timegm(&same) != -1 && same.tm_mday == day.tm_mday &&
           strftime(again, sizeof again, "%Y-%m-%d", &same) > 0 && strcmp(text, again) == 0;
}

static int bad_name(const struct where *where, const char *what, const char *name, const char *word,
                    adi_name_at *names) {
    struct adi_error near;
    adi_nearest_text(word, names, &near);
    return bad(where, name, what, name, near.text);
}

static int check_names(struct row *row, const struct where *where) {
    if (!adi_glob_matches_any(row->field[RULE], adi_rule_id_at))
        return bad_name(where, "no rule is named", row->field[RULE], row->field[RULE],
                        adi_rule_id_at);
    size_t device_length = strcspn(row->field[CASE], " \t");
    if (row->field[CASE][device_length] != '\0') {
        row->device = row->field[CASE];
        row->device[device_length] = '\0';
        row->field[CASE] = trim(row->device + device_length + 1);
        char type[DEVICE_NAME];
        snprintf(type, sizeof type, "%.*s", (int)strcspn(row->device, ":"), row->device);
        if (!adi_glob_matches_any(type, adi_device_type_name_at))
            return bad_name(where, "no device is named", row->device, type,
                            adi_device_type_name_at);
    }
    if (!adi_glob_matches_any(row->field[CASE], adi_case_name_at))
        return bad_name(where, "no case is named", row->field[CASE], row->field[CASE],
                        adi_case_name_at);
    return 0;
}

/* The bar that ends the field; in a glob, one within parentheses is the glob's own. */
static char *end_of_field(char *field, bool is_glob) {
    size_t open = 0;
    for (char *at = field; is_glob && *at != '\0'; at++) {
        if (*at == '(') open++;
        if (*at == ')' && open > 0) open--;
        if (*at == '|' && open == 0) return at;
    }
    return strchr(field, '|');
}

/* Takes `line`, which the row owns from now on, apart. */
static int read_row(char *line, struct row *row, const struct where *where) {
    static const char *const wanted[FIELDS] = {
        "a glob over rule ids", "a glob over case names",         "a glob over versions",
        "the reason in words",  "a link to where it is reported", "the last day, YYYY-MM-DD",
    };
    char *at = line, *starts[FIELDS], *end = line + strcspn(line, "\r\n");
    for (size_t i = 0; i < FIELDS; i++) {
        if (at == NULL)
            return bad(where, end, "here the row ends; wanted, behind another '|', ", "",
                       wanted[i]);
        char *bar = end_of_field(at, i < REASON);
        if (i == FIELDS - 1 && bar != NULL)
            return bad(where, bar, "a seventh field; a row has six", "", "");
        if (bar != NULL) *bar = '\0';
        starts[i] = at;
        at = bar == NULL ? NULL : bar + 1;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        row->field[i] = trim(starts[i]);
        if (row->field[i][0] == '\0')
            return bad(where, starts[i], "an empty field; wanted ", "", wanted[i]);
    }
    ADI_TRY(check_names(row, where));
    if (!is_date(row->field[UNTIL]))
        return bad(where, row->field[UNTIL], "no such day:", row->field[UNTIL],
                   "; wanted YYYY-MM-DD");
    return 0;
}

static int add_row(struct adi_known *known, const char *text, struct where *where) {
    struct row *rows = realloc(known->rows, (known->n_rows + 1) * sizeof *rows);
    if (rows == NULL) return adi_error_set(where->error, ENOMEM, "%s: out of memory", where->path);
    known->rows = rows;
    struct row *row = &rows[known->n_rows];
    *row = (struct row){.line = strdup(text), .number = where->number};
    if (row->line == NULL)
        return adi_error_set(where->error, ENOMEM, "%s: out of memory", where->path);
    known->n_rows++;
    where->line = row->line;
    return read_row(row->line, row, where);
}

static int read_lines(FILE *file, struct adi_known *known, struct adi_error *error) {
    char *line = NULL;
    size_t size = 0;
    int code = 0;
    struct where where = {.path = known->path, .error = error};
    for (ssize_t length; code == 0 && (length = getline(&line, &size, file)) >= 0;) {
        where.number++;
        where.line = line;
        size_t text_length = strlen(line);
        if (text_length != (size_t)length)
            code = bad(&where, line + text_length, "a zero byte; wanted text", "", "");
        else if (line[strspn(line, " \t\r\n")] != '\0' && line[strspn(line, " \t")] != '#')
            code = add_row(known, line, &where);
    }
    if (code == 0 && ferror(file))
        code = adi_error_set(error, errno, "%s: %s", known->path, strerror(errno));
    free(line);
    return code;
}

int adi_known_read(const char *path, struct adi_known **out, struct adi_error *error) {
    FILE *file = fopen(path, "re");
    if (file == NULL) return adi_error_set(error, errno, "%s: %s", path, strerror(errno));
    struct adi_known *known = calloc(1, sizeof *known);
    int code = known == NULL || (known->path = strdup(path)) == NULL
                   ? adi_error_set(error, ENOMEM, "%s: out of memory", path)
                   : read_lines(file, known, error);
    fclose(file);
    if (code == 0)
        *out = known;
    else
        adi_known_free(known);
    return code;
}

void adi_known_free(struct adi_known *known) {
    if (known == NULL) return;
    for (size_t i = 0; i < known->n_rows; i++) free(known->rows[i].line);
    free(known->rows);
    free(known->path);
    free(known);
}

static bool names_rule_and_device(const struct row *row, const struct adi_result *result) {
    return result->rule != NULL && adi_glob_matches(row->field[RULE], result->rule->id) &&
           adi_glob_matches_device(row->device, result->device);
}

static bool names(const struct row *row, const struct adi_result *result) {
    return names_rule_and_device(row, result) &&
           adi_glob_matches(row->field[CASE], result->case_name);
}

/* Was a case that the row names played on the device? A row that counts every tree of a device
 * names no case itself. */
static bool was_played(const struct row *row, const struct adi_report *report, const char *device) {
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        bool judged = result->verdict == ADI_PASS || result->verdict == ADI_XFAIL ||
                      adi_result_is_violation(result);
        if (judged && result->case_name[0] != '\0' && strcmp(result->device, device) == 0 &&
            adi_glob_matches(row->field[CASE], result->case_name))
            return true;
    }
    return false;
}

/* How much of what a row names the globs of the run left in; and cases that are no case of who has
 * but its own. */
struct asked {
    size_t rules, other_rules, cases, other_cases, foreign;
};

/* Malformed input is not played unless it was asked for. */
static struct asked ask(const struct row *row, const struct adi_run_options *options) {
    static const struct adi_run_options all = {.robustness = true};
    struct asked asked = {0};
    const struct adi_rule *rule;
    const struct adi_case *a_case;
    if (options == NULL) options = &all;
    for (size_t i = 0; (rule = adi_rule(i)) != NULL; i++)
        if (adi_glob_matches(row->field[RULE], rule->id))
            ++*(adi_glob_matches(options->rule, rule->id) ? &asked.rules : &asked.other_rules);
    for (size_t i = 0; (a_case = adi_case(i)) != NULL; i++)
        if (adi_glob_matches(row->field[CASE], a_case->name) &&
            (options->robustness || !a_case->scenario->robustness))
            ++*(adi_glob_matches(options->case_name, a_case->name) ? &asked.cases
                : options->own                                     ? &asked.foreign
                                                                   : &asked.other_cases);
    return asked;
}

/* Is there a device (or only a type of which there is none) that the row names and the glob means?
 */
static bool has_device(const struct row *row, const struct adi_report *report, const char *glob,
                       bool is_there) {
    for (size_t i = 0; i < report->n_devices; i++)
        if ((report->devices[i].available || !is_there) &&
            adi_glob_matches_device(row->device, report->devices[i].name) &&
            adi_glob_matches_device(glob, report->devices[i].name))
            return true;
    return false;
}

/* The first row of the report that shows that what is listed holds; NULL: none. */
static const struct adi_result *find_pass(const struct row *row, const struct adi_report *report) {
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (result->verdict != ADI_PASS || !names_rule_and_device(row, result)) continue;
        if (result->case_name[0] == '\0' ? was_played(row, report, result->device)
                                         : adi_glob_matches(row->field[CASE], result->case_name))
            return result;
    }
    return NULL;
}

static void append(char **field, const char *path, const struct row *row, const char *what) {
    char *before = *field;
    *field = NULL;
    adi_result_set(field, "%s%s%s (%s, %s:%zu, until %s)", before, before[0] == '\0' ? "" : "; ",
                   what, row->field[LINK], path, row->number, row->field[UNTIL]);
    free(before);
}

/* Marks what fails as listed; returns whether anything does. */
static bool mark_violations(const struct adi_known *known, const struct row *row,
                            struct adi_report *report) {
    bool any = false;
    for (size_t i = 0; i < report->n_results; i++) {
        struct adi_result *result = &report->results[i];
        bool marked = result->verdict == ADI_XFAIL;
        if (!(marked || adi_result_is_violation(result)) || !names(row, result)) continue;
        any = true;
        if (marked) continue;
        result->verdict = ADI_XFAIL;
        append(&result->message, known->path, row, row->field[REASON]);
    }
    return any;
}

/* Says of what fails, and no row covers, why this one does not; returns whether anything does. */
static bool say_why_uncovered(const struct adi_known *known, const struct row *row, const char *why,
                              struct adi_report *report) {
    bool any = false;
    for (size_t i = 0; i < report->n_results; i++) {
        struct adi_result *result = &report->results[i];
        if (!adi_result_is_violation(result) || !names(row, result)) continue;
        any = true;
        append(&result->message, known->path, row, why);
    }
    return any;
}

/* What hangs, or dies, in all the cases that the row names need not be played in each. */
static void excuse_unplayed(const struct row *row, struct adi_report *report) {
    for (size_t i = 0; i < report->n_results; i++) {
        struct adi_result *result = &report->results[i];
        if (adi_glob_matches_device(row->device, result->device) &&
            adi_glob_matches(row->field[CASE], result->case_name))
            result->unplayed = false;
    }
}

/* A row of the report about a row of the list. */
static struct adi_result *add_row_about(const struct adi_known *known, const struct row *row,
                                        struct adi_report *report, enum adi_verdict verdict,
                                        const char *what) {
    struct adi_result *result = adi_report_add(report);
    result->verdict = verdict;
    adi_result_set(&result->case_name, "%s", row->field[CASE]);
    adi_result_set(&result->message, "listed as a known deviation, but %s", what);
    append(&result->message, known->path, row, row->field[REASON]);
    return result;
}

/* Does what is listed show in some runs only? */
static bool is_by_chance(const struct row *row) {
    static const char word[] = "by chance:";
    return strncmp(row->field[REASON], word, sizeof word - 1) == 0;
}

static void say_passed(const struct adi_known *known, const struct row *row,
                       struct adi_report *report, size_t pass_at) {
    struct adi_result *result =
        add_row_about(known, row, report, ADI_XPASS, "all that the row names holds: delete it");
    const struct adi_result *pass = &report->results[pass_at];
    result->rule = pass->rule;
    result->party = pass->party;
    adi_result_set(&result->device, "%s", pass->device);
    adi_result_set(&result->replay, "%s", pass->replay);
}

static void say_not_judged(const struct adi_known *known, const struct row *row,
                           struct adi_report *report, const char *why) {
    const struct adi_rule *rule = NULL;
    for (size_t i = 0; rule == NULL || !adi_glob_matches(row->field[RULE], rule->id); i++)
        rule = adi_rule(i); /* the list was read: there is one */
    struct adi_result *result = add_row_about(known, row, report, ADI_SKIP, why);
    result->rule = rule;
    result->party = rule->party;
    adi_result_set(&result->device, "%s", row->device == NULL ? "" : row->device);
}

/* Does the profile of the run leave out something that the row names? Other devices it does not
 * look for, so what is meant for all of them may hold here alone. */
static bool is_beyond_profile(const struct row *row, const struct adi_run_options *options) {
    if (options == NULL || options->profile == NULL) return false;
    if (row->device == NULL || !adi_glob_matches_device(row->device, "cpu:-1")) return true;
    const struct adi_case *a_case;
    for (size_t i = 0; (a_case = adi_case(i)) != NULL; i++)
        if (adi_glob_matches(row->field[CASE], a_case->name) &&
            !adi_case_in_share(a_case, ADI_SHARE_LIBRARY))
            return true;
    return false;
}

static bool is_past(const struct row *row, const char *today) {
    return strcmp(today, row->field[UNTIL]) > 0;
}

static bool is_for_version(const struct row *row, const struct adi_report *report) {
    return adi_glob_matches(row->field[VERSION], report->implementation_version);
}

static void say_past(const struct adi_known *known, const struct row *row,
                     struct adi_report *report) {
    say_why_uncovered(known, row, "known once, but past its day", report);
}

static void say_other_version(const struct adi_known *known, const struct row *row,
                              const struct adi_run_options *options, struct adi_report *report) {
    struct adi_error why;
    adi_error_set(&why, 0, "known, but the row is for version '%s', and this is '%s'",
                  row->field[VERSION], report->implementation_version);
    if (say_why_uncovered(known, row, why.text, report)) return;
    const struct asked asked = ask(row, options);
    bool fuzzed = options != NULL && options->fuzz > 0; /* other cases than the row names */
    if (!fuzzed && !report->interrupted && asked.rules > 0 && asked.cases > 0)
        say_not_judged(known, row, report, why.text + strlen("known, but "));
}

/* A row in force of which nothing fails. */
static void say_not_seen(const struct adi_known *known, const struct row *row,
                         const struct adi_run_options *options, struct adi_report *report) {
    const struct asked asked = ask(row, options);
    if (report->interrupted || asked.rules == 0 || asked.cases == 0) return;
    /* What was left out may be what deviates: of the rest it is known that it says nothing. */
    bool in_part = asked.other_rules + asked.other_cases > 0;
    bool elsewhere = row->device != NULL && !has_device(row, report, NULL, true);
    if (in_part && !elsewhere) return;
    const struct adi_result *pass = find_pass(row, report);
    /* It may be another party's, which breaks it in other cases. */
    if (asked.foreign > 0 && (pass == NULL || pass->rule->party == ADI_BOTH)) return;
    if (is_beyond_profile(row, options)) {
        say_not_judged(known, row, report, "--profile plays some or none of what the row names");
    } else if (pass != NULL && is_by_chance(row)) {
        say_not_judged(known, row, report, "in this run all that the row names held");
    } else if (pass != NULL) {
        say_passed(known, row, report, (size_t)(pass - report->results));
    } else if (options == NULL ||
               (options->fuzz == 0 &&
                (options->device == NULL ||
                 (row->device != NULL && has_device(row, report, options->device, false))))) {
        say_not_judged(known, row, report, "nothing that the row names was judged");
    }
}

void adi_known_apply(const struct adi_known *known, struct adi_report *report,
                     const struct adi_run_options *options, const char *today) {
    for (size_t i = 0; i < known->n_rows; i++) {
        const struct row *row = &known->rows[i];
        if (is_past(row, today) || !is_for_version(row, report)) continue;
        if (mark_violations(known, row, report))
            excuse_unplayed(row, report);
        else
            say_not_seen(known, row, options, report);
    }
    /* Only now is it known what no row covers. */
    for (size_t i = 0; i < known->n_rows; i++) {
        const struct row *row = &known->rows[i];
        if (is_past(row, today))
            say_past(known, row, report);
        else if (!is_for_version(row, report))
            say_other_version(known, row, options, report);
    }
}

void adi_today(char out[ADI_DATE_SIZE]) {
    time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    if (strftime(out, ADI_DATE_SIZE, "%Y-%m-%d", &day) == 0) out[0] = '\0';
}
