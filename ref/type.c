/* SPDX-License-Identifier: Apache-2.0 */
#include "type.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* What follows the text of a row in a format string. */
enum parameter {
    NOTHING,
    DECIMAL,  /* PRECISION,SCALE[,BITS] */
    BYTES,    /* N */
    ITEMS,    /* N */
    TIMEZONE, /* any text */
    TYPE_IDS, /* I,J,... */
};

enum number {
    OTHER,
    SIGNED,
    UNSIGNED
};

struct row {
    const char *text, *name;
    enum adi_layout layout;
    int16_t bits;
    int8_t n_children;
    enum number number;
    enum parameter parameter;
};

#define FIXED(text, name, bits)                                                                    \
    { text, name, ADI_LAYOUT_FIXED, bits, 0, OTHER, NOTHING }
#define INTEGER(text, name, bits)                                                                  \
    { text, name, ADI_LAYOUT_FIXED, bits, 0, SIGNED, NOTHING }
#define NATURAL(text, name, bits)                                                                  \
    { text, name, ADI_LAYOUT_FIXED, bits, 0, UNSIGNED, NOTHING }
#define STAMP(text)                                                                                \
    { text, "timestamp", ADI_LAYOUT_FIXED, 64, 0, OTHER, TIMEZONE }
#define NESTED(text, name, layout, bits, n_children)                                               \
    { text, name, ADI_LAYOUT_##layout, bits, n_children, OTHER, NOTHING }

static const struct row rows[] = {
    NESTED("+s", "struct", STRUCT, 0, -1), /* first, for every record batch is one */
    NESTED("n", "null", NULL, 0, 0),
    FIXED("b", "bool", 1),
    INTEGER("c", "int8", 8),
    NATURAL("C", "uint8", 8),
    INTEGER("s", "int16", 16),
    NATURAL("S", "uint16", 16),
    INTEGER("i", "int32", 32),
    NATURAL("I", "uint32", 32),
    INTEGER("l", "int64", 64),
    NATURAL("L", "uint64", 64),
    FIXED("e", "float16", 16),
    FIXED("f", "float32", 32),
    FIXED("g", "float64", 64),
    {"d:", "decimal128", ADI_LAYOUT_FIXED, 128, 0, OTHER, DECIMAL},
    NESTED("z", "binary", BINARY, 32, 0),
    NESTED("Z", "large_binary", BINARY, 64, 0),
    NESTED("u", "utf8", BINARY, 32, 0),
    NESTED("U", "large_utf8", BINARY, 64, 0),
    NESTED("vz", "binary_view", VIEW, 0, 0),
    NESTED("vu", "utf8_view", VIEW, 0, 0),
    {"w:", "fixed_size_binary", ADI_LAYOUT_FIXED, 0, 0, OTHER, BYTES},
    FIXED("tdD", "date32", 32),
    FIXED("tdm", "date64", 64),
    FIXED("tts", "time32", 32),
    FIXED("ttm", "time32", 32),
    FIXED("ttu", "time64", 64),
    FIXED("ttn", "time64", 64),
    /* CD-005: the colon is there without a time zone, too. */
    STAMP("tss:"),
    STAMP("tsm:"),
    STAMP("tsu:"),
    STAMP("tsn:"),
    FIXED("tDs", "duration", 64),
    FIXED("tDm", "duration", 64),
    FIXED("tDu", "duration", 64),
    FIXED("tDn", "duration", 64),
    FIXED("tiM", "interval_months", 32),
    FIXED("tiD", "interval_day_time", 64),
    FIXED("tin", "interval_month_day_nano", 128),
    /* CD-001, CD-014: a format says nothing of children; their own schemas do. */
    NESTED("+l", "list", LIST, 32, 1),
    NESTED("+L", "large_list", LIST, 64, 1),
    NESTED("+vl", "list_view", LIST_VIEW, 32, 1),
    NESTED("+vL", "large_list_view", LIST_VIEW, 64, 1),
    {"+w:", "fixed_size_list", ADI_LAYOUT_FIXED_LIST, 0, 1, OTHER, ITEMS},
    NESTED("+m", "map", LIST, 32, 1),
    {"+ud:", "dense_union", ADI_LAYOUT_DENSE_UNION, 0, 0, OTHER, TYPE_IDS},
    {"+us:", "sparse_union", ADI_LAYOUT_SPARSE_UNION, 0, 0, OTHER, TYPE_IDS},
    NESTED("+r", "run_end_encoded", RUN_END, 0, 2),
};

static const struct {
    const char *name;
    int16_t bits;
    int16_t precision; /* the most digits that fit */
} decimals[] = {
    {"decimal32", 32, 9}, {"decimal64", 64, 18}, {"decimal128", 128, 38}, {"decimal256", 256, 76}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct cursor {
    const char *format, *at;
    struct adi_error *error;
};

static int expected(const struct cursor *cursor, const char *at, const char *what) {
    char quoted[ADI_QUOTE_SIZE];
    return adi_error_set(cursor->error, EINVAL, "format %s: expected %s at byte %td",
                         adi_quote(cursor->format, strlen(cursor->format), quoted), what,
                         at - cursor->format);
}

/* The length of the well-formed UTF-8 sequence at `text`; 0: it is none. */
static size_t utf8_sequence(const unsigned char *text) {
    unsigned char lead = text[0], low = 0x80, high = 0xbf;
    size_t length = lead < 0x80                    ? 1
                    : lead >= 0xc2 && lead <= 0xdf ? 2
                    : lead >= 0xe0 && lead <= 0xef ? 3
                    : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                   : 0;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (text[i] < low || text[i] > high) return 0;
    return length;
}

static int check_utf8(const struct cursor *cursor) {
    for (const char *at = cursor->format; *at != '\0';) {
        size_t length = utf8_sequence((const unsigned char *)at);
        if (length == 0) return expected(cursor, at, "UTF-8");
        at += length;
    }
    return 0;
}

static size_t common(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] != '\0' && a[n] == b[n]) n++;
    return n;
}

