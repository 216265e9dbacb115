/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the parsers of format strings and of metadata. The first byte says which. Each input lies
 * in front of a page that cannot be read; what is accepted must mean the same when it is written
 * down and parsed again, and must survive export and comparison of a schema.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "arena.h"
#include "fuzz.h"
#include "metadata.h"
#include "move.h"
#include "safe_read.h"
#include "schema.h"
#include "type.h"

#define TEXT_MOST     2000
#define CHILDREN_MOST ADI_UNION_IDS
#define PAIRS_MOST    200

static void release_nothing(struct ArrowSchema *schema) {
    schema->release = NULL;
}

/* Exports the schema twice, compares, and sees that another name makes a difference. */
static void judge_round_trip(const struct ArrowSchema *schema) {
    struct ArrowSchema copy, again;
    struct adi_error error = {""};
    FUZZ_REQUIRE(adi_schema_export(schema, &copy, &error) == 0, "export: %s", error.text);
    FUZZ_REQUIRE(adi_schema_export(&copy, &again, &error) == 0, "export: %s", error.text);
    FUZZ_REQUIRE(adi_schema_compare(&copy, schema, &error) == 0, "copy: %s", error.text);
    adi_schema_release(&copy);
    FUZZ_REQUIRE(adi_schema_compare(&again, schema, &error) == 0, "again: %s", error.text);
    FUZZ_REQUIRE(adi_schema_compare_type(&again, schema, &error) == 0, "type: %s", error.text);
    again.name = "another";
    FUZZ_REQUIRE(adi_schema_compare(&again, schema, &error) == EILSEQ, "a name is not compared");
    FUZZ_REQUIRE(strstr(error.text, "another") != NULL, "the name is not named: %s", error.text);
    adi_schema_release(&again);
}

/* Writes down what was understood, all numbers in full. */
static void write_format(const char *format, const struct adi_type *type, char *to, size_t size) {
    if (format[0] == 'd') {
        snprintf(to, size, "d:%" PRId32 ",%" PRId32 ",%" PRId64, type->precision, type->scale,
                 type->bits);
    } else if (format[0] == 'w' || strncmp(format, "+w", 2) == 0) {
        snprintf(to, size, "%s:%" PRId32, format[0] == 'w' ? "w" : "+w", type->size);
    } else if (strncmp(format, "+u", 2) == 0) {
        int at = snprintf(to, size, "%.4s", format);
        for (int32_t i = 0; i < type->n_type_ids; i++)
            at +=
                snprintf(to + at, size - (size_t)at, "%s%d", i == 0 ? "" : ",", type->type_ids[i]);
    } else {
        snprintf(to, size, "%s", format);
    }
}

static bool same_type(const struct adi_type *a, const struct adi_type *b) {
    return strcmp(a->name, b->name) == 0 && a->layout == b->layout && a->bits == b->bits &&
           a->size == b->size && a->n_children == b->n_children && a->is_integer == b->is_integer &&
           a->is_signed == b->is_signed && a->precision == b->precision && a->scale == b->scale &&
           a->n_type_ids == b->n_type_ids &&
           memcmp(a->type_ids, b->type_ids, (size_t)a->n_type_ids) == 0 &&
           strcmp(a->timezone == NULL ? "" : a->timezone, b->timezone == NULL ? "" : b->timezone) ==
               0;
}

static void judge_type(const char *format, const struct adi_type *type) {
    struct adi_type again;
    struct adi_error error = {""};
    char text[TEXT_MOST];
    write_format(format, type, text, sizeof text);
    FUZZ_REQUIRE(adi_type_parse(text, &again, &error) == 0, "%s, read as %s: %s", format, text,
                 error.text);
    FUZZ_REQUIRE(same_type(type, &again), "%s and %s mean different types", format, text);
    FUZZ_REQUIRE(type->n_children >= -1 && type->n_children <= CHILDREN_MOST, "%s: %" PRId32,
                 format, type->n_children);
    FUZZ_REQUIRE(adi_type_buffers(type) >= 0 && adi_type_buffers(type) <= 3, "%s: buffers", format);
    for (int64_t i = 0; i < adi_type_buffers(type); i++)
        FUZZ_REQUIRE(adi_buffer_role_name(adi_type_role(type, i, adi_type_buffers(type))) != NULL,
                     "%s: buffers[%" PRId64 "] has no name", format, i);

    struct ArrowSchema child = {.format = "n", .release = release_nothing};
    struct ArrowSchema schema = {.format = format, .flags = 2, .release = release_nothing};
    struct ArrowSchema *children[CHILDREN_MOST];
    schema.n_children = type->n_children < 0 ? 2 : type->n_children;
    schema.children = children;
    for (int64_t i = 0; i < schema.n_children; i++) children[i] = &child;
    if (type->is_integer) schema.dictionary = &child;
    judge_round_trip(&schema);
}

