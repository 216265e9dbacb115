/* SPDX-License-Identifier: Apache-2.0
 *
 * The same text under thousands of rows tells no more than under one, and makes a report of
 * megabytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

#define SHORT 120 /* bytes that are not worth a reference */

struct text {
    struct adi_result *row;
    char *numberless;
    size_t place; /* in the group */
};

static int compare_places(const struct text *a, const struct text *b) {
    return a->place == b->place ? 0 : a->place < b->place ? -1 : 1;
}

static int by_text(const void *left, const void *right) {
    const struct text *a = left, *b = right;
    int by = strcmp(a->numberless, b->numberless);
    return by != 0 ? by : compare_places(a, b);
}

/* Sorted by text: those behind the first of each refer to it. */
static void refer(const struct text *texts, size_t n) {
    for (size_t first = 0, at = 1; at < n; at++) {
        const struct adi_result *kept = texts[first].row;
        if (strcmp(texts[first].numberless, texts[at].numberless) != 0)
            first = at;
        else
            adi_result_set(&texts[at].row->stderr_text, "as in %s on %s\n", kept->case_name,
                           kept->device);
    }
}

static int fold_group(struct adi_report *report, const struct adi_result *const *rows,
                      size_t count) {
    struct text *texts = calloc(count + 1, sizeof *texts);
    size_t n = 0;
    bool failed = texts == NULL;
    for (size_t i = 0; i < count && !failed; i++) {
        if (strlen(rows[i]->stderr_text) <= SHORT) continue;
        texts[n] = (struct text){&report->results[rows[i] - report->results],
                                 adi_group_numberless(rows[i]->stderr_text), i};
        failed = texts[n++].numberless == NULL;
    }
    if (!failed && n > 1) {
        qsort(texts, n, sizeof *texts, by_text);
        refer(texts, n);
    }
    for (size_t i = 0; i < n; i++) free(texts[i].numberless);
    free(texts);
    return failed ? ENOMEM : 0;
}

int adi_report_fold(struct adi_report *report) {
    struct adi_digest findings;
    ADI_TRY(adi_digest_of(report, &findings));
    int code = 0;
    for (size_t i = 0; i < findings.n_groups && code == 0; i++)
        code =
            fold_group(report, findings.rows + findings.groups[i].first, findings.groups[i].count);
    adi_digest_free(&findings);
    return code;
}
