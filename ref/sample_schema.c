/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "metadata.h"

#define FORMAT_SIZE   64
#define EXTENSION_MAX 2
#define ODD_PAIRS     3
#define NESTS_MAX     8 /* fields of a spec that may hold itself */
#define DEEP_MAX      4

/* One field of a spec, without its children. */
struct field {
    char format[FORMAT_SIZE];
    bool required;                            /* '!' */
    bool ordered;                             /* '~' */
    struct adi_pair extension[EXTENSION_MAX]; /* {name=metadata} */
    int32_t n_extension;
};

static struct adi_pair pair(const char *key, const char *value, size_t value_bytes) {
    return (struct adi_pair){key, value, (int32_t)strlen(key), (int32_t)value_bytes};
}

/* Reads a field and returns what follows it: its children, its dictionary or its neighbour. */
static const char *read_field(const char *at, struct field *out) {
    size_t bytes = strcspn(at, "!~{()[] ");
    *out = (struct field){0};
    memcpy(out->format, at, bytes);
    for (at += bytes; *at == '!' || *at == '~'; at++) {
        out->required |= *at == '!';
        out->ordered |= *at == '~';
    }
    if (*at != '{') return at;
    const char *name = at + 1, *equals = strchr(at, '='), *end = strchr(at, '}');
    out->extension[0] = pair("ARROW:extension:name", name, (size_t)(equals - name));
    out->extension[1] = pair("ARROW:extension:metadata", equals + 1, (size_t)(end - equals - 1));
    out->n_extension = EXTENSION_MAX;
    return end + 1;
}

/* The children of the parenthesis that `at` is the inside of. */
static int64_t count_children(const char *at) {
    int64_t count = 1;
    for (int depth = 0; depth >= 0; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        count += depth == 0 && *at == ' ';
    }
    return count;
}

static bool is_named(const char *format) {
    return strcmp(format, "+s") == 0 || strncmp(format, "+u", 2) == 0;
}

/* The names that the columnar format prescribes or that everybody uses. */
static const char *usual_name(struct adi_sample_builder *builder, const char *parent,
                              int64_t index) {
    static const struct {
        const char *format, *names[2];
    } usual[] = {
        {"+l", {"item"}},  {"+L", {"item"}},    {"+vl", {"item"}},
        {"+vL", {"item"}}, {"+m", {"entries"}}, {"+r", {"run_ends", "values"}},
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(parent, usual[i].format) == 0) return usual[i].names[index];
    if (!is_named(parent)) return "item";
    char *name = adi_sample_scratch(builder, 24, 1);
    if (name != NULL) snprintf(name, 24, "f%lld", (long long)index);
    return name;
}

/* `is_free`: the name is up to the user, not prescribed. Any name may be left out. */
static const char *odd_name(const struct adi_sample_plan *plan, const char *usual, bool is_free) {
    static const char utf8[] =
        "na\xc3\xafve \xe5\x90\x8d\xe5\x89\x8d \xf0\x9f\x8f\xb9 \"quoted\".[0]";
    const char *const names[] = {
        [ADI_NAMES_USUAL] = usual,
        [ADI_NAMES_NULL] = NULL,
        [ADI_NAMES_EMPTY] = "",
        [ADI_NAMES_SAME] = is_free ? "same" : usual,
        [ADI_NAMES_UTF8] = is_free ? utf8 : usual,
    };
    return names[plan->names];
}

static const char *encode(struct adi_sample_builder *builder, const struct adi_pair *pairs,
                          int32_t count) {
    char *metadata =
        adi_sample_scratch(builder, (int64_t)adi_metadata_write(pairs, count, NULL), 1);
    if (metadata != NULL) adi_metadata_write(pairs, count, metadata);
    return metadata;
}

