/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the simulated CUDA driver: what is CUDA's own. The rest is the driver's (driver.h), which
 * functions.def has the names of.
 */
#ifndef SIM_CUDA_FACADE_H
#define SIM_CUDA_FACADE_H

#include "cuda_abi.h"
#include "driver.h"

/* ---- version.c ---- */

/* What the driver says it is of: 13000, or what ADI_CUDA_VERSION was when somebody asked first. */
int cuda_version(void);

/* ---- errors.c ---- */

CUresult cuda_error_name(CUresult error, const char **name);
CUresult cuda_error_string(CUresult error, const char **text);
/* Within a call: says in the log that `name` is not served; CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuda_unserved(const char *name);

/* ---- own.c ---- */

driver_code cuda_compute_capability(int *major, int *minor, int device);
driver_code cuda_context_create_v3(driver_context *context, void *affinity, int n, unsigned flags,
                                   int device);
driver_code cuda_context_create_v4(driver_context *context, void *parameters, unsigned flags,
                                   int device);
driver_code cuda_profiler(void);
/* Options of the compiler change nothing. */
driver_code cuda_module_load(driver_module *module, const void *image, unsigned n, int *options,
                             void **option_values);
driver_code cuda_library_load(driver_module *library, const void *image, int *options,
                              void **option_values, unsigned n, int *library_options,
                              void **library_values, unsigned n_library);
driver_code cuda_link_create(unsigned n, int *options, void **option_values, driver_link *link);
driver_code cuda_link_add(driver_link link, int input, void *image, size_t room, const char *name,
                          unsigned n, int *options, void **option_values);
/* What a kernel is like on one device, it is like on all. */
driver_code cuda_kernel_attribute(int *value, int attribute, driver_kernel kernel, int device);
driver_code cuda_kernel_set_attribute(int attribute, int value, driver_kernel kernel, int device);
driver_code cuda_kernel_cache(driver_kernel kernel, int config, int device);
driver_code cuda_kernel_touch(driver_kernel kernel, int config);

/* ---- own_graphs.c: edges are of the one kind that there was before 12.3 ---- */

driver_code cuda_graph_add(driver_node *node, driver_graph graph, const driver_node *after,
                           const driver_edge_kind *edges, size_t n, const driver_node_kind *kind);
driver_code cuda_graph_connect(driver_graph graph, const driver_node *first,
                               const driver_node *then, const driver_edge_kind *edges, size_t n);
driver_code cuda_graph_disconnect(driver_graph graph, const driver_node *first,
                                  const driver_node *then, const driver_edge_kind *edges, size_t n);
driver_code cuda_graph_edges(driver_graph graph, driver_node *firsts, driver_node *thens,
                             driver_edge_kind *edges, size_t *room);
driver_code cuda_node_dependencies(driver_node node, driver_node *nodes, driver_edge_kind *edges,
                                   size_t *room);
driver_code cuda_node_dependents(driver_node node, driver_node *nodes, driver_edge_kind *edges,
                                 size_t *room);
driver_code cuda_begin_capture_to(bool per_thread, driver_stream stream, driver_graph graph,
                                  const driver_node *after, const driver_edge_kind *edges, size_t n,
                                  int mode);
driver_code cuda_stream_capture(bool per_thread, driver_stream stream, int *status,
                                unsigned long long *id, driver_graph *graph,
                                const driver_node **after, const driver_edge_kind **edges,
                                size_t *n);
driver_code cuda_set_capture(bool per_thread, driver_stream stream, const driver_node *after,
                             const driver_edge_kind *edges, size_t n, unsigned flags);
driver_code cuda_graph_instantiate(driver_exec *exec, driver_graph graph, driver_node *failed,
                                   char *log, size_t room);

/* ---- entry.c ---- */

CUresult cuda_init(unsigned flags);
CUresult cuda_get_version(int *version);
CUresult cuda_proc_address(const char *symbol, void **out, int version, uint64_t flags);
CUresult cuda_proc_address_v2(const char *symbol, void **out, int version, uint64_t flags,
                              int *status);
CUresult cuda_export_table(const void **table, const CUuuid *id);

#endif /* SIM_CUDA_FACADE_H */
