/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffers of each type, as the table "Buffer Listing for Each Layout" has them.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "implementation.h"

/* A letter a buffer: v validity, d data of `bits`, o and O offsets of 4 and 8 bytes, t the bytes up
 * to the last offset, s and S sizes of list views (and their offsets), y type ids, i views, * the
 * variadic buffers and their lengths. bits -1: they follow in the format. */
static const struct {
    const char *prefix, *buffers;
    int bits;
} layouts[] = {
    {"n", "", 0},      {"b", "vd", 1},    {"c", "vd", 8},    {"C", "vd", 8},    {"s", "vd", 16},
    {"S", "vd", 16},   {"e", "vd", 16},   {"i", "vd", 32},   {"I", "vd", 32},   {"f", "vd", 32},
    {"l", "vd", 64},   {"L", "vd", 64},   {"g", "vd", 64},   {"d:", "vd", -1},  {"w:", "vd", -1},
    {"z", "vot", 0},   {"u", "vot", 0},   {"Z", "vOt", 0},   {"U", "vOt", 0},   {"v", "vi*", 0},
    {"tdD", "vd", 32}, {"tdm", "vd", 64}, {"tts", "vd", 32}, {"ttm", "vd", 32}, {"tt", "vd", 64},
    {"ts", "vd", 64},  {"tD", "vd", 64},  {"tiM", "vd", 32}, {"tiD", "vd", 64}, {"tin", "vd", 128},
    {"+l", "vo", 0},   {"+L", "vO", 0},   {"+vl", "vss", 0}, {"+vL", "vSS", 0}, {"+w", "v", 0},
    {"+s", "v", 0},    {"+m", "vo", 0},   {"+ud:", "ys", 0}, {"+us:", "y", 0},  {"+r", "", 0},
};

static int64_t bits_of(const char *format, int bits) {
    if (bits >= 0) return bits;
    if (format[0] == 'w') return 8 * strtoll(format + 2, NULL, 10);
    const char *last = strrchr(format, ',');
    return last == strchr(format, ',') ? 128 : strtoll(last + 1, NULL, 10);
}

static int64_t integer_at(const void *buffer, int64_t index, size_t width) {
    int32_t narrow;
    int64_t wide;
    if (buffer == NULL) return 0;
    const char *at = (const char *)buffer + index * (int64_t)width;
    if (width == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

static int64_t variadic_bytes(const struct ArrowArray *array, int64_t i) {
    if (i == array->n_buffers - 1) return 8 * (array->n_buffers - 3);
    return integer_at(array->buffers[array->n_buffers - 1], i - 2, sizeof(int64_t));
}

static int64_t bytes_of(char code, int64_t bits, const struct ArrowArray *array, int64_t i) {
    int64_t n = array->length + array->offset;
    size_t width = code == 'O' || code == 'S' ? 8 : 4;
    switch (code) {
    case 'v':
        return (n + 7) / 8;
    case 'd':
        return (n * bits + 7) / 8;
    case 'o':
    case 'O':
        return (n + 1) * (int64_t)width;
    case 's':
    case 'S':
        return n * (int64_t)width;
    case 'y':
        return n;
    case 'i':
        return 16 * n;
    default:
        return variadic_bytes(array, i);
    }
}

int64_t base_buffer_bytes(const struct ArrowSchema *schema, const struct ArrowArray *array,
                          int64_t i) {
    for (size_t row = 0; row < sizeof layouts / sizeof layouts[0]; row++) {
        const char *buffers = layouts[row].buffers;
        int64_t n = (int64_t)strlen(buffers);
        bool variadic = n > 0 && buffers[n - 1] == '*';
        if (strncmp(schema->format, layouts[row].prefix, strlen(layouts[row].prefix)) != 0)
            continue;
        if (variadic ? array->n_buffers < n : array->n_buffers != n) return -1;
        char code = i < n ? buffers[i] : '*';
        if (code == 't')
            return integer_at(array->buffers[1], array->length + array->offset,
                              buffers[1] == 'O' ? 8 : 4);
        return bytes_of(code, bits_of(schema->format, layouts[row].bits), array, i);
    }
    return -1;
}
