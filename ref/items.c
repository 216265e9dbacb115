/* SPDX-License-Identifier: Apache-2.0 */
#include "items.h"

#include <string.h>

void adi_items_gather(const char *first, int32_t n_dimensions, const int64_t *shape,
                      const int64_t *strides, int64_t item_bytes, char *out) {
    if (n_dimensions == 0) {
        memcpy(out, first, (size_t)item_bytes);
        return;
    }
    int64_t each = item_bytes;
    for (int32_t i = 1; i < n_dimensions; i++) each *= shape[i];
    for (int64_t i = 0; i < shape[0]; i++)
        adi_items_gather(first + i * strides[0], n_dimensions - 1, shape + 1, strides + 1,
                         item_bytes, out + i * each);
}

void adi_items_swap(char *items, int64_t count, int64_t item_bytes) {
    for (char *item = items; count > 0; count--, item += item_bytes)
        for (int64_t i = 0; i < item_bytes / 2; i++) {
            char byte = item[i];
            item[i] = item[item_bytes - 1 - i];
            item[item_bytes - 1 - i] = byte;
        }
}

void adi_items_pack(const char *bytes, int64_t count, uint8_t *bits) {
    memset(bits, 0, (size_t)(count / 8 + (count % 8 != 0)));
    for (int64_t i = 0; i < count; i++)
        if (bytes[i] != 0) bits[i / 8] |= (uint8_t)(1U << (i % 8));
}

void adi_items_unpack(const uint8_t *bits, int64_t first, int64_t count, char *bytes) {
    for (int64_t i = 0; i < count; i++)
        bytes[i] = (char)(bits[(first + i) / 8] >> ((first + i) % 8) & 1);
}
