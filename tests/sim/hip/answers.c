/* SPDX-License-Identifier: Apache-2.0
 *
 * What HIP answers, where that is its own; what comes otherwise is said. It ends with the major
 * version of the library, of each of which it is linked with one, as any program is with AMD's.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "hip_abi.h"

static int wrong, major;

static void is(long got, long wanted, const char *what, int line) {
    if (got == wanted) return;
    fprintf(stderr, "answers.c:%d: %s is %ld, not %ld\n", line, what, got, wanted);
    wrong++;
}
#define IS(what, wanted) is((long)(what), (long)(wanted), #what, __LINE__)

/* Not every major has hipGetProcAddress, so that no program of ours is linked with it. */
static void *symbol(const char *name, int version) {
    hipError_t (*ask)(const char *, void **, int, uint64_t, int *);
    void *found = dlsym(RTLD_DEFAULT, "hipGetProcAddress");
    int status = 7;
    memcpy(&ask, &found, sizeof ask);
    found = NULL;
    hipError_t code = ask(name, &found, version, 0, &status);
    IS(code, found == NULL ? hipErrorInvalidValue : hipSuccess);
    IS(status, found == NULL);
    return found;
}

static void memory(void) {
    hipPointerAttribute_t found;
    void *device = NULL, *pinned = NULL, *managed = NULL, *none = &found, *start;
    char own;
    size_t bytes;
    IS(hipMalloc(&none, 0), hipSuccess);
    IS(none == NULL, 1);
    IS(hipFree(NULL), hipSuccess);
    IS(hipHostFree(NULL), hipSuccess);
    IS(hipHostMalloc(&none, 0, 0), hipSuccess);
    IS(hipMallocManaged(&none, 0, hipMemAttachGlobal), hipErrorInvalidValue);
    IS(hipHostMalloc(&none, 8, hipHostMallocCoherent | hipHostMallocNonCoherent),
       hipErrorInvalidValue);
    IS(hipHostMalloc(&none, 8, 8), hipErrorInvalidValue);
    IS(hipMalloc(&device, 100), hipSuccess);
    IS(hipHostMalloc(&pinned, 100, hipHostMallocCoherent | hipHostMallocNumaUser), hipSuccess);
    IS(hipMallocManaged(&managed, 100, hipMemAttachGlobal), hipSuccess);
    IS(hipPointerGetAttributes(&found, device), hipSuccess);
    IS(found.type, major < 6 ? 1 : 2);
    IS(found.hostPointer == NULL, 1);
    IS(hipPointerGetAttributes(&found, pinned), hipSuccess);
    IS(found.type, major < 6 ? 0 : 1);
    IS(found.hostPointer == pinned, 1);
    IS(hipPointerGetAttributes(&found, managed), hipSuccess);
    IS(found.type, major < 6 ? 4 : 3);
    IS(found.isManaged, 1);
    IS(hipPointerGetAttributes(&found, &own), major < 6 ? hipErrorInvalidValue : hipSuccess);
    if (major >= 6) IS(found.type, 0);
    IS(hipMemGetAddressRange(&start, &bytes, (char *)device + 9), hipSuccess);
    IS(start == device, 1);
    IS(bytes, 100);
    IS(hipMemAdvise(managed, 100, 100, 0), hipSuccess); /* AMD's own */
    IS(hipHostFree(pinned), hipSuccess);
    IS(hipFree(managed), hipSuccess);
    IS(hipFree(device), hipSuccess);
}

static void copies(void) {
    char own[100] = "abc", back[100] = "";
    void *device;
    IS(hipMalloc(&device, 100), hipSuccess);
    IS(hipMemcpy(device, own, 100, 5), hipErrorInvalidMemcpyDirection);
    IS(hipMemcpy(device, own, 100, 2), hipSuccess); /* the pointers count */
    IS(hipMemcpyWithStream(back, device, 100, hipMemcpyDefault, NULL), hipSuccess);
    IS(strcmp(own, back), 0);
    IS(hipMemsetD32(device, 0x01010101, 25), hipSuccess);
    IS(hipMemcpyDtoH(back, device, 100), hipSuccess);
    IS(back[99], 1);
    IS(hipFree(device), hipSuccess);
}

static void events_and_streams(void) {
    hipEvent_t event;
    hipStream_t stream;
    int least = 7, greatest = 7, priority = 7;
    IS(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem),
       hipErrorInvalidValue);
    IS(hipEventCreateWithFlags(&event, 4), hipErrorInvalidValue); /* of processes, with times */
    IS(hipEventCreateWithFlags(&event, hipEventDisableSystemFence), hipSuccess);
    IS(hipEventQuery(event), hipSuccess); /* never recorded */
    IS(hipEventDestroy(event), hipSuccess);
    IS(hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
    IS(least, 1);
    IS(greatest, -1);
    IS(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -9), hipSuccess);
    IS(hipStreamGetPriority(stream, &priority), hipSuccess);
    IS(priority, -1);
    IS(hipStreamGetPriority(NULL, &priority), hipSuccess);
    IS(priority, 0);
    IS(hipStreamDestroy(stream), hipSuccess);
    IS(hipStreamDestroy(NULL), hipErrorInvalidHandle);
    IS(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidHandle);
    IS(hipStreamSynchronize_spt(NULL), hipSuccess);
}

