/* SPDX-License-Identifier: Apache-2.0 */
#include "last_error.h"

#include <stdlib.h>
#include <string.h>

int adi_last_error_set(struct adi_last_error *last, int code, const char *text) {
    char *copy = text == NULL ? NULL : strdup(text);
    free(last->text);
    *last = (struct adi_last_error){code, copy};
    return code;
}

void adi_last_error_clear(struct adi_last_error *last) {
    free(last->text);
    *last = (struct adi_last_error){0};
}

int adi_last_error_of_stream(struct ArrowArrayStream *stream, int code,
                             struct adi_last_error *last) {
    return adi_last_error_set(last, code, stream->get_last_error(stream));
}

int adi_last_error_of_device_stream(struct ArrowDeviceArrayStream *stream, int code,
                                    struct adi_last_error *last) {
    return adi_last_error_set(last, code, stream->get_last_error(stream));
}
