/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_build.h"

#include <string.h>

#define EDGE_EVERY    4 /* every fourth value is the next of its type's extremes */
#define DECIMAL_BYTES 32
#define COUNT(rows)   (int64_t)(sizeof(rows) / sizeof *(rows))

struct value_kind;
typedef void (*write_value)(const struct value_kind *kind, const struct adi_type *type,
                            struct adi_random *random, int64_t slot, uint8_t *out);

/* The values of a format: how they are written, and within which limits they are legal. */
struct value_kind {
    const char *format; /* one that ends in ':' stands for all that begin with it */
    write_value write;
    const char *parts; /* of integers: the bytes of each */
    int64_t unit;      /* of a range: values are multiples of this, */
    int64_t least;     /* from this multiple */
    int64_t greatest;  /* to that one */
};

/* Never of slot 0: a sample of one value shall differ with the seed. */
static bool is_edge(int64_t slot) {
    return slot % EDGE_EVERY == EDGE_EVERY - 1;
}
static int64_t edge(int64_t slot, int64_t edges) {
    return slot / EDGE_EVERY % edges;
}

/* Any bits; the extremes are 0, -1, the least and the greatest value. */
static void write_integers(const struct value_kind *kind, const struct adi_type *type,
                           struct adi_random *random, int64_t slot, uint8_t *out) {
    (void)type;
    for (const char *part = kind->parts; *part != '\0'; part++) {
        const int64_t bits = 8 * (*part - '0');
        const uint64_t top = UINT64_C(1) << (bits - 1);
        const uint64_t edges[] = {0, UINT64_MAX, top, top - 1};
        const uint64_t value =
            is_edge(slot) ? edges[edge(slot, COUNT(edges))] : adi_random_next(random);
        adi_sample_put(out, 0, bits, (int64_t)value);
        out += bits / 8;
    }
}

static void write_range(const struct value_kind *kind, const struct adi_type *type,
                        struct adi_random *random, int64_t slot, uint8_t *out) {
    const int64_t edges[] = {kind->least, kind->greatest};
    const uint64_t width = (uint64_t)(kind->greatest - kind->least) + 1;
    const int64_t value = is_edge(slot) ? edges[edge(slot, COUNT(edges))]
                                        : kind->least + (int64_t)adi_random_below(random, width);
    adi_sample_put(out, 0, type->bits, value * kind->unit);
}

/* Ordinary magnitudes; the extremes are zeros and infinities of both signs, a quiet NaN, subnormal
 * numbers and the greatest finite one. */
static void write_float(const struct value_kind *kind, const struct adi_type *type,
                        struct adi_random *random, int64_t slot, uint8_t *out) {
    const int64_t bits = type->bits;
    const int fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t sign = UINT64_C(1) << (bits - 1), one = UINT64_C(1) << fraction;
    const uint64_t infinity = sign - one, half = one >> 1, bias = (infinity >> fraction) / 2;
    const uint64_t edges[] = {sign, infinity | half, infinity, sign | infinity, 0, half,
                              1,    infinity - 1};
    const uint64_t exponent = bias - 8 + adi_random_below(random, 16);
    const uint64_t other = adi_random_next(random) & (sign | (one - 1));
    const uint64_t value =
        is_edge(slot) ? edges[edge(slot, COUNT(edges))] : other | exponent << fraction;
    (void)kind;
    adi_sample_put(out, 0, bits, (int64_t)value);
}

/* little = little * factor + carry */
static void multiply_add(uint8_t *little, int64_t bytes, unsigned factor, unsigned carry) {
    for (int64_t i = 0; i < bytes; i++, carry >>= 8) {
        carry += little[i] * factor;
        little[i] = (uint8_t)carry;
    }
}

