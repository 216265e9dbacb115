/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the driver: what is put into a stream that is captured into a graph.
 */
#ifndef SIM_DRIVER_CAPTURES_H
#define SIM_DRIVER_CAPTURES_H

#include "captured.h"

/* The stream's; NULL: it is not captured. DRIVER_STREAM_CAPTURE_INVALIDATED: its capture has gone
 * wrong before. */
driver_code driver_capture_of(bool per_thread, driver_stream stream, struct driver_branch **out);
/* Adds a node behind what the stream has captured; takes over what the work holds. */
driver_code driver_capture_work(struct driver_branch *branch, struct driver_work *work);

/* ---- events ---- */

/* An event in a capture stands for nodes. */
driver_code driver_capture_record(struct driver_branch *branch, driver_event event);
/* Lets the stream come behind an event: *taken, if that is a matter of captures. */
driver_code driver_capture_wait(bool per_thread, driver_stream stream, driver_event event,
                                bool external, bool *taken);
#endif /* SIM_DRIVER_CAPTURES_H */
