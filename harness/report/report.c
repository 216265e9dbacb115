/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

/* A report that has no memory left has nothing to tell: it says so and ends the run as a failure of
 * our own. */
static void *must(void *memory) {
    if (memory != NULL) return memory;
    fputs("adicheck: out of memory while writing the report\n", stderr);
    exit(2);
}

struct adi_report *adi_report_new(void) {
    struct adi_report *report = must(calloc(1, sizeof *report));
    report->implementation = must(strdup(""));
    report->implementation_version = must(strdup(""));
    report->rules = ADI_RULES_VERSION;
    return report;
}

#define TEXTS 10

static void texts_of(struct adi_result *row, char **out[TEXTS]) {
    char **texts[TEXTS] = {&row->device,    &row->case_name, &row->message,     &row->seen,
                           &row->wanted,    &row->replay,    &row->stderr_text, &row->mend,
                           &row->preceding, &row->calls};
    memcpy(out, texts, sizeof texts);
}

struct adi_result adi_result_copy(const struct adi_result *row) {
    struct adi_result made = *row;
    char **texts[TEXTS];
    texts_of(&made, texts);
    for (size_t i = 0; i < TEXTS; i++) *texts[i] = must(strdup(*texts[i] == NULL ? "" : *texts[i]));
    made.steps = NULL;
    made.n_steps = 0;
    made.order = NULL;
    made.program = NULL;
    for (size_t i = 0; i < row->n_steps; i++) adi_result_step(&made, "%s", row->steps[i]);
    return made;
}

struct adi_result adi_result_new(void) {
    const struct adi_result empty = {.times = 1, .confirmed = true};
    return adi_result_copy(&empty);
}

void adi_result_free(struct adi_result *row) {
    char **texts[TEXTS];
    texts_of(row, texts);
    for (size_t i = 0; i < TEXTS; i++) free(*texts[i]);
    for (size_t i = 0; i < row->n_steps; i++) free(row->steps[i]);
    free(row->steps);
    adi_order_free(row->order);
    free(row->program);
}

void adi_report_free(struct adi_report *report) {
    if (report == NULL) return;
    for (size_t i = 0; i < report->n_results; i++) adi_result_free(&report->results[i]);
    for (size_t i = 0; i < report->n_in_play; i++) {
        free(report->in_play[i].device);
        free(report->in_play[i].case_name);
        free(report->in_play[i].operation);
    }
    free(report->in_play);
    free(report->results);
    free(report->devices);
    free(report->implementation);
    free(report->implementation_version);
    free(report->adapter);
    free(report->source);
    free(report->missing);
    free(report);
}

struct adi_report_device *adi_report_add_device(struct adi_report *report) {
    report->devices =
        must(reallocarray(report->devices, report->n_devices + 1, sizeof *report->devices));
    struct adi_report_device *device = &report->devices[report->n_devices++];
    *device = (struct adi_report_device){0};
    return device;
}

struct adi_report_in_play *adi_report_add_in_play(struct adi_report *report) {
    report->in_play =
        must(reallocarray(report->in_play, report->n_in_play + 1, sizeof *report->in_play));
    struct adi_report_in_play *play = &report->in_play[report->n_in_play++];
    *play = (struct adi_report_in_play){
        .device = must(strdup("")), .case_name = must(strdup("")), .operation = must(strdup(""))};
    return play;
}

struct adi_result *adi_report_add(struct adi_report *report) {
    if (report->n_results == report->capacity) {
        report->capacity = report->capacity == 0 ? 64 : report->capacity * 2;
        report->results =
            must(reallocarray(report->results, report->capacity, sizeof *report->results));
    }
    report->results[report->n_results] = adi_result_new();
    return &report->results[report->n_results++];
}

void adi_result_set(char **field, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    must(length < 0 ? NULL : text);
    free(*field);
    *field = text;
}

void adi_result_append(char **field, const char *between, const char *more) {
    char *before = *field;
    *field = NULL;
    adi_result_set(field, "%s%s%s", before == NULL ? "" : before, before == NULL ? "" : between,
                   more);
    free(before);
}

void adi_result_step(struct adi_result *result, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    must(length < 0 ? NULL : text);
    result->steps = must(reallocarray(result->steps, result->n_steps + 1, sizeof *result->steps));
    result->steps[result->n_steps++] = text;
}