static int write_metadata(struct adi_sample_builder *builder, const struct field *field, int depth,
                          const char **out) {
    static const char bytes[] = "\0\x01\xff\xfe\0zero\0";
    const struct adi_pair binary[ODD_PAIRS] = {
        pair("plain", "value", 5),
        pair("bytes", bytes, sizeof bytes),
        pair("plain", "the same key again", 18),
    };
    const struct adi_pair empty[ODD_PAIRS] = {pair("", "", 0), pair("no value", "", 0),
                                              pair("", "no key", 6)};
    const struct {
        const struct adi_pair *pairs;
        int32_t count;
    } odd[] = {
        [ADI_METADATA_NONE] = {NULL, 0},
        [ADI_METADATA_BINARY] = {binary, ODD_PAIRS},
        [ADI_METADATA_EMPTY] = {empty, ODD_PAIRS},
        [ADI_METADATA_ROOT] = {binary, depth == 0 ? ODD_PAIRS : 0},
    };
    struct adi_pair pairs[EXTENSION_MAX + ODD_PAIRS];
    int32_t count = 0;
    for (int32_t i = 0; i < field->n_extension; i++) pairs[count++] = field->extension[i];
    for (int32_t i = 0; i < odd[builder->plan->metadata].count; i++)
        pairs[count++] = odd[builder->plan->metadata].pairs[i];
    *out = NULL;
    if (count == 0) return 0;
    *out = encode(builder, pairs, count);
    return *out == NULL ? ENOMEM : 0;
}

static int64_t flags_of(const struct adi_sample_plan *plan, const struct field *field, int depth,
                        bool dictionary) {
    int64_t flags = 0;
    if (!field->required && !plan->non_nullable && !(plan->batch && depth == 0))
        flags |= ARROW_FLAG_NULLABLE;
    if (field->ordered)
        flags |= dictionary ? ARROW_FLAG_DICTIONARY_ORDERED : ARROW_FLAG_MAP_KEYS_SORTED;
    return flags;
}

static int read_schema(struct adi_sample_builder *builder, const char **at, int depth,
                       struct ArrowSchema *out);

static int read_children(struct adi_sample_builder *builder, const char **at, int depth,
                         struct ArrowSchema *out) {
    out->n_children = count_children(*at);
    out->children = adi_sample_scratch(builder, out->n_children, sizeof *out->children);
    struct ArrowSchema *children = adi_sample_scratch(builder, out->n_children, sizeof *children);
    if (out->children == NULL || children == NULL) return ENOMEM;
    for (int64_t i = 0; i < out->n_children; i++) {
        const char *usual = usual_name(builder, out->format, i);
        if (usual == NULL) return ENOMEM;
        out->children[i] = &children[i];
        ADI_TRY(read_schema(builder, at, depth + 1, &children[i]));
        children[i].name = odd_name(builder->plan, usual, is_named(out->format));
        *at += 1; /* a space or the closing parenthesis */
    }
    if (strcmp(out->format, "+m") != 0) return 0;
    children[0].children[0]->name = odd_name(builder->plan, "key", false);
    children[0].children[1]->name = odd_name(builder->plan, "value", false);
    return 0;
}

static int read_schema(struct adi_sample_builder *builder, const char **at, int depth,
                       struct ArrowSchema *out) {
    struct field field;
    *at = read_field(*at, &field);
    char *format = adi_sample_scratch(builder, 1, sizeof field.format);
    if (format == NULL) return ENOMEM;
    memcpy(format, field.format, sizeof field.format);
    *out = (struct ArrowSchema){
        .format = format,
        .name = odd_name(builder->plan, "", depth == 0),
        .flags = flags_of(builder->plan, &field, depth, **at == '['),
    };
    ADI_TRY(write_metadata(builder, &field, depth, &out->metadata));
    if (**at == '(') {
        *at += 1;
        return read_children(builder, at, depth, out);
    }
    if (**at != '[') return 0;
    *at += 1;
    out->dictionary = adi_sample_scratch(builder, 1, sizeof *out->dictionary);
    if (out->dictionary == NULL) return ENOMEM;
    ADI_TRY(read_schema(builder, at, depth + 1, out->dictionary));
    *at += 1;
    return 0;
}

/* Where a type holds itself when it is nested: the first child, or the values of a map. */
static struct ArrowSchema *inside(const struct ArrowSchema *schema) {
    struct ArrowSchema *child = schema->children[0];
    return strcmp(schema->format, "+m") == 0 ? child->children[1] : child;
}

