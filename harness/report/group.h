/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a report, gathered by their cause. A group is a cause, not a rule: its rows have the
 * same verdict, rule and party, and the same message but for what varies from case to case: digits
 * (so indices, counts, addresses), values that were read, texts in quotation marks (but of
 * a refusal: they say what was refused). Nor does the place in the tree count that a message begins
 * with: array.children[3].buffers[1], array.dictionary.buffers[0] and array.buffers[1] are one
 * group, array.children[3].offset is of another.
 */
#ifndef ADI_GROUP_H
#define ADI_GROUP_H

#include "report.h"

/* The rows `rows[first]` to `rows[first + count - 1]` of a digest: those that were confirmed, then
 * the others; of each, those of cases in which it was seen once, then those with "more like it"; of
 * each, the plainest case first, which has the fewest qualifiers in its name; then in the order of
 * the report. */
struct adi_group {
    size_t first, count;
};

struct adi_digest {
    const struct adi_result **rows;
    struct adi_group *groups;
    size_t n_rows, n_groups;
};

/* What is wrong: red rows first, then errors, warnings, notes, what is known; of each crashes and
 * hangs, then what breaks a MUST that is written, then the rest; among these the group with most
 * rows first. ENOMEM. The rows stay the report's. */
int adi_digest_of(const struct adi_report *report, struct adi_digest *out);
/* What was not judged: rows that are `unsupported`, then those that are `skip`, gathered by their
 * message alone (the implementation's own last_error text, or why a case was not played), whatever
 * the rule; the group with most rows first. ENOMEM. */
int adi_digest_unjudged(const struct adi_report *report, struct adi_digest *out);
void adi_digest_free(struct adi_digest *digest);

/* The message of a row as its group has it: numbers are "#", and of the place the member alone is
 * left. The same for all rows of a group, and
 * in every run: a fingerprint together with verdict, rule and party. The caller frees it; NULL: out
 * of memory. */
char *adi_group_message(const struct adi_result *result);

/* A text with "#" for each number in it. The caller frees it; NULL: out of memory. */
char *adi_group_numberless(const char *text);

/* Is a row of it one of the findings: something wrong, or known? */
bool adi_digest_has(const struct adi_result *result);

/* Verdicts from the worst (0) to the best. */
unsigned adi_verdict_rank(enum adi_verdict verdict);

#endif /* ADI_GROUP_H */
