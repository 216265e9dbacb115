/* SPDX-License-Identifier: Apache-2.0 */
#include "fixed_shape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "metadata.h"
#include "schema.h"

#define MOST_NESTED 32 /* of values that are left alone */

/* ---- JSON ---- */

struct json {
    const char *at, *end;
};

static void skip_space(struct json *json) {
    while (json->at < json->end && strchr(" \t\r\n", *json->at) != NULL && *json->at != '\0')
        json->at++;
}

static bool take(struct json *json, char c) {
    skip_space(json);
    if (json->at == json->end || *json->at != c) return false;
    json->at++;
    return true;
}

/* What is between the quotation marks, escapes as they are. */
static bool take_string(struct json *json, const char **text, size_t *bytes) {
    if (!take(json, '"')) return false;
    for (*text = json->at; json->at < json->end && *json->at != '"'; json->at++)
        if (*json->at == '\\' && ++json->at == json->end) return false;
    *bytes = (size_t)(json->at - *text);
    return take(json, '"');
}

static bool take_integer(struct json *json, int64_t *out) {
    skip_space(json);
    const char *first = json->at;
    for (*out = 0; json->at < json->end && *json->at >= '0' && *json->at <= '9'; json->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *json->at - '0', out))
            return false;
    return json->at > first;
}

/* A number or a word. */
static bool skip_word(struct json *json) {
    const char *first = json->at;
    while (json->at < json->end && strchr(",]} \t\r\n:\"", *json->at) == NULL) json->at++;
    return json->at > first;
}

static bool skip_value(struct json *json, int depth) {
    const char *text;
    size_t bytes;
    skip_space(json);
    if (json->at == json->end || depth > MOST_NESTED) return false;
    char open = *json->at, close = open == '[' ? ']' : '}';
    if (open == '"') return take_string(json, &text, &bytes);
    if (open != '[' && open != '{') return skip_word(json);
    take(json, open);
    if (take(json, close)) return true;
    do {
        if (open == '{' && (!take_string(json, &text, &bytes) || !take(json, ':'))) return false;
        if (!skip_value(json, depth + 1)) return false;
    } while (take(json, ','));
    return take(json, close);
}

static bool take_null(struct json *json) {
    skip_space(json);
    const char *first = json->at;
    if (skip_word(json) && json->at - first == 4 && memcmp(first, "null", 4) == 0) return true;
    json->at = first;
    return false;
}

/* An array of integers (`out` not NULL) or of strings, and how many there are, all of them counted;
 * -1: it is null. */
static bool take_array(struct json *json, int64_t *out, int64_t *count) {
    const char *text;
    size_t bytes;
    int64_t value = 0;
    *count = -1;
    if (take_null(json)) return true;
    *count = 0;
    if (!take(json, '[')) return false;
    if (take(json, ']')) return true;
    do {
        if (out != NULL ? !take_integer(json, &value) : !take_string(json, &text, &bytes))
            return false;
        if (out != NULL && *count < ADI_FIXED_SHAPE_DIMS) out[*count] = value;
        ++*count;
    } while (take(json, ','));
    return take(json, ']');
}

/* ---- the extension type ---- */

/* The value of a key in the metadata. */
static bool find(const struct ArrowSchema *schema, const char *key, struct json *out) {
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    if (schema->metadata == NULL ||
        adi_metadata_open(schema->metadata, SIZE_MAX, &reader, NULL) != 0)
        return false;
    while (adi_metadata_next(&reader, &pair, NULL) == 0) {
        if ((size_t)pair.key_bytes != strlen(key) || memcmp(pair.key, key, strlen(key)) != 0)
            continue;
        *out = (struct json){pair.value, pair.value + pair.value_bytes};
        return true;
    }
    return false;
}

bool adi_fixed_shape_is(const struct ArrowSchema *schema) {
    struct json name;
    return find(schema, "ARROW:extension:name", &name) &&
           (size_t)(name.end - name.at) == strlen(ADI_FIXED_SHAPE_NAME) &&
           memcmp(name.at, ADI_FIXED_SHAPE_NAME, strlen(ADI_FIXED_SHAPE_NAME)) == 0;
}

struct members {
    int64_t shape, permutation, names; /* how many elements; -1: it is not there, or null */
};

