/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: what sentences are made of. A place in a tree is a chain of frames on the stack,
 * written out only when something is wrong.
 */
#ifndef ADI_TEXT_H
#define ADI_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum adi_place_kind {
    ADI_PLACE_CHILD,
    ADI_PLACE_DICTIONARY,
    ADI_PLACE_VALUE,
};

/* A step down a tree; a NULL pointer is the root. */
struct adi_place {
    const struct adi_place *up;
    enum adi_place_kind kind;
    int64_t index; /* of a child or a value */
};

#define ADI_PLACE_SIZE 256
#define ADI_QUOTE_SIZE 80

/* Writes the way from the root to `place` and on to its `member` ("" for the place itself):
 * "children[1].dictionary.length", "[7].children[0]". What is too long is cut. Returns `text`. */
const char *adi_place_text(const struct adi_place *place, const char *member,
                           char text[ADI_PLACE_SIZE]);

/* Puts "PLACE.buffers[INDEX]: " before the sentence in `error` and returns `code`. */
int adi_error_at_buffer(struct adi_error *error, int code, const struct adi_place *place,
                        int64_t index);

/* Writes `bytes` bytes between quotation marks, what is not printable ASCII as \xNN; long ones end
 * in "...". Returns `text`. */
const char *adi_quote(const void *from, size_t bytes, char text[ADI_QUOTE_SIZE]);

#endif /* ADI_TEXT_H */
