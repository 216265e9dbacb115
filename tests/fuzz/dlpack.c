/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the import of tensors, and the metadata of arrow.fixed_shape_tensor. The first byte says
 * which. A tensor's memory lies in front of a page that cannot be read; whatever is imported is
 * exported again, and each element has to be the one that the strides say. What is refused stays
 * the caller's, with a sentence.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "dlpack.h"
#include "fixed_shape.h"
#include "fuzz.h"
#include "metadata.h"
#include "move.h"

#define TEXT_MOST   1000
#define MEMORY      256
#define DIMS_MOST   5
#define COUNT_MOST  4096 /* elements that are copied */
#define SIZES_FIRST 12   /* bytes of a number that mean themselves; others are large */

/* ---- metadata ---- */

static void release_nothing(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static int read_shape(const char *json, size_t count, int32_t size, struct adi_fixed_shape *out,
                      struct adi_error *error) {
    struct adi_pair pairs[] = {
        {"ARROW:extension:name", ADI_FIXED_SHAPE_NAME, 20, (int32_t)strlen(ADI_FIXED_SHAPE_NAME)},
        {"ARROW:extension:metadata", json, 24, (int32_t)count}};
    char *metadata = arena_put(adi_metadata_write(pairs, 2, NULL), 1);
    adi_metadata_write(pairs, 2, metadata);
    struct ArrowSchema schema = {
        .format = "+w:1", .metadata = metadata, .release = release_nothing};
    FUZZ_REQUIRE(adi_fixed_shape_is(&schema), "it is not found");
    return adi_fixed_shape_read(&schema, size, out, error);
}

static void fuzz_metadata(const uint8_t *bytes, size_t count) {
    static struct adi_fixed_shape shape, again;
    char text[ADI_FIXED_SHAPE_TEXT];
    struct adi_error error = {""};
    if (count == 0 || count > TEXT_MOST) return;
    int32_t size = bytes[0];
    int code = read_shape((const char *)bytes + 1, count - 1, size, &shape, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL || code == ENOTSUP, "%d", code);
    FUZZ_REQUIRE((code == 0) == (error.text[0] == '\0'), "%d: %s", code, error.text);
    if (code != 0) return;
    adi_fixed_shape_write(&shape, text);
    FUZZ_REQUIRE(read_shape(text, strlen(text), size, &again, &error) == 0, "%s: %s", text,
                 error.text);
    size_t used = (size_t)shape.ndim * sizeof *shape.shape;
    FUZZ_REQUIRE(again.ndim == shape.ndim && memcmp(again.shape, shape.shape, used) == 0 &&
                     memcmp(again.permutation, shape.permutation, used) == 0,
                 "%s is another shape", text);
}

/* ---- tensors ---- */

struct fuzzed {
    DLTensor tensor;
    int64_t shape[DIMS_MOST], strides[DIMS_MOST];
    const char *memory;
    int deleted;
};

static void delete_legacy(struct DLManagedTensor *self) {
    ((struct fuzzed *)self->manager_ctx)->deleted++;
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    ((struct fuzzed *)self->manager_ctx)->deleted++;
}

static int64_t number(struct fuzz_input *input) {
    static const int64_t large[] = {
        INT64_MAX,     INT64_MIN, (int64_t)1 << 62, (int64_t)1 << 32, INT32_MAX, -1, -2, -3,
        INT64_MAX / 2, 100};
    int byte = fuzz_byte(input);
    if (byte < SIZES_FIRST) return byte;
    return large[byte % (int)(sizeof large / sizeof *large)];
}

static void grow(struct fuzz_input *input, struct fuzzed *out) {
    static const DLDataType usual[] = {
        {kDLInt, 8, 1}, {kDLUInt, 16, 1}, {kDLFloat, 32, 1}, {kDLInt, 64, 1}};
    *out = (struct fuzzed){.memory = arena_put(MEMORY, 1)};
    for (int i = 0; i < MEMORY; i++) ((char *)(uintptr_t)out->memory)[i] = (char)(i * 7 + 1);
    DLTensor *tensor = &out->tensor;
    int kind = fuzz_byte(input);
    tensor->ndim = fuzz_below(input, DIMS_MOST + 1);
    tensor->dtype = usual[fuzz_below(input, 4)];
    if (kind & 1)
        tensor->dtype = (DLDataType){fuzz_byte(input), fuzz_byte(input), fuzz_byte(input)};
    tensor->device = (DLDevice){kDLCPU, 0};
    if (kind & 2) tensor->device.device_type = (DLDeviceType)fuzz_byte(input);
    tensor->byte_offset = fuzz_byte(input);
    if (kind & 4) tensor->byte_offset = (uint64_t)number(input);
    tensor->data = (kind & 8) ? NULL : (void *)(uintptr_t)out->memory;
    for (int i = 0; i < tensor->ndim; i++) out->shape[i] = number(input);
    for (int i = 0; i < tensor->ndim; i++) out->strides[i] = number(input);
    tensor->shape = (kind & 16) ? NULL : arena_copy(out->shape, sizeof out->shape, 8);
    tensor->strides = (kind & 32) ? NULL : arena_copy(out->strides, sizeof out->strides, 8);
    /* A shape has as many elements as ndim says: of a number that is refused nobody looks. */
    int64_t ndim = number(input);
    if (kind & 64 && (ndim < 0 || ndim > ADI_DLPACK_DIMS)) tensor->ndim = (int32_t)ndim;
}

__extension__ typedef __int128 wide;

/* Does every element lie within the memory? Worked out in 128 bits. */
static bool is_within(const struct fuzzed *fuzzed) {
    const DLTensor *tensor = &fuzzed->tensor;
    wide item = tensor->dtype.bits * tensor->dtype.lanes / 8, count = 1, stride = 1;
    wide low = (wide)tensor->byte_offset, high = low;
    if (tensor->ndim < 0 || tensor->ndim > DIMS_MOST || item == 0) return false;
    if (tensor->ndim > 0 && tensor->shape == NULL) return false;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        wide last = (wide)tensor->shape[i] - 1;
        if (last < 0 || count > COUNT_MOST || last > COUNT_MOST) return false;
        wide reach = last * item * (tensor->strides == NULL ? stride : tensor->strides[i]);
        *(reach < 0 ? &low : &high) += reach;
        count *= last + 1;
        stride *= last + 1;
    }
    return count <= COUNT_MOST && low >= 0 && high + item <= MEMORY;
}