static bool is_key(const char *key, size_t bytes, const char *wanted) {
    return bytes == strlen(wanted) && memcmp(key, wanted, bytes) == 0;
}

static bool read_members(struct json *json, struct adi_fixed_shape *out, struct members *seen) {
    const char *key;
    size_t bytes;
    *seen = (struct members){-1, -1, -1};
    if (!take(json, '{')) return false;
    bool ok = true, more = !take(json, '}');
    while (ok && more) {
        if (!take_string(json, &key, &bytes) || !take(json, ':')) return false;
        if (is_key(key, bytes, "shape"))
            ok = take_array(json, out->shape, &seen->shape);
        else if (is_key(key, bytes, "permutation"))
            ok = take_array(json, out->permutation, &seen->permutation);
        else if (is_key(key, bytes, "dim_names"))
            ok = take_array(json, NULL, &seen->names);
        else
            ok = skip_value(json, 0);
        more = ok && take(json, ',');
        if (!more) ok = ok && take(json, '}');
    }
    skip_space(json);
    return ok && json->at == json->end;
}

static int check_permutation(const struct adi_fixed_shape *shape, struct adi_error *error) {
    uint64_t seen = 0;
    for (int i = 0; i < shape->ndim; i++) {
        int64_t to = shape->permutation[i];
        if (to >= shape->ndim || (seen >> to & 1) != 0)
            return adi_error_set(error, EINVAL,
                                 ADI_FIXED_SHAPE_NAME ": permutation[%d] is %" PRId64
                                                      ": not a permutation of %d dimensions",
                                 i, to, shape->ndim);
        seen |= (uint64_t)1 << to;
    }
    return 0;
}

static int check_product(const struct adi_fixed_shape *shape, int32_t size,
                         struct adi_error *error) {
    int32_t count;
    if (adi_fixed_shape_count(shape, &count, NULL) == 0 && count == size) return 0;
    return adi_error_set(
        error, EINVAL,
        ADI_FIXED_SHAPE_NAME ": the shape has not the %" PRId32 " values of the list", size);
}

int adi_fixed_shape_read(const struct ArrowSchema *schema, int32_t size,
                         struct adi_fixed_shape *out, struct adi_error *error) {
    struct json json;
    struct members seen;
    if (!find(schema, "ARROW:extension:metadata", &json) || !read_members(&json, out, &seen))
        return adi_error_set(error, EINVAL,
                             ADI_FIXED_SHAPE_NAME ": the metadata are no object of JSON with a "
                                                  "shape of numbers");
    if (seen.shape < 0)
        return adi_error_set(error, EINVAL, ADI_FIXED_SHAPE_NAME ": there is no shape");
    if (seen.shape > ADI_FIXED_SHAPE_DIMS)
        return adi_error_set(error, ENOTSUP,
                             ADI_FIXED_SHAPE_NAME ": %" PRId64 " dimensions, %d at most",
                             seen.shape, ADI_FIXED_SHAPE_DIMS);
    out->ndim = (int)seen.shape;
    bool fits = (seen.permutation < 0 || seen.permutation == seen.shape) &&
                (seen.names < 0 || seen.names == seen.shape);
    if (!fits)
        return adi_error_set(error, EINVAL,
                             ADI_FIXED_SHAPE_NAME ": permutation and dim_names have an element "
                                                  "for each of the %d dimensions",
                             out->ndim);
    for (int i = 0; seen.permutation < 0 && i < out->ndim; i++) out->permutation[i] = i;
    ADI_TRY(check_permutation(out, error));
    return check_product(out, size, error);
}

/* ---- from shapes and strides ---- */

/* Where a dimension of the memory is in the shape and the strides of the whole array. */
static int dimension_of(const int *order, int i) {
    return 1 + order[i];
}

static bool is_dense(int ndim, const int64_t *shape, const int64_t *strides, const int *order) {
    int64_t next = 1;
    for (int i = ndim - 2; i >= 0; i--) {
        int from = dimension_of(order, i);
        if (shape[from] == 1) continue; /* its stride says nothing */
        if (strides[from] != next) return false;
        next *= shape[from];
    }
    return ndim == 0 || shape[0] == 1 || strides[0] == next;
}

