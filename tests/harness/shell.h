/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the built command by lines of shell, in a folder of its own. ADI_TEST_BUILD names the
 * folder that `adicheck` lies in.
 */
#ifndef ADI_TEST_SHELL_H
#define ADI_TEST_SHELL_H

extern char folder[64];  /* an empty one, where everything happens */
extern char said[65536]; /* by the last command line, on both streams */

/* A checked fixture. At its end all records that were written are held against their schema. */
void shell_open(void);
void shell_close(void);

/* Runs a line of shell in the folder, $A being the command and $B the build's folder; returns its
 * exit status, -1 if it was killed. */
int run(const char *line);
/* Expects the status, and each of the words (separated by `|`) in what was said. Where the command
 * says that it got no processor, the line is run again, up to four times. */
void expect(const char *line, int status, const char *words);

/* Holds the records (*.json) below a folder, or one, against docs/record.schema.json; says so where
 * there is nothing to do that with. */
void shell_expect_records(const char *where);

#endif /* ADI_TEST_SHELL_H */
