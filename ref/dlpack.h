/* SPDX-License-Identifier: Apache-2.0
 *
 * DLPack beside Arrow: tensors of both layouts, made of arrays and turned into arrays without a
 * copy, and copied to and from devices. A managed tensor travels by its address and ends with its
 * deleter, which is called once, by any thread, when no work on the tensor is queued any more
 * (docs/ambiguities.md, 70).
 *
 * Order is turned round: with Arrow the consumer waits for the producer's event; with DLPack the
 * consumer names its stream, and the producer makes that one wait (dlpack_stream.h). So an export
 * lets the stream wait for the array's event, and an import records an event on the stream.
 *
 * Every function returns 0 or an errno value with a sentence. EINVAL: an argument, or a tensor, is
 * not as the documents have it. ENOTSUP: it is, and cannot be exported or imported: what Python
 * raises BufferError for. ENOMEM, and what the device says. On failure inputs and outputs are
 * untouched. A `device` may be NULL where nothing is copied, looked at or waited for; of memory of
 * the CPU always. It stays open until all that was made with it is released.
 */
#ifndef ADI_DLPACK_H
#define ADI_DLPACK_H

#include "abi.h"
#include "device.h"
#include "dlpack_abi.h"
#include "error.h"
#include "export.h"

#define ADI_DLPACK_DIMS 64 /* tensors of more dimensions are refused, as numpy does */

#define ADI_DLPACK_NONE INT64_MIN /* `stream` where None is passed */

/* A managed tensor: exactly one is not NULL. Whoever has it owes it adi_dlpack_delete. */
struct adi_dlpack {
    struct DLManagedTensor *legacy;
    struct DLManagedTensorVersioned *versioned;
};

/* The arguments of __dlpack__, by which a consumer asks for a tensor. Array API, "__dlpack__". */
struct adi_dlpack_arguments {
    uint32_t max_major, max_minor;  /* 0, 0: None, which is the layout from before 1.0 */
    int32_t device_type, device_id; /* DLPack's; 0, 0: None, which is where the data is */
    int32_t copy;                   /* 1: always; 0: never; -1: None, which is if it must be */
    int64_t stream;
};
#define ADI_DLPACK_DEFAULTS                                                                        \
    { .max_major = 1, .max_minor = 3, .copy = -1, .stream = ADI_DLPACK_NONE }

/* May who gets a tensor write to it? DLPACK_FLAG_BITMASK_READ_ONLY says so from 1.0 on. */
enum adi_dlpack_access {
    ADI_DLPACK_READ_ONLY, /* others read the memory: C data interface, "Mutability". The layout from
                             before 1.0 cannot say it, so that such a tensor is a copy */
    ADI_DLPACK_WRITABLE,  /* the caller knows that nobody minds */
};

/* ---- a tensor, whatever its memory is ---- */

/* Wraps `tensor`, which is copied with its shape and its strides (NULL: row-major and compact;
 * they are never NULL in what comes out), without a look at its memory. `version` 0.x: the layout
 * from before 1.0, which has no flags: READ_ONLY and IS_COPIED are lost there. The deleter calls
 * `owner` once and frees the structure: one allocation. ENOTSUP: 1.0 or 1.1 does not have the code
 * of the type or of the device yet, or, as the layout before 1.0, no flag for elements that are
 * padded. EINVAL as for any tensor. */
int adi_dlpack_wrap(const DLTensor *tensor, DLPackVersion version, uint64_t flags,
                    struct adi_owner owner, struct adi_dlpack *out, struct adi_error *error);

/* Calls the deleter, unless that is NULL, and forgets the tensor. Of any version. dlpack.h,
 * "DLPackVersion", "DLManagedTensor.deleter". */
void adi_dlpack_delete(struct adi_dlpack *tensor);

/* What is within; the tensor stays the caller's. `*version` is 0.0 of the layout from before 1.0.
 * ENOTSUP: of another major version, of which nothing else was looked at. Each output may be NULL.
 */
int adi_dlpack_look(const struct adi_dlpack *tensor, const DLTensor **out, DLPackVersion *version,
                    uint64_t *flags, struct adi_error *error);

/* ---- the producer's side: what can be asked for tensors ---- */

/* Memory that tensors are made of, as often as they are asked for: it is given back when the last
 * of them is deleted and the source closed, by whoever comes last, on any thread. */
struct adi_dlpack_source;

/* A source over an Arrow array, without a copy. Moves from `array`. `schema` is only read. Taken
 * are the integers and floats, 1-d; a fixed-size list of them, 2-d; and arrow.fixed_shape_tensor,
 * n-d, permuted as its metadata says. Offsets become `byte_offset`, id -1 becomes 0.
 * ENOTSUP, with a sentence that says why: nulls, bool (a bit each), whatever is nested otherwise,
 * dictionaries, types that DLPack lacks, an id beyond 32 bits. Where a null count is unknown, and
 * of the values of a list, the bitmap is read, which waits for the event. EINVAL: not of the
 * schema's shape, or metadata that make no sense. */
