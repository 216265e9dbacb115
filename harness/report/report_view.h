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

/* A line of the matrix: what a device's rows are about. A relay is blamed as producer or consumer,
 * and its cases have a line of their own. */
enum adi_line {
    ADI_LINE_PRODUCER,
    ADI_LINE_CONSUMER,
    ADI_LINE_RELAY,
    ADI_LINES,
};
const char *adi_line_name(enum adi_line line);
/* Is the row one of the cell? */
bool adi_line_has(enum adi_line line, const char *family, const char *device,
                  const struct adi_result *row);

/* How many rows of each verdict a device has in a family, in a line. */
struct adi_cell {
    size_t rows[ADI_VERDICTS];
};
/* All cells of a device, counted in one pass over the rows. */
struct adi_cells {
    struct adi_cell of[ADI_LINES][ADI_FAMILIES];
    bool has[ADI_LINES]; /* the line has rows, in some family */
};
void adi_cells_of(const struct adi_report *report, const struct adi_families *families,
                  const char *device, struct adi_cells *out);
/* What a cell says. */
extern const char adi_legend[];
/* The worst verdict of the cell, of which `xfail` comes before `warn` and `note`, and its rows
 * among all: "410 pass", "2/412 fail", "-" for none; "400 pass+10" where 10 more were refused. */
#define ADI_CELL_TEXT 32
enum adi_verdict adi_cell_text(const struct adi_cell *cell, char out[ADI_CELL_TEXT]);

#endif /* ADI_REPORT_VIEW_H */
