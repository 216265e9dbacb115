/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands. Each gets argv from its own name on and returns the exit status.
 */
#ifndef ADI_CMD_H
#define ADI_CMD_H

enum adi_exit {
    ADI_EXIT_OK = 0,
    ADI_EXIT_BROKEN = 1,    /* a MUST was broken */
    ADI_EXIT_UNDECIDED = 2, /* or a failure of our own */
    ADI_EXIT_USAGE = 254,
    ADI_EXIT_BUG = 255,
};

struct adi_command {
    const char *name;
    const char *arguments; /* what stands behind the options: "[ADAPTER.so ...]" */
    const char *what;      /* a sentence part */
    const char *examples;  /* lines, each "  COMMAND    what it does"; "" none */
    int (*main)(const struct adi_command *command, int argc, const char **argv);
};

int adi_cmd_run(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_fuzz(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_devices(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_list(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_explain(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_replay(const struct adi_command *command, int argc, const char **argv);
int adi_cmd_new(const struct adi_command *command, int argc, const char **argv);

#endif /* ADI_CMD_H */
