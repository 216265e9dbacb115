/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readers of a report share beside the groups of its rows: the matrix.
 */
#ifndef ADI_REPORT_VIEW_H
#define ADI_REPORT_VIEW_H

#include "group.h"

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
/* The worst verdict of the cell and its rows among all: "410 pass", "2/412 fail", "-" for none; of
 * passes among what was not refused or refused: "400/410 pass". */
#define ADI_CELL_TEXT 32
enum adi_verdict adi_cell_text(const struct adi_cell *cell, char out[ADI_CELL_TEXT]);

#endif /* ADI_REPORT_VIEW_H */
