/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: the layer, a shared object of its own (opencl_layer/) that the OpenCL loader
 * puts between every caller and the runtime (OPENCL_LAYERS), and what the backend asks it. Without
 * it the backend works all the same, and knows less.
 */
#ifndef ADI_OPENCL_LAYER_H
#define ADI_OPENCL_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>

#include "device.h"

#define ADI_OPENCL_LAYER        "opencl_layer.so"
#define ADI_OPENCL_LAYER_SYMBOL "adi_opencl_layer_table"

enum adi_opencl_kind {
    ADI_OPENCL_UNKNOWN, /* nobody was seen making it */
    ADI_OPENCL_CONTEXT,
    ADI_OPENCL_QUEUE,
    ADI_OPENCL_MEMORY,
    ADI_OPENCL_EVENT,
    ADI_OPENCL_KERNEL,
    ADI_OPENCL_SHARED, /* shared virtual memory: an address */
};

/* What is known of a handle, or of an address within shared memory. */
struct adi_opencl_seen {
    enum adi_opencl_kind kind;
    bool live;
    cl_context context; /* of shared memory */
    size_t bytes;       /* there are from the address on */
};

struct adi_opencl_layer {
    uint32_t size;
    struct adi_interceptor interceptor;
    struct adi_opencl_seen (*look)(const void *handle); /* any thread */
};

typedef const struct adi_opencl_layer *adi_opencl_layer_fn(void);

#endif /* ADI_OPENCL_LAYER_H */
