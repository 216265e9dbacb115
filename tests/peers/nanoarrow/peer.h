/* SPDX-License-Identifier: Apache-2.0
 *
 * What the adapter of nanoarrow is made of: arrays in adapter.c, streams of them in streams.c.
 * Functions answer 0 or an errno value, which is what nanoarrow's own do.
 */
#ifndef TESTS_PEERS_NANOARROW_PEER_H
#define TESTS_PEERS_NANOARROW_PEER_H

#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>

#include "adapter.h"

extern struct ArrowError peer_error; /* of the last call of the adapter */

/* What nanoarrow takes for a stream of CUDA: its address, or NULL for the CPU. Made when it is
 * needed. */
int peer_stream_of(struct ArrowDevice *device, CUstream **out);

/* The device of an array, or NULL for what is released or of a device that is none. */
struct ArrowDevice *peer_device_of(const struct ArrowDeviceArray *array);

/* Copies an array, which stays the caller's, and waits until the copy is whole. */
int peer_copy_and_wait(const struct ArrowSchema *schema, struct ArrowDeviceArray *from,
                       CUstream *from_stream, struct ArrowDevice *to, struct ArrowDeviceArray *out,
                       CUstream *stream);

/* streams.c */
#define PEER_STREAM_ROLES                                                                          \
    (ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS)

int peer_produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                        struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out);
int peer_consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                        struct ArrowArrayStream *host_out);
int peer_relay_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                      struct ArrowDeviceArrayStream *out);

#endif /* TESTS_PEERS_NANOARROW_PEER_H */
