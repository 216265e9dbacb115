/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said when a signal ends a process that is somebody else's, as that of a test suite is:
 * nothing of what was judged is left then but these words. The handlers that were there before get
 * the signal behind them, such as those that write a stack.
 */
#ifndef ADI_CRASH_WORD_H
#define ADI_CRASH_WORD_H

#include <signal.h>
#include <stdbool.h>

/* From now on `say` is called, once, when SIGSEGV, SIGBUS, SIGABRT, SIGFPE or SIGILL comes to this
 * process, on whichever thread, from a handler: it does nothing that a handler may not. NULL: no
 * more. Main thread. 0 or an errno value. */
int adi_crash_word_by(void (*say)(int number));

/* For a handler that stands in front of one that was there before, and has no use for the signal:
 * says the word, and calls that. false: there is none, or it has handed the signal on to whoever
 * called this: the default action is left. */
bool adi_crash_word_pass(const struct sigaction *before, int number, siginfo_t *info,
                         void *context);

/* What is to be done where that was false: as `before` if the signal is ignored, else the default.
 */
const struct sigaction *adi_crash_word_left(const struct sigaction *before);

/* "SIGSEGV"; of others: "a signal". */
const char *adi_crash_word_name(int number);

/* Writes the texts, the last of which is NULL, to standard error; for handlers. */
void adi_crash_word_write(const char *const texts[]);

#endif /* ADI_CRASH_WORD_H */
