/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the simulated HIP runtime: what is HIP's own. The rest is the driver's (driver.h), which
 * hip.def has the names of.
 */
#ifndef SIM_HIP_FACADE_H
#define SIM_HIP_FACADE_H

#include "driver.h"
#include "hip_abi.h"
#include "try.h"

#define AT(pointer) ((driver_pointer)(uintptr_t)(pointer))

/* ---- hip_version.c ---- */

extern const int hip_major; /* of the library */

/* ---- hip_current.c ---- */

/* Makes the primary context of the thread's device current, unless a context is. */
driver_code hip_ready(void);
/* The primary context of a device, which the runtime retains for good. */
driver_code hip_primary(driver_context *context, int device);
driver_code hip_primary_release(int device);
driver_code hip_set_device(int device);
driver_code hip_device_reset(void);
driver_code hip_enable_peer(int peer, unsigned flags);
driver_code hip_disable_peer(int peer);
driver_code hip_compute_capability(int *major, int *minor, int device);
driver_code hip_properties_5(void *out, int device);
driver_code hip_properties_6(void *out, int device);

/* ---- hip_calls.c ---- */

driver_code hip_malloc(void **pointer, size_t bytes, unsigned flags);
driver_code hip_malloc_managed(void **pointer, size_t bytes, unsigned flags);
driver_code hip_malloc_async(void **pointer, size_t bytes, driver_stream stream);
driver_code hip_malloc_from(void **pointer, size_t bytes, driver_pool pool, driver_stream stream);
driver_code hip_host_malloc(void **pointer, size_t bytes, unsigned flags);
driver_code hip_free(void *pointer);
driver_code hip_host_free(void *pointer);
driver_code hip_device_pointer(void **device, void *pointer, unsigned flags);
driver_code hip_address_range(void **start, size_t *bytes, void *pointer);
driver_code hip_pointer_attribute(void *value, int attribute, void *pointer);
driver_code hip_pointer_attributes(hipPointerAttribute_t *out, const void *pointer);
driver_code hip_advise(const void *managed, size_t bytes, int advice, int device);
driver_code hip_memcpy(bool per_thread, void *to, const void *from, size_t bytes, int kind);
driver_code hip_memcpy_async(bool per_thread, void *to, const void *from, size_t bytes, int kind,
                             driver_stream stream);
driver_code hip_memcpy_with(void *to, const void *from, size_t bytes, int kind,
                            driver_stream stream);
driver_code hip_memcpy_peer(void *to, int to_device, const void *from, int from_device,
                            size_t bytes);
driver_code hip_memcpy_peer_async(void *to, int to_device, const void *from, int from_device,
                                  size_t bytes, driver_stream stream);
driver_code hip_event_create(driver_event *event, unsigned flags);

/* ---- hip_entry.c ---- */

hipError_t hip_init(unsigned flags);
hipError_t hip_device_count(int *count);
hipError_t hip_get_version(int *version);
const char *hip_error_name(hipError_t error);
const char *hip_error_string(hipError_t error);
hipError_t hip_drv_error(hipError_t error, const char **out, bool name);
hipError_t hip_last_error(bool forget);
hipError_t hip_proc_address(const char *symbol, void **out, int version, uint64_t flags,
                            int *status);

#endif /* SIM_HIP_FACADE_H */
