/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of libDPCTLSyclInterface.so: each is one call in logs, by its own name.
 */
#include "oneapi.h"

#define FAILS  false
#define SURELY true

#define CALL(type, fails, name, begin, parameters, does, ...)                                      \
    ADI_SIM_PUBLIC type name parameters {                                                          \
        if (adi_sim_begin_alone(#name, begin) != 0) return fails;                                  \
        type result = does(__VA_ARGS__);                                                           \
        adi_sim_end();                                                                             \
        return result;                                                                             \
    }
#define VOID(name, begin, parameters, does, ...)                                                   \
    ADI_SIM_PUBLIC void name parameters {                                                          \
        if (adi_sim_begin_alone(#name, begin) != 0) return;                                        \
        does(__VA_ARGS__);                                                                         \
        adi_sim_end();                                                                             \
    }
#define PLAIN(type, name, parameters, does, ...)                                                   \
    ADI_SIM_PUBLIC type name parameters {                                                          \
        return does(__VA_ARGS__);                                                                  \
    }
#define QUIET(name, parameters, does, ...)                                                         \
    ADI_SIM_PUBLIC void name parameters {                                                          \
        does(__VA_ARGS__);                                                                         \
    }
#define ONEAPI_Device   ONEAPI_DEVICE
#define ONEAPI_Event    ONEAPI_EVENT
#define ONEAPI_Platform ONEAPI_PLATFORM
#define REF(element)    DPCTL##element##VectorRef
#define IN(element, f)  DPCTL##element##Vector_##f
#define VECTOR(element)                                                                            \
    CALL(REF(element), NULL, DPCTL##element##Vector_Create, FAILS, (void), oneapi_vector,          \
         ONEAPI_##element)                                                                         \
    CALL(REF(element), NULL, DPCTL##element##Vector_CreateFromArray, FAILS,                        \
         (size_t n, DPCTLSycl##element##Ref * elements), oneapi_vector_from, ONEAPI_##element, n,  \
         (void *const *)elements)                                                                  \
    VOID(DPCTL##element##Vector_Delete, SURELY, (REF(element) vector), oneapi_vector_delete,       \
         vector)                                                                                   \
    VOID(DPCTL##element##Vector_Clear, SURELY, (REF(element) vector), oneapi_vector_clear, vector) \
    CALL(size_t, 0, DPCTL##element##Vector_Size, SURELY, (REF(element) vector),                    \
         oneapi_vector_size, vector)                                                               \
    CALL(DPCTLSycl##element##Ref, NULL, DPCTL##element##Vector_GetAt, FAILS,                       \
         (REF(element) vector, size_t index), oneapi_vector_at, vector, index)
#include "dpctl.def"

void oneapi_ignore(const char *name, const char *folder) {
    (void)name, (void)folder;
}

/* ---- what is not served: nothing, and the log says so ---- */

#define UNSERVED(name)                                                                             \
    uintptr_t name(void);                                                                          \
    ADI_SIM_PUBLIC uintptr_t name(void) {                                                          \
        if (adi_sim_begin_surely(#name) != 0) return 0;                                            \
        adi_sim_remark(#name, "not simulated: 0, NULL or false");                                  \
        adi_sim_end();                                                                             \
        return 0;                                                                                  \
    }
#include "dpctl_unserved.def"
