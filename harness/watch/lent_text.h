/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: is the text of an error there, that whoever was called lends its caller, or
 * whoever calls lends the callback? Nothing says where it lies, so that what is free is asked for,
 * and what may be free is written over. The C library's memory alone is known here: what is free in
 * an allocator of somebody's own shows when that writes to it.
 */
#ifndef ADI_LENT_TEXT_H
#define ADI_LENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text, not NULL, lie in memory that malloc would hand out, or that AddressSanitizer knows
 * to be free? Answers right of what this thread has freed. Any thread. */
bool adi_lent_text_is_freed(const char *text);
/* Does it lie on the calling thread's stack, below the frame of a callback that runs, where no
 * frame of its caller's is any more? `frame`: __builtin_frame_address(0) of the callback. */
bool adi_lent_text_is_below(const char *text, const void *frame);
/* Writes over memory of its size that was free, and reads the text again, at most so many bytes.
 * What it is in place of `copy`, static text; NULL: the same. */
const char *adi_lent_text_changed(const char *text, const char *copy, size_t most);

#endif /* ADI_LENT_TEXT_H */
