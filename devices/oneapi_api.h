/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: libDPCTLSyclInterface.so, dpctl's C interface to a SYCL runtime, or the
 * simulation's, and as much of it as is used. A reference to an object is the address of a SYCL
 * object: an adi_sycl_event is a `sycl::event *`.
 */
#ifndef ADI_ONEAPI_API_H
#define ADI_ONEAPI_API_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "device.h"
#include "error.h"

typedef struct adi_sycl_device_of *adi_sycl_device;
typedef struct adi_sycl_context_of *adi_sycl_context;
typedef struct adi_sycl_queue_of *adi_sycl_queue;
typedef struct adi_sycl_event_of *adi_sycl_event;

enum {
    ADI_SYCL_ANY_DEVICE = 63 | 31 << 16, /* DPCTL_ALL, by DPCTL_ALL_BACKENDS */
    ADI_SYCL_HAS_DEVICE_MEMORY = 12,     /* DPCTLSyclAspectType: usm_device_allocations */

    ADI_SYCL_IN_ORDER = 2, /* DPCTLQueuePropertyType */

    ADI_SYCL_UNKNOWN_STATUS = 0, /* DPCTLSyclEventStatusType */
    ADI_SYCL_COMPLETE = 3,

    ADI_SYCL_UNKNOWN_MEMORY = 0, /* DPCTLSyclUSMType */
    ADI_SYCL_DEVICE_MEMORY = 1,
};

struct adi_oneapi_api {
#define CALL(type, name, parameters) type(*name) parameters;
#include "oneapi_api.def"
#undef CALL
    void *library;       /* of dlopen */
    char path[PATH_MAX]; /* where it is */
    bool is_simulated;
    int count;               /* of devices; > 0 */
    int ids[ADI_DEVICE_IDS]; /* which of all the runtime's devices they are */
};

/* The library, loaded at the first call; static. NULL: none, and why. $ADI_ONEAPI: `real`, `sim`,
 * `off`, or a path; without it the real one if it has a device, else the simulation's. Any thread.
 */
const struct adi_oneapi_api *adi_oneapi_api(struct adi_error *error);

#endif /* ADI_ONEAPI_API_H */
