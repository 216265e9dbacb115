/* SPDX-License-Identifier: Apache-2.0 */
#include "check_tensor.h"

#include <inttypes.h>
#include <string.h>

#include "device_types.h"
#include "dlpack_extent.h"
#include "tree.h"

#define ALIGNMENT  256
#define MOST_MAJOR 65535

/* What the rules look at. */
struct look {
    const struct adi_tensor_asked *asked;
    struct adi_tensor *seen;
    const void *frame; /* where those of callers end: below, only who has returned had any */
    bool is_versioned, is_empty;
};

/* ---- copying ---- */

static bool copy_numbers(const int64_t *from, int32_t n, int64_t *to) {
    return adi_safe_read(to, from, (size_t)n * sizeof *to) == 0;
}

/* `shape` and `strides` stay as they are where there is nothing to copy. */
static bool copy_dimensions(struct adi_tensor *out) {
    DLTensor *tensor = &out->tensor;
    if (tensor->ndim <= 0 || tensor->ndim > ADI_DLPACK_DIMS) return true;
    if (tensor->shape != NULL) {
        if (!copy_numbers(tensor->shape, tensor->ndim, out->shape)) return false;
        tensor->shape = out->shape;
    }
    if (tensor->strides == NULL) return true;
    if (!copy_numbers(tensor->strides, tensor->ndim, out->strides)) return false;
    tensor->strides = out->strides;
    return true;
}

static bool copy_legacy(const struct DLManagedTensor *from, struct adi_tensor *out) {
    struct DLManagedTensor managed;
    if (adi_safe_read(&managed, from, sizeof managed) != 0) return false;
    out->has_deleter = managed.deleter != NULL;
    out->tensor = managed.dl_tensor;
    return true;
}

/* dlpack.h, "DLPackVersion": what stands before `flags`, and these, are in every version. */
static bool copy_versioned(const struct DLManagedTensorVersioned *from, struct adi_tensor *out) {
    struct DLManagedTensorVersioned managed;
    size_t every = offsetof(struct DLManagedTensorVersioned, dl_tensor);
    if (adi_safe_read(&managed, from, every) != 0) return false;
    out->has_deleter = managed.deleter != NULL;
    out->version = managed.version;
    out->flags = managed.flags;
    if (managed.version.major != DLPACK_MAJOR_VERSION) return true;
    return adi_safe_read(&out->tensor, &from->dl_tensor, sizeof out->tensor) == 0;
}

bool adi_tensor_has_version(const struct DLManagedTensorVersioned *tensor) {
    struct DLManagedTensorVersioned managed;
    size_t every = offsetof(struct DLManagedTensorVersioned, dl_tensor);
    return adi_safe_read(&managed, tensor, every) == 0 && managed.version.major <= MOST_MAJOR;
}

/* ---- the rules ---- */

/* AAX-28, DLH-01, DLH-51: the structure with a version came with 1.0. */
static bool version_possible(const struct look *look, struct adi_found *found) {
    DLPackVersion version = look->seen->version;
    if (!look->is_versioned || (version.major > 0 && version.major <= MOST_MAJOR)) return true;
    if (version.major > MOST_MAJOR)
        return adi_see(found, "another structure, or none that was written",
                       "a DLManagedTensorVersioned", "version is %" PRIu32 ".%" PRIu32,
                       version.major, version.minor);
    return adi_see(found, NULL, "1.0 or later", "version is %" PRIu32 ".%" PRIu32, version.major,
                   version.minor);
}

/* DLP-10, AAX-29, AAS-02: without max_version the layout from before 1.0 is kept. */
static bool layout_asked(const struct look *look, struct adi_found *found) {
    if (!look->is_versioned || look->asked->max_major > 0) return true;
    return adi_see(found, "DLManagedTensorVersioned", "DLManagedTensor, or an error",
                   "max_version was None");
}

/* DLH-43, DLP-09: from 1.0 on the structure with a version is used. */
static bool layout_current(const struct look *look, struct adi_found *found) {
    if (look->is_versioned || look->asked->max_major == 0) return true;
    return adi_see(found, "DLManagedTensor", "DLManagedTensorVersioned",
                   "max_version was (%" PRIu32 ", %" PRIu32 ")", look->asked->max_major,
                   look->asked->max_minor);
}

