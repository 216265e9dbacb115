/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of an adapter of the build directory, and what its report says.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include "run.h"

/* "DIRECTORY/NAME.so" in the build directory; static text. */
const char *adapter_path(const char *directory, const char *name);

/* The type of device that an adapter of tests/mutants is for: "vpi" of vpi_leaks, else "cpu". */
const char *adapter_device(const char *name);

/* Judges it; `options` may be NULL. The caller frees the report. The test fails if the run does. */
struct adi_report *judge(const char *adapter, const struct adi_run_options *options);
/* The same by its name in tests/hostile. */
struct adi_report *judge_hostile(const char *name, const struct adi_run_options *options);

/* The only row of this case that is a finding; NULL: there is none. More than one fail the test. */
const struct adi_result *finding_of(const struct adi_report *report, const char *case_name);
/* The first row of this case; NULL: none. */
const struct adi_result *row_of(const struct adi_report *report, const char *case_name);

/* Fails the test unless every case of the glob that a producer plays has a row. */
void expect_no_result_lost(const struct adi_report *report, const char *glob);

#endif /* JUDGED_H */
