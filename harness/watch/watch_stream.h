/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching somebody else's stream, as watch.h does an array: callbacks of the watch's own stand in
 * its structure, in place, look up what may be called in the life of a stream (life/stream.def),
 * and hand each call on. What comes out is watched, too: each schema for its release, each chunk
 * for that and for what is written to its buffers on the CPU, if it is sound; else it is handed on
 * as it is, since its consumer would not be to blame.
 *
 * What a consumer overlooks leaves no trace here: an error, the end, the text of an error that is
 * read too late. guarded_stream.h, which makes the stream itself, shows that.
 *
 * C stream interface; C Device data interface, "Device Stream Interface".
 */
#ifndef ADI_WATCH_STREAM_H
#define ADI_WATCH_STREAM_H

#include "watch.h"

struct adi_stream_watch;

/* Watches the stream at `structure`, of the kind adi_kind_array_stream or
 * adi_kind_device_array_stream, which has all four callbacks and is not released. `sink` is told
 * what its consumer breaks. If it asks for no schema before the first chunk, the watch does. The
 * caller owns the watch until adi_stream_watch_close. NULL: out of memory. */
struct adi_stream_watch *adi_stream_watch_open(const struct adi_kind *kind, void *structure,
                                               struct adi_sink *sink);
/* Ends it: what is live, the stream and what came out of it, is reported as never released, and
 * works on, silently. `watch` may be NULL. */
void adi_stream_watch_close(struct adi_stream_watch *watch);

#endif /* ADI_WATCH_STREAM_H */
