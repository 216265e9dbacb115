/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose calls reach the runtime of a device: the implementation's or the harness's. What the
 * harness does with a device is nobody's fault, and its callbacks run in the middle of other
 * people's calls.
 */
#ifndef ADI_WHOSE_H
#define ADI_WHOSE_H

#include "device.h"

/* Sets the interceptor that the attribution of calls is sent to; NULL disables it. Main thread
 * only. */
void adi_whose_tell(const struct adi_witness *witness);
/* Who is told; NULL: nobody. */
const struct adi_witness *adi_whose_witness(void);
/* Whose calls the calling thread's are from now on. Returns what was so before, to be put back. Any
 * thread. */
bool adi_whose_enter(bool implementation);
/* What the implementation is asked to do from now on ("produce"). Main thread only. */
void adi_whose_phase(const char *name);
/* Holds the queues of one side, and lets them go; there is a witness. Main thread only. */
void adi_whose_hold(bool implementation);
void adi_whose_let(void);
/* Between the two: are those of this side held? Main thread only. */
bool adi_whose_holds(bool implementation);
/* What the witness says of `bytes` bytes of a buffer from `from` on; nothing of none. Of less than
 * a whole allocation only a witness that takes lengths can say anything: where it cannot, or the
 * number is not known (-1), nothing is pending, and everything is covered. Whose the whole
 * allocation is (the harness's own) may be asked without a number. Main thread only. */
bool adi_whose_pending(const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_covers(const void *event, const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_used(const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_written(const void *buffer, int64_t from, int64_t bytes);
/* Does work run on its own here, so that it can be waited for? Is some of the implementation's
 * still to run? Ends when all has, and a hold. Main thread only. */
bool adi_whose_finishes(void);
bool adi_whose_is_due(void);
void adi_whose_finish(void);
/* Does a buffer value of the device lie there, where the host has nothing? Signal handlers, too. */
bool adi_whose_buffer(const void *address);

/* Has the harness made the buffer and given it up, and is it there only since somebody else holds a
 * reference? Main thread only. */
bool adi_whose_given_up(const void *buffer);

#endif /* ADI_WHOSE_H */
