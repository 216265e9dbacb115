/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: many small looks at memory that may not be there. A safe reader knows which
 * pages it has found readable, so that the strings and structures of a tree cost one cheap system
 * call a page and no copy of it. What another thread unmaps meanwhile ends the process, as where
 * buffers of the host are read (host.h). One thread.
 */
#ifndef ADI_SAFE_READ_H
#define ADI_SAFE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define ADI_SAFE_PAGES 16

/* All zero: a new one. Where the functions below take a safe reader, NULL does for one that copies
 * each time. */
struct adi_safe_reader {
    uintptr_t pages[ADI_SAFE_PAGES]; /* those that it has found readable, the oldest replaced */
    size_t n;                        /* how many it has found */
    bool trusts;                     /* whatever it is asked for is there: it looks at no page */
};

/* As adi_safe_read (tree.h); the other: the NUL-terminated string of at most `most` bytes at
 * `from`, as a copy that the caller frees. EFAULT: unreadable or unterminated. E2BIG: longer.
 * ENOMEM. A NULL reader asks anew each time. Any thread. */
int adi_safe_reader_read(struct adi_safe_reader *reader, void *to, const void *from, size_t bytes);
int adi_safe_reader_string(struct adi_safe_reader *reader, const char *from, size_t most,
                           char **out);

/* As adi_safe_read, which falls back to it: slower, but allowed where process_vm_readv is
 * forbidden. */
int adi_safe_read_by_pipe(void *into, const void *address, size_t bytes);

/* The metadata at `from` (not NULL) as a copy of `*size` bytes that the caller frees. EINVAL or
 * EFAULT: malformed or unreadable, and the sentence says where. E2BIG: too long to be looked at.
 * ENOMEM. */
int adi_safe_reader_metadata(struct adi_safe_reader *reader, const char *from, uint8_t **out,
                             int64_t *size, struct adi_error *error);

#endif /* ADI_SAFE_READ_H */
