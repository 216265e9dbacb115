/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a stream that was handed over one that can be read? C stream interface, "The ArrowArrayStream
 * structure"; C device data interface, "Device Stream Interface". EINVAL: it is released, or a
 * callback is NULL, which no producer may hand over. Nothing of it is called.
 */
#ifndef ADI_STREAM_WHOLE_H
#define ADI_STREAM_WHOLE_H

#include <errno.h>
#include <stdbool.h>

#include "abi.h"
#include "error.h"

static inline int adi_stream_check_whole(bool is_released, bool has_schema, bool has_next,
                                         bool has_last_error, struct adi_error *error) {
    const char *missing = !has_schema       ? "get_schema"
                          : !has_next       ? "get_next"
                          : !has_last_error ? "get_last_error"
                                            : NULL;
    if (is_released) return adi_error_set(error, EINVAL, "the stream is released");
    if (missing == NULL) return 0;
    return adi_error_set(error, EINVAL, "%s of the stream is NULL", missing);
}

static inline int adi_device_stream_check(const struct ArrowDeviceArrayStream *in,
                                          struct adi_error *error) {
    return adi_stream_check_whole(in->release == NULL, in->get_schema != NULL, in->get_next != NULL,
                                  in->get_last_error != NULL, error);
}

static inline int adi_host_stream_check(const struct ArrowArrayStream *in,
                                        struct adi_error *error) {
    return adi_stream_check_whole(in->release == NULL, in->get_schema != NULL, in->get_next != NULL,
                                  in->get_last_error != NULL, error);
}

#endif /* ADI_STREAM_WHOLE_H */
