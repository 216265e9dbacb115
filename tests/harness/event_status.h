/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime itself says of an event, without waiting for it and past the backend.
 */
#ifndef ADI_TESTS_EVENT_STATUS_H
#define ADI_TESTS_EVENT_STATUS_H

#include "device.h"

enum event_status {
    EVENT_PENDING,
    EVENT_COMPLETE,
    EVENT_UNIDENTIFIED, /* the type has no events, or nobody has told this test how to ask */
};

enum event_status event_status(struct adi_device *device, const void *sync_event);

#endif /* ADI_TESTS_EVENT_STATUS_H */
