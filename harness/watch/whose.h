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
/* That interceptor; NULL: attribution is disabled. */
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
/* What the interceptor knows of `bytes` bytes of a buffer from byte `from` on. If it cannot judge a
 * part of an allocation, or `bytes` is -1 (not known), nothing is pending and everything is
 * covered; adi_whose_used and _written may be asked without a number of a whole allocation, which
 * must be the harness's own. Main thread only. */
bool adi_whose_pending(const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_covers(const void *event, const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_used(const void *buffer, int64_t from, int64_t bytes);
bool adi_whose_written(const void *buffer, int64_t from, int64_t bytes);
/* Can the interceptor wait for work of the implementation (`finish`)? Has some of it still to run?
 * Lets all queues go and blocks until all of it has run. Main thread only. */
bool adi_whose_finishes(void);
bool adi_whose_is_due(void);
void adi_whose_finish(void);
/* Is the address a buffer value of the device, where the host has no memory? Callable in signal
 * handlers. */
bool adi_whose_buffer(const void *address);

/* Has the harness made the buffer and given it up, and is it there only since somebody else holds a
 * reference? Main thread only. */
bool adi_whose_given_up(const void *buffer);

#endif /* ADI_WHOSE_H */
