/* SPDX-License-Identifier: Apache-2.0
 *
 * The tensors that parties are given: of the samples of Arrow those that a tensor can hold, tensors
 * that no sample of Arrow is like, and that of an implementation which takes none.
 */
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "dlpack_extent.h"
#include "move.h"
#include "play_tensor.h"
#include "sample_own.h"

static int fill(struct adi_tensor_sample *out, struct adi_error *error) {
    struct adi_dlpack_extent extent;
    out->tensor = &out->host.versioned->dl_tensor;
    ADI_TRY(adi_dlpack_measure(out->tensor, out->host.versioned->version, 0, &extent, error));
    out->bytes = extent.bytes;
    return adi_dlpack_read(NULL, out->tensor, &extent, &out->compact, error);
}

/* Behind `host`, which stays the caller's, with its strides and its byte_offset. */
static int sample_of_host(const struct adi_dlpack *host, struct adi_tensor_sample *out,
                          struct adi_error *error) {
    static const struct adi_dlpack_arguments defaults = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack_source *source;
    ADI_TRY(adi_dlpack_produce(NULL, host, ADI_DLPACK_READ_ONLY, &source, error));
    int code = adi_dlpack_ask(source, &defaults, &out->host, error);
    adi_dlpack_close(source);
    if (code == 0) code = fill(out, error);
    if (code != 0) adi_tensor_sample_free(out);
    return code;
}

/* ---- of no sample of Arrow ---- */

#define KIND_DIMS  2
#define KIND_BYTES 256

/* AAI-01: bool and complex numbers, which no sample of Arrow is, are handed over, too. */
static const struct kind {
    DLDataType type;
    int ndim;
    int64_t shape[KIND_DIMS], strides[KIND_DIMS];
    uint64_t offset;
} kinds[] = {
    [ADI_TENSOR_SCALAR - ADI_TENSOR_SCALAR] = {{kDLInt, 32, 1}, 0, {0}, {0}, 4},
    [ADI_TENSOR_BOOL - ADI_TENSOR_SCALAR] = {{kDLBool, 8, 1}, 2, {2, 3}, {3, 1}, 0},
    [ADI_TENSOR_COMPLEX64 - ADI_TENSOR_SCALAR] = {{kDLComplex, 64, 1}, 1, {3}, {1}, 0},
    [ADI_TENSOR_COMPLEX128 - ADI_TENSOR_SCALAR] = {{kDLComplex, 128, 1}, 1, {3}, {1}, 0},
    [ADI_TENSOR_BY_COLUMNS - ADI_TENSOR_SCALAR] = {{kDLInt, 32, 1}, 2, {2, 3}, {1, 2}, 0},
    [ADI_TENSOR_WITH_GAPS - ADI_TENSOR_SCALAR] = {{kDLInt, 32, 1}, 2, {2, 3}, {9, 2}, 8},
    [ADI_TENSOR_REVERSED - ADI_TENSOR_SCALAR] = {{kDLInt, 32, 1}, 1, {5}, {-1}, 16},
};

static int sample_of_kind(const struct kind *kind, uint64_t seed, struct adi_tensor_sample *out,
                          struct adi_error *error) {
    unsigned char bytes[KIND_BYTES];
    int64_t shape[KIND_DIMS], strides[KIND_DIMS];
    struct adi_dlpack host;
    memcpy(shape, kind->shape, sizeof shape);
    memcpy(strides, kind->strides, sizeof strides);
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        bytes[i] = (unsigned char)(seed >> 56);
        if (kind->type.code == kDLBool) bytes[i] &= 1;
        if (kind->type.code == kDLComplex && i % 4 == 3) bytes[i] = 0x3F; /* no NaN */
    }
    const DLTensor tensor = {.data = bytes,
                             .device = {kDLCPU, 0},
                             .ndim = kind->ndim,
                             .dtype = kind->type,
                             .shape = shape,
                             .strides = strides,
                             .byte_offset = kind->offset};
    memset(out, 0, sizeof *out);
    ADI_TRY(adi_dlpack_wrap(&tensor, (DLPackVersion){1, 3}, 0, (struct adi_owner){NULL, NULL},
                            &host, error));
    int code = sample_of_host(&host, out, error);
    adi_dlpack_delete(&host);
    return code;
}

/* ---- samples ---- */

static const struct adi_dlpack *own;

void adi_tensor_sample_own_set(const struct adi_dlpack *host) {
    own = host;
}

int adi_tensor_sample_of(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                         uint64_t seed, struct adi_tensor_sample *out, struct adi_error *error) {
    static const struct adi_dlpack_arguments defaults = ADI_DLPACK_DEFAULTS;
    struct ArrowSchema schema;
    struct ArrowDeviceArray array = {.device_id = -1, .device_type = adi_device_cpu.type};
    memset(out, 0, sizeof *out);
    out->is_own = type == adi_sample_own_type() && own != NULL;
    out->stands_in = type == adi_sample_own_type() && own == NULL;
    if (out->is_own) return sample_of_host(own, out, error);
    ADI_TRY(adi_sample(type, shape, seed, &schema, &array.array, error));
    int code = adi_dlpack_export(NULL, &schema, &array, ADI_DLPACK_READ_ONLY, &defaults, &out->host,
                                 error);
    if (code == 0) code = fill(out, error);
    if (code != 0) adi_tensor_sample_free(out);
    adi_schema_release(&schema);
    adi_device_array_release(&array);
    return code;
}

enum adi_tensor_kind adi_tensor_kind_of(const struct adi_scenario *scenario) {
    bool is_kind =
        adi_role_is_of_tensors(scenario->role) && scenario->parameter >= ADI_TENSOR_SCALAR;
    return is_kind ? (enum adi_tensor_kind)scenario->parameter : ADI_TENSOR_OF_ARROW;
}

bool adi_tensor_sample_make(struct adi_test *test, uint64_t more, struct adi_tensor_sample *out) {
    struct adi_error error = {""};
    const struct adi_case *now = test->now;
    enum adi_tensor_kind kind = adi_tensor_kind_of(now->scenario);
    int code =
        kind == ADI_TENSOR_OF_ARROW
            ? adi_tensor_sample_of(now->type, now->shape, test->seed + more, out, &error)
            : sample_of_kind(&kinds[kind - ADI_TENSOR_SCALAR], test->seed + more, out, &error);
    if (code == 0) return true;
    adi_play_error(test, "no sample", &error);
    return false;
}

/* What is left of it is a description whose memory is gone: none of it is looked at but numbers. */
void adi_tensor_sample_spoil(struct adi_tensor_sample *sample) {
    struct adi_dlpack_extent extent;
    const DLTensor *tensor = sample->tensor;
    if (adi_dlpack_measure(tensor, (DLPackVersion){1, 0}, 0, &extent, NULL) == 0 &&
        extent.count > 0)
        memset((char *)tensor->data + tensor->byte_offset + extent.low, ADI_POISON_BYTE,
               (size_t)(extent.high - extent.low));
}

void adi_tensor_sample_free(struct adi_tensor_sample *sample) {
    adi_dlpack_delete(&sample->host);
    free(sample->compact);
    memset(sample, 0, sizeof *sample);
}

const char *adi_tensor_sample_is(const struct adi_tensor_sample *sample) {
    if (sample->stands_in) return "elements that can be read";
    return sample->is_own ? "what it gave first" : "what was handed over";
}
