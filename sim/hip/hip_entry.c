/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported functions, each of which is one call of the program in the simulation's log.
 */
#include <string.h>

#include "hip_facade.h"
#include "sim.h"

static _Thread_local hipError_t last_error;

/* Before 7.0 the last error is what the last call answered, be it none. */
static hipError_t note(hipError_t error) {
    if (hip_major < 7 || (error != hipSuccess && error != hipErrorNotReady)) last_error = error;
    return error;
}

/* HIP has no word for what a host function may not do. */
static hipError_t as_error(driver_code code) {
    return code == DRIVER_NOT_PERMITTED ? hipErrorUnknown : (hipError_t)code;
}

static driver_code enter(const char *name, bool surely) {
    if (driver_visible() == 0) return DRIVER_NO_DEVICE;
    SIM_TRY(driver_begin(name, surely));
    driver_code code = hip_ready();
    if (code != DRIVER_SUCCESS) adi_sim_end();
    return code;
}

#define FAILS  false
#define SURELY true

#define AROUND(name, begin, call)                                                                  \
    driver_code code = enter(name, begin);                                                         \
    if (code == DRIVER_SUCCESS) {                                                                  \
        code = call;                                                                               \
        adi_sim_end();                                                                             \
    }                                                                                              \
    return note(as_error(code));

#define CALL(node, name, begin, parameters, does, ...)                                             \
    hipError_t name parameters {                                                                   \
        AROUND(#name, begin, does(__VA_ARGS__))                                                    \
    }
#define STREAM(node, spt, name, begin, parameters, does, ...)                                      \
    hipError_t name parameters{                                                                    \
        AROUND(#name, begin, does(false, __VA_ARGS__))} hipError_t name##_spt parameters {         \
        AROUND(#name "_spt", begin, does(true, __VA_ARGS__))                                       \
    }
#define PLAIN(node, type, name, parameters, does, ...)                                             \
    type name parameters {                                                                         \
        return does(__VA_ARGS__);                                                                  \
    }
#include "hip.def"

/* ---- what is not served, whatever the arguments are ---- */

static hipError_t refuse(const char *name) {
    driver_code code = driver_begin(name, true);
    if (code == DRIVER_SUCCESS) {
        code = driver_unserved();
        adi_sim_end();
    }
    return note(as_error(code));
}

#define UNSERVED(node, name)                                                                       \
    HIP_PUBLIC hipError_t name(void);                                                              \
    hipError_t name(void) {                                                                        \
        return refuse(#name);                                                                      \
    }
#define IGNORED(node, name)                                                                        \
    HIP_PUBLIC void *name(void);                                                                   \
    void *name(void) {                                                                             \
        return NULL;                                                                               \
    }
#include "hip_unserved.def"
#undef UNSERVED
#undef IGNORED

/* ---- from the start ---- */

hipError_t hip_init(unsigned flags) {
    if (flags != 0) return note(hipErrorInvalidValue);
    return note(driver_visible() == 0 ? hipErrorNoDevice : hipSuccess);
}

hipError_t hip_device_count(int *count) {
    if (count == NULL) return note(hipErrorInvalidValue);
    *count = driver_visible();
    return note(*count == 0 ? hipErrorNoDevice : hipSuccess);
}

/* The last one of the major. */
hipError_t hip_get_version(int *version) {
    if (version == NULL) return note(hipErrorInvalidValue);
    *version = hip_major == 5 ? 50700000 : hip_major == 6 ? 60400000 : 70200000;
    return note(hipSuccess);
}

hipError_t hip_last_error(bool forget) {
    hipError_t error = last_error;
    if (forget) last_error = hipSuccess;
    return error;
}

/* ---- errors ---- */

static const struct {
    hipError_t number;
    const char *name, *string;
} errors[] = {
#define ERROR(name, number, string) {name, #name, string},
#include "hip_errors.def"
#undef ERROR
};

hipError_t hip_drv_error(hipError_t error, const char **out, bool name) {
    if (out == NULL) return hipErrorInvalidValue;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        *out = name ? errors[i].name : errors[i].string;
        if (errors[i].number == error) return hipSuccess;
    }
    return hipErrorInvalidValue; /* it is hipErrorUnknown then, the last one */
}

const char *hip_error_name(hipError_t error) {
    const char *name;
    hip_drv_error(error, &name, true);
    return name;
}

const char *hip_error_string(hipError_t error) {
    const char *text;
    hip_drv_error(error, &text, false);
    return text;
}

/* ---- by name ---- */

typedef void (*function)(void);

static const struct {
    const char *name;
    const char *node;
    function address;
} entries[] = {
#define CALL(node, name, begin, parameters, ...) {#name, #node, (function)name},
#define STREAM(node, spt, name, begin, parameters, ...)                                            \
    {#name, #node, (function)name}, {#name "_spt", #spt, (function)name##_spt},
#define PLAIN(node, type, name, parameters, ...) {#name, #node, (function)name},
#include "hip.def"
#define UNSERVED(node, name) {#name, #node, (function)name},
#define IGNORED(node, name)
#include "hip_unserved.def"
};

/* The flags say no more than in the vendor's library, where they are not looked at. */
hipError_t hip_proc_address(const char *symbol, void **out, int version, uint64_t flags,
                            int *status) {
    (void)flags;
    if (symbol == NULL || *symbol == '\0' || out == NULL) return note(hipErrorInvalidValue);
    if (strcmp(symbol, "hipGetDeviceProperties") == 0 && version >= 600)
        symbol = "hipGetDevicePropertiesR0600";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        bool known = entries[i].node[0] - '0' <= hip_major;
        if (!known || strcmp(entries[i].name, symbol) != 0) continue;
        memcpy(out, &entries[i].address, sizeof *out);
        if (status != NULL) *status = 0;
        return note(hipSuccess);
    }
    *out = NULL;
    if (status != NULL) *status = 1; /* not found */
    return note(hipErrorInvalidValue);
}
