/* SPDX-License-Identifier: Apache-2.0
 *
 * The code that a stream's callback has answered, and the text that get_last_error gives for it, of
 * any length. C stream interface, "ArrowArrayStream.get_last_error"; C device data interface, the
 * same member.
 *
 * One thread at a time, like the streams themselves.
 */
#ifndef ADI_LAST_ERROR_H
#define ADI_LAST_ERROR_H

#include "abi.h"

/* Begins as {0}. */
struct adi_last_error {
    int code;   /* 0: none */
    char *text; /* owned; NULL: nothing was said, or there was no memory for it */
};

/* Notes a failure in place of what was noted before: the text, which may be NULL, is copied.
 * Returns `code`. */
int adi_last_error_set(struct adi_last_error *last, int code, const char *text);
/* Frees the text and notes that nothing has failed. */
void adi_last_error_clear(struct adi_last_error *last);

/* Notes that the last call of `stream` has answered `code`, which is not 0: asks for its text and
 * copies that. Returns `code`. */
int adi_last_error_of_stream(struct ArrowArrayStream *stream, int code,
                             struct adi_last_error *last);
int adi_last_error_of_device_stream(struct ArrowDeviceArrayStream *stream, int code,
                                    struct adi_last_error *last);

#endif /* ADI_LAST_ERROR_H */
