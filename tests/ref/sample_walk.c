/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_walk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "legal.h"
#include "sample.h"

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#endif

#define WRONG(...) return adi_error_set(&walk->wrong, EILSEQ, __VA_ARGS__)
#define NEED(condition)                                                                            \
    if (!(condition)) WRONG("%s: %s", schema->format, #condition)

struct format;
typedef int (*check_layout)(const struct format *, const struct ArrowSchema *,
                            const struct ArrowArray *, struct sample_walk *);

/* A format, or all that begin so if it ends in ':'. */
struct format {
    const char *format;
    check_layout check;
    int64_t bits;
    int64_t below; /* the values lie from 0 to below it */
    int64_t unit;  /* and are multiples of this */
    bool validity;
};

static int64_t slots(const struct ArrowArray *array) {
    return array->length + array->offset;
}
static bool bit(const void *bitmap, int64_t index) {
    return (((const uint8_t *)bitmap)[index / 8] >> (index % 8) & 1) != 0;
}

static uint64_t hash(uint64_t so_far, const void *data, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i++)
        so_far = (so_far ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
    return so_far;
}

/* The buffer has `bytes` bytes, is where it should be, and ends where it should. */
static int check_buffer(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        int64_t index, int64_t bytes, struct sample_walk *walk) {
    const void *buffer = array->buffers[index];
    if (buffer == NULL) {
        const bool offsets = index == 1 && slots(array) == 0;
        NEED(bytes == 0 || (offsets && (walk->traits & ADI_SHAPE_NULL_OFFSETS) != 0));
        return 0;
    }
    const bool unaligned = (walk->traits & ADI_SHAPE_UNALIGNED) != 0;
    NEED((uintptr_t)buffer % 64 == (unaligned ? 1 : 0));
#ifdef WITH_ASAN
    void *start = (void *)(uintptr_t)buffer;
    NEED(__asan_region_is_poisoned(start, (size_t)bytes) == NULL);
    NEED(__asan_region_is_poisoned(start, (size_t)bytes + 65) != NULL);
#endif
    return 0;
}

static int check_structure(const struct ArrowSchema *schema, const struct ArrowArray *array,
                           int64_t index, int64_t bytes, struct sample_walk *walk) {
    ADI_TRY(check_buffer(schema, array, index, bytes, walk));
    if (array->buffers[index] != NULL)
        walk->structure = hash(walk->structure, array->buffers[index], bytes);
    return 0;
}

static int check_values(const struct ArrowSchema *schema, const struct ArrowArray *array,
                        int64_t index, int64_t bytes, struct sample_walk *walk) {
    ADI_TRY(check_buffer(schema, array, index, bytes, walk));
    walk->values = hash(walk->values, array->buffers[index], bytes);
    walk->value_bytes += bytes;
    return 0;
}

static int check_validity(const struct ArrowSchema *schema, const struct ArrowArray *array,
                          struct sample_walk *walk) {
    const void *bitmap = array->buffers[0];
    int64_t nulls = 0;
    if (bitmap == NULL) {
        const bool unknown = (walk->traits & ADI_SHAPE_UNKNOWN_NO_BITMAP) != 0;
        NEED(array->null_count == 0 || slots(array) == 0 || (unknown && array->null_count == -1));
        return 0;
    }
    ADI_TRY(check_structure(schema, array, 0, (slots(array) + 7) / 8, walk));
    for (int64_t i = array->offset; i < slots(array); i++) nulls += !bit(bitmap, i);
    NEED(array->null_count == -1 || array->null_count == nulls);
    NEED(nulls == 0 || (schema->flags & ARROW_FLAG_NULLABLE) != 0);
    return 0;
}

static int check_nothing(const struct format *format, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->null_count == array->length && array->n_buffers == 0);
    return 0;
}

static int check_range(const struct format *format, const struct ArrowSchema *schema,
                       const struct ArrowArray *array, struct sample_walk *walk) {
    const struct ArrowArray *dictionary = array->dictionary;
    for (int64_t i = 0; i < slots(array); i++) {
        int64_t value = legal_read(array->buffers[1], i, format->bits);
        if (strchr("CSI", schema->format[0]) != NULL) value &= (INT64_C(1) << format->bits) - 1;
        NEED(dictionary == NULL || (value >= 0 && value < dictionary->length));
        NEED(format->below == 0 || (value >= 0 && value < format->below));
        NEED(format->unit == 0 || value % format->unit == 0);
    }
    return 0;
}

