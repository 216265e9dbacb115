/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose calls reach the runtime of a device: the implementation's or the harness's. What the
 * harness does with a device is nobody's fault, and its callbacks run in the middle of other
 * people's calls.
 */
#ifndef ADI_ATTRIBUTION_H
#define ADI_ATTRIBUTION_H

#include "device.h"

/* Sets the interceptor that the attribution of calls is sent to; NULL disables it. Main thread
 * only. */
void adi_attribution_set(const struct adi_interceptor *interceptor);
/* Sets, of a runtime without an interceptor, whether it allocates for its own records on the heap.
 */
void adi_attribution_set_books(bool are_kept);
/* Is it so, by whichever says it? Main thread only. */
bool adi_attribution_keeps_books(void);
/* That interceptor; NULL: attribution is disabled. */
const struct adi_interceptor *adi_interceptor_current(void);
/* Whose calls the calling thread's are from now on. Returns what was so before, to be put back. Any
 * thread. */
bool adi_attribution_enter(bool implementation);
/* What the implementation is asked to do from now on ("produce"). Main thread only. */
void adi_attribution_phase(const char *name);
/* Pauses the queues of one side, and resumes them; there is an interceptor. Main thread only. */
void adi_interceptor_pause(bool implementation);
void adi_interceptor_resume(void);
/* Between the two: are those of this side paused? Main thread only. */
bool adi_interceptor_pauses(bool implementation);
/* What the interceptor knows of `bytes` bytes of a buffer from byte `from` on. If it cannot judge a
 * part of an allocation, or `bytes` is -1 (not known), nothing is pending and everything is
 * covered; adi_interceptor_used and _written may be asked without a number of a whole allocation,
 * which must be the harness's own. Main thread only. */
bool adi_interceptor_pending(const void *buffer, int64_t from, int64_t bytes);
bool adi_interceptor_covers(const void *event, const void *buffer, int64_t from, int64_t bytes);
bool adi_interceptor_used(const void *buffer, int64_t from, int64_t bytes);
bool adi_interceptor_written(const void *buffer, int64_t from, int64_t bytes);
/* Can the interceptor wait for work of the implementation (`drain`)? Has some of it still to run?
 * Lets all queues go and blocks until all of it has run. Main thread only. */
bool adi_interceptor_drains(void);
bool adi_interceptor_has_pending_work(void);
void adi_interceptor_drain(void);
/* What other threads have freed is given up now, so that it is not held by the device itself. Main
 * thread only. */
void adi_interceptor_settle(void);
/* Is the address a buffer value of the device, where the host has no memory? Callable in signal
 * handlers. */
bool adi_interceptor_owns_address(const void *address);

/* Has the harness made the buffer and given it up, and is it there only since somebody else holds a
 * reference? Main thread only. */
bool adi_interceptor_given_up(const void *buffer);

#endif /* ADI_ATTRIBUTION_H */