/* Says what could have stood where the format leaves the longest path through the table. */
static int no_such_type(const struct cursor *cursor) {
    size_t longest = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t n = common(cursor->format, rows[i].text);
        if (n > longest) longest = n;
    }
    char next[COUNT(rows) + 1] = "", what[3 * sizeof next + sizeof "one of  or the end"];
    size_t count = 0;
    bool whole = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (common(cursor->format, rows[i].text) < longest) continue;
        char c = rows[i].text[longest];
        if (c == '\0')
            whole = true;
        else if (strchr(next, c) == NULL)
            next[count++] = c;
    }
    int at = snprintf(what, sizeof what, count > 1 ? "one of" : "");
    for (size_t i = 0; i < count; i++)
        at += snprintf(what + at, sizeof what - (size_t)at, "%s%c", at == 0 ? "" : " ", next[i]);
    if (whole) snprintf(what + at, sizeof what - (size_t)at, "%sthe end", at == 0 ? "" : " or ");
    return expected(cursor, cursor->format + longest, what);
}

static int take_number(struct cursor *cursor, int64_t low, int64_t high, const char *what,
                       int32_t *out) {
    const char *at = cursor->at;
    char range[80];
    snprintf(range, sizeof range, "%s from %" PRId64 " to %" PRId64, what, low, high);
    bool negative = low < 0 && *at == '-';
    if (negative) at++;
    if (*at < '0' || *at > '9') return expected(cursor, cursor->at, range);
    int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        value = 10 * value + (*at - '0');
        if (value > (int64_t)INT32_MAX + 1) return expected(cursor, cursor->at, range);
    }
    if (negative) value = -value;
    if (value < low || value > high) return expected(cursor, cursor->at, range);
    *out = (int32_t)value;
    cursor->at = at;
    return 0;
}

static int take_comma(struct cursor *cursor) {
    if (*cursor->at != ',') return expected(cursor, cursor->at, "a comma");
    cursor->at++;
    return 0;
}

