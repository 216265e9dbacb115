/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching somebody else's tree: the release callback of every structure is replaced, in place, by
 * one that tells the monitor and then calls the original on the same address. Nothing else is
 * changed: private_data stays the producer's. Several watches may lie over one another.
 */
#ifndef ADI_WATCH_H
#define ADI_WATCH_H

#include "monitor.h"
#include "tree.h"

struct adi_watch;

/* Puts the watch in place on the tree at `root` (trusted to be well-formed). `producer` and
 * `consumer`: whose violations are reported to `sink`. The caller owns the watch until
 * adi_watch_close. NULL: out of memory. */
struct adi_watch *adi_watch_open(const struct adi_kind *kind, void *root, struct adi_sink *sink,
                                 bool producer, bool consumer);
/* From here on the buffers are compared with those of `before`, a copy of the watched tree, before
 * the producer's callback is called: what was written is its consumer's violation. Takes the copy
 * over. */
void adi_watch_compare(struct adi_watch *watch, struct adi_node *before);
/* The sink that it was opened with. */
struct adi_sink *adi_watch_sink(struct adi_watch *watch);
/* The caller has moved one of its structures. */
void adi_watch_moved(struct adi_watch *watch, const void *from, void *to);
/* Somebody takes over what is at `address` who says nothing of where he moves it. */
void adi_watch_hand_over(struct adi_watch *watch, const void *address);
/* Somebody took over what is at `address`, and has left it live there. */
void adi_watch_left(struct adi_watch *watch, const void *address);
size_t adi_watch_live(struct adi_watch *watch);
/* Ends it. What is still live is reported as never released and stays watched, silently, until it
 * is released (a thread of an implementation may be late with it); all else is freed. */
void adi_watch_close(struct adi_watch *watch);
/* Frees what ended watches have kept of structures that were released since. adi_watch_close does
 * so, too; who weighs memory asks for it first. */
void adi_watches_sweep(void);

#endif /* ADI_WATCH_H */
