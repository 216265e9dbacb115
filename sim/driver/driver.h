/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver that CUDA and HIP are facades of: contexts, streams, events, memory, and what is said
 * to misuse of them. A facade has the names, the numbers of its own, and what it does otherwise; it
 * brings `driver_facade`, and is linked with a driver of its own, so that a process may have both.
 *
 * Each call is made between driver_begin and adi_sim_end. One that takes a stream is told whether
 * the default stream is that of the thread. What the calls do is told by the vendors (CUDA Driver
 * API, HIP Runtime API); what they do otherwise is in docs/simulation.md. Any thread.
 */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include <stdbool.h>

#include "driver_abi.h"

typedef enum {
#define CODE(name, number) DRIVER_##name = number,
#include "codes.def"
#undef CODE
} driver_code;

enum {
#define NUMBER(name, value) DRIVER_##name = value,
#include "numbers.def"
#undef NUMBER
};

typedef void (*driver_callback)(driver_stream stream, driver_code status, void *data);

/* What a facade says of itself. */
struct driver_facade {
    const char *family;   /* of its devices, to the engine */
    unsigned mark;        /* of the handles that it makes; no other facade has the same */
    const char *title;    /* the interface in words */
    const char *visible;  /* the variable of the environment that lists its devices */
    const char *unserved; /* the remark about what is not served */
    const char *kernels;  /* and about kernels, unless they are opaque */
    const int *attributes;
    int first_attribute, n_attributes; /* the numbers are from the one to below the other */
    int bus_id;                        /* the one attribute in which the devices differ */
    int least, greatest; /* priorities of streams; the greatest is the lowest number */
    size_t truth;        /* bytes that a yes or no of a pointer takes: of an int, or of a bool */
    bool registers_for_reads; /* memory that the program cannot write is registered with the flag
                                 for that, and then no device writes it */
    bool copies_wait; /* a synchronous copy is waited for, but within one device; else as CUDA
                         documents it */
};
extern const struct driver_facade driver_facade; /* within the driver alone */

#pragma GCC visibility push(default) /* of a library, where several facades share it */

/* ---- calls.c ---- */

/* Begins a call alone (adi_sim_begin_alone). */
driver_code driver_begin(const char *name, bool surely);
/* Within a call: says in the log, under its name, why it does not do something. */
void driver_remark(const char *why);
/* Likewise, that it is not served; DRIVER_NOT_SUPPORTED. */
driver_code driver_unserved(void);

/* ---- visible.c ---- */

/* How many devices the list lets the program see, as it was when somebody asked first. */
int driver_visible(void);

static inline void *driver_at(driver_pointer pointer) {
    return (void *)(uintptr_t)pointer;
}

/* ---- contexts: a thread has a stack of them ---- */

driver_code driver_primary_retain(driver_context *context, int device);
driver_code driver_primary_release(int device);
driver_code driver_primary_reset(int device);
driver_code driver_primary_state(int device, unsigned *flags, int *active);
driver_code driver_primary_set_flags(int device, unsigned flags);
driver_code driver_context_create(driver_context *context, unsigned flags, int device);
driver_code driver_context_destroy(driver_context context);
driver_code driver_context_push(driver_context context);
driver_code driver_context_pop(driver_context *context);
driver_code driver_context_set_current(driver_context context);
driver_code driver_context_get_current(driver_context *context);
driver_code driver_context_device(int *device, driver_context context);
driver_code driver_context_flags(unsigned *flags);
driver_code driver_context_set_flags(unsigned flags);
driver_code driver_context_id(driver_context context, unsigned long long *id);
driver_code driver_context_version(driver_context context, unsigned *version);
driver_code driver_context_sync(driver_context context);
driver_code driver_context_enable_peer(driver_context peer, unsigned flags);
driver_code driver_context_disable_peer(driver_context peer);

/* ---- devices ---- */

