/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA says of itself to the driver.
 */
#include "driver.h"

#define ATTRIBUTES 145 /* the numbers are below it */

static const int attributes[ATTRIBUTES] = {
#define ATTRIBUTE(number, value) [number] = value,
#include "attributes.def"
#undef ATTRIBUTE
};

const struct driver_facade driver_facade = {
    .family = "cuda",
    .mark = 1,
    .title = "CUDA",
    .visible = "CUDA_VISIBLE_DEVICES",
    .unserved = "not simulated: CUDA_ERROR_NOT_SUPPORTED",
    .kernels = "kernels do not run on the simulation (with ADI_SIM_KERNELS=opaque they are "
               "launched, and compute nothing): CUDA_ERROR_NOT_SUPPORTED",
    .attributes = attributes,
    .first_attribute = 1,
    .n_attributes = ATTRIBUTES,
    .bus_id = 33,
    .least = 0,
    .greatest = -5,
    .registers_for_reads = true,
    .truth = sizeof(int), /* as 580.159 writes it */
};
