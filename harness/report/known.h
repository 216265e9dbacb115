/* SPDX-License-Identifier: Apache-2.0
 *
 * Known deviations: `--known FILE`. A row says that an implementation is known to break a rule, so
 * that the run stays green until the day on which somebody has to look again. One row a line, six
 * fields between `|`, blanks round a field do not count, `#` begins a comment line:
 *
 *   # rule           | case    | version | reason               | link              | until
 *   array/reserved-* | int32*  | 19.*    | bytes are not zeroed | https://a.b/issue | 2027-06-30
 *
 *   rule     glob over rule ids
 *   case     glob over case names; a device glob and a blank may stand before it ("opencl
 *            int32/nulls/export"), else the row is meant for every device
 *   version  glob over the implementation's version
 *   reason   why it is so, in words; "by chance: ..." where some runs show it and others do not;
 *            link: where it is reported
 *   until    YYYY-MM-DD, the last day on which the row covers anything
 *
 * A `|` within the parentheses of a glob is the glob's: @(utf8|binary)/nulls/export.
 *
 * What a row covers is `xfail` instead of red. A row that covers nothing any more, because all that
 * it names was judged and holds, is `xpass` and red: delete it. A row of which nothing was judged
 * in a run that was to play all that it names is a `skip`: the device is not there, the
 * implementation refuses, or another rule is meant. So is a row for another version, one of which a
 * profile plays a part at most and that part holds, and one that is by chance and did not show. A
 * row past its day covers nothing.
 * Where something fails that a row past its day, or for another version, names, and no other row
 * covers it, its message says so.
 */
#ifndef ADI_KNOWN_H
#define ADI_KNOWN_H

#include "error.h"
#include "report.h"
#include "run.h"

struct adi_known;

#define ADI_DATE_SIZE 16

/* Reads the list. `*out` is the caller's. EINVAL: a bad row, and the sentence is "FILE:LINE:COLUMN:
 * what was expected"; another errno value if the file cannot be read. */
int adi_known_read(const char *path, struct adi_known **out, struct adi_error *error);
void adi_known_free(struct adi_known *known);

/* Marks what is listed in a report that is complete: xfail for what fails as listed, one more row
 * with xpass for each listed deviation that is none any more, one with skip for each of which
 * nothing was judged, and a word to what fails although a row that is past its day, or for another
 * version, names it. `options` (NULL: no globs) tells what the run left out: a row is called
 * outdated, or not judged, only if all its cases were to be played. `today` is YYYY-MM-DD. */
void adi_known_apply(const struct adi_known *known, struct adi_report *report,
                     const struct adi_run_options *options, const char *today);

/* The day, UTC, as YYYY-MM-DD. */
void adi_today(char out[ADI_DATE_SIZE]);

#endif /* ADI_KNOWN_H */