driver_code driver_device_get(int *device, int ordinal);
driver_code driver_device_count(int *count);
driver_code driver_device_name(char *name, int room, int device);
driver_code driver_device_uuid(driver_uuid *id, int device);
driver_code driver_device_attribute(int *value, int attribute, int device);
driver_code driver_device_memory(size_t *bytes, int device);
driver_code driver_device_bus_id(char *id, int room, int device);
driver_code driver_device_by_bus_id(int *device, const char *id);
driver_code driver_device_is_peer(int *can, int device, int peer);
driver_code driver_device_peer_attribute(int *value, int attribute, int from, int to);
driver_code driver_granularity(size_t *granularity, const driver_allocation_kind *properties,
                               int option);
driver_code driver_priority_range(int *least, int *greatest);

/* ---- streams ---- */

driver_code driver_stream_create(driver_stream *stream, unsigned flags, int priority);
driver_code driver_stream_destroy(driver_stream stream);
driver_code driver_stream_sync(bool per_thread, driver_stream stream);
driver_code driver_stream_query(bool per_thread, driver_stream stream);
driver_code driver_stream_priority(bool per_thread, driver_stream stream, int *priority);
driver_code driver_stream_flags(bool per_thread, driver_stream stream, unsigned *flags);
driver_code driver_stream_context(bool per_thread, driver_stream stream, driver_context *context);
driver_code driver_stream_device(bool per_thread, driver_stream stream, int *device);
driver_code driver_stream_id(bool per_thread, driver_stream stream, unsigned long long *id);

/* ---- events ---- */

driver_code driver_event_create(driver_event *event, unsigned flags);
driver_code driver_event_destroy(driver_event event);
driver_code driver_event_record(bool per_thread, driver_event event, driver_stream stream);
driver_code driver_event_record_flags(bool per_thread, driver_event event, driver_stream stream,
                                      unsigned flags);
driver_code driver_stream_wait(bool per_thread, driver_stream stream, driver_event event,
                               unsigned flags);
driver_code driver_event_sync(driver_event event);
driver_code driver_event_query(driver_event event);
driver_code driver_event_elapsed(float *milliseconds, driver_event start, driver_event end);

/* ---- functions of the host ---- */

driver_code driver_stream_host(bool per_thread, driver_stream stream, driver_host_function function,
                               void *data);
driver_code driver_stream_callback(bool per_thread, driver_stream stream, driver_callback function,
                                   void *data, unsigned flags);

/* ---- memory ---- */

driver_code driver_allocate(driver_pointer *pointer, size_t bytes);
driver_code driver_allocate_managed(driver_pointer *pointer, size_t bytes, unsigned flags);
driver_code driver_allocate_pinned(void **pointer, size_t bytes, unsigned flags);
driver_code driver_allocate_async(bool per_thread, driver_pointer *pointer, size_t bytes,
                                  driver_stream stream);
driver_code driver_free(driver_pointer address);
driver_code driver_free_async(bool per_thread, driver_pointer address, driver_stream stream);
driver_code driver_free_pinned(void *pointer);
driver_code driver_host_register(void *pointer, size_t bytes, unsigned flags);
driver_code driver_host_unregister(void *pointer);
driver_code driver_host_flags(unsigned *flags, void *pointer);
driver_code driver_allocate_rows(driver_pointer *pointer, size_t *pitch, size_t width,
                                 size_t height, unsigned element);
driver_code driver_device_pointer(driver_pointer *device, void *pointer, unsigned flags);
driver_code driver_memory_info(size_t *available, size_t *total);

/* ---- pools of stream-ordered memory ---- */

