/* SPDX-License-Identifier: Apache-2.0
 *
 * The harness as producer of tensors of DLPack: an array in guarded memory (guard.h), which a
 * consumer under test asks for tensors. Their structures, shapes, strides and (on the CPU)
 * elements lie in regions of their own; manager_ctx points to where nobody may look; what was
 * deleted is closed. Every finding is the consumer's. The elements are written on the harness's
 * own queue, and the stream that is passed is made to wait for them, as DLPack asks of a producer.
 *
 * One at a time in a process. The main thread opens and closes it; any thread may call what it
 * hands out.
 */
#ifndef ADI_GUARDED_TENSOR_H
#define ADI_GUARDED_TENSOR_H

#include "adapter.h"
#include "dlpack.h"
#include "guard.h"

/* What may be odd about its tensors. */
enum adi_tensor_oddity {
    ADI_TENSOR_LEGACY = 1,      /* in the layout from before 1.0, whatever is asked for */
    ADI_TENSOR_OFFSET = 2,      /* byte_offset is not 0; the last element ends the memory */
    ADI_TENSOR_STRIDED = 4,     /* column by column; of one dimension, every second element */
    ADI_TENSOR_NO_STRIDES = 8,  /* strides are NULL, and the version is 1.1 */
    ADI_TENSOR_NO_DELETER = 16, /* deleter is NULL */
    ADI_TENSOR_MAJOR_2 = 32,    /* version 2.0, with nothing behind the flags */
    ADI_TENSOR_CODE_99 = 64,    /* version 1.99 and a type code that nobody knows */
    ADI_TENSOR_FLOAT6 = 128,    /* of 8 bits */
    ADI_TENSOR_REFUSED = 256,   /* there is none: EINVAL, and nothing is filled in */
    ADI_TENSOR_TRN = 512,       /* on a device that nobody has here; the memory cannot be touched */
};

struct adi_guarded_tensor;

/* Makes an array of the tensor `host`, whose elements are copied to the device. `sink` is told what
 * the consumer breaks; the guard has been started. `*array` is guarded memory. ENOMEM, or what the
 * device says. */
int adi_guarded_tensor_open(struct adi_device *device, const DLTensor *host, unsigned oddities,
                            struct adi_sink *sink, struct adi_guarded_tensor **out,
                            struct adi_dlpack_array **array, struct adi_error *error);

/* How many tensors have been handed out and not deleted, and whether the array is not released. */
size_t adi_guarded_tensor_live(const void *guarded);

/* Reports what was never deleted or released, and gives everything back. NULL: nothing. */
void adi_guarded_tensor_close(struct adi_guarded_tensor *guarded);

#endif /* ADI_GUARDED_TENSOR_H */