static void put_in_order(int ndim, const int64_t *shape, const int *order,
                         struct adi_fixed_shape *out) {
    out->ndim = ndim == 0 ? 0 : ndim - 1;
    for (int i = 0; i < out->ndim; i++) {
        out->shape[i] = shape[dimension_of(order, i)];
        out->permutation[order[i]] = i;
    }
}

/* From the largest stride to the smallest. */
static void sort_dimensions(int ndim, const int64_t *strides, int *order) {
    for (int i = 0; i < ndim - 1; i++) {
        int to = i;
        for (; to > 0 && strides[dimension_of(order, to - 1)] < strides[1 + i]; to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
}

bool adi_fixed_shape_of(int ndim, const int64_t *shape, const int64_t *strides,
                        struct adi_fixed_shape *out) {
    int order[ADI_FIXED_SHAPE_DIMS];
    for (int i = 0; i < ndim - 1; i++) order[i] = i;
    put_in_order(ndim, shape, order, out);
    if (strides == NULL || is_dense(ndim, shape, strides, order)) return true;
    sort_dimensions(ndim, strides, order);
    if (!is_dense(ndim, shape, strides, order)) return false;
    put_in_order(ndim, shape, order, out);
    return true;
}

int adi_fixed_shape_count(const struct adi_fixed_shape *shape, int32_t *out,
                          struct adi_error *error) {
    int64_t count = 1;
    bool is_large = false, is_empty = false;
    for (int i = 0; i < shape->ndim; i++) {
        is_large = is_large || __builtin_mul_overflow(count, shape->shape[i], &count);
        is_empty = is_empty || shape->shape[i] == 0;
    }
    if (!is_empty && (is_large || count > INT32_MAX))
        return adi_error_set(error, ENOTSUP, "shape: a fixed-size list has at most %d values",
                             INT32_MAX);
    *out = is_empty ? 0 : (int32_t)count;
    return 0;
}

/* ---- writing ---- */

static int put_array(const char *name, const int64_t *numbers, int count, char *text, int at) {
    at += sprintf(text + at, "\"%s\":[", name);
    for (int i = 0; i < count; i++)
        at += sprintf(text + at, "%s%" PRId64, i == 0 ? "" : ",", numbers[i]);
    return at + sprintf(text + at, "]");
}

const char *adi_fixed_shape_write(const struct adi_fixed_shape *shape,
                                  char text[ADI_FIXED_SHAPE_TEXT]) {
    bool is_permuted = false;
    for (int i = 0; i < shape->ndim; i++) is_permuted = is_permuted || shape->permutation[i] != i;
    int at = sprintf(text, "{");
    at = put_array("shape", shape->shape, shape->ndim, text, at);
    if (is_permuted) {
        at += sprintf(text + at, ",");
        at = put_array("permutation", shape->permutation, shape->ndim, text, at);
    }
    sprintf(text + at, "}");
    return text;
}

static struct adi_pair pair(const char *key, const char *value) {
    return (struct adi_pair){key, value, (int32_t)strlen(key), (int32_t)strlen(value)};
}

int adi_fixed_shape_schema(const char *format, const struct adi_fixed_shape *shape,
                           struct ArrowSchema *out, struct adi_error *error) {
    char of_list[16], text[ADI_FIXED_SHAPE_TEXT], metadata[sizeof text + 128];
    int32_t count;
    struct ArrowSchema item = {.format = format, .name = shape->ndim == 0 ? "" : "item"};
    struct ArrowSchema *items = &item;
    struct ArrowSchema list = {.format = of_list, .name = "", .n_children = 1, .children = &items};
    if (shape->ndim == 0) return adi_schema_export(&item, out, error);
    ADI_TRY(adi_fixed_shape_count(shape, &count, error));
    snprintf(of_list, sizeof of_list, "+w:%" PRId32, count);
    if (shape->ndim > 1) {
        struct adi_pair pairs[] = {
            pair("ARROW:extension:name", ADI_FIXED_SHAPE_NAME),
            pair("ARROW:extension:metadata", adi_fixed_shape_write(shape, text))};
        adi_metadata_write(pairs, 2, metadata);
        list.metadata = metadata;
    }
    return adi_schema_export(&list, out, error);
}
