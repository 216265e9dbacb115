/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is a finding comes before ADI_PASS. */
static const enum adi_verdict order[ADI_VERDICTS] = {
    ADI_FAIL, ADI_CRASH, ADI_TIMEOUT, ADI_XPASS,       ADI_ERROR, ADI_WARN,
    ADI_NOTE, ADI_XFAIL, ADI_PASS,    ADI_UNSUPPORTED, ADI_SKIP,
};

unsigned adi_verdict_rank(enum adi_verdict verdict) {
    unsigned rank = 0;
    while (rank < ADI_VERDICTS - 1 && order[rank] != verdict) rank++;
    return rank;
}

static bool is_unjudged(const struct adi_result *result) {
    return result->verdict == ADI_UNSUPPORTED || result->verdict == ADI_SKIP;
}

/* ---- the message without what varies ---- */

/* The end of a number at `at`; `at` itself: none begins there. */
static const char *past_number(const char *at) {
    const char *end = at + (*at == '-');
    if (!isdigit((unsigned char)*end)) return at;
    if (end[0] == '0' && end[1] == 'x') return end + 2 + strspn(end + 2, "0123456789abcdefABCDEF");
    end += strspn(end, "0123456789");
    if (end[0] == '.' && isdigit((unsigned char)end[1])) end += 1 + strspn(end + 1, "0123456789");
    return end;
}

/* The end of what comes of other rows and cases, of values, or of quoted text. */
static const char *past_varying(const char *at) {
    static const struct {
        const char *begins, *ends; /* NULL: with the text */
    } remarks[] = {
        {": saw ", NULL}, {" (and ", " more like it)"}, {" (only after ", ")"}, {" (beside ", ")"}};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        if (strncmp(at, remarks[i].begins, strlen(remarks[i].begins)) != 0) continue;
        const char *end = remarks[i].ends == NULL ? NULL : strstr(at, remarks[i].ends);
        if (remarks[i].ends == NULL) return at + strlen(at);
        return end == NULL ? at : end + strlen(remarks[i].ends);
    }
    if (*at != '"') return at;
    const char *end = strchr(at + 1, '"');
    return end == NULL ? at : end + 1;
}

static char *generalise(const char *text, bool values) {
    char *made = malloc(strlen(text) + 1), *to = made;
    while (made != NULL && *text != '\0') {
        const char *number = past_number(text), *varying = values ? past_varying(text) : text;
        if (number > text)
            *to++ = '#';
        else if (varying == text)
            *to++ = *text++;
        text = number > text ? number : varying > text ? varying : text;
    }
    if (made != NULL) *to = '\0';
    return made;
}

/* ---- ... and without the place ---- */

static bool is_word(const char *part, size_t length, const char *word) {
    return length == strlen(word) && memcmp(part, word, length) == 0;
}

/* Does it only say how one gets there: a child, the dictionary, an index, what a long way has been
 * cut to? */
static bool is_way(const char *part, size_t length) {
    return length == 0 || part[0] == '[' || strncmp(part, "children[", 9) == 0 ||
           is_word(part, length, "dictionary");
}

static bool is_root(const char *part, size_t length) {
    return is_word(part, length, "array") || is_word(part, length, "schema");
}

/* "array.children[0].buffers[1] is" becomes "buffers[1] is", "array.dictionary was" "array was". */
static char *without_place(const char *message) {
    static const char unplaced[] = "a buffer ";
    char *made = NULL;
    size_t place = strspn(message, "abcdefghijklmnopqrstuvwxyz_0123456789.[]");
    const char *member = message;
    size_t root = 0, length = 0;
    for (size_t at = 0, n; at <= place; at += n + 1) {
        const char *part = message + at;
        n = strcspn(part, ".");
        if (n > place - at) n = place - at;
        if (at == 0 && is_root(part, n)) {
            root = n;
        } else {
            member = part;
            length = is_way(part, n) ? 0 : n;
        }
    }
    if (strncmp(message, unplaced, sizeof unplaced - 1) == 0)
        return asprintf(&made, "buffers[0] %s", message + sizeof unplaced - 1) < 0 ? NULL : made;
    if (asprintf(&made, "%.*s%s", length > 0 ? (int)length : (int)root,
                 length > 0 ? member : message, message + place) < 0)
        return NULL;
    return made;
}

char *adi_group_message(const struct adi_result *result) {
    if (is_unjudged(result)) return generalise(result->message, false); /* its own words */
    char *placeless = without_place(result->message);
    char *made = placeless == NULL ? NULL : generalise(placeless, true);
    free(placeless);
    return made;
}

char *adi_group_numberless(const char *text) {
    return generalise(text, false);
}

/* ---- gathering ---- */

/* A row with what it is compared by. Of an unjudged row rule and party do not count. */
struct entry {
    const struct adi_result *row;
    char *message;
    unsigned grade; /* what is red, then by verdict; of each what ends the process, what binds, the
                       rest */
    bool by_message;
    size_t count;                   /* of the group */
    const struct adi_result *first; /* of the group */
};

static int compare_numbers(size_t a, size_t b) {
    return a == b ? 0 : a < b ? -1 : 1;
}

static size_t rule_number(const struct adi_rule *rule) {
    return rule == NULL ? 0 : adi_rule_index(rule) + 1;
}

