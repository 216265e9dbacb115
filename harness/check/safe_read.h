/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: many small looks at memory that may not be there. A safe reader keeps copies
 * of the pages that it looked at last, so that the strings and structures of a tree cost one system
 * call a page and not one each; and what it saw of a page stays what it is. One thread.
 */
#ifndef ADI_SAFE_READ_H
#define ADI_SAFE_READ_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct adi_safe_reader;

/* NULL: out of memory. Where the functions below take a safe reader, NULL does for one without
 * copies.
 */
struct adi_safe_reader *adi_safe_reader_new(void);
void adi_safe_reader_free(struct adi_safe_reader *reader);

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
