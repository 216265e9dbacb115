/* SPDX-License-Identifier: Apache-2.0
 *
 * A consumer that remembers for which event it has waited.
 */
#ifndef REMEMBERS_H
#define REMEMBERS_H

#include "device/handle.h"

static void *waited; /* a handle; NULL: none */
static int (*beneath)(struct adi_device *, void *, struct adi_error *);

static int wait_once(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event == NULL || handle_of(device, sync_event) == waited) return 0;
    waited = handle_of(device, sync_event);
    return beneath(device, sync_event, error);
}

static void remember(struct adi_device_ops *ops) {
    beneath = ops->wait;
    ops->wait = wait_once;
}

#endif /* REMEMBERS_H */
