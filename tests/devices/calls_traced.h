/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls of its runtime a device makes on the simulation, as the log has them.
 */
#ifndef TESTS_DEVICES_CALLS_TRACED_H
#define TESTS_DEVICES_CALLS_TRACED_H

#include "device.h"

/* How many calls an export of one buffer is, with a wait for its event and its release: from the
 * first that makes a line to the last. */
unsigned long calls_of_an_export(struct adi_device *device);

/* Waits for the event on the host; by which call that is known to be complete: static. */
const char *call_that_waits(struct adi_device *device, void *event);

#endif /* TESTS_DEVICES_CALLS_TRACED_H */
