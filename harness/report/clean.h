/* SPDX-License-Identifier: Apache-2.0
 *
 * Text from an implementation, a signal handler or a file may hold anything. Before it goes to a
 * terminal, into JSON or into XML it is made clean: what may not stand there is written as \xNN, a
 * byte at a time. That is what is no UTF-8 and, but for JSON, what is not seen and changes how the
 * rest is: control characters, those that turn the direction of text, those without a width.
 */
#ifndef ADI_CLEAN_H
#define ADI_CLEAN_H

#include <stdarg.h>
#include <stdio.h>

enum adi_clean {
    ADI_CLEAN_UTF8,  /* valid UTF-8, whatever it is: JSON, which is written in ASCII */
    ADI_CLEAN_LINES, /* ... without what is not seen but newline and tab: XML, HTML */
    ADI_CLEAN_LINE,  /* ... without any: one line on a terminal */
};

/* Writes `bytes` bytes of `text` cleanly. */
void adi_clean_print(FILE *out, const char *text, size_t bytes, enum adi_clean how);

/* A text as a line, or a part of one, on a terminal. */
void adi_clean_put(FILE *out, const char *text);

/* The same between two others; where it is empty nothing is written. */
void adi_clean_between(FILE *out, const char *before, const char *text, const char *behind);

/* A clean copy, which the caller frees. NULL: out of memory. */
char *adi_clean_copy(const char *text, enum adi_clean how);
/* The same of what vprintf would write, for several lines. */
char *adi_clean_format(const char *format, va_list arguments);

#endif /* ADI_CLEAN_H */
