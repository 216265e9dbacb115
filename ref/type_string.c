/* SPDX-License-Identifier: Apache-2.0 */
#include "type_string.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE '<'
#else
#define NATIVE '>'
#endif

/* ---- parsing ---- */

struct reader {
    const char *text, *at;
    struct adi_error *error;
};

static int wanted(const struct reader *reader, const char *what) {
    char quote[ADI_QUOTE_SIZE];
    return adi_error_set(reader->error, EINVAL, "typestr %s: wanted %s at byte %td",
                         adi_quote(reader->text, strlen(reader->text), quote), what,
                         reader->at - reader->text);
}

/* Digits, none of which makes more than INT64_MAX. */
static int take_number(struct reader *reader, const char *what, int64_t *out) {
    if (*reader->at < '0' || *reader->at > '9') return wanted(reader, what);
    for (*out = 0; *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        int digit = *reader->at - '0';
        if (*out > (INT64_MAX - digit) / 10) return wanted(reader, "a smaller number");
        *out = *out * 10 + digit;
    }
    return 0;
}

/* "[ns]", "[25s]", or nothing. */
static int take_unit(struct reader *reader, struct adi_type_string *out) {
    static const char *const units[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                        "ms", "us", "ns", "ps", "fs", "as"};
    if (*reader->at != '[') return 0;
    reader->at++;
    if (*reader->at >= '0' && *reader->at <= '9')
        ADI_TRY(take_number(reader, "a number", &out->multiple));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i]);
        if (strncmp(reader->at, units[i], length) != 0 || reader->at[length] != ']') continue;
        memcpy(out->unit, units[i], length + 1);
        reader->at += length + 1;
        return out->multiple > 0 ? 0 : wanted(reader, "a unit of some length before");
    }
    return wanted(reader, "a unit of time and a ]");
}

/* What the number counts. */
static int measure(const struct reader *reader, struct adi_type_string *out) {
    int64_t each = out->kind == 'U' ? 4 : 1;
    if (out->number > INT64_MAX / each) return wanted(reader, "a smaller number before");
    out->bytes = out->kind == 't' ? out->number / 8 + (out->number % 8 != 0) : out->number * each;
    bool is_number = strchr("iufcmM", out->kind) != NULL;
    if (out->order == '|' && is_number && out->bytes > 1)
        return adi_error_set(reader->error, EINVAL,
                             "typestr \"%s\": | leaves the order of its %" PRId64 " bytes open",
                             reader->text, out->bytes);
    return 0;
}

int adi_type_string_parse(const char *text, struct adi_type_string *out, struct adi_error *error) {
    struct reader reader = {text, text, error};
    *out = (struct adi_type_string){.multiple = 1};
    if (*text == '\0' || strchr("<>|", *text) == NULL) return wanted(&reader, "<, > or |");
    out->order = *reader.at++;
    if (*reader.at == '\0' || strchr("tbiufcmMOSUV", *reader.at) == NULL)
        return wanted(&reader, "one of tbiufcmMOSUV");
    out->kind = *reader.at++;
    ADI_TRY(take_number(&reader, "a number of bytes", &out->number));
    if (out->kind == 'm' || out->kind == 'M') ADI_TRY(take_unit(&reader, out));
    if (*reader.at != '\0') return wanted(&reader, "its end");
    return measure(&reader, out);
}

/* ---- descr ---- */

/* A part of a part, up to the list of all. */
struct place {
    const struct place *up;
    size_t index;
};

static size_t put_place(const struct place *place, char *text, size_t room) {
    if (place == NULL) return 0;
    size_t at = put_place(place->up, text, room);
    if (at >= room) return at;
    int written = snprintf(text + at, room - at, "%sdescr[%zu]", at == 0 ? "" : ".", place->index);
    return at + (size_t)written;
}

static int at_place(struct adi_error *error, int code, const struct place *place,
                    const char *what) {
    char text[ADI_PLACE_SIZE] = "";
    put_place(place, text, sizeof text);
    return adi_error_set(error, code, "%s: %s", text, what);
}

