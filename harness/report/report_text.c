/* SPDX-License-Identifier: Apache-2.0
 *
 * The report that people read: what is wrong, then the matrix, then the verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "report_view.h"

#define INDENT       "      "
#define WIDTH        100 /* columns, in which long values are broken */
#define NAMED        4   /* further cases of a group that are named */
#define STDERR_LINES 4   /* first and last lines of standard error that are shown */
#define CELL         14  /* columns of a cell of the matrix */
#define REASONS      12  /* reasons why something was not judged that are told */

struct page {
    FILE *out;
    bool colour;
    bool bare; /* what was played, and where, is known */
};

static const char *const paints[ADI_VERDICTS] = {
    [ADI_PASS] = "\033[32m",  [ADI_FAIL] = "\033[1;31m",    [ADI_CRASH] = "\033[1;31m",
    [ADI_WARN] = "\033[33m",  [ADI_TIMEOUT] = "\033[1;31m", [ADI_XPASS] = "\033[1;31m",
    [ADI_XFAIL] = "\033[36m", [ADI_ERROR] = "\033[1;35m",   [ADI_NOTE] = "\033[36m",
};

/* Writes `text` in `width` columns in the colour of a verdict. */
static void put(const struct page *page, enum adi_verdict verdict, const char *text, int width) {
    bool painted = page->colour && paints[verdict] != NULL;
    int blanks = width - (int)strlen(text);
    fprintf(page->out, "%s%s%s%*s", painted ? paints[verdict] : "", text, painted ? "\033[0m" : "",
            blanks > 0 ? blanks : 0, "");
}

static void put_line(const struct page *page, const char *before, const char *text) {
    if (text[0] != '\0') fputs(INDENT, page->out);
    adi_clean_between(page->out, before, text, "\n");
}

static void put_head(const struct page *page, const struct adi_result *result) {
    put(page, result->verdict, adi_verdict_name(result->verdict), 0);
    if (result->rule != NULL)
        fprintf(page->out, "  %s  %s  %s", result->rule->id, adi_level_name(result->rule->level),
                adi_party_name(result->party));
    if (!page->bare) adi_clean_between(page->out, "  ", result->device, "");
    if (!page->bare) adi_clean_between(page->out, "  ", result->case_name, "");
    fputc('\n', page->out);
}

/* How many columns the first `bytes` bytes take. */
static size_t columns(const char *text, size_t bytes) {
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += (text[i] & 0xc0) != 0x80;
    return n;
}

/* Lines that end between two words, and begin below the first word. */
static void put_wrapped(const struct page *page, const char *before, const char *text) {
    char *clean = adi_clean_copy(text, ADI_CLEAN_LINE);
    size_t margin = strlen(INDENT) + strlen(before), at = margin;
    if (clean == NULL || text[0] == '\0') {
        free(clean);
        return;
    }
    fprintf(page->out, INDENT "%s", before);
    for (const char *word = clean; *word != '\0';) {
        size_t blanks = strspn(word, " "), bytes = blanks + strcspn(word + blanks, " ");
        size_t width = columns(word, bytes);
        if (at > margin && at + width > WIDTH) {
            fprintf(page->out, "\n%*s", (int)margin, "");
            at = margin;
            word += blanks;
            bytes -= blanks;
            width -= blanks;
        }
        fprintf(page->out, "%.*s", (int)bytes, word);
        at += width;
        word += bytes;
    }
    fputc('\n', page->out);
    free(clean);
}

static void put_seen(const struct page *page, const struct adi_result *result) {
    static const char between[] = "saw    wanted ";
    if (result->seen[0] == '\0' && result->wanted[0] == '\0') return;
    if (strlen(INDENT) + strlen(between) + strlen(result->seen) + strlen(result->wanted) > WIDTH) {
        put_wrapped(page, "saw ", result->seen);
        put_wrapped(page, "wanted ", result->wanted);
        return;
    }
    fputs(INDENT, page->out);
    adi_clean_between(page->out, "saw ", result->seen, result->wanted[0] == '\0' ? "" : "   ");
    adi_clean_between(page->out, "wanted ", result->wanted, "");
    fputc('\n', page->out);
}

