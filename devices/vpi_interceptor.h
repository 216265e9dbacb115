/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/vpi*.c: what an implementation does to the memory and to the engine of the
 * models. All but `adi_vpi_name_of` and `adi_vpi_seen` is called with adi_vpi_lock held.
 */
#ifndef ADI_VPI_INTERCEPTOR_H
#define ADI_VPI_INTERCEPTOR_H

#include "interceptor.h"
#include "vpi_memory.h"

extern const struct adi_interceptor adi_vpi_interceptor;

/* From now on the engine of the model is looked at, on this thread alone: a register is read
 * through the simulator, which lets in one thread at a time. */
void adi_vpi_watch(int id, struct adi_vpi_model *model);
/* Is this that thread? */
bool adi_vpi_is_here(void);

/* A command was started, and is not done, on the allocation that `address` is in. false on other
 * threads. */
bool adi_vpi_is_busy_at(int id, uint64_t address, bool writes_only);
/* ---- vpi_trace.c ---- */

/* The interceptor's `name_of`. */
bool adi_vpi_name_of(const void *object, char out[48]);
/* The engine has been given a command, found before a tick has passed. */
void adi_vpi_trace_started(int id, bool writes, uint64_t address);
/* Memory was freed that the engine has a command on. */
void adi_vpi_freed_early(int id);
/* What a model is had to do (adi_vpi_seen in vpi_map.h); with the lock held, or not. */
void adi_vpi_seen(int id, int what, uint64_t address, uint64_t bytes);

#endif /* ADI_VPI_INTERCEPTOR_H */
