/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes descriptions of the CUDA Array Interface, and type strings. The first byte says which.
 * What a description reaches is worked out once more, in 128 bits: what is accepted has that
 * extent, and what is refused has none, or lacks something. What a type string says is written and
 * read again.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "cuda_array_interface.h"
#include "fuzz.h"
#include "type.h"

#define TEXT_MOST   100
#define DIMS_MOST   5
#define SIZES_FIRST 12 /* bytes of a number that mean themselves; others are large */

/* ---- type strings ---- */

static void judge_format(const struct adi_type_string *type) {
    char format[ADI_FORMAT_SIZE], text[ADI_TYPE_STRING_SIZE];
    struct adi_type_string again;
    struct adi_type arrow;
    struct adi_error error = {""};
    unsigned needs = 0;
    int code = adi_type_string_to_arrow(type, format, &needs, &error);
    FUZZ_REQUIRE(code == 0 || (code == ENOTSUP && error.text[0] != '\0'), "%d", code);
    if (code != 0) return;
    FUZZ_REQUIRE(adi_type_parse(format, &arrow, &error) == 0, "%s: %s", format, error.text);
    FUZZ_REQUIRE(arrow.bits == (needs & ADI_NEEDS_PACKING ? 1 : type->bytes * 8), "%s", format);
    FUZZ_REQUIRE(adi_type_string_from_arrow(format, text, &needs, &error) == 0, "%s", format);
    FUZZ_REQUIRE(adi_type_string_parse(text, &again, &error) == 0, "%s", text);
    FUZZ_REQUIRE(again.bytes == type->bytes && (needs & ADI_NEEDS_SWAPPING) == 0, "%s", text);
}

static void fuzz_type_string(const uint8_t *bytes, size_t count) {
    struct adi_type_string type, again;
    struct adi_error error = {""};
    char text[TEXT_MOST];
    if (count > TEXT_MOST) return;
    char *given = arena_put(count + 1, 1);
    memcpy(given, bytes, count);
    int code = adi_type_string_parse(given, &type, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL, "%d", code);
    FUZZ_REQUIRE((code == 0) == (error.text[0] == '\0'), "%d: %s", code, error.text);
    if (code != 0) return;
    int end = snprintf(text, sizeof text, "%c%c%" PRId64, type.order, type.kind, type.number);
    if (type.unit[0] != '\0')
        snprintf(text + end, sizeof text - (size_t)end, "[%" PRId64 "%s]", type.multiple,
                 type.unit);
    FUZZ_REQUIRE(adi_type_string_parse(text, &again, &error) == 0, "%s: %s", text, error.text);
    FUZZ_REQUIRE(again.order == type.order && again.kind == type.kind &&
                     again.number == type.number && again.bytes == type.bytes &&
                     again.multiple == type.multiple && strcmp(again.unit, type.unit) == 0,
                 "%s says something else than %s", text, given);
    judge_format(&type);
}

/* ---- descriptions ---- */

static int64_t number(struct fuzz_input *input) {
    static const int64_t large[] = {
        INT64_MAX,     INT64_MIN, (int64_t)1 << 62, (int64_t)1 << 32, INT32_MAX, -1, -4, -8,
        INT64_MAX / 4, 100};
    int byte = fuzz_byte(input);
    if (byte < SIZES_FIRST) return byte;
    return large[byte % (int)(sizeof large / sizeof *large)];
}

static uint8_t entry(struct fuzz_input *input) {
    int byte = fuzz_byte(input);
    return byte < 8 ? (uint8_t)(byte % 3) : ADI_ENTRY_GIVEN;
}

static void grow(struct fuzz_input *input, struct adi_cuda_array *out) {
    static const char *const usual[] = {"<f4", "|u1",  "<i8", "|V0",
                                        "|V3", ">c16", "|i4", "<M8[ns]"};
    static const struct adi_array_field parts[] = {{.name = "a", .typestr = "<u2"},
                                                   {.name = "b", .typestr = "|V2"}};
    int64_t shape[DIMS_MOST], strides[DIMS_MOST];
    int kind = fuzz_byte(input);
    *out = (struct adi_cuda_array){.size = sizeof *out, .descr = kind & 2 ? NULL : parts};
    out->has_descr = kind & 1 ? ADI_ENTRY_GIVEN : ADI_ENTRY_ABSENT;
    out->has_shape = entry(input);
    out->has_typestr = entry(input);
    out->has_data = entry(input);
    out->has_version = entry(input);
    out->has_strides = (uint8_t)fuzz_below(input, 3);
    out->has_stream = (uint8_t)fuzz_below(input, 3);
    out->n_dimensions = fuzz_below(input, DIMS_MOST + 1);
    out->typestr = usual[fuzz_below(input, 8)];
    out->data = (uint64_t)number(input);
    out->version = number(input) % 6;
    out->n_descr = (size_t)fuzz_below(input, 3);
    out->stream = number(input);
    for (int i = 0; i < DIMS_MOST; i++) shape[i] = number(input);
    for (int i = 0; i < DIMS_MOST; i++) strides[i] = number(input);
    size_t used = (size_t)out->n_dimensions * sizeof *shape;
    out->shape = kind & 4 ? NULL : arena_copy(shape, used, 8);
    out->strides = kind & 8 ? NULL : arena_copy(strides, used, 8);
    if (kind & 16) out->n_dimensions = (int32_t)number(input); /* of which nobody looks at any */
    if (kind & 16 && out->n_dimensions >= 0 && out->n_dimensions <= ADI_CUDA_ARRAY_DIMENSIONS)
        out->n_dimensions = -1;
}