/* The place in `text` behind `lines` lines; its end if it has no more. */
static const char *past_lines(const char *text, const char *end, size_t lines) {
    for (; lines > 0 && text < end; lines--) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        text = stop == NULL ? end : stop + 1;
    }
    return text;
}

static void put_stderr_lines(const struct page *page, const char *text, const char *end) {
    while (text < end) {
        const char *next = past_lines(text, end, 1);
        fputs(INDENT "stderr | ", page->out);
        adi_clean_print(page->out, text, (size_t)(next - text) - (next[-1] == '\n'),
                        ADI_CLEAN_LINE);
        fputc('\n', page->out);
        text = next;
    }
}

/* The first lines say why (a panic), the last ones where it ended. */
static void put_stderr(const struct page *page, const char *text) {
    const char *end = text + strlen(text), *head = past_lines(text, end, STDERR_LINES);
    size_t lines = 0;
    for (const char *at = head; at < end; at = past_lines(at, end, 1)) lines++;
    const char *tail = past_lines(head, end, lines > STDERR_LINES ? lines - STDERR_LINES : 0);
    put_stderr_lines(page, text, head);
    if (tail > head && strstr(head, ADI_CAPTURE_CUT) != NULL)
        fputs(INDENT "stderr | ... many more lines\n", page->out);
    else if (tail > head)
        fprintf(page->out, INDENT "stderr | ... %zu more line%s\n", lines - STDERR_LINES,
                lines - STDERR_LINES == 1 ? "" : "s");
    put_stderr_lines(page, tail, end);
}

/* The other rows of a group: how many, and the first few by name. */
static void put_others(const struct page *page, const struct adi_result *const *rows,
                       size_t count) {
    if (count < 2) return;
    fprintf(page->out, INDENT "and %zu more case%s: ", count - 1, count == 2 ? "" : "s");
    for (size_t i = 1; i < count && i <= NAMED; i++) {
        if (i > 1) fputs(", ", page->out);
        if (strcmp(rows[i]->device, rows[0]->device) != 0)
            adi_clean_between(page->out, "", rows[i]->device, " ");
        adi_clean_put(page->out, rows[i]->case_name);
    }
    fputs(count > NAMED + 1 ? ", ...\n" : "\n", page->out);
}

/* What is known needs no steps: who wants to see it again replays it. */
static bool is_brief(enum adi_verdict verdict) {
    return verdict == ADI_XFAIL;
}

static void put_finding(const struct page *page, const struct adi_result *const *rows,
                        size_t count) {
    const struct adi_result *result = rows[0];
    bool brief = is_brief(result->verdict);
    put_head(page, result);
    put_line(page, "", result->message);
    for (size_t i = 0; i < result->n_steps && !brief && !page->bare; i++) {
        char before[32];
        snprintf(before, sizeof before, "step %zu  ", i + 1);
        put_line(page, before, result->steps[i]);
    }
    put_seen(page, result);
    if (result->rule != NULL && !brief)
        fprintf(page->out, INDENT "%s, \"%s\"\n", result->rule->document, result->rule->section);
    if (!brief) put_stderr(page, result->stderr_text);
    const char *mend = adi_result_mend(result);
    if (*mend != '\0' && result->verdict != ADI_XFAIL && result->verdict != ADI_XPASS)
        put_line(page, "mend: ", mend);
    if (!page->bare) put_line(page, "replay: ", result->replay);
    put_others(page, rows, count);
    fputc('\n', page->out);
}

void adi_report_text_result(const struct adi_result *result, FILE *out) {
    const struct page page = {.out = out, .bare = true};
    put_finding(&page, &result, 1);
}

static void put_matrix_row(const struct page *page, const struct adi_cells *cells,
                           enum adi_line line, size_t n_families) {
    char text[ADI_CELL_TEXT];
    fprintf(page->out, "  %-10s", adi_line_name(line));
    for (size_t i = 0; i < n_families; i++) {
        enum adi_verdict worst = adi_cell_text(&cells->of[line][i], text);
        fputs("  ", page->out);
        put(page, worst, text, i + 1 < n_families ? CELL : 0);
    }
    fputc('\n', page->out);
}

/* There, and nothing that was played gave it a row: the second device of a type where the first was
 * asked for. */