static int compare_cause(const struct entry *a, const struct entry *b) {
    int by = compare_numbers(adi_verdict_rank(a->row->verdict), adi_verdict_rank(b->row->verdict));
    if (by == 0 && !a->by_message)
        by = compare_numbers(rule_number(a->row->rule), rule_number(b->row->rule));
    if (by == 0 && !a->by_message) by = compare_numbers(a->row->party, b->row->party);
    return by != 0 ? by : strcmp(a->message, b->message);
}

/* Rows of one array: their order. */
static int compare_rows(const struct adi_result *a, const struct adi_result *b) {
    return a == b ? 0 : a < b ? -1 : 1;
}

/* One case in which it is seen once tells more than one of fifty columns. */
static bool is_crowded(const struct adi_result *row) {
    return strstr(row->message, " more like it)") != NULL;
}

/* "int8/nulls/consume" explains itself, "list_utf8/offset-on-child/consume-released-array" does
 * not.
 */
static size_t oddities(const struct adi_result *row) {
    size_t n = 0;
    for (const char *at = row->case_name; *at != '\0'; at++) n += *at == '-' || *at == '_';
    return n;
}

/* What was confirmed is shown first, and of that the plainest. */
static int compare_exhibits(const struct adi_result *a, const struct adi_result *b) {
    int by = b->confirmed - a->confirmed;
    if (by == 0) by = is_crowded(a) - is_crowded(b);
    if (by == 0) by = compare_numbers(oddities(a), oddities(b));
    return by != 0 ? by : compare_rows(a, b);
}

static int by_cause(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    int by = compare_cause(a, b);
    return by != 0 ? by : compare_exhibits(a->row, b->row);
}

static int by_weight(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    int by = compare_numbers(a->grade, b->grade);
    if (by == 0) by = compare_numbers(b->count, a->count);
    if (by == 0) by = compare_rows(a->first, b->first);
    return by != 0 ? by : compare_exhibits(a->row, b->row);
}

/* Sorted by cause: tells each entry how many its group has, which is the first, and the gravest
 * grade, as those of one message may be of several rules. */
static void count_groups(struct entry *entries, size_t n) {
    for (size_t first = 0, end; first < n; first = end) {
        unsigned grade = entries[first].grade;
        for (end = first + 1; end < n && compare_cause(&entries[first], &entries[end]) == 0; end++)
            if (entries[end].grade < grade) grade = entries[end].grade;
        for (size_t i = first; i < end; i++) {
            entries[i].count = end - first;
            entries[i].first = entries[first].row;
            entries[i].grade = grade;
        }
    }
}

static void put_groups(const struct entry *entries, size_t n, struct adi_digest *out) {
    for (size_t i = 0; i < n; i++) {
        out->rows[out->n_rows++] = entries[i].row;
        if (entries[i].row == entries[i].first)
            out->groups[out->n_groups++] = (struct adi_group){i, entries[i].count};
    }
}

/* Of what is known the rule alone still says so. */
static bool ends_process(const struct adi_result *row) {
    static const char *const ids[] = {"life/crash", "life/hang"};
    if (row->verdict != ADI_XFAIL || row->rule == NULL) return adi_result_is_death(row);
    return strcmp(row->rule->id, ids[0]) == 0 || strcmp(row->rule->id, ids[1]) == 0;
}

/* However many rows there are: one that ends the process is to be seen. */
static unsigned grade_of(const struct adi_result *row, const struct adi_report *report) {
    bool red = adi_result_is_red(row, report);
    unsigned severity = ends_process(row)                                ? 0
                        : row->rule == NULL || adi_rule_binds(row->rule) ? 1
                                                                         : 2;
    return 3 * (red ? 0 : 1 + adi_verdict_rank(row->verdict)) + severity;
}

typedef bool chooser(const struct adi_result *result);

bool adi_digest_has(const struct adi_result *result) {
    return adi_verdict_rank(result->verdict) < adi_verdict_rank(ADI_PASS);
}

static int gather(const struct adi_report *report, chooser *chosen, struct adi_digest *out) {
    size_t n = 0, size = report->n_results + 1;
    struct entry *entries = calloc(size, sizeof *entries);
    *out = (struct adi_digest){.rows = calloc(size, sizeof *out->rows),
                               .groups = calloc(size, sizeof *out->groups)};
    bool failed = entries == NULL || out->rows == NULL || out->groups == NULL;
    for (size_t i = 0; i < report->n_results && !failed; i++) {
        const struct adi_result *row = &report->results[i];
        if (!chosen(row)) continue;
        entries[n++] = (struct entry){.row = row,
                                      .message = adi_group_message(row),
                                      .grade = grade_of(row, report),
                                      .by_message = chosen == is_unjudged};
        failed = entries[n - 1].message == NULL;
    }
    if (!failed) {
        qsort(entries, n, sizeof *entries, by_cause);
        count_groups(entries, n);
        qsort(entries, n, sizeof *entries, by_weight);
        put_groups(entries, n, out);
    }
    for (size_t i = 0; i < n; i++) free(entries[i].message);
    free(entries);
    if (failed) adi_digest_free(out);
    return failed ? ENOMEM : 0;
}

int adi_digest_of(const struct adi_report *report, struct adi_digest *out) {
    return gather(report, adi_digest_has, out);
}

int adi_digest_unjudged(const struct adi_report *report, struct adi_digest *out) {
    return gather(report, is_unjudged, out);
}

void adi_digest_free(struct adi_digest *digest) {
    free(digest->rows);
    free(digest->groups);
    *digest = (struct adi_digest){0};
}