/* CD-008: precision and scale, then the bit width where it is not 128. */
static int take_decimal(struct cursor *cursor, struct adi_type *out) {
    const char *precision_at = cursor->at;
    int32_t bits = (int32_t)out->bits;
    ADI_TRY(take_number(cursor, 1, decimals[COUNT(decimals) - 1].precision, "a precision",
                        &out->precision));
    ADI_TRY(take_comma(cursor));
    ADI_TRY(take_number(cursor, INT32_MIN, INT32_MAX, "a scale", &out->scale));
    const char *bits_at = cursor->at + 1;
    if (*cursor->at == ',') {
        cursor->at++;
        ADI_TRY(take_number(cursor, 32, 256, "a bit width", &bits));
    }
    for (size_t i = 0; i < COUNT(decimals); i++) {
        if (decimals[i].bits != bits) continue;
        if (out->precision > decimals[i].precision) {
            cursor->at = precision_at;
            return take_number(cursor, 1, decimals[i].precision, "a precision", &out->precision);
        }
        out->name = decimals[i].name;
        out->bits = bits;
        return 0;
    }
    return expected(cursor, bits_at, "the bit width 32, 64, 128 or 256");
}

/* CD-010, CD-011: a union lists the type ids of its children: 0 to 127, each once. */
static int take_type_ids(struct cursor *cursor, struct adi_type *out) {
    while (*cursor->at != '\0') {
        if (out->n_type_ids > 0) ADI_TRY(take_comma(cursor));
        const char *id_at = cursor->at;
        int32_t id;
        ADI_TRY(take_number(cursor, 0, ADI_UNION_IDS - 1, "a type id", &id));
        if (memchr(out->type_ids, (int)id, (size_t)out->n_type_ids) != NULL)
            return expected(cursor, id_at, "a type id that has not been given before");
        out->type_ids[out->n_type_ids++] = (int8_t)id;
    }
    out->n_children = out->n_type_ids;
    return 0;
}

static int take_parameter(struct cursor *cursor, enum parameter parameter, struct adi_type *out) {
    switch (parameter) {
    case NOTHING:
        return 0;
    case DECIMAL:
        return take_decimal(cursor, out);
    /* CD-009: the bytes of a value of fixed-size binary. */
    case BYTES:
        ADI_TRY(take_number(cursor, 0, INT32_MAX, "a number of bytes", &out->size));
        out->bits = INT64_C(8) * out->size;
        return 0;
    case ITEMS:
        return take_number(cursor, 0, INT32_MAX, "a number of values", &out->size);
    case TIMEZONE:
        out->timezone = cursor->at;
        cursor->at += strlen(cursor->at);
        return 0;
    case TYPE_IDS:
        return take_type_ids(cursor, out);
    }
    return 0;
}

int adi_type_parse(const char *format, struct adi_type *out, struct adi_error *error) {
    if (format == NULL) return adi_error_set(error, EINVAL, "format is NULL");
    struct cursor cursor = {format, format, error};
    ADI_TRY(check_utf8(&cursor));
    const struct row *row = NULL;
    for (size_t i = 0; i < COUNT(rows) && row == NULL; i++) {
        if (rows[i].text[0] != format[0]) continue;
        size_t length = common(format, rows[i].text);
        bool begins = rows[i].text[length] == '\0';
        if (begins && (rows[i].parameter != NOTHING || format[length] == '\0')) row = &rows[i];
    }
    if (row == NULL) return no_such_type(&cursor);

    /* Member by member: to clear so many ids, too, costs more than all that is done here. */
    out->name = row->name;
    out->layout = row->layout;
    out->bits = row->bits;
    out->size = out->precision = out->scale = out->n_type_ids = 0;
    out->n_children = row->n_children;
    out->is_integer = row->number != OTHER;
    out->is_signed = row->number == SIGNED;
    out->timezone = NULL;
    cursor.at += strlen(row->text);
    ADI_TRY(take_parameter(&cursor, row->parameter, out));
    return *cursor.at == '\0' ? 0 : expected(&cursor, cursor.at, "the end");
}