static const char *element(const DLTensor *tensor, int64_t index) {
    int64_t item = tensor->dtype.bits * tensor->dtype.lanes / 8, at = 0, stride = 1;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        at += index % tensor->shape[i] * (tensor->strides == NULL ? stride : tensor->strides[i]);
        index /= tensor->shape[i];
        stride *= tensor->shape[i];
    }
    return (const char *)tensor->data + tensor->byte_offset + at * item;
}

/* The array as a tensor again: element by element the same. */
static void judge_array(const struct fuzzed *fuzzed, const struct ArrowSchema *schema,
                        struct ArrowDeviceArray *array, bool is_readable) {
    static const struct adi_dlpack_arguments as_it_is = {1, 3, 0, 0, 0, ADI_DLPACK_NONE};
    const DLTensor *tensor = &fuzzed->tensor, *again;
    struct adi_dlpack out;
    struct adi_error error = {""};
    int64_t count = 1;
    FUZZ_REQUIRE(
        adi_dlpack_export(NULL, schema, array, ADI_DLPACK_READ_ONLY, &as_it_is, &out, &error) == 0,
        "export: %s", error.text);
    adi_dlpack_look(&out, &again, NULL, NULL, NULL);
    FUZZ_REQUIRE(again->ndim == (tensor->ndim == 0 ? 1 : tensor->ndim), "%" PRId32, again->ndim);
    for (int i = 0; i < tensor->ndim; i++)
        FUZZ_REQUIRE(again->shape[i] == tensor->shape[i], "shape[%d]", i);
    for (int i = 0; is_readable && i < tensor->ndim; i++) count *= tensor->shape[i];
    for (int64_t i = 0; is_readable && i < count; i++)
        FUZZ_REQUIRE(
            memcmp(element(again, i), element(tensor, i), (size_t)tensor->dtype.bits / 8) == 0,
            "element %" PRId64, i);
    adi_dlpack_delete(&out);
}

static void fuzz_tensor(const uint8_t *bytes, size_t count) {
    struct fuzz_input input = {bytes, count};
    struct fuzzed fuzzed;
    uint32_t major = (uint32_t)fuzz_below(&input, 3), minor = (uint32_t)fuzz_below(&input, 5);
    grow(&input, &fuzzed);
    bool is_readable = is_within(&fuzzed);
    struct adi_dlpack_arguments arguments = {1, 3, 0, 0, is_readable ? -1 : 0, ADI_DLPACK_NONE};
    struct DLManagedTensor legacy = {fuzzed.tensor, &fuzzed, delete_legacy};
    struct DLManagedTensorVersioned versioned = {
        {major, minor}, &fuzzed, delete_versioned, fuzz_byte(&input), fuzzed.tensor};
    struct adi_dlpack in = {NULL, NULL};
    if (major == 0)
        in.legacy = &legacy;
    else
        in.versioned = &versioned;

    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
    struct adi_error error = {""};
    int code = adi_dlpack_import(NULL, &in, &arguments, &schema, &array, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL || code == ENOTSUP, "%d: %s", code, error.text);
    FUZZ_REQUIRE((code == 0) == (error.text[0] == '\0'), "%d: %s", code, error.text);
    FUZZ_REQUIRE((code == 0) == (in.legacy == NULL && in.versioned == NULL), "whose is it?");
    if (code == 0) {
        FUZZ_REQUIRE(major < 2, "another major version");
        judge_array(&fuzzed, &schema, &array, is_readable);
        adi_schema_release(&schema);
    } else {
        FUZZ_REQUIRE(fuzzed.deleted == 0, "deleted, and refused");
        adi_dlpack_delete(&in);
    }
    FUZZ_REQUIRE(fuzzed.deleted == 1, "deleted %d times", fuzzed.deleted);
}

void adi_fuzz_dlpack(const uint8_t *bytes, size_t count) {
    if (count == 0) return;
    arena_reset();
    if (bytes[0] == 'm')
        fuzz_metadata(bytes + 1, count - 1);
    else
        fuzz_tensor(bytes + 1, count - 1);
}
