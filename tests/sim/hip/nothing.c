/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls every function with nothing at all: NULL and 0. None crashes, and what wants something back
 * says that it got nowhere to put it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hip_abi.h"

typedef hipError_t (*any)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                          uintptr_t, uintptr_t);

/* Those that every major has: this is linked with each. */
#define IF_4_2(row) row
#define IF_4_3(row) row
#define IF_5_0(row) row
#define IF_5_1(row) row
#define IF_5_2(row) row
#define IF_5_3(row) row
#define IF_6_0(row)
#define IF_6_1(row)
#define IF_6_4(row)
#define IF_7_1(row)

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
#define ROW(name)                                {#name, (void (*)(void))name},
#define CALL(node, name, begin, parameters, ...) IF_##node(ROW(name))
#define STREAM(node, spt, name, begin, parameters, ...)                                            \
    IF_##node(ROW(name)) IF_##spt(ROW(name##_spt))
#define PLAIN(node, type, name, parameters, ...)
#include "hip.def"
};

/* What has no argument that could be wrong, or takes NULL or 0 for something. */
static bool may_go_well(const char *name) {
    static const char *const names[] = {"hipSetDevice",
                                        "hipDeviceReset",
                                        "hipDeviceSynchronize",
                                        "hipCtxSynchronize",
                                        "hipFree",
                                        "hipHostFree",
                                        "hipFreeHost",
                                        "hipStreamSynchronize",
                                        "hipStreamQuery",
                                        "hipDevicePrimaryCtx",
                                        "hipCtxSetCurrent",
                                        "hipCtxPopCurrent",
                                        "hipSetDeviceFlags",
                                        "hipDeviceGetStreamPriorityRange",
                                        "hipMemcpy",
                                        "hipMemset",
                                        "hipFreeAsync"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

int main(void) {
    int wrong = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        hipError_t code = ((any)functions[i].function)(0, 0, 0, 0, 0, 0, 0, 0);
        if (code != hipSuccess || may_go_well(functions[i].name)) continue;
        fprintf(stderr, "nothing: %s answers success\n", functions[i].name);
        wrong++;
    }
    return wrong;
}
