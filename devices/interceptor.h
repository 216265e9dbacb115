/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: what every API interceptor has (struct adi_interceptor of device.h): whose
 * code calls, who is told of misuse, and the lines of a trace. What is its own is its table of
 * calls and its idea of order. layers/ has what the layers of OpenCL and Vulkan have beside this.
 *
 * The kit is linked into each shared object, which has a state of its own: what a layer is told of
 * a thread the program does not know. Any thread may call any of it.
 */
#ifndef ADI_INTERCEPTOR_H
#define ADI_INTERCEPTOR_H

#include "device.h"

/* ---- caller attribution ---- */

/* Whose calls the calling thread's are: 0 the harness's, 1 the implementation's, as which a thread
 * begins. */
int adi_caller_party(void);
/* The slot `enter`. */
bool adi_caller_enter(bool implementation);

/* ---- who is told of misuse ---- */

/* The slot `subscribe`. */
void adi_misuse_subscribe(void (*on_misuse)(void *context, enum adi_misuse misuse, bool is_event,
                                            const char *text),
                          void *context);
/* Calls the listener, on the calling thread, which must not hold a lock that a slot takes: the
 * listener may call the slots. */
void adi_misuse_tell(enum adi_misuse misuse, bool is_event, const char *format, ...)
    ADI_PRINTF(3, 4);
/* The same if the calling thread is the implementation's: nobody is told what the harness does. */
#define adi_misused(...) (adi_caller_party() == 1 ? adi_misuse_tell(__VA_ARGS__) : (void)0)

/* ---- the lines of a trace ---- */

/* The slot `trace`. */
void adi_line_subscribe(void (*on_line)(bool implementation, const char *line));
/* Is anybody told? Who has much to look up for a line asks before. */
bool adi_line_is_observed(void);
/* A line of JSON about the implementation's call, or the harness's; about the calling thread's.
 * What does not fit into 255 characters is not told: half a line is none. */
void adi_line_tell(bool implementation, const char *format, ...) ADI_PRINTF(2, 3);
#define adi_line_say(...) adi_line_tell(adi_caller_party() == 1, __VA_ARGS__)
/* A line that is ready. */
void adi_line_pass(bool implementation, const char *line);

#endif /* ADI_INTERCEPTOR_H */
