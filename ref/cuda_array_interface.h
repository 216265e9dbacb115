/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA Array Interface, versions 0 to 3: the dictionary `__cuda_array_interface__` as a
 * structure, checked, and turned into Arrow's device arrays and made of them without a copy.
 *
 * Version 2 is numba's page of 0.49, version 3 NVIDIA/numba-cuda,
 * docs/source/user/cuda_array_interface.rst at b18b944b2f88. What they differ in, and what is done
 * about it here:
 *
 *  - mask: none in version 0; from 1 on it may be there. It is refused, as it is documented of
 *    consumers.
 *  - strides: unclear in 0 and 1 where the array is C-contiguous, so that they are written there;
 *    from 2 on they may be missing or None, and None is written.
 *  - zero size: unclear in 0 and 1; from 2 on `data` is 0. It is written as 0 in each, and what is
 *    read there is not looked at.
 *  - stream: in 3 only, where it may be None. It is waited for; up to 2 nobody promises an order.
 *  - the owner of the memory: up to 2 the consumer keeps it, in 3 the user's code. `release` lets
 *    it go, if whoever fills the structure in gives one.
 *
 * Every function returns 0 or an errno value with a sentence that begins with the entry. EINVAL: no
 * version of the document allows it. ENOTSUP: a version does, and it is refused here, or Arrow has
 * no place for it. EFAULT: the memory is not the device's, or the array leaves it.
 */
#ifndef ADI_CUDA_ARRAY_INTERFACE_H
#define ADI_CUDA_ARRAY_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "device.h"
#include "error.h"
#include "type_string.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ADI_CUDA_ARRAY_VERSION    3  /* the newest */
#define ADI_CUDA_ARRAY_DIMENSIONS 64 /* arrays of more are refused, as NumPy does */

/* What became of an entry of the dictionary. */
enum adi_entry {
    ADI_ENTRY_ABSENT, /* there is no such key */
    ADI_ENTRY_NONE,   /* it is None */
    ADI_ENTRY_GIVEN,
};

/* "Python Interface Specification". The one who fills it in owns what it points to until `release`;
 * a member of an entry that is not given is not looked at. Zeroed, it has no entry. */
struct adi_cuda_array {
    uint32_t size; /* sizeof(struct adi_cuda_array); for members that may come later */

    /* Each is one of adi_entry. The first four are mandatory. */
    uint8_t has_shape, has_typestr, has_data, has_version;
    uint8_t has_strides, has_descr, has_mask, has_stream;

    int32_t n_dimensions;   /* 0 is a scalar */
    const int64_t *shape;   /* `n_dimensions` of them; NULL if that is 0 */
    const int64_t *strides; /* in bytes, of any sign; as many */
    const char *typestr;    /* NUL-terminated */
    uint64_t data;          /* the pointer */
    bool read_only;
    int64_t version;
    const struct adi_array_field *descr;
    size_t n_descr;
    const struct adi_cuda_array *mask; /* borrowed from whoever filled it in */
    int64_t stream;                    /* 1: legacy default, 2: per-thread default, or a handle */

    /* The owner of what this describes: called once by who has the structure, when nothing uses
     * the memory any more; any thread. It sets `release` to NULL.
     * NULL: the user's code keeps the memory ("Lifetime management"; numba's owner=None). */
    void (*release)(struct adi_cuda_array *);
    void *private_data;
};

/* Moves bitwise, and marks the source as one without an owner and without entries. */
ADI_PUBLIC void adi_cuda_array_move(struct adi_cuda_array *from, struct adi_cuda_array *to);
/* Calls `release`, if there is one, and leaves a structure without entries. */
ADI_PUBLIC void adi_cuda_array_release(struct adi_cuda_array *array);

/* ---- what a description says ---- */

/* What follows from shape, typestr and strides. */
struct adi_cuda_array_extent {
    struct adi_type_string type;
    int64_t items, bytes; /* of all items, were they compact; 0: zero size */
    int64_t lowest, end;  /* the bytes that items lie in, counted from `data`: [lowest, end) */
    bool is_contiguous;   /* C-contiguous, so that they are compact */
};

/* Is it a description: are mandatory entries there, sensible, and in accord with each other? A mask
 * is looked at in the same way, and has to be broadcastable. `out` may be NULL. EINVAL with what is
 * wrong. ENOTSUP: a version that is newer than 3, since a later one may ask for something in place
 * of the stream; more dimensions, or masks of masks, than are counted here. Any thread; looks at no
 * memory of a device. */
ADI_PUBLIC int adi_cuda_array_check(const struct adi_cuda_array *array,
                                    struct adi_cuda_array_extent *out, struct adi_error *error);

/* The same, and what a producer has to do beyond that, in the version that it states: from version
 * 2 on the pointer of a zero-size array is 0. */
