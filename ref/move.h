/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving: a bitwise copy, and the source marked released without calling its release callback. C
 * data interface, "Moving an array"; C device data interface, "Moving an array"; C stream
 * interface, "Stream lifetime". The destination is overwritten, not released. Nothing here can
 * fail.
 */
#ifndef ADI_MOVE_H
#define ADI_MOVE_H

#include "abi.h"

void adi_schema_move(struct ArrowSchema *from, struct ArrowSchema *to);
void adi_array_move(struct ArrowArray *from, struct ArrowArray *to);
void adi_device_array_move(struct ArrowDeviceArray *from, struct ArrowDeviceArray *to);

/* Between two calls of the stream's callbacks; what it has given out stays as it is. */
void adi_array_stream_move(struct ArrowArrayStream *from, struct ArrowArrayStream *to);
void adi_device_array_stream_move(struct ArrowDeviceArrayStream *from,
                                  struct ArrowDeviceArrayStream *to);

/* Moves a child or the dictionary out of its parent. The caller releases the parent right
 * afterwards; the child lives on. On a device, the wait on the parent's event must have been issued
 * before the parent is released: a child has no event of its own. */
void adi_array_move_child(struct ArrowArray *parent, int64_t index, struct ArrowArray *to);
void adi_array_move_dictionary(struct ArrowArray *parent, struct ArrowArray *to);

/* Calls the release callback of a structure that is not released yet; else does nothing. */
void adi_schema_release(struct ArrowSchema *schema);
void adi_array_release(struct ArrowArray *array);
void adi_device_array_release(struct ArrowDeviceArray *array);
void adi_array_stream_release(struct ArrowArrayStream *stream);
void adi_device_array_stream_release(struct ArrowDeviceArrayStream *stream);

/* An array of the host as the device array that it is: on the CPU, -1. A copy to look at, or to
 * move from: neither is marked released. */
struct ArrowDeviceArray adi_device_array_of_cpu(const struct ArrowArray *array);

#endif /* ADI_MOVE_H */