static int widen(struct adi_sample_builder *builder, int64_t width, struct ArrowSchema *schema) {
    struct ArrowSchema **children = adi_sample_scratch(builder, width, sizeof *children);
    struct ArrowSchema *copies = adi_sample_scratch(builder, width, sizeof *copies);
    if (children == NULL || copies == NULL) return ENOMEM;
    for (int64_t i = 0; i < width; i++) {
        copies[i] = *schema->children[i % schema->n_children];
        copies[i].name = usual_name(builder, schema->format, i);
        if (copies[i].name == NULL) return ENOMEM;
        children[i] = &copies[i];
    }
    schema->children = children;
    schema->n_children = width;
    return 0;
}

int adi_sample_schema(struct adi_sample_builder *builder, const char *spec,
                      struct ArrowSchema *out) {
    const char *at = spec;
    ADI_TRY(read_schema(builder, &at, 0, out));
    struct ArrowSchema *outer = out;
    for (int64_t level = 1; level < builder->plan->depth; level++) {
        struct ArrowSchema *inner = inside(outer);
        const char *name = inner->name;
        at = spec;
        ADI_TRY(read_schema(builder, &at, (int)level, inner));
        inner->name = name;
        outer = inner;
    }
    if (builder->plan->width == 0) return 0;
    return widen(builder, builder->plan->width, out);
}

static unsigned features_of_root(const struct adi_type *type, bool has_children, int fields) {
    static const bool nests[] = {
        [ADI_LAYOUT_LIST] = true,         [ADI_LAYOUT_LIST_VIEW] = true,
        [ADI_LAYOUT_FIXED_LIST] = true,   [ADI_LAYOUT_STRUCT] = true,
        [ADI_LAYOUT_SPARSE_UNION] = true, [ADI_LAYOUT_DENSE_UNION] = true,
        [ADI_LAYOUT_RUN_END] = false,
    };
    const bool fixed_list = type->layout == ADI_LAYOUT_FIXED_LIST;
    unsigned features = has_children ? ADI_HAS_CHILDREN : 0;
    if (type->layout == ADI_LAYOUT_STRUCT)
        features |= has_children ? ADI_HAS_COLUMNS : ADI_HAS_NO_COLUMNS;
    if (!has_children || !nests[type->layout] || (fixed_list && type->size == 0)) return features;
    if (fields <= NESTS_MAX) features |= ADI_NESTS;
    if (fields <= DEEP_MAX && !(fixed_list && type->size > 1)) features |= ADI_NESTS_DEEP;
    return features;
}

unsigned adi_sample_features(const char *spec) {
    static const unsigned of_layout[] = {
        [ADI_LAYOUT_NULL] = 0,
        [ADI_LAYOUT_FIXED] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP,
        [ADI_LAYOUT_BINARY] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP | ADI_HAS_OFFSETS | ADI_HAS_TEXT,
        [ADI_LAYOUT_VIEW] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP | ADI_HAS_TEXT | ADI_HAS_VIEWS,
        [ADI_LAYOUT_LIST] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP | ADI_HAS_OFFSETS | ADI_HAS_LISTS,
        [ADI_LAYOUT_LIST_VIEW] =
            ADI_HAS_BUFFERS | ADI_HAS_BITMAP | ADI_HAS_LISTS | ADI_HAS_LIST_VIEWS,
        [ADI_LAYOUT_FIXED_LIST] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP,
        [ADI_LAYOUT_STRUCT] = ADI_HAS_BUFFERS | ADI_HAS_BITMAP,
        [ADI_LAYOUT_SPARSE_UNION] = ADI_HAS_BUFFERS,
        [ADI_LAYOUT_DENSE_UNION] = ADI_HAS_BUFFERS,
        [ADI_LAYOUT_RUN_END] = 0,
    };
    struct adi_type root = {0};
    unsigned features = 0;
    int fields = 0;
    for (const char *at = spec; *at != '\0'; at += strspn(at, "()[] "), fields++) {
        struct field field;
        struct adi_type type;
        at = read_field(at, &field);
        if (adi_type_parse(field.format, &type, NULL) != 0) return 0;
        features |= of_layout[type.layout] & ~(field.required ? (unsigned)ADI_HAS_BITMAP : 0u);
        if (*at == '[') features |= ADI_HAS_DICTIONARY;
        if (fields == 0) root = type;
    }
    const bool has_children = spec[strcspn(spec, "([")] == '(';
    return features | features_of_root(&root, has_children, fields);
}
