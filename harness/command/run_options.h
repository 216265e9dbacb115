/* SPDX-License-Identifier: Apache-2.0
 *
 * What `adicheck run` and `adicheck fuzz` were asked for, and whether it can be done: names that do
 * not exist are said before the run begins.
 */
#ifndef ADI_RUN_OPTIONS_H
#define ADI_RUN_OPTIONS_H

#include "cmd_options.h"
#include "run.h"

enum adi_format {
    ADI_FORMAT_JSON,
    ADI_FORMAT_JUNIT,
    ADI_FORMAT_TAP,
    ADI_FORMAT_SARIF,
    ADI_FORMAT_HTML,
    ADI_FORMATS, /* how many */
};

struct adi_cmd_run_options {
    struct adi_run_options run;
    const char *known;              /* path */
    const char *source;             /* path */
    const char *paths[ADI_FORMATS]; /* of reports; NULL: none */
};

/* The options of `adicheck run` and `adicheck fuzz`, for adi_options_read into a struct
 * adi_cmd_run_options.
 */
extern const struct adi_option adi_run_table[], adi_fuzz_table[];

/* What counts where nothing is said. */
void adi_cmd_run_options_init(struct adi_cmd_run_options *wanted);

/* 0, or the exit status; what is wrong was written to standard error. `adapters`: some are judged,
 * and may bring devices of their own. */
int adi_cmd_run_options_check(const struct adi_command *command,
                              const struct adi_cmd_run_options *wanted, bool adapters);

#endif /* ADI_RUN_OPTIONS_H */
