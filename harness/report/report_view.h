/* SPDX-License-Identifier: Apache-2.0
 *
 * Two views of a report that its readers share: the findings, gathered by rule, and the matrix.
 */
#ifndef ADI_REPORT_VIEW_H
#define ADI_REPORT_VIEW_H

#include "report.h"

/* Rows of the same verdict, rule and party: a run of `rows`. */
struct adi_group {
    size_t first, count;
};

/* What there is to say, the worst first: red rows, errors, warnings, notes, what is known. */
struct adi_digest {
    const struct adi_result **rows;
    struct adi_group *groups;
    size_t n_rows, n_groups;
};

/* ENOMEM. The rows stay the report's. */
int adi_digest_of(const struct adi_report *report, struct adi_digest *out);
void adi_digest_free(struct adi_digest *findings);

#define ADI_FAMILIES    16
#define ADI_FAMILY_SIZE 16

/* The families of the rules that the report has rows of, in the order of the rules. */
struct adi_families {
    char names[ADI_FAMILIES][ADI_FAMILY_SIZE];
    size_t count;
};
void adi_families_of(const struct adi_report *report, struct adi_families *out);

/* How many rows of each verdict a device has in a family as a party. */
struct adi_cell {
    size_t rows[ADI_VERDICTS];
};
void adi_cell_of(const struct adi_report *report, const char *device, const char *family,
                 enum adi_party party, struct adi_cell *out);
/* The worst verdict of the cell and its rows among all: "410 pass", "2/412 fail", "-" for none. */
#define ADI_CELL_TEXT 32
enum adi_verdict adi_cell_text(const struct adi_cell *cell, char out[ADI_CELL_TEXT]);

/* Verdicts from the worst (0) to the best. */
unsigned adi_verdict_rank(enum adi_verdict verdict);

#endif /* ADI_REPORT_VIEW_H */