static int sum_fields(const struct adi_array_field *fields, size_t n, const struct place *up,
                      int depth, int64_t *bytes, struct adi_error *error);

/* A part that is there 0 times has no bytes, whatever its other dimensions are. */
static int repeat_field(const struct adi_array_field *field, const struct place *place,
                        int64_t *bytes, struct adi_error *error) {
    bool is_never = false, is_large = false;
    char what[64];
    if (field->n_dimensions < 0 || (field->n_dimensions > 0 && field->shape == NULL)) {
        snprintf(what, sizeof what, "a shape of %" PRId32 " dimensions%s", field->n_dimensions,
                 field->shape == NULL ? ", and it is NULL" : "");
        return at_place(error, EINVAL, place, what);
    }
    for (int32_t i = 0; i < field->n_dimensions; i++) {
        if (field->shape[i] < 0) return at_place(error, EINVAL, place, "a negative shape");
        is_never = is_never || field->shape[i] == 0;
        is_large = is_large || __builtin_mul_overflow(*bytes, field->shape[i], bytes);
    }
    if (is_never) *bytes = 0;
    if (!is_large || is_never) return 0;
    return at_place(error, EINVAL, place, "more bytes than can be counted");
}

static int measure_field(const struct adi_array_field *field, const struct place *place, int depth,
                         int64_t *bytes, struct adi_error *error) {
    if (field->name == NULL) return at_place(error, EINVAL, place, "no name");
    if (field->typestr != NULL) {
        struct adi_type_string type;
        struct adi_error why = {""};
        if (adi_type_string_parse(field->typestr, &type, &why) != 0)
            return at_place(error, EINVAL, place, why.text);
        *bytes = type.bytes;
    } else {
        if (field->fields == NULL || field->n_fields == 0)
            return at_place(error, EINVAL, place, "neither a type string nor parts");
        ADI_TRY(sum_fields(field->fields, field->n_fields, place, depth, bytes, error));
    }
    return repeat_field(field, place, bytes, error);
}

static int sum_fields(const struct adi_array_field *fields, size_t n, const struct place *up,
                      int depth, int64_t *bytes, struct adi_error *error) {
    struct place place = {up, 0};
    *bytes = 0;
    if (depth == ADI_ARRAY_FIELDS_DEPTH)
        return adi_error_set(error, ENOTSUP, "descr: parts within parts, %d deep", depth);
    for (; place.index < n; place.index++) {
        int64_t one;
        ADI_TRY(measure_field(&fields[place.index], &place, depth + 1, &one, error));
        if (__builtin_add_overflow(*bytes, one, bytes))
            return at_place(error, EINVAL, &place, "more bytes than can be counted");
    }
    return 0;
}

int adi_array_fields_check(const struct adi_array_field *fields, size_t n_fields, int64_t bytes,
                           struct adi_error *error) {
    int64_t sum;
    if (fields == NULL || n_fields == 0) return adi_error_set(error, EINVAL, "descr: no parts");
    ADI_TRY(sum_fields(fields, n_fields, NULL, 0, &sum, error));
    if (sum == bytes) return 0;
    return adi_error_set(error, EINVAL,
                         "descr: %" PRId64 " bytes in all, but typestr says %" PRId64, sum, bytes);
}

bool adi_array_fields_say_nothing(const struct adi_array_field *fields, size_t n_fields,
                                  const char *typestr) {
    return n_fields == 1 && fields->n_dimensions == 0 && fields->typestr != NULL &&
           strcmp(fields->typestr, typestr) == 0;
}

/* ---- Arrow ---- */

