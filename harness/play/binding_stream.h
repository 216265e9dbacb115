/* SPDX-License-Identifier: Apache-2.0
 *
 * An implementation that takes streams over in a program: what it gives out is judged as in the
 * scenarios with streams, by the same code (play_stream.h).
 */
#ifndef ADI_BINDING_STREAM_H
#define ADI_BINDING_STREAM_H

#include "binding.h"

/* As struct adi_binding has them. */
int adi_binding_produce_stream(void *context, struct ArrowArrayStream *host, void *out);
int adi_binding_consume_stream(void *context, void *in, const struct adi_stream_rest *rest);
int adi_binding_look_at_copy(void *context, struct ArrowDeviceArray *chunk,
                             const struct ArrowArray *wanted);
int adi_binding_relay_stream(void *context, struct ArrowDeviceArrayStream *in, void *out);
void adi_binding_tell(void *context, const char *rule);
void adi_binding_calm(void *context);

#endif /* ADI_BINDING_STREAM_H */
