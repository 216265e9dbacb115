/* SPDX-License-Identifier: Apache-2.0
 *
 * EXT_DEV, on the simulation.
 */
#ifndef EXT_DEV_BASE_H
#define EXT_DEV_BASE_H

#include "../device/device_base.h"
#include "devices.h"
#include "sim.h"

adi_sim_context base_context(struct adi_device *device);
adi_sim_queue base_queue(struct adi_device *device);

/* A function of the engine: SIM(queue_sync)(queue). */
#define SIM(name) ((__typeof__(&adi_sim_##name))base_function("adi_sim_" #name))

#endif /* EXT_DEV_BASE_H */
