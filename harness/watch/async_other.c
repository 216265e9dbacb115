/* SPDX-License-Identifier: Apache-2.0 */
#include "async_other.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"

/* Structures lie side by side, each on pages of its own. */
bool adi_async_other_make(struct adi_async_other *out) {
    const int32_t page = (int32_t)sysconf(_SC_PAGESIZE), size = 5;
    const int32_t head[] = {1, page - 2 * (int32_t)sizeof page};
    char *begin = adi_guard_alloc(ADI_REGION_STRUCTURE, (size_t)page, 16, "private_data");
    char *next = adi_guard_alloc(ADI_REGION_STRUCTURE, sizeof size + (size_t)size, 16,
                                 "additional_metadata,");
    *out = (struct adi_async_other){.begin = begin};
    if (begin == NULL || next == NULL) return false;
    memset(begin, 'k', (size_t)page);
    memcpy(begin, head, sizeof head);
    memcpy(next, &size, sizeof size);
    memcpy(next + sizeof size, "value", (size_t)size);
    adi_guard_charge_free(begin, ADI_CHARGE_TOUCH_PRODUCER_PRIVATE);
    adi_guard_charge(next, ADI_CHARGE_TOUCH_OTHER_LAYOUT);
    if (next == begin + page) out->value = next;
    return true;
}

bool adi_async_other_listen(struct adi_async_other *other, bool in_private_data, bool tells) {
    bool is_apart = in_private_data && other->value != NULL;
    other->tells = tells;
    other->is_private = is_apart && !tells;
    if (tells) {
        if (!is_apart) other->value = NULL;
        adi_guard_listen(is_apart ? other->value : other->begin);
    } else if (is_apart) {
        adi_guard_listen(other->begin);
        adi_guard_retire(other->value);
    }
    return tells || is_apart;
}

bool adi_async_other_was_decoded(const struct adi_async_other *other) {
    return other->tells && adi_guard_was_heard(other->value != NULL ? other->value : other->begin);
}

bool adi_async_other_was_followed(const struct adi_async_other *other) {
    return other->is_private && adi_guard_was_heard(other->begin);
}
