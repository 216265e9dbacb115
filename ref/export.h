/* SPDX-License-Identifier: Apache-2.0
 *
 * The producer's side: an exported tree is one allocation, whatever its size. All its structures,
 * their arrays of children and of buffers lie in one block with a count of the structures that are
 * still live; each release calls the children's releases through the structure, as the document
 * asks, and the last one, on whatever thread, gives the buffers back and frees the block. So a
 * child that was moved out keeps alive what it needs. C data interface, "Release callback semantics
 * -- for producers", "Moving child arrays".
 */
#ifndef ADI_EXPORT_H
#define ADI_EXPORT_H

#include "abi.h"
#include "device.h"
#include "error.h"

/* What an exported tree holds beside its structures, and how to give it back. */
struct adi_owner {
    void (*release)(void *state); /* called exactly once, after the last structure of the tree was
                                     released; any thread. NULL: nothing to give back */
    void *state;
};

/* Exports the structure of the tree `from` into `*out` without copying a buffer: lengths, counts,
 * offsets, buffer values, children and dictionaries are taken over as they are. `from` is only
 * read. One allocation. ENOMEM: `*out` is untouched and `owner` was not called. */
int adi_export(const struct ArrowArray *from, struct adi_owner owner, struct ArrowArray *out,
               struct adi_error *error);

/* Exports host data without a copy: `host` is moved into the tree and released with it. `*out`
 * becomes {CPU, -1, no event}. On failure `host` is untouched. */
int adi_export_host(struct ArrowArray *host, struct ArrowDeviceArray *out, struct adi_error *error);

/* The whole producer: copies `host` to `device` (queued), records an event behind the copies and
 * exports. On success `host` has been released and `*out` is the caller's; on failure `host` and
 * `*out` are untouched. `device` must stay open until the tree is released. `schema` is only read;
 * both inputs are trusted. Buffers of 0 bytes and NULL buffers become NULL. */
int adi_produce(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowArray *host, struct ArrowDeviceArray *out, struct adi_error *error);

#endif /* ADI_EXPORT_H */