/* DLH-50, DLH-53: flags are 0 but for those that say something. */
static bool flags_known(const struct look *look, struct adi_found *found) {
    const DLDataType type = look->seen->tensor.dtype;
    uint64_t known = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
    bool is_newer = look->seen->version.minor > DLPACK_MINOR_VERSION;
    if (type.bits * type.lanes % 8 != 0) known |= DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
    if ((look->seen->flags & ~known) == 0 || is_newer) return true;
    return adi_see(found, NULL, "0 in all other bits", "flags is 0x%" PRIx64, look->seen->flags);
}

/* DLH-32: ndim is a number of dimensions. */
static bool ndim_counts(const struct look *look, struct adi_found *found) {
    int32_t ndim = look->seen->tensor.ndim;
    return ndim >= 0 || adi_see(found, NULL, "0 or more", "ndim is %" PRId32, ndim);
}

/* DLH-30, DLH-33, DLH-34: shape has ndim sizes; it may be NULL if that is 0. */
static bool shape_counts(const struct look *look, struct adi_found *found) {
    const DLTensor *tensor = &look->seen->tensor;
    int64_t bytes = tensor->dtype.bits * tensor->dtype.lanes / 8;
    if (tensor->ndim > 0 && tensor->shape == NULL)
        return adi_see(found, "NULL", "ndim sizes", "shape is NULL, and ndim %" PRId32,
                       tensor->ndim);
    for (int i = 0; i < tensor->ndim; i++)
        if (tensor->shape[i] < 0)
            return adi_see(found, NULL, "0 or more", "shape[%d] is %" PRId64, i, tensor->shape[i]);
    for (int i = 0; i < tensor->ndim && !look->is_empty; i++)
        if (__builtin_mul_overflow(bytes, tensor->shape[i], &bytes))
            return adi_see(found, "more than 64 bits can count", NULL,
                           "shape has more elements than there can be");
    return true;
}

/* DLH-36, DLH-38: from 1.2 on strides are there, unless ndim is 0. */
static bool strides_there(const struct look *look, struct adi_found *found) {
    DLPackVersion version = look->seen->version;
    const DLTensor *tensor = &look->seen->tensor;
    bool may_be_null = !look->is_versioned || version.minor < 2 || tensor->ndim == 0;
    if (may_be_null || tensor->strides != NULL) return true;
    return adi_see(found, "NULL", "ndim strides", "strides is NULL in version %" PRIu32 ".%" PRIu32,
                   version.major, version.minor);
}

/* DLH-24: the code is one of the list. A later version may have more. */
static bool code_known(const struct look *look, struct adi_found *found) {
    int code = look->seen->tensor.dtype.code;
    bool is_newer = look->seen->version.minor > DLPACK_MINOR_VERSION;
    if (code <= kDLFloat4_e2m1fn || is_newer) return true;
    return adi_see(found, NULL, "a DLDataTypeCode", "dtype.code is %d", code);
}

/* DLH-02, DLH-14, DLH-16, DLH-19, DLH-20, DLH-21, DLH-22, DLH-25: code, bits and lanes fit. */
static bool type_well_formed(const struct look *look, struct adi_found *found) {
    static const struct {
        uint8_t first, last, bits; /* bits: the only number that there is, or 0 */
    } sizes[] = {{kDLBool, kDLBool, 8},
                 {kDLFloat8_e3m4, kDLFloat8_e8m0fnu, 8},
                 {kDLFloat6_e2m3fn, kDLFloat6_e3m2fn, 6},
                 {kDLFloat4_e2m1fn, kDLFloat4_e2m1fn, 4}};
    const DLDataType type = look->seen->tensor.dtype;
    const DLPackVersion version = look->seen->version;
    if (type.lanes == 0) return adi_see(found, "0", "1, or those of a vector", "dtype.lanes is 0");
    if (type.bits == 0) return adi_see(found, "0", "the bits of a lane", "dtype.bits is 0");
    if (type.code == kDLComplex && type.bits % 2 != 0)
        return adi_see(found, NULL, "those of both halves", "dtype.bits is %d, of a complex",
                       type.bits);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (type.code >= sizes[i].first && type.code <= sizes[i].last && type.bits != sizes[i].bits)
            return adi_see(found, NULL, NULL, "dtype.bits is %d, and code %d has %d", type.bits,
                           type.code, sizes[i].bits);
    if (type.code > kDLBool && look->is_versioned && version.major == 1 && version.minor == 0)
        return adi_see(found, "version 1.0", "version 1.1 or later", "dtype.code is %d", type.code);
    return true;
}

