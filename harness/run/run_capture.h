/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker writes to standard output and standard error: a memfd that everybody appends to. It
 * is one text for all the cases of the worker; each case has the part between two marks, which are
 * positions in it. What lies between the beginning and the end of a part that has grown large is
 * given back to the system while the worker writes, so that the memory it takes is bounded.
 */
#ifndef ADI_RUN_CAPTURE_H
#define ADI_RUN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADI_CAPTURE_KEPT 4096                /* bytes of the beginning and of the end of a part */
#define ADI_CAPTURE_MOST ((int64_t)16 << 20) /* bytes after which memory is given back */

struct adi_capture {
    int fd;
    int64_t cut; /* before here memory has been given back */
};

/* 0 or an errno value. */
int adi_capture_begin(struct adi_capture *capture);
/* Gives memory back if much has been written since the last time. `marks`, ascending, are where the
 * parts begin, as far as is known; the last one goes on to the end. */
void adi_capture_cut(struct adi_capture *capture, const int64_t *marks, size_t n_marks);
/* Should it be cut? To be asked before marks are gathered. */
bool adi_capture_is_large(const struct adi_capture *capture);
/* The text from `from` to `to`, or to the end if that comes first: beginning and end, with a line
 * between them that says what was left out. The caller frees it. Ends in no newline. */
char *adi_capture_text(const struct adi_capture *capture, int64_t from, int64_t to);
void adi_capture_end(struct adi_capture *capture);

#endif /* ADI_RUN_CAPTURE_H */
