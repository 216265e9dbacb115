/* SPDX-License-Identifier: Apache-2.0
 *
 *   exchange right | no-wait | stream-0 | host-read | kept-event | freed-early | free-waits
 *
 * A stream writes, another one reads what an event or a rule of HIP's puts behind it. The words but
 * for `right` and `free-waits` name a mistake, which the simulation has to see; none of them
 * changes what this program returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip_abi.h"

static const char *way;

static int is(const char *word) {
    return strcmp(way, word) == 0;
}

static void must(hipError_t code, const char *call) {
    if (code == hipSuccess) return;
    fprintf(stderr, "exchange: %s: %s\n", call, hipGetErrorString(code));
    exit(2);
}

#define MUST(call) must(call, #call)

int main(int argc, char **argv) {
    int in[256] = {1, 2, 3}, *out;
    void *memory, *pinned, *other;
    hipStream_t writes, reads;
    hipEvent_t event;
    way = argc > 1 ? argv[1] : "right";
    MUST(hipStreamCreateWithFlags(&writes, hipStreamNonBlocking));
    MUST(hipStreamCreateWithFlags(&reads, hipStreamNonBlocking));
    MUST(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    MUST(hipMallocAsync(&memory, sizeof in, writes));
    MUST(hipHostMalloc(&pinned, sizeof in, hipHostMallocNonCoherent));
    out = pinned;
    MUST(hipMemcpyAsync(memory, in, sizeof in, hipMemcpyDefault, writes));
    MUST(hipEventRecord(event, writes));
    if (is("stream-0"))
        MUST(hipStreamWaitEvent(NULL, event, 0)); /* `reads` does not come behind stream 0 */
    else if (!is("no-wait"))
        MUST(hipStreamWaitEvent(reads, event, 0));
    MUST(hipMemcpyAsync(out, memory, sizeof in, hipMemcpyDefault, reads));
    if (is("freed-early")) MUST(hipFreeAsync(memory, writes));
    if (is("free-waits")) { /* hipFree waits for the whole device */
        MUST(hipMalloc(&other, 8));
        MUST(hipFree(other));
    } else if (!is("host-read"))
        MUST(hipStreamSynchronize(reads));
    printf("%d\n", out[2]);
    MUST(hipStreamSynchronize(reads));
    if (!is("freed-early")) MUST(hipFreeAsync(memory, reads));
    MUST(hipHostFree(pinned));
    if (!is("kept-event")) MUST(hipEventDestroy(event));
    MUST(hipStreamDestroy(writes));
    MUST(hipStreamDestroy(reads));
    return 0;
}
