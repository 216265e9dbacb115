/* SPDX-License-Identifier: Apache-2.0 */
#include "guarded_place.h"

#include <string.h>

/* Writes behind the first `at` characters; what is too long is cut. Returns the length. Names are
 * many and rarely read, so that printf is too dear. */
static size_t append(char place[ADI_PLACE_SIZE], size_t at, const char *text) {
    const char *next = memccpy(place + at, text, '\0', ADI_PLACE_SIZE - at);
    if (next != NULL) return (size_t)(next - place) - 1;
    place[ADI_PLACE_SIZE - 1] = '\0';
    return ADI_PLACE_SIZE - 1;
}

void adi_place_member(char out[ADI_PLACE_SIZE], const char *place, const char *member, int64_t i) {
    char index[24], *digit = &index[sizeof index - 1];
    size_t length = append(out, append(out, 0, place), member);
    if (i < 0) return;
    *digit = '\0';
    *--digit = ']';
    do *--digit = (char)('0' + i % 10);
    while ((i /= 10) > 0);
    *--digit = '[';
    append(out, length, digit);
}

void adi_place_child(char out[ADI_PLACE_SIZE], const char *parent, int64_t i) {
    size_t length = strlen(parent);
    char tail[ADI_PLACE_SIZE];
    if (length > 48) {
        append(tail, append(tail, 0, "..."), parent + length - 45);
        parent = tail;
    }
    adi_place_member(out, parent, i < 0 ? ".dictionary" : ".children", i);
}
