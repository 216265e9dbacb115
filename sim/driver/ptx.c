/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* parameters; a kernel has 32,764 bytes of them at most */

struct token {
    const char *start;
    size_t n; /* 0: the end */
};

struct reader {
    const char *at;
    struct token token;
};

/* ---- words ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *skip_blank(const char *at) {
    for (;;) {
        if (*at == ' ' || (*at >= '\t' && *at <= '\r')) {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end == NULL ? at + strlen(at) : end + 2;
        } else {
            return at;
        }
    }
}

static const char *end_of_string(const char *at) {
    while (*at != '\0' && *at != '"') at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == '"' ? at + 1 : at;
}

/* A word with the dot before it, a number, a string, or one sign. */
static void next(struct reader *reader) {
    const char *start = skip_blank(reader->at), *end = start;
    if (*end == '"') {
        end = end_of_string(end + 1);
    } else if (is_letter(*end) || is_digit(*end) || (*end == '.' && is_letter(end[1]))) {
        end++;
        while (is_letter(*end) || is_digit(*end)) end++;
    } else if (*end != '\0') {
        end++;
    }
    reader->token = (struct token){start, (size_t)(end - start)};
    reader->at = end;
}

static bool is(const struct reader *reader, const char *word) {
    return reader->token.n == strlen(word) &&
           memcmp(reader->token.start, word, reader->token.n) == 0;
}

static bool is_word(const struct reader *reader) {
    return reader->token.n > 0 && is_letter(*reader->token.start);
}

static size_t number(const struct reader *reader) {
    return reader->token.n > 0 && is_digit(*reader->token.start)
               ? strtoul(reader->token.start, NULL, 0)
               : 0;
}

/* ---- parameters ---- */

/* Of a type: 0, of anything else. */
static size_t bytes_of(const struct reader *reader) {
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{".b8", 1},   {".u8", 1},    {".s8", 1},    {".b16", 2},   {".u16", 2},
                 {".s16", 2},  {".f16", 2},   {".b32", 4},   {".u32", 4},   {".s32", 4},
                 {".f32", 4},  {".b64", 8},   {".u64", 8},   {".s64", 8},   {".f64", 8},
                 {".bf16", 2}, {".f16x2", 4}, {".b128", 16}, {".bf16x2", 4}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(reader, types[i].name)) return types[i].bytes;
    return 0;
}

/* `.param .align 8 .b8 name[24]`, `.param .u64 .ptr .global .align 16 name`: what comes behind .ptr
 * is about what the pointer is to. */
static bool read_parameter(struct reader *reader, size_t *end, struct ptx_parameter *out) {
    size_t bytes = 0, align = 0, count = 1;
    bool is_pointer = false;
    if (!is(reader, ".param")) return false;
    for (next(reader); reader->token.n > 0 && !is_word(reader); next(reader)) {
        if (bytes_of(reader) > 0) bytes = bytes_of(reader);
        if (is(reader, ".ptr")) is_pointer = true;
        if (!is(reader, ".align")) continue;
        next(reader);
        if (!is_pointer) align = number(reader);
    }
    if (!is_word(reader) || bytes == 0) return false;
    next(reader);
    if (is(reader, "[")) {
        next(reader);
        count = number(reader);
        next(reader);
        if (!is(reader, "]")) return false;
        next(reader);
    }
    if (align == 0) align = bytes;
    *out = (struct ptx_parameter){(*end + align - 1) / align * align, bytes * count};
    *end = out->offset + out->bytes;
    return count > 0 && count <= 32764;
}

static bool read_entry(struct reader *reader, struct ptx_parameter *room, struct ptx_entry *out) {
    size_t end = 0;
    next(reader);
    if (!is_word(reader)) return false;
    *out = (struct ptx_entry){reader->token.start, reader->token.n, room, 0};
    next(reader);
    if (!is(reader, "(")) return true;
    next(reader);
    while (!is(reader, ")")) {
        if (out->n == MOST || !read_parameter(reader, &end, &room[out->n++])) return false;
        if (is(reader, ",")) next(reader);
    }
    return true;
}

bool ptx_read(const char *text, bool (*found)(void *context, const struct ptx_entry *entry),
              void *context) {
    struct reader reader = {.at = text};
    struct ptx_entry entry;
    next(&reader);
    struct ptx_parameter *room = is(&reader, ".version") ? malloc(MOST * sizeof *room) : NULL;
    bool all = room != NULL;
    for (; all && reader.token.n > 0; next(&reader))
        if (is(&reader, ".entry"))
            all = read_entry(&reader, room, &entry) && found(context, &entry);
    free(room);
    return all;
}
