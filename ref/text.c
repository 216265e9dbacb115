/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

ADI_PRINTF(3, 4)
static size_t append(char *text, size_t at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + at, ADI_PLACE_SIZE - at, format, arguments);
    va_end(arguments);
    size_t end = at + (size_t)length;
    return length < 0 ? at : end < ADI_PLACE_SIZE ? end : ADI_PLACE_SIZE - 1;
}

static size_t write_place(const struct adi_place *place, char *text) {
    if (place == NULL) return 0;
    size_t at = write_place(place->up, text);
    const char *dot = at == 0 ? "" : ".";
    switch (place->kind) {
    case ADI_PLACE_CHILD:
        return append(text, at, "%schildren[%" PRId64 "]", dot, place->index);
    case ADI_PLACE_DICTIONARY:
        return append(text, at, "%sdictionary", dot);
    case ADI_PLACE_VALUE:
        return append(text, at, "[%" PRId64 "]", place->index);
    }
    return at;
}

const char *adi_place_text(const struct adi_place *place, const char *member,
                           char text[ADI_PLACE_SIZE]) {
    text[0] = '\0';
    size_t at = write_place(place, text);
    if (*member != '\0') append(text, at, "%s%s", at == 0 ? "" : ".", member);
    return text;
}

int adi_error_at_buffer(struct adi_error *error, int code, const struct adi_place *place,
                        int64_t index) {
    if (error == NULL) return code;
    char member[40], text[ADI_PLACE_SIZE];
    snprintf(member, sizeof member, "buffers[%" PRId64 "]", index);
    struct adi_error said = *error;
    return adi_error_set(error, code, "%s: %s", adi_place_text(place, member, text),
                         said.text[0] == '\0' ? strerror(code) : said.text);
}

const char *adi_quote(const void *from, size_t bytes, char text[ADI_QUOTE_SIZE]) {
    const unsigned char *byte = from;
    size_t room = ADI_QUOTE_SIZE - sizeof "\\xff\"...";
    size_t at = 0, i = 0;
    text[at++] = '"';
    for (; i < bytes && at < room; i++) {
        bool plain = byte[i] >= 0x20 && byte[i] < 0x7f && byte[i] != '"' && byte[i] != '\\';
        if (plain)
            text[at++] = (char)byte[i];
        else
            at += (size_t)snprintf(text + at, ADI_QUOTE_SIZE - at, "\\x%02x", byte[i]);
    }
    strcpy(text + at, i < bytes ? "\"..." : "\"");
    return text;
}