static int check_fixed(const struct format *format, const struct ArrowSchema *schema,
                       const struct ArrowArray *array, struct sample_walk *walk) {
    NEED(array->n_buffers == 2);
    NEED((array->dictionary == NULL) == (schema->dictionary == NULL));
    ADI_TRY(check_values(schema, array, 1, (slots(array) * format->bits + 7) / 8, walk));
    return format->bits == 1 ? 0 : check_range(format, schema, array, walk);
}

static int check_bytes(const struct format *format, const struct ArrowSchema *schema,
                       const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->n_buffers == 2);
    return check_values(schema, array, 1, slots(array) * atoll(schema->format + 2), walk);
}

static int check_decimal(const struct format *format, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, struct sample_walk *walk) {
    int precision, scale, bits = 128;
    (void)format;
    NEED(array->n_buffers == 2);
    NEED(sscanf(schema->format, "d:%d,%d,%d", &precision, &scale, &bits) >= 2);
    ADI_TRY(check_values(schema, array, 1, slots(array) * bits / 8, walk));
    for (int64_t i = 0; i < slots(array); i++) {
        const uint8_t *value = (const uint8_t *)array->buffers[1] + i * bits / 8;
        NEED(legal_digits(value, bits / 8) <= precision);
    }
    return 0;
}

static int check_text(const struct ArrowSchema *schema, const uint8_t *text, int64_t bytes,
                      struct sample_walk *walk) {
    const char last = schema->format[strlen(schema->format) - 1];
    NEED(last == 'z' || last == 'Z' || legal_utf8(text, bytes));
    return 0;
}

/* length + 1 offsets that do not fall; the last one in `*end`. */
static int check_offsets(const struct format *format, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, int64_t *end, struct sample_walk *walk) {
    const void *offsets = array->buffers[1];
    *end = 0;
    ADI_TRY(check_structure(schema, array, 1, (slots(array) + 1) * format->bits / 8, walk));
    if (offsets == NULL) return 0;
    NEED(legal_read(offsets, 0, format->bits) >= 0);
    for (int64_t i = 0; i < slots(array); i++)
        NEED(legal_read(offsets, i, format->bits) <= legal_read(offsets, i + 1, format->bits));
    *end = legal_read(offsets, slots(array), format->bits);
    return 0;
}

static int check_binary(const struct format *format, const struct ArrowSchema *schema,
                        const struct ArrowArray *array, struct sample_walk *walk) {
    int64_t end;
    NEED(array->n_buffers == 3);
    ADI_TRY(check_offsets(format, schema, array, &end, walk));
    ADI_TRY(check_values(schema, array, 2, end, walk));
    for (int64_t i = 0; i < slots(array); i++) {
        const int64_t from = legal_read(array->buffers[1], i, format->bits);
        const int64_t to = legal_read(array->buffers[1], i + 1, format->bits);
        if (to == from) continue;
        ADI_TRY(check_text(schema, (const uint8_t *)array->buffers[2] + from, to - from, walk));
    }
    return 0;
}

static int check_long_view(const struct ArrowSchema *schema, const struct ArrowArray *array,
                           const uint8_t *view, struct sample_walk *walk) {
    const int64_t bytes = legal_read(view, 0, 32);
    const int64_t index = legal_read(view, 2, 32), from = legal_read(view, 3, 32);
    NEED(index >= 0 && index < array->n_buffers - 3);
    NEED(from >= 0);
    NEED(from + bytes <= legal_read(array->buffers[array->n_buffers - 1], index, 64));
    const uint8_t *text = (const uint8_t *)array->buffers[2 + index] + from;
    NEED(memcmp(view + 4, text, 4) == 0);
    return check_text(schema, text, bytes, walk);
}

static int check_view(const struct format *format, const struct ArrowSchema *schema,
                      const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->n_buffers >= 3);
    const int64_t variadic = array->n_buffers - 3, last = array->n_buffers - 1;
    ADI_TRY(check_buffer(schema, array, 1, slots(array) * 16, walk));
    ADI_TRY(check_structure(schema, array, last, variadic * 8, walk));
    for (int64_t i = 0; i < variadic; i++)
        ADI_TRY(check_values(schema, array, 2 + i, legal_read(array->buffers[last], i, 64), walk));
    for (int64_t i = 0; i < slots(array); i++) {
        static const uint8_t zeros[12];
        const uint8_t *view = (const uint8_t *)array->buffers[1] + i * 16;
        const int64_t bytes = legal_read(view, 0, 32);
        NEED(bytes >= 0);
        walk->values = hash(walk->values, view, 16);
        if (bytes > 12) {
            ADI_TRY(check_long_view(schema, array, view, walk));
            continue;
        }
        walk->value_bytes += bytes;
        NEED(memcmp(view + 4 + bytes, zeros, (size_t)(12 - bytes)) == 0);
        ADI_TRY(check_text(schema, view + 4, bytes, walk));
    }
    return 0;
}

