/* SPDX-License-Identifier: Apache-2.0 */
#include "clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The shapes of a UTF-8 sequence by its first byte: RFC 3629. */
static const struct {
    uint8_t first, last; /* range of the first byte */
    uint8_t more;        /* bytes that follow */
    uint8_t mask;        /* bits of the first byte that count */
    uint32_t least;      /* anything smaller is written too long */
} shapes[] = {
    {0x00, 0x7f, 0, 0x7f, 0},
    {0xc2, 0xdf, 1, 0x1f, 0x80},
    {0xe0, 0xef, 2, 0x0f, 0x800},
    {0xf0, 0xf4, 3, 0x07, 0x10000},
};

/* The length of the character that `text` begins with, at most `left` bytes; 0: none. */
static size_t decode(const unsigned char *text, size_t left, uint32_t *code) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (text[0] < shapes[i].first || text[0] > shapes[i].last) continue;
        if (shapes[i].more >= left) return 0;
        *code = text[0] & shapes[i].mask;
        for (size_t k = 1; k <= shapes[i].more; k++) {
            if ((text[k] & 0xc0) != 0x80) return 0;
            *code = *code << 6 | (text[k] & 0x3fU);
        }
        bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
        if (*code < shapes[i].least || *code > 0x10ffff || surrogate) return 0;
        return shapes[i].more + 1U;
    }
    return 0;
}

/* What is not seen where it stands, and changes how the rest is: control characters, what turns the
 * direction of text, what has no width, what ends a line, what only annotates. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
    {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f},
};

static bool is_allowed(uint32_t code, enum adi_clean how) {
    if (how == ADI_CLEAN_UTF8) return true;
    if (code == '\n' || code == '\t') return how == ADI_CLEAN_LINES;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (code >= unseen[i].first && code <= unseen[i].last) return false;
    return true;
}

void adi_clean_print(FILE *out, const char *text, size_t bytes, enum adi_clean how) {
    const unsigned char *at = (const unsigned char *)text, *end = at + bytes;
    while (at < end) {
        uint32_t code = 0;
        size_t length = decode(at, (size_t)(end - at), &code);
        if (length > 0 && is_allowed(code, how))
            fwrite(at, 1, length, out);
        else if (length > 0 && code == '\n')
            fputs("\\n", out);
        else
            for (size_t i = 0; i < (length == 0 ? 1 : length); i++) fprintf(out, "\\x%02x", at[i]);
        at += length == 0 ? 1 : length;
    }
}

void adi_clean_put(FILE *out, const char *text) {
    adi_clean_print(out, text, strlen(text), ADI_CLEAN_LINE);
}

void adi_clean_between(FILE *out, const char *before, const char *text, const char *behind) {
    if (text[0] == '\0') return;
    fputs(before, out);
    adi_clean_put(out, text);
    fputs(behind, out);
}

char *adi_clean_copy(const char *text, enum adi_clean how) {
    char *copy = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&copy, &size);
    if (out == NULL) return NULL;
    adi_clean_print(out, text, strlen(text), how);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return copy;
    free(copy);
    return NULL;
}

char *adi_clean_format(const char *format, va_list arguments) {
    char *text = NULL, *clean = NULL;
    if (vasprintf(&text, format, arguments) < 0) return NULL;
    clean = adi_clean_copy(text, ADI_CLEAN_LINES);
    free(text);
    return clean;
}