int adi_dlpack_open(struct adi_device *device, const struct ArrowSchema *schema,
                    struct ArrowDeviceArray *array, enum adi_dlpack_access access,
                    struct adi_dlpack_source **out, struct adi_error *error);

/* A source over memory of the device that `host`, which stays the caller's, is copied to: of any
 * type, bool, complex and those of less than a byte included. Its strides stay, and so does its
 * byte_offset, with filler in front; one that is too small for the elements in front of the first
 * one is raised, and one above a mebibyte dropped. */
int adi_dlpack_produce(struct adi_device *device, const struct adi_dlpack *host,
                       enum adi_dlpack_access access, struct adi_dlpack_source **out,
                       struct adi_error *error);

/* A source over a tensor of somebody else, of any type, without a copy: moves from `in`, whose
 * deleter is called when the source and all that came out of it are gone, on whatever thread.
 * `arguments` are those that it was asked for with: what comes out is ordered behind the stream. It
 * may be written to unless it is flagged READ_ONLY; the layout from before 1.0 has no flag. */
int adi_dlpack_relay(struct adi_device *device, struct adi_dlpack *in,
                     const struct adi_dlpack_arguments *arguments, struct adi_dlpack_source **out,
                     struct adi_error *error);

/* DLPack's name of where the source is: __dlpack_device__. */
DLDevice adi_dlpack_device(const struct adi_dlpack_source *source);

/* The tensor that the source is asked for, with the flags of one that shares its memory; the
 * source's. For whoever does not look at the memory, or knows that nothing is pending. `flags` may
 * be NULL. */
const DLTensor *adi_dlpack_describe(const struct adi_dlpack_source *source, uint64_t *flags);

/* Does what __dlpack__ does: `*out` is the caller's. One thread at a time, and not while one works
 * with the device. Without a copy unless `copy` is 1, or a device other than the source's or the
 * layout makes one necessary: ENOTSUP if `copy` is 0. A copy has its flag, is compact, and who gets
 * it may write to it. The consumer's stream waits for the source's event, or the copy's; with
 * stream -1 nothing does (docs/ambiguities.md, 69). The one other device is the CPU: all has run
 * then, and the stream is None. The version is 1.3, or less if less is asked for. EINVAL: a stream
 * that the device type does not have. */
int adi_dlpack_ask(struct adi_dlpack_source *source, const struct adi_dlpack_arguments *arguments,
                   struct adi_dlpack *out, struct adi_error *error);

/* The tensor as it lies, for as long as the source is there: shape and strides are the source's.
 * The stream waits as above. ENOTSUP: it may not be written to, which a DLTensor cannot say.
 * dlpack.h, "DLPackDLTensorFromPyObjectNoSync". */
int adi_dlpack_borrow(struct adi_dlpack_source *source, int64_t stream, DLTensor *out,
                      struct adi_error *error);

/* The source is asked no more. NULL: nothing. */
void adi_dlpack_close(struct adi_dlpack_source *source);

/* The three in one: an array as one tensor, which owns it. Moves from `array`. */
int adi_dlpack_export(struct adi_device *device, const struct ArrowSchema *schema,
                      struct ArrowDeviceArray *array, enum adi_dlpack_access access,
                      const struct adi_dlpack_arguments *arguments, struct adi_dlpack *out,
                      struct adi_error *error);

/* ---- the consumer's side ---- */

/* A tensor as an Arrow array, which owns it: the deleter is called when the last structure is
 * released, on whatever thread. 0-d is an array of length 1, 1-d one of a primitive type, 2-d a
 * fixed-size list, more an arrow.fixed_shape_tensor of the dimensions behind the first one, which
 * is permuted where the strides are. Nothing is nullable.
 * `arguments` are those that the tensor was asked for with: an event is recorded on the stream, and
 * is the array's sync_event; with stream -1, and where there are no streams, that is NULL. What
 * Arrow cannot stride is copied, on whatever device, and the tensor deleted before this returns;
 * ENOTSUP if `copy` is 0. READ_ONLY goes without saying: consumers of Arrow do not write.
 * ENOTSUP: a type that Arrow lacks (bool of 8 bits, complex, vectors, floats of 8 bits and less,
 * bfloat16), device types 17 and 18, lists of 2^31 values, another major version. EINVAL: a tensor
 * that is not as dlpack.h has it, NULL strides from 1.2 on among that. */
int adi_dlpack_import(struct adi_device *device, struct adi_dlpack *in,
                      const struct adi_dlpack_arguments *arguments, struct ArrowSchema *schema_out,
                      struct ArrowDeviceArray *out, struct adi_error *error);

/* A tensor of any type, read behind the stream of `arguments`, as a compact copy on the host, which
 * is the caller's; `in` is deleted. */
int adi_dlpack_consume(struct adi_device *device, struct adi_dlpack *in,
                       const struct adi_dlpack_arguments *arguments, struct adi_dlpack *host_out,
                       struct adi_error *error);

#endif /* ADI_DLPACK_H */
