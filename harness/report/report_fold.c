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

/* Those that say what an earlier one has said refer to it. */
static int fold_group(struct adi_report *report, const struct adi_result *const *rows,
                      size_t count) {
    char **said = calloc(count + 1, sizeof *said); /* NULL: not worth it, or said before */
    bool failed = said == NULL;
    for (size_t i = 0, before; i < count && !failed; i++) {
        if (strlen(rows[i]->stderr_text) <= SHORT) continue;
        said[i] = adi_group_numberless(rows[i]->stderr_text);
        failed = said[i] == NULL;
        for (before = 0; before < i && !failed; before++)
            if (said[before] != NULL && strcmp(said[before], said[i]) == 0) break;
        if (failed || before == i) continue;
        adi_result_set(&report->results[rows[i] - report->results].stderr_text, "as in %s on %s\n",
                       rows[before]->case_name, rows[before]->device);
        free(said[i]);
        said[i] = NULL;
    }
    for (size_t i = 0; i < count && said != NULL; i++) free(said[i]);
    free(said);
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
