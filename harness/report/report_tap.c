/* SPDX-License-Identifier: Apache-2.0
 *
 * TAP 14: one test point a row, what is known as TODO.
 */
#include <errno.h>
#include <string.h>

#include "clean.h"
#include "report.h"

/* Writes `escape` before each of the characters that are special. */
static void put_escaped(FILE *out, const char *text, const char *special, char escape) {
    for (; *text != '\0'; text++) {
        size_t plain = strcspn(text, special);
        adi_clean_print(out, text, plain, ADI_CLEAN_LINE);
        text += plain;
        if (*text == '\0') return;
        fprintf(out, "%c%c", escape, *text);
    }
}

/* A description ends at a `#` that is not escaped, and so does a line. */
static void put_word(FILE *out, const char *word) {
    if (word[0] != '\0') fputc(' ', out);
    put_escaped(out, word, "#\\", '\\');
}

static void put_field(FILE *out, const char *name, const char *text) {
    if (text[0] == '\0') return;
    fprintf(out, "  %s: '", name);
    put_escaped(out, text, "'", '\'');
    fputs("'\n", out);
}

static void put_row(FILE *out, size_t index, const struct adi_report *report,
                    const struct adi_result *result) {
    static const char *const directives[ADI_VERDICTS] = {
        [ADI_SKIP] = "SKIP",
        [ADI_UNSUPPORTED] = "SKIP",
        [ADI_XFAIL] = "TODO",
    };
    bool red = adi_result_is_red(result, report) || result->verdict == ADI_ERROR;
    bool bad = red || result->verdict == ADI_XFAIL;
    fprintf(out, "%s %zu - %s", bad ? "not ok" : "ok", index,
            result->rule == NULL ? "adicheck" : result->rule->id);
    put_word(out, result->device);
    put_word(out, result->case_name);
    if (directives[result->verdict] != NULL) {
        fprintf(out, " # %s ", directives[result->verdict]);
        put_escaped(out, result->message, "#\\", '\\');
    }
    fputc('\n', out);
    if (!red && result->verdict != ADI_WARN && result->verdict != ADI_NOTE) return;
    fputs("  ---\n", out);
    put_field(out, "verdict", adi_verdict_name(result->verdict));
    put_field(out, "message", result->message);
    put_field(out, "seen", result->seen);
    put_field(out, "wanted", result->wanted);
    put_field(out, "mend", adi_result_mend(result));
    put_field(out, "replay", result->replay);
    fputs("  ...\n", out);
}

int adi_report_tap(struct adi_report *const *reports, size_t n, FILE *out) {
    size_t all = 0, index = 0;
    for (size_t i = 0; i < n; i++) all += reports[i]->n_results;
    fprintf(out, "TAP version 14\n1..%zu\n", all);
    for (size_t i = 0; i < n; i++) {
        struct adi_error sentence;
        adi_report_sentence(reports[i], &sentence);
        for (size_t k = 0; k < reports[i]->n_results; k++)
            put_row(out, ++index, reports[i], &reports[i]->results[k]);
        fputs("# ", out);
        adi_clean_put(out, reports[i]->implementation);
        fprintf(out, ": %s\n", sentence.text);
    }
    for (size_t i = 0; i < n; i++) /* "Bail out!" ends the document: the first one speaks for all */
        if (adi_report_exit(reports[i]) == 2) {
            fputs("Bail out! undecided\n", out);
            break;
        }
    return ferror(out) ? EIO : 0;
}
