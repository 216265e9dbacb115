/* SPDX-License-Identifier: Apache-2.0 */
#include "last.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clean.h"
#include "cmd_output.h"
#include "group.h"
#include "order.h"
#include "report_json.h"

#define INDENT "      "
#define GROUPS 64 /* of a report that are kept */

/* ---- keeping ---- */

/* false: there is no home. */
static bool find_record_path(char path[PATH_MAX], bool make) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char base[PATH_MAX - 32];
    int length = state != NULL && state[0] == '/' ? snprintf(base, sizeof base, "%s", state)
                 : home != NULL && home[0] == '/'
                     ? snprintf(base, sizeof base, "%s/.local/state", home)
                     : -1;
    if (length < 0 || (size_t)length >= sizeof base) return false;
    snprintf(path, PATH_MAX, "%s/adicheck/last.json", base);
    for (char *slash = strchr(path + 1, '/'); slash != NULL && make;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777); /* what is there already is as good */
        *slash = '/';
    }
    return true;
}

/* The report with the best known row of each group. All of it is borrowed but the list of rows;
 * NULL there: no memory. */
static struct adi_report choose(const struct adi_report *report, const struct adi_digest *found) {
    struct adi_report kept = *report;
    size_t groups = found->n_groups < GROUPS ? found->n_groups : GROUPS;
    kept.n_devices = kept.n_results = 0;
    kept.results = calloc(groups + 1, sizeof *kept.results);
    for (size_t i = 0; i < groups && kept.results != NULL; i++) {
        const struct adi_result *const *rows = found->rows + found->groups[i].first,
                                       *best = rows[0];
        for (size_t k = 0; k < found->groups[i].count && best->order == NULL; k++)
            if (rows[k]->order != NULL) best = rows[k];
        kept.results[kept.n_results++] = *best;
    }
    return kept;
}

static void write_kept(struct adi_report *const *kept, size_t n) {
    struct adi_output output;
    char path[PATH_MAX];
    if (!find_record_path(path, true) || adi_output_open(&output, path, NULL) != 0) return;
    bool whole = adi_output_begin(&output, NULL) == 0 && adi_report_json(kept, n, output.file) == 0;
    adi_output_end(&output, whole, NULL);
}

void adi_last_keep(struct adi_report *const *reports, size_t n) {
    struct adi_report *kept = calloc(n + 1, sizeof *kept), **list = calloc(n + 1, sizeof *list);
    size_t made = 0;
    for (struct adi_digest found; kept != NULL && list != NULL && made < n; made++) {
        if (adi_digest_of(reports[made], &found) != 0) break;
        kept[made] = choose(reports[made], &found);
        list[made] = &kept[made];
        adi_digest_free(&found);
        if (kept[made].results == NULL) break;
    }
    if (made == n && n > 0) write_kept(list, n);
    for (size_t i = 0; i < made; i++) free(kept[i].results);
    free(kept);
    free(list);
}

/* ---- telling ---- */

static void tell_order(const json_t *row, FILE *out) {
    const json_t *order = json_object_get(row, "order");
    if (order == NULL) return;
    fputc('\n', out);
    adi_order_text(order, INDENT, out);
}

/* A line a step. */
static void tell_life(const json_t *row, FILE *out) {
    const json_t *life = json_object_get(row, "life"), *step, *slot;
    size_t i, k, failed = SIZE_MAX;
    if (json_is_integer(json_object_get(life, "failed")))
        failed = (size_t)adi_json_number_of(life, "failed");
    if (life != NULL) fprintf(out, "\n" INDENT "on %s:\n", adi_json_text_of(life, "sample"));
    json_array_foreach(json_object_get(life, "steps"), i, step) {
        fprintf(out, INDENT "%3zu  %-7s %-17s", i + 1, adi_json_text_of(step, "step"),
                adi_json_text_of(step, "operation"));
        json_array_foreach(json_object_get(step, "slots"), k, slot)
            fprintf(out, "  %d: %s -> %s", (int)adi_json_number_of(slot, "slot"),
                    adi_json_text_of(slot, "from"), adi_json_text_of(slot, "to"));
        fputs(i == failed ? "   <-- here it failed\n" : "\n", out);
    }
    if (life != NULL && failed == json_array_size(json_object_get(life, "steps")))
        fputs(INDENT "     the end: all is given back   <-- here it failed\n", out);
}

