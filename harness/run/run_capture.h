/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker writes to standard output and standard error: a memfd that everybody appends to. It
 * is cut short while the worker writes, so that the memory it takes is bounded.
 */
#ifndef ADI_RUN_CAPTURE_H
#define ADI_RUN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADI_CAPTURE_KEPT 4096                /* bytes of the beginning and of the end */
#define ADI_CAPTURE_MOST ((int64_t)16 << 20) /* bytes at which the file is emptied */

struct adi_capture {
    int fd;
    int64_t dropped; /* bytes that the file does not have any more */
    size_t n_first, n_last;
    char first[ADI_CAPTURE_KEPT], last[ADI_CAPTURE_KEPT]; /* of what was dropped */
};

/* 0 or an errno value. */
int adi_capture_begin(struct adi_capture *capture);
/* Empties the file if it has grown too large. */
void adi_capture_cut(struct adi_capture *capture);
/* The text, with a line that says what was left out; the caller frees it. Ends in no newline. */
char *adi_capture_text(struct adi_capture *capture);
void adi_capture_end(struct adi_capture *capture);

#endif /* ADI_RUN_CAPTURE_H */
