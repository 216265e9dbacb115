/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/vpi*.c: the models behind the vpi device, through handles of VPI (and, for
 * whole pages, past them by DPI). All but the lock itself is called with the lock held: a simulator
 * lets in one thread at a time.
 */
#ifndef ADI_VPI_MODEL_H
#define ADI_VPI_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "vpi_map.h"

#define ADI_VPI_PAGE_WORDS (ADI_VPI_PAGE / 4)

struct adi_vpi_model;

void adi_vpi_lock(void);
void adi_vpi_unlock(void);
/* Does this thread hold it? Not with the lock held only. */
bool adi_vpi_is_locked(void);

/* Loads the library with the models: $ADI_VPI_MODEL, or where the build and the installation put
 * it. ENOENT, with what to type: there is none. ECANCELED: ADI_VPI=off. Never unloaded. */
int adi_vpi_load(struct adi_error *error);
/* The path that was loaded. */
const char *adi_vpi_library(void);

/* The model `id`, which lives as long as the process. ENODEV: there is no such model. EPROTO: its
 * map or its registers are not those of vpi_map.h. */
int adi_vpi_model(int64_t id, struct adi_vpi_model **out, struct adi_error *error);

/* From now on `seen` is told what the models are had to do (adi_vpi_seen in vpi_map.h), with the
 * lock held or not. */
void adi_vpi_model_tell(void (*seen)(int id, int what, uint64_t address, uint64_t bytes));
/* Is what the engine is given now the harness's own, or its stand-in's, that holds the lock? */
bool adi_vpi_is_ours(int id);

/* Puts a piece of one page where the engine takes it from, once that is done with what somebody
 * else had it do. ETIMEDOUT: it is not. */
int adi_vpi_stage(struct adi_vpi_model *model, uint64_t address, const void *from, uint64_t bytes,
                  struct adi_error *error);
/* Has the engine do a command on a piece of one page, and lets ticks pass until it is done.
 * ETIMEDOUT: it is not done at the limit. EIO: the engine raised its error. */
int adi_vpi_dma(struct adi_vpi_model *model, enum adi_vpi_dma_command command, uint64_t address,
                uint64_t bytes, struct adi_error *error);
/* Has the engine been given a command that is not done? Then which, and on what. */
bool adi_vpi_in_flight(struct adi_vpi_model *model, enum adi_vpi_dma_command *command,
                       uint64_t *address, uint64_t *bytes);
/* Has it not accepted that yet, since no tick has passed? */
bool adi_vpi_is_only_started(struct adi_vpi_model *model);
/* What the last SUM left. */
uint64_t adi_vpi_sum(struct adi_vpi_model *model);

/* A piece of one page, as it is; no tick passes. */
void adi_vpi_peek(struct adi_vpi_model *model, uint64_t address, void *to, uint64_t bytes);
/* Makes the page that holds `address` poison again; no tick passes. */
void adi_vpi_forget(struct adi_vpi_model *model, uint64_t address);

#endif /* ADI_VPI_MODEL_H */
