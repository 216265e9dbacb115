/* SPDX-License-Identifier: Apache-2.0
 *
 * Not part of the bench: the command is linked with it once more, by --wrap, so that its reference
 * plays the roles of arrays alone. What a run takes without the cases of streams is measured so.
 */
#include "reference.h"

struct adi_adapter *__real_adi_reference_adapter(void);
struct adi_adapter *__wrap_adi_reference_adapter(void);

static unsigned (*all_roles)(struct adi_adapter *, ArrowDeviceType, int64_t);

static unsigned roles_of_arrays(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    return all_roles(self, type, id) & (unsigned)(ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS);
}

struct adi_adapter *__wrap_adi_reference_adapter(void) {
    struct adi_adapter *adapter = __real_adi_reference_adapter();
    if (adapter->roles != roles_of_arrays) all_roles = adapter->roles;
    adapter->roles = roles_of_arrays;
    return adapter;
}
