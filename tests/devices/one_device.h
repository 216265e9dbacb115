/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of several devices do with one. Each function fails the test that calls it where
 * the device does anything else.
 */
#ifndef TESTS_DEVICES_ONE_DEVICE_H
#define TESTS_DEVICES_ONE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

/* Is it found, with this in the environment ("ADI_METAL=sim"; NULL: nothing)? If not, for a reason
 * that has `cause` in it (NULL: any), that `what` is left out is said. Looks in a process of its
 * own, so that the tests load the runtime themselves. */
bool is_there(const struct adi_device_ops *ops, const char *setting, const char *cause,
              const char *what);

/* ---- buffers ---- */

uint8_t *new_buffer(struct adi_device *device, int64_t bytes);

/* Reads these. */
void expect_bytes(struct adi_device *device, const void *buffer, int64_t offset, const void *wanted,
                  size_t bytes);
/* That so many, at most 256, can be neither read nor written, which is EFAULT, for a reason with
 * these words. */
void expect_fault(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                  const char *words);

/* Writes pieces of many sizes at many offsets of a fresh buffer of so many bytes, of which each is
 * `fresh`, and after each reads the whole. */
void expect_pieces(struct adi_device *device, int64_t bytes, uint8_t fresh);

/* That what is written is read, from as soon as an event of it was waited for. */
void expect_written_is_read(struct adi_device *device);
/* (of a device whose buffer values are pointers) What lies in no buffer, nor altogether in one, or
 * is of no size, is refused; of memory that is not the device's with these words. */
void expect_refusals(struct adi_device *device, const char *words);

/* ---- threads ---- */

/* That a buffer with a write behind it is freed on another thread. */
void expect_freed_elsewhere(struct adi_device *device);
/* The same of many, while this one goes on allocating. */
void expect_many_freed_elsewhere(struct adi_device *device);

/* ---- the queue of a type without events ---- */

/* Waits for what is queued. */
void finish(struct adi_device *device);

/* That who looks without that sees what fresh memory has in each byte. */
void expect_stale_until_finished(struct adi_device *device, uint8_t fresh);
/* That a queue which is paused runs nothing until it is resumed, or finished. Leaves a buffer of 4
 * bytes, "last". */
uint8_t *expect_pauses(struct adi_device *device);

/* That a queue with a write of so many bytes in it runs all but the end of that. Leaves its
 * buffer. */
uint8_t *expect_full_queue_runs(struct adi_device *device, int64_t bytes, uint8_t fresh);

/* ---- memory of which the device gives parts ---- */

/* That a buffer of so many bytes has `fresh` in each, when it is new and when it is given again,
 * which is once the device has given all of its memory; and that it is a fault, with these words,
 * between. Leaves it full. */
void expect_poison(struct adi_device *device, int64_t bytes, int64_t all, uint8_t fresh,
                   const char *words);

/* ---- arrays ---- */

/* That every sample goes there and comes back as it was. */
void expect_samples(struct adi_device *device);

#endif /* TESTS_DEVICES_ONE_DEVICE_H */
