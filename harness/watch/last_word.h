/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a process after a finding that leaves nothing to go on with. A worker is silent then:
 * its parent has the log. Where the process is somebody else's, as that of a test suite is, it says
 * so.
 */
#ifndef ADI_LAST_WORD_H
#define ADI_LAST_WORD_H

#include <stdbool.h>

#include "log.h"

/* What is called before the process ends, by whichever thread, from a handler; it need not return.
 * NULL: nothing. */
void adi_last_word_by(void (*say)(void));

/* Is the process somebody else's, who is told that it ends? */
bool adi_last_word_is_said(void);

/* Writes ADI_LOG_FATAL, and ends the process. */
_Noreturn void adi_last_word(struct adi_log *log);

#endif /* ADI_LAST_WORD_H */
