/* SPDX-License-Identifier: Apache-2.0
 *
 * What the environment asks for, looked at before the work begins: whoever asks for something that
 * does not exist is told, and gets nothing else in its place.
 */
#ifndef ADI_CMD_ENVIRONMENT_H
#define ADI_CMD_ENVIRONMENT_H

#include "cmd.h"

/* A setting that is not understood, or a log of the simulation that cannot be written, is named.
 * Returns 0, or the exit status. */
int adi_cmd_environment_check(const struct adi_command *command);
/* The exit status of what could not be read or written: that there were no descriptors for it is no
 * wrong usage. */
int adi_cmd_refuse(int code, int usage);

#endif /* ADI_CMD_ENVIRONMENT_H */
