/* SPDX-License-Identifier: Apache-2.0
 *
 * The vpi device, by way of a driver of its own.
 */
#ifndef VPI_BASE_H
#define VPI_BASE_H

#include "../device/device_base.h"
#include "vpi_map.h"

/* ---- how it is done right: driver.c, written after vpi_map.h ---- */

extern const struct adi_device_ops driver_ops; /* its `state` is the model's driver */

/* Finds the model `id` of the host; 0 or an errno value. */
int driver_attach(const struct adi_host *host, int64_t id, struct adi_device *out);
/* From now on registers are those of this model. */
void driver_turn_to(int id);
/* Gives the engine a command on a piece of one page, and lets no tick pass. `from`: what a WRITE
 * takes; NULL. */
void driver_start(enum adi_vpi_dma_command command, uint64_t address, const void *from,
                  uint64_t bytes);
/* Ticks until it is done. EIO: it was refused. */
int driver_finish(void);
/* From now on no command is ever done. */
void driver_break(void);
/* Looks at the memory; no tick passes. */
void driver_peek(uint64_t address, void *to, uint64_t bytes);

/* An address as a buffer value, and back. */
static inline uint64_t base_address(const void *buffer) {
    return (uint64_t)(uintptr_t)buffer;
}

#endif /* VPI_BASE_H */
