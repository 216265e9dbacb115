/* SPDX-License-Identifier: Apache-2.0
 *
 *   exchange right | no-wait | event-first | host-read | kept-event
 *
 * A producer of device arrays made as the example in the C Device data interface makes them, with
 * calls of the CUDA runtime only, and a consumer. All but the first word name a mistake, which the
 * simulation has to see; none of them changes what this program returns. It is linked with the
 * simulation's libcudart as any program is with NVIDIA's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "cudart_abi.h"

#define LENGTH 1024

static const char *way;

static int is(const char *word) {
    return strcmp(way, word) == 0;
}

static void must(cudaError_t code, const char *call) {
    if (code == cudaSuccess) return;
    fprintf(stderr, "exchange: %s: %s\n", call, cudaGetErrorString(code));
    exit(2);
}

#define MUST(call) must(call, #call)

/* ---- the producer ---- */

/* Everything that the release callback has to give back. */
struct held {
    cudaEvent_t event;
    const void *buffers[2];
};

static void release(struct ArrowArray *array) {
    struct held *held = array->private_data;
    if (!is("kept-event")) MUST(cudaEventDestroy(held->event));
    MUST(cudaFree((void *)(uintptr_t)held->buffers[1]));
    free(held);
    array->release = NULL;
}

static void produce(cudaStream_t stream, const int32_t *pinned, struct ArrowDeviceArray *out) {
    struct held *held = malloc(sizeof *held);
    void *values;
    int device;
    if (held == NULL) exit(2);
    MUST(cudaGetDevice(&device));
    MUST(cudaMalloc(&values, LENGTH * sizeof *pinned));
    MUST(cudaEventCreate(&held->event));
    if (is("event-first")) MUST(cudaEventRecord(held->event, stream));
    MUST(cudaMemcpyAsync(values, pinned, LENGTH * sizeof *pinned, cudaMemcpyHostToDevice, stream));
    if (!is("event-first")) MUST(cudaEventRecord(held->event, stream));
    held->buffers[0] = NULL;
    held->buffers[1] = values;
    *out = (struct ArrowDeviceArray){
        .array = {.length = LENGTH,
                  .n_buffers = 2,
                  .buffers = held->buffers,
                  .release = release,
                  .private_data = held},
        .device_id = device,
        .device_type = ARROW_DEVICE_CUDA,
        .sync_event = &held->event,
    };
}

/* ---- the consumer ---- */

/* Of whatever there is: without the wait it is poison. */
static uint32_t sum(const int32_t *values) {
    uint32_t total = 0;
    for (size_t i = 0; i < LENGTH; i++) total += (uint32_t)values[i];
    return total;
}

static void consume(struct ArrowDeviceArray *in) {
    cudaStream_t stream;
    void *copy;
    MUST(cudaSetDevice((int)in->device_id));
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaMallocHost(&copy, LENGTH * sizeof(int32_t)));
    if (in->sync_event != NULL && !is("no-wait"))
        MUST(cudaStreamWaitEvent(stream, *(cudaEvent_t *)in->sync_event, 0));
    const void *values = in->array.buffers[1];
    MUST(cudaMemcpyAsync(copy, values, LENGTH * sizeof(int32_t), cudaMemcpyDeviceToHost, stream));
    if (is("host-read")) printf("%d\n", *(const volatile int32_t *)values);
    MUST(cudaStreamSynchronize(stream));
    uint32_t total = sum(copy);
    in->array.release(&in->array);
    MUST(cudaFreeHost(copy));
    MUST(cudaStreamDestroy(stream));
    if (is("right") && total != LENGTH * (LENGTH - 1) / 2) exit(3);
}

int main(int argc, char **argv) {
    struct ArrowDeviceArray array;
    cudaStream_t stream;
    void *pinned;
    way = argc == 2 ? argv[1] : "right";
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaMallocHost(&pinned, LENGTH * sizeof(int32_t)));
    for (int32_t i = 0; i < LENGTH; i++) ((int32_t *)pinned)[i] = i;
    produce(stream, pinned, &array);
    consume(&array);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaFreeHost(pinned));
    MUST(cudaStreamDestroy(stream));
    return 0;
}
