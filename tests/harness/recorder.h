/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that writes down what it is asked for and asks another: allocations by number, sizes,
 * offsets. What differs between devices by its nature is left out: values of buffers, events, and
 * waits. One at a time.
 */
#ifndef ADI_TESTS_RECORDER_H
#define ADI_TESTS_RECORDER_H

#include <stdbool.h>

#include "device.h"

/* Opens the recording device over an open one. `twice`: it errs, and writes what it is asked to
 * write twice. The caller closes the real one. */
void recorder_open(const struct adi_device *real, bool twice, struct adi_device *out);

/* Adds to what is written down, as printf. */
void recorder_say(const char *format, ...) ADI_PRINTF(1, 2);
/* What was written down since the last call; the caller frees it. */
char *recorder_take(void);

#endif /* ADI_TESTS_RECORDER_H */