ADI_PUBLIC int adi_cuda_array_check_producer(const struct adi_cuda_array *array,
                                             struct adi_error *error);

/* Does the runtime know the memory, can `device` reach it, and do all items lie within one
 * allocation? Of zero size nothing is asked, and `*out` is zeroed. EFAULT: no. ENOTSUP: the device
 * cannot be asked. "Pointer Attributes". */
ADI_PUBLIC int adi_cuda_array_reach(struct adi_device *device, const struct adi_cuda_array *array,
                                    struct adi_pointer_attributes *out, struct adi_error *error);

/* Which of `n_devices` devices the array is on, since the description does not say: memory of a
 * device is on that, managed memory on a device of managed memory and host memory on one of pinned
 * memory, if there is one, else on any that reaches it. Zero size is on the first of CUDA's.
 * EFAULT: on none of them, and why not on the one that the memory is of, or else on the last. */
ADI_PUBLIC int adi_cuda_array_device(struct adi_device *const *devices, size_t n_devices,
                                     const struct adi_cuda_array *array, struct adi_device **out,
                                     struct adi_error *error);

/* ---- to Arrow, as a consumer of the interface ---- */

enum adi_copy {
    ADI_COPY_NEVER,     /* what cannot be used where it lies is refused */
    ADI_COPY_IF_NEEDED, /* items in no compact order, bytes in the other order, bools of a byte */
    ADI_COPY_ALWAYS,
};

/* Turns `in` into an Arrow array on `device` (of the CUDA family, open until the array is
 * released), which owns it: the last release of the array calls in's, on whatever thread; of a
 * copy, this call does. A scalar is an array of length 1, 1-d one of a primitive type, 2-d a
 * fixed-size list, more an arrow.fixed_shape_tensor of the dimensions behind the first one, which
 * is permuted where the strides are. Nothing is nullable. The buffer is the pointer by which the
 * device reaches the data ("Pointer Attributes").
 *
 * Of version 3 an event is recorded on the stream, and is sync_event: whoever waits for it comes
 * behind all that the producer has put there; nothing is waited for here. Without a stream, in
 * versions that have none, and if not `sync`, which is for users who have seen to the order
 * themselves, sync_event is NULL. A copy is read behind the stream, and has an event of its own.
 *
 * ENOTSUP: a mask; a type that Arrow lacks (complex, structured, text, dates); or, if `copy` is
 * NEVER, what would have to be copied. On failure `in` and the outputs are untouched. */
ADI_PUBLIC int adi_cuda_array_to_arrow(struct adi_device *device, struct adi_cuda_array *in,
                                       enum adi_copy copy, bool sync,
                                       struct ArrowSchema *schema_out, struct ArrowDeviceArray *out,
                                       struct adi_error *error);

/* ---- from Arrow, as a producer of the interface ---- */

/* What the description shall be like. Zeroed: version 0, without a copy. */
struct adi_cuda_array_options {
    int64_t version;    /* 0 to 3 */
    uint8_t has_stream; /* adi_entry: what `stream` will be. Given in version 3 only */
    int64_t stream;
    enum adi_copy copy;
    bool no_sync; /* the user sees to it that the array's event is waited for; of a copy, which
                     comes behind that event, nobody else knows, so that it is waited for */
};

/* Describes `in`, an array of `device`, which it moves from; `out->release` gives it back. Taken
 * are numbers, fixed-size binary (V), timestamps without a time zone and durations as 1-d,
 * fixed-size lists of them, within each other too, and arrow.fixed_shape_tensor as n-d, with
 * strides where its metadata permute it. Read-only unless it is a copy (C data interface,
 * "Mutability"), and in the order of bytes of this machine.
 *
 * With a stream, the stream is made to wait for the array's event, or the copy's. Without, the host
 * waits for it: nobody else can. The stream belongs to the consumer or the user, and exists
 * until the release, which waits for all that is in it: a consumer may let go of the owner while
 * its work is still queued there, and an Arrow array may not be released before. The release calls
 * the device on whatever thread it comes from, which CUDA's allows; stream 2 is that thread's.
 *
 * ENOTSUP: nulls; a bool, whose values are bits, if `copy` is NEVER (else it is copied, as |b1);
 * what no type string says; nested otherwise. Where a null count is unknown the bitmap is read,
 * behind the event. EINVAL: not of the schema's shape, or options that no version grants. On
 * failure `in` and `*out` are untouched. */
ADI_PUBLIC int adi_cuda_array_from_arrow(struct adi_device *device,
                                         const struct ArrowSchema *schema,
                                         struct ArrowDeviceArray *in,
                                         const struct adi_cuda_array_options *options,
                                         struct adi_cuda_array *out, struct adi_error *error);

#ifdef __cplusplus
}
#endif

#endif /* ADI_CUDA_ARRAY_INTERFACE_H */