/* The sentence names a byte of the format, or its end. */
static void judge_position(const char *format, const struct adi_error *error) {
    const char *at = error->text;
    size_t position = SIZE_MAX;
    for (const char *next; (next = strstr(at, " at byte ")) != NULL;) at = next + 1;
    FUZZ_REQUIRE(sscanf(at, "at byte %zu", &position) == 1, "no position: %s", error->text);
    FUZZ_REQUIRE(position <= strlen(format), "beyond the end: %s", error->text);
}

static void fuzz_format(const uint8_t *bytes, size_t count) {
    char text[TEXT_MOST / 2];
    if (count >= sizeof text) return;
    if (count > 0) memcpy(text, bytes, count);
    text[count] = '\0';
    const char *format = arena_copy(text, strlen(text) + 1, 1);
    struct adi_type type;
    struct adi_error error = {""};
    int code = adi_type_parse(format, &type, &error);
    FUZZ_REQUIRE(code == 0 || code == EINVAL, "%d", code);
    FUZZ_REQUIRE(adi_type_parse(format, &type, NULL) == code, "the error makes a difference");
    if (code == 0)
        judge_type(format, &type);
    else
        judge_position(format, &error);
}

/* Reads at most PAIRS_MOST pairs; their number, or -1 where the encoding is malformed. */
static int32_t read_pairs(const char *metadata, size_t count, struct adi_pair *pairs,
                          struct adi_metadata_reader *reader) {
    struct adi_error error = {""};
    int code = adi_metadata_open(metadata, count, reader, &error);
    int32_t n = 0;
    while (code == 0 && n < PAIRS_MOST &&
           (code = adi_metadata_next(reader, &pairs[n], &error)) == 0)
        n++;
    FUZZ_REQUIRE(code == 0 || code == ENOENT || code == EINVAL, "%d", code);
    FUZZ_REQUIRE(code != EINVAL || error.text[0] != '\0', "nothing is said");
    return code == EINVAL ? -1 : n;
}

static void judge_pairs(const char *metadata, const struct adi_pair *pairs, int32_t n,
                        size_t used) {
    char *written = arena_put(adi_metadata_write(pairs, n, NULL), 1);
    size_t size = adi_metadata_write(pairs, n, written);
    FUZZ_REQUIRE(size == used, "%zu bytes read, %zu written", used, size);
    FUZZ_REQUIRE(memcmp(written, metadata, size) == 0, "what is written is not what was read");
    FUZZ_REQUIRE(adi_metadata_bytes(written) == size, "%zu bytes", adi_metadata_bytes(written));
    struct ArrowSchema schema = {.format = "n", .metadata = written, .release = release_nothing};
    judge_round_trip(&schema);
}

/* Two readers, one of which is told the size and one of which finds the end of what is readable,
 * must agree. */
static void fuzz_metadata(const uint8_t *bytes, size_t count) {
    static struct adi_pair pairs[PAIRS_MOST];
    struct adi_metadata_reader reader;
    if (count > TEXT_MOST) return;
    const char *metadata = arena_copy(bytes, count, 1);
    int32_t n = read_pairs(metadata, count, pairs, &reader);
    if (n == PAIRS_MOST) return;

    uint8_t *copy = NULL;
    int64_t size = -1;
    struct adi_error error = {""};
    struct adi_safe_reader safe_reader = {.n = 0};
    int code = adi_safe_reader_metadata(&safe_reader, metadata, &copy, &size, &error);
    FUZZ_REQUIRE((code == 0) == (n >= 0), "one reader accepts it, the other does not: %s",
                 error.text);
    FUZZ_REQUIRE(code == 0 || error.text[0] != '\0' || code == E2BIG, "nothing is said: %d", code);
    if (n >= 0) {
        size_t used = (size_t)(reader.at - metadata);
        FUZZ_REQUIRE((size_t)size == used, "%" PRId64 " and %zu bytes", size, used);
        FUZZ_REQUIRE(memcmp(copy, metadata, used) == 0, "the copy differs");
        judge_pairs(metadata, pairs, n, used);
    }
    free(copy);
}

void adi_fuzz_format(const uint8_t *bytes, size_t count) {
    if (count == 0) return;
    arena_reset();
    if (bytes[0] == 'm')
        fuzz_metadata(bytes + 1, count - 1);
    else
        fuzz_format(bytes + 1, count - 1);
}
