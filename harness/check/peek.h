/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: many small looks at memory that may not be there. A peeker keeps copies of
 * the pages that it looked at last, so that the strings and structures of a tree cost one system
 * call a page and not one each; and what it saw of a page stays what it is. One thread.
 */
#ifndef ADI_PEEK_H
#define ADI_PEEK_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct adi_peeker;

/* NULL: out of memory. Where the functions below take a peeker, NULL does for one without copies.
 */
struct adi_peeker *adi_peeker_new(void);
void adi_peeker_free(struct adi_peeker *peeker);

/* As adi_peek and adi_peek_string (tree.h). */
int adi_peeker_look(struct adi_peeker *peeker, void *to, const void *from, size_t bytes);
int adi_peeker_string(struct adi_peeker *peeker, const char *from, size_t most, char **out);

/* As adi_peek, which falls back to it: slower, but allowed where process_vm_readv is forbidden. */
int adi_peek_by_pipe(void *into, const void *address, size_t bytes);

/* The metadata at `from` (not NULL) as a copy of `*size` bytes that the caller frees. EINVAL or
 * EFAULT: malformed or unreadable, and the sentence says where. E2BIG: too long to be looked at.
 * ENOMEM. */
int adi_peeker_metadata(struct adi_peeker *peeker, const char *from, uint8_t **out, int64_t *size,
                        struct adi_error *error);

#endif /* ADI_PEEK_H */
