/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: items of an array that lie in memory of the host, one by one.
 */
#ifndef ADI_ITEMS_H
#define ADI_ITEMS_H

#include <stdint.h>

/* Copies all items to `out`, one behind the other in C order. `first` is the first item; `strides`
 * are in bytes. There is one item at least. */
void adi_items_gather(const char *first, int32_t n_dimensions, const int64_t *shape,
                      const int64_t *strides, int64_t item_bytes, char *out);
/* Reverses the bytes of each. */
void adi_items_swap(char *items, int64_t count, int64_t item_bytes);
/* Bits of bytes, 1 where a byte is not 0; the least first, the rest of the last byte 0. */
void adi_items_pack(const char *bytes, int64_t count, uint8_t *bits);
/* Bytes of `count` bits from bit `first` on. */
void adi_items_unpack(const uint8_t *bits, int64_t first, int64_t count, char *bytes);

#endif /* ADI_ITEMS_H */