static void tell_row(const json_t *row, FILE *out) {
    static const char *const head[] = {"verdict", "rule", "level", "party", "device", "case"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        adi_clean_between(out, i == 0 ? "" : "  ", adi_json_text_of(row, head[i]), "");
    adi_clean_between(out, "\n" INDENT, adi_json_text_of(row, "message"), "");
    adi_clean_between(out, "\n" INDENT "saw ", adi_json_text_of(row, "seen"), "");
    adi_clean_between(out, "\n" INDENT "wanted ", adi_json_text_of(row, "wanted"), "");
    fputc('\n', out);
    tell_order(row, out);
    tell_life(row, out);
    fputc('\n', out);
    adi_clean_between(out, INDENT, adi_json_text_of(row, "section"), "\n");
    adi_clean_between(out, INDENT "mend: ", adi_json_text_of(row, "mend"), "\n");
    adi_clean_between(out, INDENT "replay: ", adi_json_text_of(row, "replay"), "\n");
}

static bool is_told(const json_t *row, const char *rule) {
    static const char *const unsaid[] = {"pass", "skip", "unsupported"};
    for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++)
        if (strcmp(adi_json_text_of(row, "verdict"), unsaid[i]) == 0) return false;
    return rule == NULL || fnmatch(rule, adi_json_text_of(row, "rule"), 0) == 0;
}

/* "mine 1.0, ./libmine.so, begun 2027-01-15T12:34:56Z". */
static void tell_origin(const json_t *record, FILE *out) {
    const json_t *implementation = json_object_get(record, "implementation");
    adi_clean_between(out, "", adi_json_text_of(implementation, "name"), "");
    adi_clean_between(out, " ", adi_json_text_of(implementation, "version"), "");
    adi_clean_between(out, ", ", adi_json_text_of(record, "adapter"), "");
    adi_clean_between(out, ", begun ", adi_json_text_of(record, "begun"), "");
    fputc('\n', out);
}

/* What a run that was cut did not play, in the words of its report. */
static void tell_cut(const json_t *cut, FILE *out) {
    const json_t *played = json_object_get(cut, "not_played"), *at;
    struct adi_report *report = adi_report_new();
    size_t i;
    report->interrupted = strcmp(adi_json_text_of(cut, "why"), "interrupted") == 0;
    report->out_of_time = !report->interrupted;
    report->counted = json_is_integer(played);
    report->n_unplayed = (size_t)json_integer_value(played);
    json_array_foreach(json_object_get(cut, "in_play"), i, at) {
        struct adi_report_in_play *play = adi_report_add_in_play(report);
        adi_result_set(&play->device, "%s", adi_json_text_of(at, "device"));
        adi_result_set(&play->case_name, "%s", adi_json_text_of(at, "case"));
        adi_result_set(&play->operation, "%s", adi_json_text_of(at, "operation"));
        play->ms = adi_json_number_of(at, "ms");
    }
    char *sentence = adi_report_cut_sentence(report);
    adi_clean_between(out, "", sentence, "\n");
    free(sentence);
    adi_report_free(report);
}

static void tell_record(const json_t *record, const char *rule, FILE *out) {
    const json_t *row, *cut = json_object_get(record, "cut");
    size_t i, told = 0;
    tell_origin(record, out);
    if (cut != NULL) tell_cut(cut, out);
    json_array_foreach(json_object_get(record, "results"), i, row) {
        if (!is_told(row, rule)) continue;
        fputc('\n', out);
        tell_row(row, out);
        told++;
    }
    if (told > 0) return;
    fputs("nothing was found", out);
    if (rule != NULL) adi_clean_between(out, " of ", rule, "");
    fputs(cut != NULL ? " in what was played\n" : "\n", out);
}

static bool is_record(const json_t *json) {
    return json_is_string(json_object_get(json, "adicheck")) &&
           json_is_array(json_object_get(json, "results"));
}

static int tell(const json_t *found, const char *path, const char *rule, FILE *out,
                struct adi_error *error) {
    size_t n = json_is_array(found) ? json_array_size(found) : 1;
    for (size_t i = 0; i < n; i++) {
        const json_t *record = json_is_array(found) ? json_array_get(found, i) : found;
        if (!is_record(record)) return adi_error_set(error, EINVAL, "%s is no record", path);
        if (i > 0) fputc('\n', out);
        tell_record(record, rule, out);
    }
    return 0;
}

int adi_last_tell(const char *path, const char *rule, FILE *out, struct adi_error *error) {
    char record_path[PATH_MAX];
    json_error_t why;
    bool last = path == NULL;
    if (last && !find_record_path(record_path, false))
        return adi_error_set(error, ENOENT,
                             "no run is kept: neither XDG_STATE_HOME nor HOME is set");
    if (last) path = record_path;
    FILE *in = fopen(path, "re");
    if (in == NULL && last && errno == ENOENT)
        return adi_error_set(error, ENOENT, "no run is kept yet; `adicheck run` does that");
    if (in == NULL) return adi_error_set(error, errno, "%s: %s", path, strerror(errno));
    json_t *found = json_loadf(in, 0, &why);
    fclose(in);
    if (found == NULL)
        return adi_error_set(error, EINVAL, "%s is no record: line %d: %s", path, why.line,
                             why.text);
    int code = tell(found, path, rule, out, error);
    json_decref(found);
    return code;
}
