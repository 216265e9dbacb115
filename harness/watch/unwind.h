/* SPDX-License-Identifier: Apache-2.0
 *
 * A release callback that throws: nobody above it can catch that, so the runtime of C++ ends the
 * process by abort(). Seen from inside, on the thread that released, such an abort is told from
 * others by the exception at hand, and reported as life/release-throws; it ends the worker
 * (ADI_LOG_FATAL). Every other abort goes its way.
 */
#ifndef ADI_UNWIND_H
#define ADI_UNWIND_H

#include "finding.h"
#include "log.h"

/* Puts the handler for SIGABRT in place; findings go to `sink`. 0 or an errno value. Calling it
 * again is cheap, and finds runtimes that were loaded since. */
int adi_unwind_start(struct adi_sink *sink, struct adi_log *log);

/* A release callback is called between these two. Any thread. */
void adi_unwind_enter(void);
void adi_unwind_leave(void);

#endif /* ADI_UNWIND_H */
