/* SPDX-License-Identifier: Apache-2.0
 *
 * Text from an implementation, a signal handler or a file may hold anything. Before it goes to a
 * terminal, into JSON or into XML it is made clean: what may not stand there is written as \xNN.
 */
#ifndef ADI_CLEAN_H
#define ADI_CLEAN_H

#include <stdio.h>

enum adi_clean {
    ADI_CLEAN_UTF8,  /* valid UTF-8, control characters included: JSON */
    ADI_CLEAN_LINES, /* ... without control characters but newline and tab: XML, HTML */
    ADI_CLEAN_LINE,  /* ... without any: one line on a terminal */
};

/* Writes `bytes` bytes of `text` cleanly. */
void adi_clean_print(FILE *out, const char *text, size_t bytes, enum adi_clean how);

/* A clean copy, which the caller frees. NULL: out of memory. */
char *adi_clean_copy(const char *text, enum adi_clean how);

#endif /* ADI_CLEAN_H */
