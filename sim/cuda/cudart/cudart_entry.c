/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported functions.
 */
#include <errno.h>

#include "runtime.h"
#include "sim.h"

/* One call of the program: what the driver is called for is part of it. */
static cudaError_t enter(const char *name, bool surely) {
    int code = adi_sim_begin_alone(name, surely);
    if (code != 0)
        return code == ENOTCONN ? cudaErrorInitializationError
               : code == EPERM  ? cudaErrorNotPermitted
                                : cudaErrorUnknown;
    cudaError_t error = runtime_ready();
    if (error != cudaSuccess) adi_sim_end();
    return error;
}

#define FAILS  false
#define SURELY true

#define AROUND(name, begin, call)                                                                  \
    cudaError_t error = enter(name, begin);                                                        \
    if (error != cudaSuccess) return runtime_note(error);                                          \
    error = call;                                                                                  \
    adi_sim_end();                                                                                 \
    return runtime_note(error);

#define CALL(name, begin, parameters, ...)                                                         \
    cudaError_t name parameters {                                                                  \
        AROUND(#name, begin, runtime_##name(__VA_ARGS__))                                          \
    }
#define STREAM(name, suffix, begin, parameters, ...)                                               \
    cudaError_t name parameters{AROUND(                                                            \
        #name, begin, runtime_##name(false, __VA_ARGS__))} cudaError_t name##suffix parameters {   \
        AROUND(#name, begin, runtime_##name(true, __VA_ARGS__))                                    \
    }
#define PLAIN(type, name, parameters, ...)                                                         \
    type name parameters {                                                                         \
        return runtime_##name(__VA_ARGS__);                                                        \
    }
#include "runtime.def"

/* ---- what is not served, whatever the arguments are ---- */

cudaError_t runtime_refuse(const char *name, const char *why) {
    if (adi_sim_begin_surely(name) == 0) {
        adi_sim_remark(name, why);
        adi_sim_end();
    }
    return runtime_note(cudaErrorNotSupported);
}

#define UNSERVED(name)                                                                             \
    CUDART_PUBLIC cudaError_t name(void);                                                          \
    cudaError_t name(void) {                                                                       \
        return runtime_refuse(#name, "not simulated: cudaErrorNotSupported");                      \
    }
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "cudart_unserved.def"