/* What Arrow and NumPy have in common; of w:N there is one for each N. */
static const struct common {
    char kind;
    int bytes;
    const char *unit, *format;
    unsigned needs;
} commons[] = {
    {'b', 1, "", "b", ADI_NEEDS_PACKING},
    {'i', 1, "", "c", 0},
    {'u', 1, "", "C", 0},
    {'i', 2, "", "s", 0},
    {'u', 2, "", "S", 0},
    {'i', 4, "", "i", 0},
    {'u', 4, "", "I", 0},
    {'i', 8, "", "l", 0},
    {'u', 8, "", "L", 0},
    {'f', 2, "", "e", 0},
    {'f', 4, "", "f", 0},
    {'f', 8, "", "g", 0},
    {'M', 8, "s", "tss:", 0},
    {'M', 8, "ms", "tsm:", 0},
    {'M', 8, "us", "tsu:", 0},
    {'M', 8, "ns", "tsn:", 0},
    {'m', 8, "s", "tDs", 0},
    {'m', 8, "ms", "tDm", 0},
    {'m', 8, "us", "tDu", 0},
    {'m', 8, "ns", "tDn", 0},
};
#define COMMONS (sizeof commons / sizeof *commons)

/* Why Arrow has no type for the items of a kind, whatever their size. */
static const char *reason(const struct adi_type_string *type) {
    static const struct {
        char kind;
        const char *why;
    } reasons[] = {
        {'t', "the order of the bits of a bit field is in no document"},
        {'b', "a bool of Arrow is a bit, and one of these a byte"},
        {'c', "Arrow has no complex numbers"},
        {'O', "a PyObject * is nothing outside of its process"},
        {'U', "Arrow has no text of UCS-4 characters"},
        {'M', "Arrow counts time in s, ms, us or ns"},
        {'m', "Arrow counts time in s, ms, us or ns"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].kind == type->kind) return reasons[i].why;
    return "Arrow has no numbers of that size";
}

int adi_type_string_to_arrow(const struct adi_type_string *type, char format[ADI_FORMAT_SIZE],
                             unsigned *needs, struct adi_error *error) {
    if ((type->kind == 'V' || type->kind == 'S') && type->bytes <= INT32_MAX) {
        snprintf(format, ADI_FORMAT_SIZE, "w:%" PRId64, type->bytes);
        *needs = 0;
        return 0;
    }
    for (size_t i = 0; i < COMMONS; i++) {
        const struct common *common = &commons[i];
        if (common->kind != type->kind || common->bytes != type->bytes || type->multiple != 1 ||
            strcmp(common->unit, type->unit) != 0)
            continue;
        bool swapped = type->bytes > 1 && type->order != NATIVE;
        snprintf(format, ADI_FORMAT_SIZE, "%s", common->format);
        *needs = common->needs | (swapped ? ADI_NEEDS_SWAPPING : 0);
        return 0;
    }
    return adi_error_set(error, ENOTSUP, "typestr: items of kind %c and %" PRId64 " bytes: %s",
                         type->kind, type->bytes, reason(type));
}

int adi_type_string_from_arrow(const char *format, char text[ADI_TYPE_STRING_SIZE], unsigned *needs,
                               struct adi_error *error) {
    char quote[ADI_QUOTE_SIZE];
    if (strncmp(format, "w:", 2) == 0) {
        snprintf(text, ADI_TYPE_STRING_SIZE, "|V%s", format + 2);
        *needs = 0;
        return 0;
    }
    for (size_t i = 0; i < COMMONS; i++) {
        const struct common *common = &commons[i];
        if (strcmp(common->format, format) != 0) continue;
        bool has_unit = *common->unit != '\0';
        snprintf(text, ADI_TYPE_STRING_SIZE, "%c%c%d%s%s%s", common->bytes == 1 ? '|' : NATIVE,
                 common->kind, common->bytes, has_unit ? "[" : "", common->unit,
                 has_unit ? "]" : "");
        *needs = common->needs;
        return 0;
    }
    return adi_error_set(error, ENOTSUP, "format %s: no type string says that%s",
                         adi_quote(format, strlen(format), quote),
                         strncmp(format, "ts", 2) == 0 ? "; a time zone has no place in one" : "");
}