static const enum adi_verdict kinds[ADI_VERDICTS] = {
    [ADI_FAIL] = ADI_FAIL,   [ADI_WARN] = ADI_FAIL,       [ADI_NOTE] = ADI_FAIL,
    [ADI_CRASH] = ADI_CRASH, [ADI_TIMEOUT] = ADI_TIMEOUT, [ADI_ERROR] = ADI_ERROR,
};

bool adi_result_is_finding(const struct adi_result *row) {
    return kinds[row->verdict] != ADI_PASS;
}

bool adi_result_is_violation(const struct adi_result *row) {
    return adi_result_is_finding(row) && row->verdict != ADI_ERROR;
}

bool adi_result_is_death(const struct adi_result *row) {
    return row->verdict == ADI_CRASH || row->verdict == ADI_TIMEOUT;
}

bool adi_result_rests_on_time(const struct adi_result *row) {
    return row->verdict == ADI_TIMEOUT ||
           strcmp(adi_result_rule(row), "sync/event-never-completes") == 0;
}

bool adi_result_is_like(const struct adi_result *a, const struct adi_result *b) {
    return a->rule == b->rule && kinds[a->verdict] == kinds[b->verdict];
}

void adi_result_undecide(struct adi_result *row) {
    row->rule = NULL;
    row->party = ADI_BOTH;
    row->verdict = ADI_ERROR;
}

const char *adi_result_rule(const struct adi_result *result) {
    return result->rule == NULL ? "" : result->rule->id;
}

const char *adi_result_party(const struct adi_result *result) {
    return result->rule == NULL ? "" : adi_party_name(result->party);
}

const char *adi_result_mend(const struct adi_result *result) {
    if (result->mend[0] != '\0') return result->mend;
    return result->rule == NULL ? "" : result->rule->mend;
}

const char *adi_verdict_name(enum adi_verdict verdict) {
    static const char *const names[ADI_VERDICTS] = {
        [ADI_PASS] = "pass",   [ADI_FAIL] = "fail",       [ADI_WARN] = "warn",
        [ADI_NOTE] = "note",   [ADI_SKIP] = "skip",       [ADI_UNSUPPORTED] = "unsupported",
        [ADI_CRASH] = "crash", [ADI_TIMEOUT] = "timeout", [ADI_XFAIL] = "xfail",
        [ADI_XPASS] = "xpass", [ADI_ERROR] = "error",
    };
    return (unsigned)verdict < ADI_VERDICTS ? names[verdict] : "error";
}

/* A MAY is a permission: what makes use of it is worth a note, and never counts. */
static bool counts(const struct adi_rule *rule, bool strict) {
    return adi_rule_binds(rule) || (strict && rule->level != ADI_MAY);
}

enum adi_verdict adi_verdict_of_violation(const struct adi_rule *rule, bool strict) {
    if (counts(rule, strict)) return ADI_FAIL;
    return rule->level == ADI_SHOULD && adi_rule_is_written(rule) ? ADI_WARN : ADI_NOTE;
}

size_t adi_report_count(const struct adi_report *report, enum adi_verdict verdict) {
    size_t n = 0;
    for (size_t i = 0; i < report->n_results; i++) n += report->results[i].verdict == verdict;
    return n;
}

bool adi_result_is_red(const struct adi_result *result, const struct adi_report *report) {
    switch (result->verdict) {
    case ADI_FAIL: /* the mapping of violations has decided already */
    case ADI_XPASS:
        return true;
    case ADI_CRASH:
    case ADI_TIMEOUT:
        return result->rule == NULL || counts(result->rule, report->strict);
    default:
        return false;
    }
}

static bool is_judged(const struct adi_report *report) {
    return report->n_results > adi_report_count(report, ADI_SKIP) +
                                   adi_report_count(report, ADI_UNSUPPORTED) +
                                   adi_report_count(report, ADI_ERROR);
}

static const char lacks_device[] = "a required device is missing";

/* Why the run decides nothing; NULL: it does decide. */
static const char *undecided(const struct adi_report *report) {
    if (report->interrupted) return "interrupted";
    if (report->out_of_time) return "the time limit was over before all was played";
    if (report->missing != NULL) return lacks_device;
    if (report->sim_log_error != 0) return "the log of the simulation (ADI_SIM_LOG) is not whole";
    if (adi_report_count(report, ADI_ERROR) > 0) return "the harness or the adapter failed";
    if (report->n_results == 0)
        return "nothing was judged: the implementation plays no role in what was asked for";
    if (!is_judged(report)) return "nothing was judged: all was refused or skipped";
    for (size_t i = 0; i < report->n_results; i++)
        if (report->results[i].unplayed)
            return "cases were not played, since others hung or died (what is known names others)";
    return NULL;
}

