/* SPDX-License-Identifier: Apache-2.0 */
#include "dlpack_type.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "device_types.h"
#include "type.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- types ---- */

#define MOST_BITS 3

/* The bits that a code can have; none: any. */
static const struct {
    const char *name;
    uint8_t bits[MOST_BITS];
} codes[] = {
    [kDLInt] = {"kDLInt", {0}},
    [kDLUInt] = {"kDLUInt", {0}},
    [kDLFloat] = {"kDLFloat", {0}},
    [kDLOpaqueHandle] = {"kDLOpaqueHandle", {0}},
    [kDLBfloat] = {"kDLBfloat", {16}},
    [kDLComplex] = {"kDLComplex", {32, 64, 128}},
    [kDLBool] = {"kDLBool", {8}},
    [kDLFloat8_e3m4] = {"kDLFloat8_e3m4", {8}},
    [kDLFloat8_e4m3] = {"kDLFloat8_e4m3", {8}},
    [kDLFloat8_e4m3b11fnuz] = {"kDLFloat8_e4m3b11fnuz", {8}},
    [kDLFloat8_e4m3fn] = {"kDLFloat8_e4m3fn", {8}},
    [kDLFloat8_e4m3fnuz] = {"kDLFloat8_e4m3fnuz", {8}},
    [kDLFloat8_e5m2] = {"kDLFloat8_e5m2", {8}},
    [kDLFloat8_e5m2fnuz] = {"kDLFloat8_e5m2fnuz", {8}},
    [kDLFloat8_e8m0fnu] = {"kDLFloat8_e8m0fnu", {8}},
    [kDLFloat6_e2m3fn] = {"kDLFloat6_e2m3fn", {6}},
    [kDLFloat6_e3m2fn] = {"kDLFloat6_e3m2fn", {6}},
    [kDLFloat4_e2m1fn] = {"kDLFloat4_e2m1fn", {4}},
};

int64_t adi_dlpack_bits(DLDataType type) {
    return (int64_t)type.bits * type.lanes;
}

uint64_t adi_dlpack_memory_flags(DLDataType type, uint64_t flags) {
    return adi_dlpack_bits(type) % 8 == 0 ? 0 : flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
}

int adi_dlpack_type_check(DLDataType type, struct adi_error *error) {
    if (type.code >= COUNT(codes))
        return adi_error_set(error, ENOTSUP, "dtype.code is %d, which dlpack.h 1.3 does not have",
                             type.code);
    if (type.code == kDLOpaqueHandle)
        return adi_error_set(error, ENOTSUP,
                             "dtype.code is kDLOpaqueHandle, of which both sides have to agree");
    const uint8_t *bits = codes[type.code].bits;
    bool fits = type.bits != 0 && bits[0] == 0;
    for (int i = 0; i < MOST_BITS && bits[i] != 0; i++) fits = fits || bits[i] == type.bits;
    if (!fits)
        return adi_error_set(error, EINVAL, "dtype.bits is %d of %s", type.bits,
                             codes[type.code].name);
    if (type.lanes == 0) return adi_error_set(error, EINVAL, "dtype.lanes is 0");
    return 0;
}

static const struct {
    const char *format;
    DLDataType type;
} pairs[] = {
    {"c", {kDLInt, 8, 1}},    {"C", {kDLUInt, 8, 1}},   {"s", {kDLInt, 16, 1}},
    {"S", {kDLUInt, 16, 1}},  {"i", {kDLInt, 32, 1}},   {"I", {kDLUInt, 32, 1}},
    {"l", {kDLInt, 64, 1}},   {"L", {kDLUInt, 64, 1}},  {"e", {kDLFloat, 16, 1}},
    {"f", {kDLFloat, 32, 1}}, {"g", {kDLFloat, 64, 1}},
};

/* MAP-09: vectors, bfloat16, complex numbers and small floats are no types of Arrow's. */
int adi_dlpack_type_to_arrow(DLDataType type, const char **format, struct adi_error *error) {
    ADI_TRY(adi_dlpack_type_check(type, error));
    for (size_t i = 0; i < COUNT(pairs); i++) {
        if (memcmp(&pairs[i].type, &type, sizeof type) != 0) continue;
        *format = pairs[i].format;
        return 0;
    }
    if (type.code == kDLBool && type.lanes == 1)
        return adi_error_set(error, ENOTSUP,
                             "Arrow has bits for bool, and no type for kDLBool of 8 bits");
    return adi_error_set(error, ENOTSUP, "Arrow has no type for %s of %d bits and %d lanes",
                         codes[type.code].name, type.bits, type.lanes);
}