driver_code driver_pool_create(driver_pool *out, const driver_pool_kind *properties);
driver_code driver_pool_destroy(driver_pool handle);
driver_code driver_device_default_pool(driver_pool *out, int device);
driver_code driver_device_get_pool(driver_pool *out, int device);
driver_code driver_device_set_pool(int device, driver_pool handle);
driver_code driver_location_default_pool(driver_pool *out, driver_location *location, int type);
driver_code driver_location_get_pool(driver_pool *out, driver_location *location, int type);
driver_code driver_location_set_pool(driver_location *location, int type, driver_pool handle);
driver_code driver_allocate_from(bool per_thread, driver_pointer *pointer, size_t bytes,
                                 driver_pool handle, driver_stream stream);
driver_code driver_pool_trim(driver_pool handle, size_t keep);
driver_code driver_pool_set_attribute(driver_pool handle, int attribute, void *value);
driver_code driver_pool_get_attribute(driver_pool handle, int attribute, void *out);
driver_code driver_pool_set_access(driver_pool handle, const driver_access *accesses, size_t n);
driver_code driver_pool_get_access(int *access, driver_pool handle, driver_location *location);

/* ---- where managed memory is best kept ---- */

driver_code driver_advise(driver_pointer pointer, size_t bytes, int advice, driver_location at);
driver_code driver_advise_device(driver_pointer pointer, size_t bytes, int advice, int device);
driver_code driver_prefetch(bool per_thread, driver_pointer pointer, size_t bytes,
                            driver_location at, unsigned flags, driver_stream stream);
driver_code driver_prefetch_device(bool per_thread, driver_pointer pointer, size_t bytes,
                                   int device, driver_stream stream);
driver_code driver_range_attribute(void *value, size_t room, int attribute, driver_pointer pointer,
                                   size_t bytes);
driver_code driver_range_attributes(void **values, size_t *rooms, int *attributes, size_t n,
                                    driver_pointer pointer, size_t bytes);

/* ---- copies and fills ---- */

driver_code driver_copy_any(bool per_thread, driver_pointer to, driver_pointer from, size_t bytes);
driver_code driver_copy_any_async(bool per_thread, driver_pointer to, driver_pointer from,
                                  size_t bytes, driver_stream stream);
driver_code driver_copy_in(bool per_thread, driver_pointer to, const void *from, size_t bytes);
driver_code driver_copy_in_async(bool per_thread, driver_pointer to, const void *from, size_t bytes,
                                 driver_stream stream);
driver_code driver_copy_out(bool per_thread, void *to, driver_pointer from, size_t bytes);
driver_code driver_copy_out_async(bool per_thread, void *to, driver_pointer from, size_t bytes,
                                  driver_stream stream);
driver_code driver_copy_within(bool per_thread, driver_pointer to, driver_pointer from,
                               size_t bytes);
driver_code driver_copy_within_async(bool per_thread, driver_pointer to, driver_pointer from,
                                     size_t bytes, driver_stream stream);
driver_code driver_copy_rows(bool per_thread, const driver_rows_kind *rows);
driver_code driver_copy_rows_async(bool per_thread, const driver_rows_kind *rows,
                                   driver_stream stream);
driver_code driver_fill_8(bool per_thread, driver_pointer to, unsigned char value, size_t count);
driver_code driver_fill_8_async(bool per_thread, driver_pointer to, unsigned char value,
                                size_t count, driver_stream stream);
driver_code driver_fill_16(bool per_thread, driver_pointer to, unsigned short value, size_t count);
driver_code driver_fill_16_async(bool per_thread, driver_pointer to, unsigned short value,
                                 size_t count, driver_stream stream);
driver_code driver_fill_32(bool per_thread, driver_pointer to, unsigned value, size_t count);
driver_code driver_fill_32_async(bool per_thread, driver_pointer to, unsigned value, size_t count,
                                 driver_stream stream);
driver_code driver_copy_peer(bool per_thread, driver_pointer to, driver_context to_context,
                             driver_pointer from, driver_context from_context, size_t bytes);
driver_code driver_copy_peer_async(bool per_thread, driver_pointer to, driver_context to_context,
                                   driver_pointer from, driver_context from_context, size_t bytes,
                                   driver_stream stream);
