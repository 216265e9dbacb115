/* SPDX-License-Identifier: Apache-2.0
 *
 * What an implementation shows to the bench: ours is built in, the others are shared libraries with
 * the one symbol `adi_bench_peer`.
 */
#ifndef ADI_BENCH_H
#define ADI_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All functions that return int give 0, or something else if the implementation failed. */
struct adi_bench_peer {
    const char *name, *version;
    /* Takes over a record batch in host memory, to be exported and to be the type of what is
     * imported. One at a time. */
    int (*begin)(struct ArrowSchema *schema, struct ArrowArray *batch);
    void (*end)(void);
    /* What is measured: exports the batch as a CPU device array and releases it; imports `in`, a
     * batch of the same type, and releases it. */
    int (*export_release)(void);
    int (*import_release)(struct ArrowDeviceArray *in);
    /* (optional) How many allocations were made so far that did not go through malloc and its kin.
     */
    int64_t (*allocations)(void);
    /* (optional) A stream of so many chunks, each the batch, from the implementation's producer to
     * its consumer, which imports each and releases it; and an asynchronous one, which may use
     * threads. Returns when both parties have ended. */
    int (*stream)(int64_t chunks);
    int (*stream_async)(int64_t chunks);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct adi_bench_peer *
adi_bench_peer(void);

/* ours.c: the reference. ours_stream.c: its streams. */
extern const struct adi_bench_peer adi_bench_ours;
int adi_bench_ours_stream(struct adi_device *device, const struct ArrowSchema *type,
                          const struct ArrowArray *batch, int64_t chunks);
int adi_bench_ours_stream_async(struct adi_device *device, const struct ArrowSchema *type,
                                const struct ArrowArray *batch, int64_t chunks);

/* stream.c: prints what streams cost; ours comes first. */
void adi_bench_streams(const struct adi_bench_peer *const *peers, size_t n);

/* count.c: how many allocations went through malloc and its kin, from whatever library. */
int64_t adi_bench_allocations(void);

/* opencl.c, vulkan.c, vpi.c, hexagon.c, rocm.c, metal.c, oneapi.c, webgpu.c: the rows of a device
 * in the table that ways.h is about. */
void adi_bench_opencl(void);
void adi_bench_vulkan(void);
void adi_bench_vpi(void);
void adi_bench_hexagon(void);
void adi_bench_rocm(void);
void adi_bench_metal(void);
void adi_bench_oneapi(void);
void adi_bench_webgpu(void);
/* opencl.c, too: what the layer costs. vpi_rate.c: how many bytes a second. */
void adi_bench_opencl_layer(void);
void adi_bench_vpi_rate(void);

/* shape.c: what is exported and imported. */
struct adi_bench_shape {
    const char *name;
    int columns, depth; /* so many columns, each an int32 in depth - 1 structs */
    int64_t rows;       /* at most 2^18 */
};

/* Makes a batch of a few rows; both outputs are the caller's. */
int adi_bench_make(const struct adi_bench_shape *shape, struct ArrowSchema *schema,
                   struct ArrowArray *batch);

#ifdef __cplusplus
}
#endif

#endif /* ADI_BENCH_H */
