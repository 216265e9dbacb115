/* SPDX-License-Identifier: Apache-2.0
 *
 * The key-value encoding of ArrowSchema.metadata: int32 count, then for each pair int32 length and
 * bytes of the key, int32 length and bytes of the value, all in native byte order. C data
 * interface, "ArrowSchema.metadata". Values may hold any bytes, zero included.
 */
#ifndef ADI_METADATA_H
#define ADI_METADATA_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* A pair; the bytes belong to whoever owns the encoded metadata. */
struct adi_pair {
    const char *key, *value;
    int32_t key_bytes, value_bytes;
};

/* Where a reader stands in encoded metadata. */
struct adi_metadata_reader {
    const char *at, *end; /* end NULL: unknown, the encoding is trusted */
    int32_t left;         /* pairs not yet read */
};

/* Begins to read `metadata` (not NULL) of at most `bytes` bytes; SIZE_MAX: unknown. EINVAL: a
 * negative count, or the count itself does not fit. */
int adi_metadata_open(const char *metadata, size_t bytes, struct adi_metadata_reader *out,
                      struct adi_error *error);
/* The next pair. ENOENT (no sentence): that was the last one. EINVAL: a negative length, or one
 * past the end. */
int adi_metadata_next(struct adi_metadata_reader *reader, struct adi_pair *out,
                      struct adi_error *error);

/* The bytes of well-formed metadata; 0 for NULL. */
size_t adi_metadata_bytes(const char *metadata);
/* Writes pairs in the encoding to `out` (NULL: only counts) and returns how many bytes that takes.
 */
size_t adi_metadata_write(const struct adi_pair *pairs, int32_t count, char *out);

#endif /* ADI_METADATA_H */
