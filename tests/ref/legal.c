/* SPDX-License-Identifier: Apache-2.0 */
#include "legal.h"

#include <string.h>

int64_t legal_read(const void *buffer, int64_t index, int64_t bits) {
    const char *at = (const char *)buffer + index * (bits / 8);
    int8_t value8;
    int16_t value16;
    int32_t value32;
    int64_t value64;
    switch (bits) {
    case 8:
        return memcpy(&value8, at, sizeof value8), value8;
    case 16:
        return memcpy(&value16, at, sizeof value16), value16;
    case 32:
        return memcpy(&value32, at, sizeof value32), value32;
    default:
        return memcpy(&value64, at, sizeof value64), value64;
    }
}

bool legal_utf8(const uint8_t *text, int64_t bytes) {
    static const struct {
        uint8_t lead, lead_to, second, second_to;
        int more;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 0}, {0xc2, 0xdf, 0x80, 0xbf, 1}, {0xe0, 0xe0, 0xa0, 0xbf, 2},
        {0xe1, 0xec, 0x80, 0xbf, 2}, {0xed, 0xed, 0x80, 0x9f, 2}, {0xee, 0xef, 0x80, 0xbf, 2},
        {0xf0, 0xf0, 0x90, 0xbf, 3}, {0xf1, 0xf3, 0x80, 0xbf, 3}, {0xf4, 0xf4, 0x80, 0x8f, 3},
    };
    for (int64_t at = 0; at < bytes; at++) {
        size_t form = 0;
        while (form < sizeof forms / sizeof *forms && text[at] > forms[form].lead_to) form++;
        if (form == sizeof forms / sizeof *forms || text[at] < forms[form].lead) return false;
        for (int i = 1; i <= forms[form].more; i++) {
            const uint8_t least = i == 1 ? forms[form].second : 0x80;
            const uint8_t most = i == 1 ? forms[form].second_to : 0xbf;
            if (++at >= bytes || text[at] < least || text[at] > most) return false;
        }
    }
    return true;
}

int legal_digits(const uint8_t *value, int bytes) {
    uint8_t magnitude[32];
    const bool negative = (value[bytes - 1] & 0x80) != 0;
    unsigned carry = negative;
    for (int i = 0; i < bytes; i++, carry >>= 8) {
        carry += negative ? (uint8_t)~value[i] : value[i];
        magnitude[i] = (uint8_t)carry;
    }
    for (int digits = 0;; digits++) {
        unsigned rest = 0, any = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            rest = rest << 8 | magnitude[i];
            any |= magnitude[i];
            magnitude[i] = (uint8_t)(rest / 10);
            rest %= 10;
        }
        if (any == 0) return digits;
    }
}