static void devices(void) {
    char properties[2048];
    int device = 7, value = 7;
    IS(hipSetDevice(1), hipSuccess);
    IS(hipGetDevice(&device), hipSuccess);
    IS(device, 1);
    IS(hipSetDevice(2), hipErrorInvalidDevice);
    IS(hipGetDeviceProperties(properties, 1), hipSuccess);
    IS(strcmp(properties, "adicheck simulated HIP device 1"), 0);
    IS(hipDeviceGetAttribute(&value, 87, 0), hipSuccess);
    IS(value, 64);
    IS(hipSetDevice(0), hipSuccess);
}

/* Before 7.0 a call that went well forgets the error before. */
static void errors(void) {
    void *none;
    IS(hipMallocManaged(&none, 0, hipMemAttachGlobal), hipErrorInvalidValue);
    IS(hipSetDevice(0), hipSuccess);
    IS(hipPeekAtLastError(), major < 7 ? hipSuccess : hipErrorInvalidValue);
    IS(hipGetLastError(), major < 7 ? hipSuccess : hipErrorInvalidValue);
    IS(hipGetLastError(), hipSuccess);
    IS(strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory"), 0);
    IS(strcmp(hipGetErrorString((hipError_t)4711), "unknown error"), 0);
}

/* ---- handles of CUDA's, which is simulated in the same process ---- */

/* It lies beside this one. */
static void *open_cuda(void) {
    char path[4096] = "";
    Dl_info info;
    if (dladdr(dlsym(RTLD_DEFAULT, "hipInit"), &info) == 0) return NULL;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/libcuda.so.1", (int)(slash - info.dli_fname), info.dli_fname);
    return dlopen(path, RTLD_NOW);
}

static int (*cuda(const char *name))(uintptr_t, uintptr_t, uintptr_t) {
    static void *library;
    int (*function)(uintptr_t, uintptr_t, uintptr_t);
    if (library == NULL) library = open_cuda();
    void *found = library == NULL ? NULL : dlsym(library, name);
    IS(found != NULL, 1);
    memcpy(&function, &found, sizeof function);
    return function;
}

static void foreign(void) {
    void *context, *stream, *event, *own;
    unsigned long long memory;
    IS(hipMalloc(&own, 8), hipSuccess);
    IS(cuda("cuInit")(0, 0, 0), 0);
    IS(cuda("cuDevicePrimaryCtxRetain")((uintptr_t)&context, 0, 0), 0);
    IS(cuda("cuCtxSetCurrent")((uintptr_t)context, 0, 0), 0);
    IS(cuda("cuStreamCreate")((uintptr_t)&stream, 0, 0), 0);
    IS(cuda("cuEventCreate")((uintptr_t)&event, 0, 0), 0);
    IS(cuda("cuMemAlloc_v2")((uintptr_t)&memory, 8, 0), 0);
    void *pointer = (void *)(uintptr_t)memory;
    IS(hipEventQuery(event), hipErrorInvalidHandle);
    IS(hipEventDestroy(event), hipErrorInvalidHandle);
    IS(hipStreamWaitEvent(NULL, event, 0), hipErrorInvalidHandle);
    IS(hipStreamSynchronize(stream), hipErrorInvalidHandle);
    IS(hipStreamDestroy(stream), hipErrorInvalidHandle);
    IS(hipCtxSetCurrent(context), hipErrorInvalidContext);
    IS(hipFree(pointer), hipErrorInvalidValue);
    IS(hipMemcpy(own, pointer, 8, hipMemcpyDefault), hipErrorInvalidValue);
    IS(cuda("cuMemFree_v2")((uintptr_t)own, 0, 0), 1);
    IS(cuda("cuMemFree_v2")((uintptr_t)memory, 0, 0), 0);
    IS(cuda("cuEventDestroy_v2")((uintptr_t)event, 0, 0), 0);
    IS(cuda("cuStreamDestroy_v2")((uintptr_t)stream, 0, 0), 0);
    IS(hipFree(own), hipSuccess);
}

int main(void) {
    int version = 0, count = 0;
    IS(hipInit(0), hipSuccess);
    IS(hipInit(1), hipErrorInvalidValue);
    IS(hipGetDeviceCount(&count), hipSuccess);
    IS(count, 2);
    IS(hipRuntimeGetVersion(&version), hipSuccess);
    major = version / 10000000;
    memory();
    copies();
    events_and_streams();
    devices();
    errors();
    foreign();
    if (major >= 6) {
        IS(symbol("hipGetDeviceProperties", 600) != symbol("hipGetDeviceProperties", 500), 1);
        IS(symbol("hipStreamGetId", 600) != NULL, major >= 7);
        IS(symbol("hipNothing", 600) == NULL, 1);
    }
    return wrong == 0 ? major : 1;
}
