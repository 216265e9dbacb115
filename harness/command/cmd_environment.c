/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_environment.h"

#include <stdlib.h>

#include "../devices/environment.h"
#include "cmd_options.h"
#include "cmd_output.h"
#include "shortage.h"

int adi_cmd_refuse(int code, int usage) {
    return adi_is_shortage(code) ? ADI_EXIT_UNDECIDED : usage;
}

/* Whoever judges by the simulation's log is told when there is none. */
static int check_sim_log(const struct adi_command *command) {
    const char *path = getenv("ADI_SIM_LOG");
    struct adi_output output;
    struct adi_error error;
    if (path == NULL || path[0] == '\0') return 0;
    int code = adi_output_open(&output, path, &error);
    if (code != 0) return adi_cmd_refuse(code, adi_usage(command, "ADI_SIM_LOG: %s", error.text));
    adi_output_end(&output, false, NULL);
    return 0;
}

int adi_cmd_environment_check(const struct adi_command *command) {
    struct adi_error error;
    if (adi_settings_check(&error) != 0) return adi_usage(command, "%s", error.text);
    return check_sim_log(command);
}