driver_code driver_copy_batch(bool per_thread, driver_pointer *targets, driver_pointer *sources,
                              size_t *sizes, size_t n, driver_copy_kind *kinds, size_t *firsts,
                              size_t n_kinds, size_t *failed, driver_stream stream);

/* ---- modules of PTX, and kernels: a library is a module of no context, and the same handle is a
 * kernel and a function. All are refused unless kernels are opaque (ADI_SIM_KERNELS). ---- */

driver_code driver_module_load(driver_module *module, const void *image);
driver_code driver_library_load(driver_module *library, const void *image);
driver_code driver_module_unload(driver_module module);
driver_code driver_module_kernel(driver_kernel *kernel, driver_module module, const char *name);
driver_code driver_module_count(unsigned *count, driver_module module);
driver_code driver_module_kernels(driver_kernel *kernels, unsigned n, driver_module module);
driver_code driver_module_same(driver_module *out, driver_module module);
driver_code driver_module_mode(int *mode);

driver_code driver_kernel_same(driver_kernel *out, driver_kernel kernel);
driver_code driver_kernel_module(driver_module *module, driver_kernel kernel);
driver_code driver_kernel_name(const char **name, driver_kernel kernel);
driver_code driver_kernel_parameter(driver_kernel kernel, size_t index, size_t *offset,
                                    size_t *bytes);
driver_code driver_kernel_parameters(driver_kernel kernel, size_t *count);
driver_code driver_kernel_attribute(int *value, int attribute, driver_kernel kernel);
driver_code driver_kernel_set_attribute(driver_kernel kernel, int attribute, int value);
driver_code driver_kernel_is_loaded(int *state, driver_kernel kernel);
/* What changes nothing here, of a kernel that is there. */
driver_code driver_kernel_touch(driver_kernel kernel);

driver_code driver_launch(bool per_thread, driver_kernel kernel, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                          unsigned shared, driver_stream stream, void **parameters, void **extra);
driver_code driver_launch_with(bool per_thread, const driver_launch_kind *kind,
                               driver_kernel kernel, void **parameters, void **extra);

/* What is put together is the texts, one behind the other. */
driver_code driver_link_create(driver_link *link);
driver_code driver_link_add(driver_link link, int type, const void *text, size_t bytes);
driver_code driver_link_complete(driver_link link, void **image, size_t *bytes);
driver_code driver_link_destroy(driver_link link);

/* ---- graphs of copies, fills, functions of the host, events, launches, and nothing ---- */

driver_code driver_graph_create(driver_graph *graph, unsigned flags);
driver_code driver_graph_destroy(driver_graph graph);
driver_code driver_graph_add_empty(driver_node *node, driver_graph graph, const driver_node *after,
                                   size_t n);
driver_code driver_graph_add_copy(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_box_kind *box, driver_context context);
driver_code driver_graph_add_fill(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_fill_kind *fill, driver_context context);
driver_code driver_graph_add_host(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, const driver_host_kind *host);
driver_code driver_graph_add_record(driver_node *node, driver_graph graph, const driver_node *after,
                                    size_t n, driver_event event);
driver_code driver_graph_add_wait(driver_node *node, driver_graph graph, const driver_node *after,
                                  size_t n, driver_event event);
/* Only while kernels are opaque. */
driver_code driver_graph_add_launch(driver_node *node, driver_graph graph, const driver_node *after,
                                    size_t n, const driver_node_launch *launch);
/* As of before 12.0: it ends with `extra`. */
driver_code driver_graph_add_launch_v1(driver_node *node, driver_graph graph,
                                       const driver_node *after, size_t n,
                                       const driver_node_launch *launch);
driver_code driver_graph_add(driver_node *node, driver_graph graph, const driver_node *after,
                             size_t n, const driver_node_kind *kind);
driver_code driver_graph_connect(driver_graph graph, const driver_node *from, const driver_node *to,
                                 size_t n);
