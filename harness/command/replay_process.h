/* SPDX-License-Identifier: Apache-2.0
 *
 * A process of its own for a replay in which an implementation takes part: it may well die there.
 */
#ifndef ADI_REPLAY_PROCESS_H
#define ADI_REPLAY_PROCESS_H

#include <stdbool.h>

/* Is this that process? There the allocator counts to the byte, as in a worker (heap.h). */
bool adi_replay_is_apart(void);
/* Starts it with the words of this command, the first being its name, and waits for it; `adapter`,
 * NULL for the reference, says what has to be preloaded. Returns the exit status; a death is told
 * as a crash. */
int adi_replay_apart(int argc, const char **argv, const char *adapter);

#endif /* ADI_REPLAY_PROCESS_H */