static int check_sorted_keys(const struct ArrowSchema *schema, const struct ArrowArray *array,
                             struct sample_walk *walk) {
    const struct ArrowArray *entries = array->children[0], *keys = entries->children[0];
    NEED(strcmp(schema->children[0]->children[0]->format, "i") == 0);
    for (int64_t i = 0; i < slots(array); i++) {
        const int64_t first = legal_read(array->buffers[1], i, 32) + entries->offset + keys->offset;
        const int64_t end =
            legal_read(array->buffers[1], i + 1, 32) + entries->offset + keys->offset;
        for (int64_t k = first + 1; k < end; k++)
            NEED(legal_read(keys->buffers[1], k - 1, 32) < legal_read(keys->buffers[1], k, 32));
    }
    return 0;
}

static int check_list(const struct format *format, const struct ArrowSchema *schema,
                      const struct ArrowArray *array, struct sample_walk *walk) {
    int64_t end;
    NEED(array->n_buffers == 2 && array->n_children == 1);
    ADI_TRY(check_offsets(format, schema, array, &end, walk));
    NEED(array->children[0]->length >= end);
    if ((schema->flags & ARROW_FLAG_MAP_KEYS_SORTED) == 0) return 0;
    return check_sorted_keys(schema, array, walk);
}

static int check_list_view(const struct format *format, const struct ArrowSchema *schema,
                           const struct ArrowArray *array, struct sample_walk *walk) {
    NEED(array->n_buffers == 3 && array->n_children == 1);
    for (int64_t i = 1; i < 3; i++)
        ADI_TRY(check_structure(schema, array, i, slots(array) * format->bits / 8, walk));
    for (int64_t i = 0; i < slots(array); i++) {
        const int64_t from = legal_read(array->buffers[1], i, format->bits);
        const int64_t size = legal_read(array->buffers[2], i, format->bits);
        NEED(from >= 0 && size >= 0 && from + size <= array->children[0]->length);
    }
    return 0;
}

static int check_fixed_list(const struct format *format, const struct ArrowSchema *schema,
                            const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->n_buffers == 1 && array->n_children == 1);
    NEED(array->children[0]->length >= slots(array) * atoll(schema->format + 3));
    return 0;
}

static int check_struct(const struct format *format, const struct ArrowSchema *schema,
                        const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->n_buffers == 1);
    for (int64_t i = 0; i < array->n_children; i++)
        NEED(array->children[i]->length >= slots(array));
    return 0;
}

/* Which child a type id stands for, or -1. */
static int64_t child_of(const char *format, int8_t id) {
    const char *at = format + 3;
    for (int64_t child = 0; *at != '\0'; child++) {
        char *end;
        if (strtol(at + 1, &end, 10) == id) return child;
        at = end;
    }
    return -1;
}