static bool is_big_endian(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

/* A two's complement number of at most `precision` digits; the extremes are all nines, of both
 * signs. */
static void write_decimal(const struct value_kind *kind, const struct adi_type *type,
                          struct adi_random *random, int64_t slot, uint8_t *out) {
    uint8_t little[DECIMAL_BYTES] = {0};
    const int64_t bytes = type->bits / 8, precision = type->precision;
    const bool nines = is_edge(slot);
    const bool negative = nines ? edge(slot, 2) != 0 : adi_random_below(random, 2) != 0;
    const int64_t digits =
        nines ? precision : 1 + (int64_t)adi_random_below(random, (uint64_t)precision);
    (void)kind;
    for (int64_t i = 0; i < digits; i++)
        multiply_add(little, bytes, 10, nines ? 9 : (unsigned)adi_random_below(random, 10));
    if (negative) {
        for (int64_t i = 0; i < bytes; i++) little[i] = (uint8_t)~little[i];
        multiply_add(little, bytes, 1, 1);
    }
    for (int64_t i = 0; i < bytes; i++) out[i] = little[is_big_endian() ? bytes - 1 - i : i];
}

static void write_bytes(const struct value_kind *kind, const struct adi_type *type,
                        struct adi_random *random, int64_t slot, uint8_t *out) {
    (void)kind;
    (void)slot;
    for (int32_t i = 0; i < type->size; i++) out[i] = (uint8_t)adi_random_next(random);
}

#define INTEGERS(bytes)      .write = write_integers, .parts = bytes
#define BELOW(limit)         .write = write_range, .unit = 1, .greatest = (limit)-1
#define MULTIPLES(of, times) .write = write_range, .unit = of, .least = -(times), .greatest = times

static const struct value_kind kinds[] = {
    {"c", INTEGERS("1")},
    {"C", INTEGERS("1")},
    {"s", INTEGERS("2")},
    {"S", INTEGERS("2")},
    {"i", INTEGERS("4")},
    {"I", INTEGERS("4")},
    {"l", INTEGERS("8")},
    {"L", INTEGERS("8")},
    {"e", .write = write_float},
    {"f", .write = write_float},
    {"g", .write = write_float},
    {"d:", .write = write_decimal},
    {"w:", .write = write_bytes},
    {"tdD", INTEGERS("4")},
    {"tdm", MULTIPLES(86400000, 1000000)},
    {"tts", BELOW(86400)},
    {"ttm", BELOW(86400000)},
    {"ttu", BELOW(86400000000)},
    {"ttn", BELOW(86400000000000)},
    {"tss:", INTEGERS("8")},
    {"tsm:", INTEGERS("8")},
    {"tsu:", INTEGERS("8")},
    {"tsn:", INTEGERS("8")},
    {"tDs", INTEGERS("8")},
    {"tDm", INTEGERS("8")},
    {"tDu", INTEGERS("8")},
    {"tDn", INTEGERS("8")},
    {"tiM", INTEGERS("4")},
    {"tiD", INTEGERS("44")},
    {"tin", INTEGERS("448")},
};

static const struct value_kind *kind_of(const char *format) {
    for (int64_t i = 0; i < COUNT(kinds); i++) {
        const size_t bytes = strlen(kinds[i].format);
        const bool prefix = kinds[i].format[bytes - 1] == ':';
        if (strncmp(format, kinds[i].format, prefix ? bytes : bytes + 1) == 0) return &kinds[i];
    }
    return NULL;
}

static void fill_bits(struct adi_random *random, int64_t slots, bool garbage, uint8_t *out) {
    for (int64_t i = 0; i < (slots + 7) / 8 * 8; i++) {
        const uint64_t bit = i < slots ? adi_random_below(random, 2) : garbage;
        out[i / 8] = (uint8_t)(out[i / 8] | bit << (i % 8));
    }
}

int64_t adi_sample_dictionary_length(const struct adi_sample_node *node) {
    /* an index above 127 shows who takes an uint8 for an int8 */
    const bool wide = strcmp(node->schema->format, "C") == 0;
    if (adi_sample_values(node) == 0) return 0;
    return wide ? 130 : 7;
}

static void fill_indices(struct adi_random *random, const struct adi_sample_node *node,
                         uint8_t *out) {
    const uint64_t length = (uint64_t)adi_sample_dictionary_length(node);
    for (int64_t i = 0; i < adi_sample_values(node); i++) {
        const uint64_t index = is_edge(i) ? length - 1 : adi_random_below(random, length);
        adi_sample_put(out, i, node->type.bits, (int64_t)index);
    }
}

static void fill_ascending(struct adi_random *random, const struct adi_sample_node *node,
                           uint8_t *out) {
    for (int64_t i = 0; i < adi_sample_values(node); i++)
        adi_sample_put(out, i, node->type.bits, 100 * i + (int64_t)adi_random_below(random, 100));
}

int adi_sample_fill_fixed(struct adi_sample_builder *builder, const struct adi_sample_node *node,
                          struct ArrowArray *out) {
    const int64_t slots = adi_sample_values(node);
    const struct value_kind *kind = kind_of(node->schema->format);
    struct adi_random *random = &builder->values;
    uint8_t *values;
    ADI_TRY(adi_sample_buffer(builder, (slots * node->type.bits + 7) / 8, &values));
    out->buffers[1] = values;
    if (values == NULL) return 0;
    if (node->schema->dictionary != NULL)
        fill_indices(random, node, values);
    else if (node->ascending)
        fill_ascending(random, node, values);
    else if (kind == NULL)
        fill_bits(random, slots, builder->plan->padding == ADI_PADDING_GARBAGE, values);
    else
        for (int64_t i = 0; i < slots; i++)
            kind->write(kind, &node->type, random, i, values + i * (node->type.bits / 8));
    return 0;
}
