/* SPDX-License-Identifier: Apache-2.0
 *
 * Not part of the bench: the command is linked with it once more, by --wrap, so that its reference
 * plays no role of streams. What a run takes without their cases is measured so.
 */
#include "reference.h"

struct adi_adapter *__real_adi_reference_adapter(void);
struct adi_adapter *__wrap_adi_reference_adapter(void);

static unsigned (*all_roles)(struct adi_adapter *, ArrowDeviceType, int64_t);

static unsigned other_roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    const unsigned of_streams = ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM |
                                ADI_ARRAY_STREAMS | ADI_PRODUCES_ASYNC | ADI_CONSUMES_ASYNC;
    return all_roles(self, type, id) & ~of_streams;
}

struct adi_adapter *__wrap_adi_reference_adapter(void) {
    struct adi_adapter *adapter = __real_adi_reference_adapter();
    if (adapter->roles != other_roles) all_roles = adapter->roles;
    adapter->roles = other_roles;
    return adapter;
}
