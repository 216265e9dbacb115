/* SPDX-License-Identifier: Apache-2.0
 *
 * What was done with a device before a finding about order: the steps of the case and the calls
 * that the interceptor of the device saw, the last of them in a ring. Nothing is written before
 * there is a finding. A line is an object of JSON: those of docs/simulation.md that are about
 * order, with `whose` (1: the implementation's) before them, and
 *
 *   step, text                   a step of the case ("consume"), or of a program ("m01")
 *   unordered, not_behind, of    the event, or the step, that does not come behind what "writes",
 *                                or "uses", an allocation
 *   cut                          the first line: there were others before
 */
#ifndef ADI_TRACE_H
#define ADI_TRACE_H

#include "device.h"
#include "log.h"

#define ADI_TRACE_LINES 160 /* that are kept */
#define ADI_TRACE_LINE  256 /* bytes, with the NUL; what is longer is left out */

/* From now on the interceptor tells its calls; NULL: there is none. Forgets what was before. */
void adi_trace_start(const struct adi_interceptor *interceptor);
/* A step begins. Both texts may be anything. */
void adi_trace_step(const char *what, const char *text);
/* What is reported next: a buffer is handed out, and nothing makes the event (NULL: who gets it)
 * wait for what writes it; or an array is released, and nothing waits for what uses its buffer. */
void adi_trace_handed_out(const void *buffer, const void *event);
void adi_trace_released(const void *buffer);
/* Likewise: what was handed out was found changed afterwards, at this place. Whoever wrote it is a
 * thread of the implementation, of which nothing else is seen. */
void adi_trace_late(const char *place);
/* Writes the lines as records ADI_LOG_CALL, if the rule is about order and for the first few times
 * since the start. Any thread, and signal handlers. */
void adi_trace_write(struct adi_log *log, const char *rule);

#endif /* ADI_TRACE_H */