/* MAP-02: a bool of Arrow is a bit, and one of DLPack a byte. */
/* Why a type has no tensor. */
static const char *lack_of(const struct adi_type *type) {
    switch (type->layout) {
    case ADI_LAYOUT_FIXED:
        return type->bits == 1 ? "has a bit for each value; kDLBool has 8"
                               : "is no type that DLPack has";
    case ADI_LAYOUT_NULL:
        return "has nulls only, and DLPack has none";
    case ADI_LAYOUT_BINARY:
    case ADI_LAYOUT_VIEW:
        return "has values of any size; those of a tensor have one";
    default:
        return "is nested; of nested types only a fixed-size list of numbers is a tensor";
    }
}

int adi_dlpack_type_from_arrow(const struct ArrowSchema *schema, DLDataType *out,
                               struct adi_error *error) {
    struct adi_type type;
    ADI_TRY(adi_type_parse(schema->format, &type, error));
    if (schema->dictionary != NULL)
        return adi_error_set(error, ENOTSUP,
                             "the array is dictionary-encoded: its values lie elsewhere");
    for (size_t i = 0; i < COUNT(pairs); i++) {
        if (strcmp(pairs[i].format, schema->format) != 0) continue;
        *out = pairs[i].type;
        return 0;
    }
    return adi_error_set(error, ENOTSUP, "%s %s", type.name, lack_of(&type));
}

/* ---- devices ---- */

int adi_dlpack_device_from_arrow(ArrowDeviceType type, int64_t id, DLDevice *out,
                                 struct adi_error *error) {
    const struct adi_device_type *row = adi_device_type_find(type);
    if (row == NULL)
        return adi_error_set(error, ENOTSUP, "device_type %" PRId32 " is none of Arrow's", type);
    /* MAP-04: dlpack.h has 0 for memory of the host, Arrow -1 or anything. */
    bool is_host = row->ids != ADI_IDS_EXACT;
    if (!is_host && (id < 0 || id > INT32_MAX))
        return adi_error_set(error, ENOTSUP,
                             "device_id %" PRId64 " of %s: DLPack has 0 to %" PRId32, id, row->name,
                             INT32_MAX);
    *out = (DLDevice){(DLDeviceType)type, is_host ? 0 : (int32_t)id};
    return 0;
}

int adi_dlpack_device_to_arrow(DLDevice device, ArrowDeviceType *type, int64_t *id,
                               struct adi_error *error) {
    /* MAP-10: two devices came after Arrow's list. */
    static const char *const later[] = {[kDLMAIA] = "kDLMAIA", [kDLTrn] = "kDLTrn"};
    int number = (int)device.device_type;
    const struct adi_device_type *row = adi_device_type_find(number);
    if (row == NULL && number >= kDLMAIA && number <= kDLTrn)
        return adi_error_set(error, ENOTSUP, "device_type %d (%s): Arrow has no such device",
                             number, later[number]);
    if (row == NULL)
        return adi_error_set(error, ENOTSUP, "device_type %d is none of DLPack's", number);
    if (device.device_id < 0 && row->ids == ADI_IDS_EXACT)
        return adi_error_set(error, EINVAL, "device_id %" PRId32 " of %s", device.device_id,
                             row->name);
    *type = row->type;
    *id = row->ids == ADI_IDS_NONE ? -1 : device.device_id;
    return 0;
}

int adi_dlpack_device_check(const struct adi_device *device, DLDevice wanted,
                            struct adi_error *error) {
    ArrowDeviceType type = device->ops->type;
    bool is_there = (int)wanted.device_type == type;
    if (is_there && adi_device_type_of(type)->ids == ADI_IDS_EXACT)
        is_there = wanted.device_id == device->id;
    if (is_there) return 0;
    return adi_error_set(error, ENOTSUP, "it is on %s:%" PRId32 ", and not on %s:%" PRId64,
                         adi_device_type_name((int)wanted.device_type), wanted.device_id,
                         device->ops->name, device->id);
}
