/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported functions, each of which is one call of the program in the simulation's log, with
 * the engine to itself from its begin to its end, and how they are found by name.
 */
#include <stdatomic.h>
#include <string.h>

#include "cuda_facade.h"
#include "sim.h"
#include "try.h"

static atomic_bool initialized;

static CUresult enter(const char *name, bool surely) {
    if (!atomic_load(&initialized)) return CUDA_ERROR_NOT_INITIALIZED;
    return (CUresult)driver_begin(name, surely);
}

/* What is not served is not, whether cuInit has been called or not. */
static CUresult refuse(const char *name) {
    SIM_TRY((CUresult)driver_begin(name, true));
    CUresult code = cuda_unserved(name);
    adi_sim_end();
    return code;
}

#define FAILS  false
#define SURELY true

#define AROUND(name, begin, call)                                                                  \
    CUresult code = enter(name, begin);                                                            \
    if (code != CUDA_SUCCESS) return code;                                                         \
    code = (CUresult)(call);                                                                       \
    adi_sim_end();                                                                                 \
    return code;

#define CALL(base, since, name, begin, parameters, does, ...)                                      \
    CUresult name parameters {                                                                     \
        AROUND(#name, begin, does(__VA_ARGS__))                                                    \
    }
#define BY_NAME(base, since, name, begin, parameters, does, ...)                                   \
    static CUresult name parameters {                                                              \
        AROUND(#name, begin, does(__VA_ARGS__))                                                    \
    }
#define STREAM(base, since, name, suffix, begin, parameters, does, ...)                            \
    CUresult name parameters{                                                                      \
        AROUND(#name, begin, does(false, __VA_ARGS__))} CUresult name##suffix parameters {         \
        AROUND(#name, begin, does(true, __VA_ARGS__))                                              \
    }
#define PLAIN(base, since, name, parameters, does, ...)                                            \
    CUresult name parameters {                                                                     \
        return does(__VA_ARGS__);                                                                  \
    }
#define ALIAS(older, name) extern __typeof__(name) older __attribute__((alias(#name)));
#include "functions.def"

/* ---- what is not served ---- */

/* Whatever the arguments are, they are not looked at. */
#define REFUSE(name)                                                                               \
    CU_PUBLIC CUresult name(void);                                                                 \
    CUresult name(void) {                                                                          \
        return refuse(#name);                                                                      \
    }
#define UNSERVED(base, version)            REFUSE(base##version)
#define UNSERVED_ON(base, version, suffix) REFUSE(base##version) REFUSE(base##version##suffix)
#include "unserved.def"
#undef UNSERVED
#undef UNSERVED_ON

/* Runtimes may ask for it before cuInit. */
CUresult cuda_export_table(const void **table, const CUuuid *id) {
    if (table == NULL || id == NULL) return CUDA_ERROR_INVALID_VALUE;
    *table = NULL;
    SIM_TRY((CUresult)driver_begin("cuGetExportTable", true));
    driver_remark("the caller has a CUDA runtime that wants NVIDIA's undocumented "
                  "tables (statically linked, most likely), which is not served: build "
                  "it with the shared libcudart, and load the simulation's");
    adi_sim_end();
    return CUDA_ERROR_NOT_FOUND;
}

/* ---- from the start ---- */

CUresult cuda_init(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (driver_visible() == 0) return CUDA_ERROR_NO_DEVICE;
    SIM_TRY((CUresult)driver_begin("cuInit", false));
    atomic_store(&initialized, true);
    adi_sim_end();
    return CUDA_SUCCESS;
}

CUresult cuda_get_version(int *version) {
    if (version == NULL) return CUDA_ERROR_INVALID_VALUE;
    *version = cuda_version();
    return CUDA_SUCCESS;
}

/* ---- by name ---- */

typedef void (*function)(void);

static const struct entry {
    const char *base;
    int since;
    function legacy, per_thread;
} entries[] = {
#define CALL(base, since, name, begin, parameters, ...)                                            \
    {#base, since, (function)name, (function)name},
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    {#base, since, (function)name, (function)name##suffix},
#define PLAIN(base, since, name, parameters, ...) {#base, since, (function)name, (function)name},
#define AGAIN(base, since, name)                  {#base, since, (function)name, (function)name},
#include "functions.def"
#define UNSERVED(base, version) {#base, 0, (function)base##version, (function)base##version},
#define UNSERVED_ON(base, version, suffix)                                                         \
    {#base, 0, (function)base##version, (function)base##version##suffix},
#include "unserved.def"
};

/* The newest form that is not newer than the version. NULL: none; *known: there is a newer one. */
static const struct entry *find(const char *base, int version, bool *known) {
    const struct entry *found = NULL;
    *known = false;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct entry *entry = &entries[i];
        if (entry->since > cuda_version() || strcmp(entry->base, base) != 0) continue;
        *known = true;
        if (entry->since <= version && (found == NULL || found->since <= entry->since))
            found = entry;
    }
    return found;
}

CUresult cuda_proc_address_v2(const char *symbol, void **out, int version, uint64_t flags,
                              int *status) {
    bool known;
    if (symbol == NULL || out == NULL || version > cuda_version() ||
        flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    const struct entry *found = find(symbol, version, &known);
    function address = found == NULL                                            ? NULL
                       : flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM ? found->per_thread
                                                                                : found->legacy;
    memcpy(out, &address, sizeof address);
    if (status != NULL)
        *status = found != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                  : known       ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
}

/* Its older form says with its code what the newer one says with the status. */
CUresult cuda_proc_address(const char *symbol, void **out, int version, uint64_t flags) {
    CUresult code = cuda_proc_address_v2(symbol, out, version, flags, NULL);
    return code == CUDA_SUCCESS && *out == NULL ? CUDA_ERROR_NOT_FOUND : code;
}