__extension__ typedef __int128 wide;

/* The extent, if there is one. */
static bool measure(const struct adi_cuda_array *array, struct adi_cuda_array_extent *out) {
    const wide most = INT64_MAX;
    wide items = 1, low = 0, high = 0, next;
    bool is_empty = false, is_strided = array->has_strides == ADI_ENTRY_GIVEN;
    if (array->n_dimensions < 0 || array->n_dimensions > DIMS_MOST) return false;
    if (array->n_dimensions > 0 && (array->shape == NULL || (is_strided && array->strides == NULL)))
        return false;
    if (adi_type_string_parse(array->typestr, &out->type, NULL) != 0) return false;
    for (int i = 0; i < array->n_dimensions; i++) {
        if (array->shape[i] < 0) return false;
        is_empty = is_empty || array->shape[i] == 0;
    }
    for (int i = 0; i < array->n_dimensions && !is_empty; i++)
        if ((items *= array->shape[i]) > most) return false;
    *out = (struct adi_cuda_array_extent){
        .type = out->type, .items = is_empty ? 0 : (int64_t)items, .is_contiguous = true};
    if (is_empty || out->type.bytes == 0) return true;
    if (items * out->type.bytes > most || array->data == 0) return false;
    next = out->type.bytes;
    for (int i = array->n_dimensions - 1; i >= 0; i--) {
        wide stride = is_strided ? array->strides[i] : next;
        wide reach = ((wide)array->shape[i] - 1) * stride;
        out->is_contiguous = out->is_contiguous && (array->shape[i] == 1 || stride == next);
        *(reach < 0 ? &low : &high) += reach;
        next *= array->shape[i];
    }
    high += out->type.bytes;
    if (low < INT64_MIN || high > most) return false;
    if ((wide)array->data + low < 0 || (wide)array->data + high > (wide)UINT64_MAX) return false;
    out->bytes = (int64_t)items * out->type.bytes;
    out->lowest = (int64_t)low;
    out->end = (int64_t)high;
    return true;
}

/* Is all there, but for what `measure` says? */
static bool is_whole(const struct adi_cuda_array *array) {
    struct adi_type_string type;
    bool has_all = array->has_shape == ADI_ENTRY_GIVEN && array->has_typestr == ADI_ENTRY_GIVEN &&
                   array->has_data == ADI_ENTRY_GIVEN && array->has_version == ADI_ENTRY_GIVEN;
    bool has_version = array->version >= 0 && array->version <= ADI_CUDA_ARRAY_VERSION;
    bool has_stream = array->version == 3 && array->has_stream == ADI_ENTRY_GIVEN;
    if (!has_all || !has_version || (has_stream && array->stream <= 0)) return false;
    if (array->has_descr != ADI_ENTRY_GIVEN) return true;
    return array->descr != NULL && array->n_descr > 0 &&
           adi_type_string_parse(array->typestr, &type, NULL) == 0 &&
           type.bytes == 2 * (int64_t)array->n_descr;
}

static void fuzz_description(const uint8_t *bytes, size_t count) {
    struct fuzz_input input = {bytes, count};
    struct adi_cuda_array array, mask;
    struct adi_cuda_array_extent seen, wanted;
    struct adi_error error = {""};
    grow(&input, &array);
    bool is_right = measure(&array, &wanted) && is_whole(&array);
    int code = adi_cuda_array_check(&array, &seen, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL || code == ENOTSUP, "%d: %s", code, error.text);
    FUZZ_REQUIRE((code == 0) == (error.text[0] == '\0'), "%d: %s", code, error.text);
    FUZZ_REQUIRE((code == 0) == is_right, "%d: %s", code, error.text);
    if (code != 0) return;
    FUZZ_REQUIRE(seen.items == wanted.items && seen.bytes == wanted.bytes &&
                     seen.lowest == wanted.lowest && seen.end == wanted.end &&
                     seen.is_contiguous == wanted.is_contiguous,
                 "%" PRId64 " to %" PRId64 ", wanted %" PRId64 " to %" PRId64, seen.lowest,
                 seen.end, wanted.lowest, wanted.end);
    bool has_pointer_to_nothing = array.version >= 2 && seen.bytes == 0 && array.data != 0;
    code = adi_cuda_array_check_producer(&array, &error);
    FUZZ_REQUIRE(code == (has_pointer_to_nothing ? EINVAL : 0), "%d", code);
    /* Masked: by whatever comes next, and by itself. */
    grow(&input, &mask);
    array.has_mask = ADI_ENTRY_GIVEN;
    array.mask = &mask;
    bool is_masked = array.version >= 1;
    code = adi_cuda_array_check(&array, NULL, &error);
    FUZZ_REQUIRE(code == 0 || (is_masked && (code == EINVAL || code == ENOTSUP)), "%d", code);
    array.mask = &array;
    code = adi_cuda_array_check(&array, NULL, &error);
    FUZZ_REQUIRE(code == (is_masked ? ENOTSUP : 0), "%d", code);
}

void adi_fuzz_cai(const uint8_t *bytes, size_t count) {
    if (count == 0) return;
    arena_reset();
    if (bytes[0] == 't')
        fuzz_type_string(bytes + 1, count - 1);
    else
        fuzz_description(bytes + 1, count - 1);
}