const char *adi_report_cut(const struct adi_report *report) {
    return report->interrupted ? "interrupted" : report->out_of_time ? "time limit" : NULL;
}

char *adi_report_cut_sentence(const struct adi_report *report) {
    char *text = NULL;
    size_t size, n = report->n_unplayed;
    if (adi_report_cut(report) == NULL) return NULL;
    FILE *out = must(open_memstream(&text, &size));
    fputs(report->interrupted ? "interrupted: " : "the time limit of the run was over: ", out);
    if (report->counted)
        fprintf(out, "%zu case%s not played", n, n == 1 ? " was" : "s were");
    else
        fputs("how many cases were not played is not known", out);
    for (size_t i = 0; i < report->n_in_play; i++) {
        const struct adi_report_in_play *play = &report->in_play[i];
        fprintf(out, "%s%s%s%s %s, for %.1f s", i == 0 ? "; in play: " : "; ", play->operation,
                play->operation[0] == '\0' ? "" : " in ", play->device, play->case_name,
                (double)play->ms / 1000);
    }
    must(fclose(out) == 0 ? text : NULL);
    return text;
}

int adi_report_exit(const struct adi_report *report) {
    for (size_t i = 0; i < report->n_results; i++)
        if (adi_result_is_red(&report->results[i], report)) return 1;
    return undecided(report) == NULL ? 0 : 2;
}

#define NAMES 360 /* characters of rules that a sentence has room for */

/* Distinct rules among the red rows that are no xpass: those that bind, and the others; and their
 * ids, which the caller frees. */
static char *count_broken(const struct adi_report *report, size_t *binding, size_t *others) {
    bool *seen = must(calloc(adi_rule_count() + 1, sizeof *seen));
    char *names = NULL;
    *binding = *others = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        if (result->verdict == ADI_XPASS || !adi_result_is_red(result, report)) continue;
        bool *mark = &seen[result->rule == NULL ? adi_rule_count() : adi_rule_index(result->rule)];
        if (*mark) continue;
        *mark = true;
        ++*(result->rule == NULL || adi_rule_binds(result->rule) ? binding : others);
        if (result->rule == NULL) continue;
        size_t used = names == NULL ? 0 : strlen(names);
        if (used + strlen(result->rule->id) < NAMES)
            adi_result_append(&names, ", ", result->rule->id);
        else if (names[used - 1] != '.')
            adi_result_append(&names, ", ", "...");
    }
    free(seen);
    return names == NULL ? must(strdup("")) : names;
}

static const char *plural(size_t n) {
    return n == 1 ? "" : "s";
}

static void say_red(const struct adi_report *report, struct adi_error *out) {
    size_t binding, others, listed = adi_report_count(report, ADI_XPASS);
    char *names = count_broken(report, &binding, &others), *text = NULL;
    bool broken = binding + others > 0;
    size_t size;
    FILE *to = must(open_memstream(&text, &size));
    fputs(broken ? "not conformant: " : "the list of known deviations is out of date: ", to);
    if (binding > 0) fprintf(to, "%zu MUST broken%s", binding, others > 0 ? ", " : "");
    if (others > 0) fprintf(to, "%zu that only --strict counts", others);
    if (broken) fprintf(to, " (%s)%s", names, listed > 0 ? "; " : "");
    if (listed > 0)
        fprintf(to, "%zu known deviation%s no longer deviate%s", listed, plural(listed),
                listed == 1 ? "s" : "");
    if (broken && report->interrupted)
        fputs("; interrupted before the end", to);
    else if (broken && report->out_of_time)
        fputs("; the time limit was over before the end", to);
    must(fclose(to) == 0 ? text : NULL);
    adi_error_set(out, 0, "%s", text);
    free(text);
    free(names);
}

void adi_report_sentence(const struct adi_report *report, struct adi_error *out) {
    const char *why = undecided(report);
    int status = adi_report_exit(report);
    if (status == 1) {
        say_red(report, out);
    } else if (status == 2) {
        bool lacks = why == lacks_device;
        adi_error_set(out, 0, "undecided: %s%s%s", why, lacks ? ": " : "",
                      lacks ? report->missing : "");
    } else {
        size_t known = adi_report_count(report, ADI_XFAIL);
        if (known == 0)
            adi_error_set(out, 0, "conformant");
        else
            adi_error_set(out, 0, "conformant but for what is known: %zu row%s", known,
                          plural(known));
    }
}