static int check_union(const struct format *format, const struct ArrowSchema *schema,
                       const struct ArrowArray *array, struct sample_walk *walk) {
    const bool dense = format->format[2] == 'd';
    int64_t last[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    NEED(array->n_buffers == (dense ? 2 : 1) && array->n_children <= 8);
    NEED(array->null_count == 0 || array->null_count == -1);
    ADI_TRY(check_structure(schema, array, 0, slots(array), walk));
    if (dense) ADI_TRY(check_structure(schema, array, 1, slots(array) * 4, walk));
    for (int64_t i = 0; i < slots(array); i++) {
        const int64_t child = child_of(schema->format, ((const int8_t *)array->buffers[0])[i]);
        NEED(child >= 0 && child < array->n_children);
        const int64_t value = dense ? legal_read(array->buffers[1], i, 32) : i;
        NEED(value > last[child] && value < array->children[child]->length);
        last[child] = value;
    }
    return 0;
}

static int check_run_end(const struct format *format, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, struct sample_walk *walk) {
    (void)format;
    NEED(array->n_buffers == 0 && array->n_children == 2 && array->null_count == 0);
    const struct ArrowArray *ends = array->children[0];
    const char width = schema->children[0]->format[0];
    const int64_t bits = width == 's' ? 16 : width == 'i' ? 32 : 64;
    int64_t last = 0;
    NEED((schema->children[0]->flags & ARROW_FLAG_NULLABLE) == 0);
    NEED(ends->length == array->children[1]->length);
    for (int64_t i = 0; i < slots(ends); i++) {
        NEED(legal_read(ends->buffers[1], i, bits) > last);
        last = legal_read(ends->buffers[1], i, bits);
    }
    NEED(last >= slots(array));
    /* they are values to check_fixed, but no seed changes them */
    walk->value_bytes -= slots(ends) * bits / 8;
    return 0;
}

#define DAY INT64_C(86400)

static const struct format formats[] = {
    {"n", check_nothing, 0, 0, 0, false},
    {"b", check_fixed, 1, 0, 0, true},
    {"c", check_fixed, 8, 0, 0, true},
    {"C", check_fixed, 8, 0, 0, true},
    {"s", check_fixed, 16, 0, 0, true},
    {"S", check_fixed, 16, 0, 0, true},
    {"i", check_fixed, 32, 0, 0, true},
    {"I", check_fixed, 32, 0, 0, true},
    {"l", check_fixed, 64, 0, 0, true},
    {"L", check_fixed, 64, 0, 0, true},
    {"e", check_fixed, 16, 0, 0, true},
    {"f", check_fixed, 32, 0, 0, true},
    {"g", check_fixed, 64, 0, 0, true},
    {"d:", check_decimal, 0, 0, 0, true},
    {"w:", check_bytes, 0, 0, 0, true},
    {"z", check_binary, 32, 0, 0, true},
    {"u", check_binary, 32, 0, 0, true},
    {"Z", check_binary, 64, 0, 0, true},
    {"U", check_binary, 64, 0, 0, true},
    {"vz", check_view, 0, 0, 0, true},
    {"vu", check_view, 0, 0, 0, true},
    {"tdD", check_fixed, 32, 0, 0, true},
    {"tdm", check_fixed, 64, 0, DAY * 1000, true},
    {"tts", check_fixed, 32, DAY, 0, true},
    {"ttm", check_fixed, 32, DAY * 1000, 0, true},
    {"ttu", check_fixed, 64, DAY * 1000000, 0, true},
    {"ttn", check_fixed, 64, DAY * 1000000000, 0, true},
    {"tss:", check_fixed, 64, 0, 0, true},
    {"tsm:", check_fixed, 64, 0, 0, true},
    {"tsu:", check_fixed, 64, 0, 0, true},
    {"tsn:", check_fixed, 64, 0, 0, true},
    {"tDs", check_fixed, 64, 0, 0, true},
    {"tDm", check_fixed, 64, 0, 0, true},
    {"tDu", check_fixed, 64, 0, 0, true},
    {"tDn", check_fixed, 64, 0, 0, true},
    {"tiM", check_fixed, 32, 0, 0, true},
    {"tiD", check_fixed, 64, 0, 0, true},
    {"tin", check_fixed, 128, 0, 0, true},
    {"+l", check_list, 32, 0, 0, true},
    {"+m", check_list, 32, 0, 0, true},
    {"+L", check_list, 64, 0, 0, true},
    {"+vl", check_list_view, 32, 0, 0, true},
    {"+vL", check_list_view, 64, 0, 0, true},
    {"+w:", check_fixed_list, 0, 0, 0, true},
    {"+s", check_struct, 0, 0, 0, true},
    {"+ud:", check_union, 0, 0, 0, false},
    {"+us:", check_union, 0, 0, 0, false},
    {"+r", check_run_end, 0, 0, 0, false},
};

static const struct format *format_of(const char *format) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t bytes = strlen(formats[i].format);
        const bool prefix = formats[i].format[bytes - 1] == ':';
        if (strncmp(format, formats[i].format, prefix ? bytes : bytes + 1) == 0) return &formats[i];
    }
    return NULL;
}

int sample_walk(const struct ArrowSchema *schema, const struct ArrowArray *array,
                struct sample_walk *walk) {
    const struct format *format = format_of(schema->format);
    const int64_t numbers[] = {array->length, array->offset, array->null_count, array->n_buffers};
    NEED(format != NULL);
    NEED(array->length >= 0 && array->offset >= 0 && array->null_count >= -1);
    NEED(array->n_children == schema->n_children);
    NEED(array->offset == 0 || (walk->traits & ADI_SHAPE_OFFSET) != 0);
    walk->structure = hash(walk->structure, numbers, sizeof numbers);
    walk->arrays++;
    if (format->validity) ADI_TRY(check_validity(schema, array, walk));
    ADI_TRY(format->check(format, schema, array, walk));
    for (int64_t i = 0; i < array->n_children; i++)
        ADI_TRY(sample_walk(schema->children[i], array->children[i], walk));
    return array->dictionary == NULL ? 0 : sample_walk(schema->dictionary, array->dictionary, walk);
}
