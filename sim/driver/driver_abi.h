/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs are compiled with that CUDA and HIP have in common: handles, structures and
 * numbers. Each has names of its own for them.
 */
#ifndef SIM_DRIVER_ABI_H
#define SIM_DRIVER_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long driver_pointer;
typedef struct driver_context_of *driver_context;
typedef struct driver_stream_of *driver_stream;
typedef struct driver_event_of *driver_event;
typedef struct driver_pool_of *driver_pool;
typedef struct driver_module_of *driver_module; /* or a library */
typedef struct driver_kernel_of *driver_kernel; /* or a function */
typedef struct driver_link_of *driver_link;
typedef struct driver_graph_of *driver_graph;
typedef struct driver_node_of *driver_node;
typedef struct driver_exec_of *driver_exec;
typedef struct driver_user_of *driver_user;

typedef struct {
    char bytes[16];
} driver_uuid;
typedef struct {
    char reserved[64];
} driver_ipc_handle;
typedef struct {
    int type, id; /* DRIVER_MEM_LOCATION_TYPE_ */
} driver_location;
typedef struct {
    int type, handle_types;
    driver_location location;
    void *win32;
    unsigned char flags[8];
} driver_allocation_kind;
typedef struct {
    int type, handle_types;
    driver_location location;
    void *win32;
    size_t most; /* 0: as much as there is */
    unsigned short usage;
    unsigned char reserved[54];
} driver_pool_kind;
typedef struct {
    driver_location location;
    int access; /* DRIVER_MEM_ACCESS_FLAGS_ */
} driver_access;
typedef struct {
    int order; /* DRIVER_MEMCPY_SRC_ACCESS_ORDER_ */
    driver_location source, target;
    unsigned flags;
} driver_copy_kind;
typedef void (*driver_host_function)(void *data);
typedef struct {
    unsigned grid[3], block[3], shared;
    driver_stream stream;
    void *attributes;
    unsigned n_attributes;
} driver_launch_kind;

/* What nodes of a graph do. */
typedef struct {
    size_t x, y, z, level;
    int type; /* DRIVER_MEMORYTYPE_ */
    const void *host;
    driver_pointer device;
    void *array, *reserved;
    size_t pitch, height;
} driver_copy_side;
typedef struct {
    driver_copy_side from, to;
    size_t width, height, depth; /* width: in bytes */
} driver_box_kind;
typedef struct {
    size_t x, y; /* x: in bytes */
    int type;
    const void *host;
    driver_pointer device;
    void *array;
    size_t pitch;
} driver_rows_side;
typedef struct {
    driver_rows_side from, to;
    size_t width, height; /* width: in bytes */
} driver_rows_kind;
typedef struct {
    driver_pointer to;
    size_t pitch;
    unsigned value, element; /* element: its bytes */
    size_t width, height;
} driver_fill_kind;
typedef struct {
    driver_host_function function;
    void *data;
} driver_host_kind;
typedef struct {
    driver_kernel function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    /* Since 12.0: */
    driver_kernel kernel; /* if there is no function */
    driver_context context;
} driver_node_launch;
typedef struct {
    int type; /* DRIVER_NODE_ */
    int reserved[3];
    union {
        driver_node_launch launch;
        struct {
            int flags, reserved;
            driver_context context;
            driver_box_kind box;
        } copy;
        struct {
            driver_fill_kind kind;
            driver_context context;
        } fill;
        driver_host_kind host;
        driver_event event;
        long long words[29];
    };
    long long end;
} driver_node_kind;
typedef struct {
    unsigned char from_port, to_port, type, reserved[5];
} driver_edge_kind;
typedef struct {
    unsigned long long flags;
    driver_stream upload;
    driver_node failed;
    int result;
} driver_instance_kind;

#define DRIVER_STREAM_LEGACY     ((driver_stream)0x1)
#define DRIVER_STREAM_PER_THREAD ((driver_stream)0x2)

#endif /* SIM_DRIVER_ABI_H */