static bool is_bare(const struct adi_report_device *device, const struct adi_cells *cells) {
    for (unsigned line = 0; line < ADI_LINES; line++)
        if (cells->has[line]) return false;
    return device->why[0] == '\0';
}

static void put_device(const struct page *page, const struct adi_report_device *device,
                       const struct adi_cells *cells, size_t n_families) {
    fprintf(page->out, "%s  (%s)\n", device->name, device->runtime);
    adi_clean_between(page->out, "  not judged: ", device->why, "\n");
    for (enum adi_line line = 0; line < ADI_LINES; line++)
        if (line != ADI_LINE_RELAY || cells->has[line])
            put_matrix_row(page, cells, line, n_families);
}

/* The devices of which there is nothing to show, in a line for each reason. */
struct names {
    FILE *out;
    const char *between;
};

static void put_name(struct names *names, const char *name) {
    fprintf(names->out, "%s%s", names->between, name);
    names->between = ", ";
}

static void end_names(const struct names *names) {
    if (names->between[0] == ',') fputc('\n', names->out);
}

static void put_devices(const struct page *page, const struct adi_report *report,
                        const struct adi_families *families, bool bare) {
    struct names names = {page->out, "no case on:   "};
    struct adi_cells cells;
    for (size_t i = 0; i < report->n_devices; i++) {
        const struct adi_report_device *device = &report->devices[i];
        if (!device->available || device->idle) continue;
        adi_cells_of(report, families, device->name, &cells);
        if (is_bare(device, &cells) != bare) continue;
        if (bare)
            put_name(&names, device->name);
        else
            put_device(page, device, &cells, families->count);
    }
    end_names(&names);
}

static void put_idle(const struct page *page, const struct adi_report *report) {
    struct names idle = {page->out, "no role on:   "};
    for (size_t i = 0; i < report->n_devices; i++)
        if (report->devices[i].idle) put_name(&idle, report->devices[i].name);
    end_names(&idle);
}

static void put_matrix(const struct page *page, const struct adi_report *report) {
    struct adi_families families;
    adi_families_of(report, &families);
    if (families.count > 0) {
        fprintf(page->out, "%-12s", "");
        for (size_t i = 0; i < families.count; i++)
            fprintf(page->out, "  %-*s", i + 1 < families.count ? CELL : 0, families.names[i]);
        fputc('\n', page->out);
    }
    if (families.count > 0) {
        put_devices(page, report, &families, false);
        fprintf(page->out, "%s\n", adi_legend);
        put_devices(page, report, &families, true);
    }
    put_idle(page, report);
    for (size_t i = 0; i < report->n_devices; i++) {
        if (report->devices[i].available) continue;
        fprintf(page->out, "%-12s  not judged: ", report->devices[i].name);
        adi_clean_put(page->out, report->devices[i].why);
        fputc('\n', page->out);
    }
    if (families.count > 0 || report->n_devices > 0) fputc('\n', page->out);
}

/* Where one case of a group is to be found, and on how many devices others are. */
/* How many the rows are of, in whatever order. */
static size_t n_devices(const struct adi_result *const *rows, size_t count) {
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (strcmp(rows[first]->device, rows[i]->device) != 0) first++;
        devices += first == i;
    }
    return devices;
}

static void put_example(const struct page *page, const struct adi_result *const *rows,
                        size_t count) {
    size_t devices = n_devices(rows, count);
    fputs("             ", page->out);
    if (devices > 1) fprintf(page->out, "on %zu devices, ", devices);
    fputs(count > 1 ? "such as " : "", page->out);
    adi_clean_put(page->out, rows[0]->device);
    if (rows[0]->device[0] != '\0' && rows[0]->case_name[0] != '\0') fputc(' ', page->out);
    adi_clean_put(page->out, rows[0]->case_name);
    fputc('\n', page->out);
}

/* What was refused, in the implementation's own words, and what was not played: it is easily taken
 * for what passed. */
