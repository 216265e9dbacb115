/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports to try the writers on.
 */
#ifndef ADI_TEST_REPORT_SAMPLE_H
#define ADI_TEST_REPORT_SAMPLE_H

#include "report.h"

/* What an implementation may say, of the worst kind. */
#define HOSTILE "<script>&\x01\x1b[31m\xff\xc3( ]]> '\"\n# \\"

/* The first rule of the level and basis; NULL: none. */
const struct adi_rule *adi_sample_rule(enum adi_level level, enum adi_basis basis);
/* Adds a row of a producer on cpu:-1. */
struct adi_result *adi_sample_row(struct adi_report *report, enum adi_verdict verdict,
                                  const struct adi_rule *rule, const char *case_name);
/* It was seen in the program with these words. */
void adi_sample_program(struct adi_result *row, const char *words);
/* No rows; cpu:-1 is there, opencl is not. */
struct adi_report *adi_sample_report(void);
/* A row of each verdict, with everything that can be said, in hostile text. */
struct adi_report *adi_sample_full_report(void);

typedef int adi_report_writer(struct adi_report *const *reports, size_t n, FILE *out);

/* What the writer writes; the caller frees it. */
char *adi_report_written(adi_report_writer *write, struct adi_report *const *reports, size_t n);

size_t adi_occurrences(const char *text, const char *word);

#endif /* ADI_TEST_REPORT_SAMPLE_H */