driver_code driver_graph_disconnect(driver_graph graph, const driver_node *from,
                                    const driver_node *to, size_t n);
/* Those that there are, as many as `*n` says, and how many there are; NULL: that alone. */
driver_code driver_graph_nodes(driver_graph graph, driver_node *nodes, size_t *n);
driver_code driver_graph_roots(driver_graph graph, driver_node *nodes, size_t *n);
driver_code driver_graph_edges(driver_graph graph, driver_node *from, driver_node *to, size_t *n);
driver_code driver_node_dependencies(driver_node node, driver_node *nodes, size_t *n);
driver_code driver_node_dependents(driver_node node, driver_node *nodes, size_t *n);
driver_code driver_node_type(driver_node node, int *type);
driver_code driver_node_copy(driver_node node, driver_box_kind *box);
driver_code driver_node_fill(driver_node node, driver_fill_kind *fill);
driver_code driver_node_host(driver_node node, driver_host_kind *host);
driver_code driver_node_recorded(driver_node node, driver_event *event);
driver_code driver_node_awaited(driver_node node, driver_event *event);
driver_code driver_node_destroy(driver_node node);
driver_code driver_graph_instantiate(driver_exec *exec, driver_graph graph,
                                     unsigned long long flags);
driver_code driver_graph_instantiate_with(bool per_thread, driver_exec *exec, driver_graph graph,
                                          driver_instance_kind *kind);
/* What graphs and their instances keep alive for the program: its function is called, on the
 * engine's thread, when the last reference has gone. */
driver_code driver_user_create(driver_user *user, void *data, driver_host_function end,
                               unsigned count, unsigned flags);
driver_code driver_user_retain(driver_user user, unsigned count);
driver_code driver_user_release(driver_user user, unsigned count);
driver_code driver_graph_retain_user(driver_graph graph, driver_user user, unsigned count,
                                     unsigned flags);
driver_code driver_graph_release_user(driver_graph graph, driver_user user, unsigned count);
driver_code driver_exec_destroy(driver_exec exec);
driver_code driver_exec_launch(bool per_thread, driver_exec exec, driver_stream stream);
driver_code driver_exec_upload(bool per_thread, driver_exec exec, driver_stream stream);

/* ---- captures ---- */

driver_code driver_stream_begin_capture(bool per_thread, driver_stream stream, int mode);
driver_code driver_stream_begin_capture_to(bool per_thread, driver_stream stream,
                                           driver_graph graph, const driver_node *after, size_t n,
                                           int mode);
driver_code driver_stream_end_capture(bool per_thread, driver_stream stream, driver_graph *graph);
/* All but `status` may be NULL; they are told while the capture is sound. */
driver_code driver_stream_capture(bool per_thread, driver_stream stream, int *status,
                                  unsigned long long *id, driver_graph *graph,
                                  const driver_node **after, size_t *n);
driver_code driver_stream_capturing(bool per_thread, driver_stream stream, int *status);
driver_code driver_stream_set_capture(bool per_thread, driver_stream stream,
                                      const driver_node *after, size_t n, unsigned flags);
driver_code driver_thread_exchange_mode(int *mode);

/* ---- what a pointer is to ---- */

driver_code driver_pointer_attribute(void *value, int attribute, driver_pointer pointer);
driver_code driver_pointer_attributes(unsigned n, int *attributes, void **values,
                                      driver_pointer pointer);
driver_code driver_address_range(driver_pointer *start, size_t *bytes, driver_pointer pointer);

/* ---- sharing with other processes, which there are none of ---- */

driver_code driver_ipc_get(driver_ipc_handle *handle, driver_pointer pointer);
driver_code driver_ipc_open(driver_pointer *pointer, driver_ipc_handle handle, unsigned flags);
driver_code driver_ipc_close(driver_pointer pointer);

#pragma GCC visibility pop

#endif /* SIM_DRIVER_H */