static int put_unjudged(const struct page *page, const struct adi_report *report) {
    struct adi_digest unjudged;
    ADI_TRY(adi_digest_unjudged(report, &unjudged));
    for (size_t g = 0; g < unjudged.n_groups && g < REASONS; g++) {
        const struct adi_result *const *rows = unjudged.rows + unjudged.groups[g].first;
        size_t count = unjudged.groups[g].count;
        put(page, rows[0]->verdict, adi_verdict_name(rows[0]->verdict), 11);
        fprintf(page->out, "  %zu result%s: ", count, count == 1 ? "" : "s");
        adi_clean_put(page->out, rows[0]->message);
        fputc('\n', page->out);
        put_example(page, rows, count);
    }
    if (unjudged.n_groups > REASONS) {
        const struct adi_group *next = &unjudged.groups[REASONS];
        size_t reasons = unjudged.n_groups - REASONS;
        fprintf(page->out, "and %zu results for %zu more reason%s\n", unjudged.n_rows - next->first,
                reasons, reasons == 1 ? "" : "s");
    }
    if (unjudged.n_groups > 0) fputc('\n', page->out);
    adi_digest_free(&unjudged);
    return 0;
}

/* Once, under the findings: who reads the first report has seen no program before. */
static void put_language(const struct page *page, const struct adi_digest *findings) {
    for (size_t g = 0; g < findings->n_groups; g++) {
        const struct adi_result *shown = findings->rows[findings->groups[g].first];
        if (shown->program == NULL || is_brief(shown->verdict)) continue;
        fputs("`adicheck help program` explains the steps of a program.\n\n", page->out);
        return;
    }
}

/* Values that differ from run to run come of memory that was never written, or is not the buffer's:
 * neither the copy of a buffer nor the allocator tells where that begins. */
static bool is_fickle(const struct adi_result *row) {
    return row->verdict == ADI_FAIL && row->rule != NULL && row->flaky &&
           strncmp(row->rule->id, "array/", 6) == 0;
}

static void put_sanitizer(const struct page *page, const struct adi_report *report) {
    bool fickle = false;
    for (size_t i = 0; i < report->n_results && report->adapter != NULL; i++)
        fickle = fickle || is_fickle(&report->results[i]);
    if (fickle)
        fputs("Values that are not the same in each run may be read from memory that was never "
              "written, or past\nthe end of a buffer. AddressSanitizer names the place: build the "
              "adapter with -fsanitize=address.\n\n",
              page->out);
}

static void put_verdict(const struct page *page, const struct adi_report *report) {
    struct adi_error sentence;
    const char *between = "";
    for (unsigned i = 0; i < ADI_VERDICTS; i++) {
        size_t rows = adi_report_count(report, (enum adi_verdict)i);
        if (rows == 0) continue;
        fprintf(page->out, "%s%zu %s", between, rows, adi_verdict_name((enum adi_verdict)i));
        between = ", ";
    }
    fprintf(page->out, "%s in %.1f s (rules %s, seed %llu)\n",
            between[0] == '\0' ? "no results" : "", report->seconds, report->rules,
            (unsigned long long)report->seed);
    char *cut = adi_report_cut_sentence(report);
    adi_clean_between(page->out, "", cut == NULL ? "" : cut, "\n");
    free(cut);
    static const enum adi_verdict as[] = {ADI_PASS, ADI_FAIL, ADI_ERROR};
    adi_clean_put(page->out, report->implementation);
    adi_clean_between(page->out, " ", report->implementation_version, "");
    fputs(": ", page->out);
    adi_report_sentence(report, &sentence);
    put(page, as[adi_report_exit(report)], sentence.text, 0);
    fputc('\n', page->out);
}

int adi_report_text(struct adi_report *const *reports, size_t n, FILE *out, bool colour) {
    struct page page = {.out = out, .colour = colour};
    for (size_t i = 0; i < n; i++) {
        struct adi_digest findings;
        ADI_TRY(adi_digest_of(reports[i], &findings));
        if (i > 0) fputc('\n', out);
        for (size_t g = 0; g < findings.n_groups; g++)
            put_finding(&page, findings.rows + findings.groups[g].first, findings.groups[g].count);
        put_language(&page, &findings);
        put_sanitizer(&page, reports[i]);
        adi_digest_free(&findings);
        put_matrix(&page, reports[i]);
        ADI_TRY(put_unjudged(&page, reports[i]));
        put_verdict(&page, reports[i]);
    }
    return 0;
}