/* DLH-12: plain memory of the CPU has the id 0. */
static bool cpu_is_zero(const struct look *look, struct adi_found *found) {
    const DLDevice device = look->seen->tensor.device;
    if (device.device_type != kDLCPU || device.device_id == 0) return true;
    return adi_see(found, NULL, "0", "device_id of the CPU is %" PRId32, device.device_id);
}

/* AAD-01, AAX-19: a tensor is where its array says, and where it was asked for. */
/* Libraries number pinned and managed memory as they like (docs/ambiguities.md, 6). */
static bool device_asked(const struct look *look, struct adi_found *found) {
    const DLDevice is = look->seen->tensor.device;
    const struct adi_tensor_asked *asked = look->asked;
    bool same_id = is.device_id == asked->device_id ||
                   adi_device_type_of(asked->device_type)->ids != ADI_IDS_EXACT;
    if ((int32_t)is.device_type == asked->device_type && same_id) return true;
    return adi_see(found, NULL, NULL,
                   "the tensor is on device (%d, %" PRId32 "), and (%" PRId32 ", %" PRId32
                   ") was asked for",
                   (int)is.device_type, is.device_id, asked->device_type, asked->device_id);
}

/* DLH-28: what is there has a place. */
static bool data_there(const struct look *look, struct adi_found *found) {
    if (look->is_empty || look->seen->tensor.data != NULL) return true;
    return adi_see(found, "NULL", "where the elements are", "data is NULL, and there are elements");
}

/* DLH-31, DLP-24: nothing lies nowhere. */
static bool empty_is_null(const struct look *look, struct adi_found *found) {
    if (!look->is_empty || look->seen->tensor.data == NULL) return true;
    return adi_see(found, "a pointer", "NULL", "data is not NULL, and there is no element");
}

/* DLH-27, DLH-29: data is aligned to 256 bytes, which nobody is to rely on. */
static bool data_aligned(const struct look *look, struct adi_found *found) {
    const DLTensor *tensor = &look->seen->tensor;
    uintptr_t rest = (uintptr_t)tensor->data % ALIGNMENT;
    bool is_address =
        adi_device_type_of((int)tensor->device.device_type)->buffer == ADI_BUFFER_IS_ADDRESS;
    if (!is_address || look->is_empty || rest == 0) return true;
    return adi_see(found, NULL, "a multiple of 256",
                   "data lies %d bytes behind a multiple of 256 bytes", (int)rest);
}

/* DLH-48, DLP-07, AAX-25: a copy says that it is one. */
static bool copy_flagged(const struct look *look, struct adi_found *found) {
    bool is_copied = (look->seen->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
    if (!look->is_versioned || look->asked->copy != 1 || is_copied || look->is_empty) return true;
    return adi_see(found, NULL, "DLPACK_FLAG_BITMASK_IS_COPIED",
                   "copy was True, and flags is 0x%" PRIx64, look->seen->flags);
}

/* AAX-23: nobody copies who is told not to. */
static bool no_copy_flagged(const struct look *look, struct adi_found *found) {
    bool is_copied = (look->seen->flags & DLPACK_FLAG_BITMASK_IS_COPIED) != 0;
    if (!look->is_versioned || look->asked->copy != 0 || !is_copied || look->is_empty) return true;
    return adi_see(found, "DLPACK_FLAG_BITMASK_IS_COPIED", "the memory itself, or an error",
                   "copy was False, and the tensor is a copy");
}

/* In the order in which they are looked at; what is grave leaves nothing to look at behind it. */
static const struct {
    const char *rule;
    bool is_grave;
    bool (*holds)(const struct look *look, struct adi_found *found);
} rules[] = {
    {"dlpack/layout-unasked", false, layout_asked},
    {"dlpack/layout-deprecated", false, layout_current},
    {"dlpack/ndim-negative", true, ndim_counts},
    {"dlpack/type-code-unknown", true, code_known},
    {"dlpack/type-malformed", true, type_well_formed},
    {"dlpack/shape-invalid", true, shape_counts},
    {"dlpack/flags-unknown", false, flags_known},
    {"dlpack/strides-null", false, strides_there},
    {"dlpack/cpu-id-not-zero", false, cpu_is_zero},
    {"dlpack/device-differs", false, device_asked},
    {"dlpack/data-null", true, data_there},
    {"dlpack/empty-not-null", false, empty_is_null},
    {"dlpack/data-misaligned", false, data_aligned},
    {"dlpack/copied-flag-missing", false, copy_flagged},
    {"dlpack/copied-unasked", false, no_copy_flagged},
};

/* ---- all of them ---- */

static bool judge(const struct look *look, const char *rule,
                  bool (*holds)(const struct look *look, struct adi_found *found),
                  struct adi_sink *sink) {
    struct adi_found found = {.rule = NULL};
    if (!holds(look, &found)) {
        adi_report(sink, rule, ADI_PRODUCER, found.seen, found.wanted, "%s", found.message);
        return false;
    }
    if (sink->satisfied != NULL) sink->satisfied(sink, adi_rule_named(rule));
    return true;
}

/* Whoever handed a pointer to here out has returned. Less is in no thread's reach. */
#define GONE_STACK ((uintptr_t)16 << 10)

static bool is_gone(const void *frame, const void *pointer) {
    uintptr_t below = (uintptr_t)frame - (uintptr_t)pointer;
    return pointer != NULL && (uintptr_t)pointer < (uintptr_t)frame && below <= GONE_STACK;
}

static enum adi_tensor_is gone(struct adi_sink *sink, const char *what) {
    adi_report(sink, "dlpack/tensor-unreadable", ADI_PRODUCER, "a local variable",
               "memory that lives until the deleter is called",
               "%s on the stack of a function that has returned", what);
    return ADI_TENSOR_UNSOUND;
}

static enum adi_tensor_is unreadable(struct adi_sink *sink, const char *what) {
    adi_report(sink, "dlpack/tensor-unreadable", ADI_PRODUCER, NULL, "memory that can be read",
               "%s cannot be read", what);
    return ADI_TENSOR_UNSOUND;
}

static bool is_empty(const DLTensor *tensor) {
    for (int i = 0; i < tensor->ndim && tensor->shape != NULL; i++)
        if (tensor->shape[i] == 0) return true;
    return false;
}

static enum adi_tensor_is check(struct look *look, struct adi_sink *sink) {
    struct adi_tensor *seen = look->seen;
    if (!judge(look, "dlpack/version-impossible", version_possible, sink))
        return seen->version.major > MOST_MAJOR ? ADI_TENSOR_NONE : ADI_TENSOR_UNSOUND;
    if (look->is_versioned && seen->version.major != DLPACK_MAJOR_VERSION) return ADI_TENSOR_OTHER;
    if (seen->tensor.ndim > ADI_DLPACK_DIMS) return ADI_TENSOR_TOO_BIG;
    const DLTensor *tensor = &seen->tensor;
    if (tensor->ndim > 0 && is_gone(look->frame, tensor->shape)) return gone(sink, "its shape is");
    if (tensor->ndim > 0 && is_gone(look->frame, tensor->strides))
        return gone(sink, "its strides are");
    if (!copy_dimensions(seen)) return unreadable(sink, "its shape, or its strides,");
    look->is_empty = is_empty(&seen->tensor);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!judge(look, rules[i].rule, rules[i].holds, sink) && rules[i].is_grave)
            return ADI_TENSOR_UNSOUND;
    return ADI_TENSOR_SOUND;
}

/* Not inlined, so that there is a frame of its own. */
__attribute__((noinline)) enum adi_tensor_is adi_check_tensor(const struct adi_dlpack *tensor,
                                                              const struct adi_tensor_asked *asked,
                                                              struct adi_tensor *out,
                                                              struct adi_sink *sink) {
    struct look look = {.asked = asked,
                        .seen = out,
                        .frame = __builtin_dwarf_cfa(),
                        .is_versioned = tensor->versioned != NULL};
    const void *handed_out =
        tensor->legacy != NULL ? (const void *)tensor->legacy : tensor->versioned;
    memset(out, 0, sizeof *out);
    out->handed_out = *tensor;
    if ((tensor->legacy == NULL) == (tensor->versioned == NULL)) {
        adi_report(sink, "dlpack/not-one-tensor", ADI_PRODUCER,
                   tensor->legacy == NULL ? "both are NULL" : "neither is NULL", "one of them",
                   "an array answers 0, and gives no tensor or two");
        return ADI_TENSOR_NONE;
    }
    if (is_gone(look.frame, handed_out)) {
        gone(sink, "it is");
        return ADI_TENSOR_NONE;
    }
    bool is_copied = look.is_versioned ? copy_versioned(tensor->versioned, out)
                                       : copy_legacy(tensor->legacy, out);
    if (is_copied) return check(&look, sink);
    unreadable(sink, "it");
    return ADI_TENSOR_NONE;
}
