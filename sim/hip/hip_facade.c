/* SPDX-License-Identifier: Apache-2.0
 *
 * What HIP says of itself to the driver: of an attribute ATTRIBUTE(number, value), if it is not 0.
 */
#include "driver.h"

#define ATTRIBUTES 92 /* the numbers are below it, but for AMD's own */

static const int attributes[ATTRIBUTES] = {
#define ATTRIBUTE(number, value) [number] = value
    ATTRIBUTE(2, 2),       /* copies side by side */
    ATTRIBUTE(3, 1),       /* maps memory of the host */
    ATTRIBUTE(4, 1),       /* a registered pointer is the same on the device */
    ATTRIBUTE(5, 1000000), /* clock in kHz: a command takes a microsecond of virtual time */
    ATTRIBUTE(8, 1),       /* kernels side by side */
    ATTRIBUTE(9, 1),       /* managed memory: the CPU may use it while a stream does */
    ATTRIBUTE(12, 1),      /* copies while a kernel runs */
    ATTRIBUTE(23, 9),      /* compute capability, major; its minor is 0 */
    ATTRIBUTE(24, 1),      /* managed memory */
    ATTRIBUTE(26, 1024),   /* threads of a block, and how they lie */
    ATTRIBUTE(27, 1024),       ATTRIBUTE(28, 1024),
    ATTRIBUTE(56, 1024),       ATTRIBUTE(29, 2147483647), /* blocks of a grid */
    ATTRIBUTE(30, 65535),      ATTRIBUTE(31, 65535),
    ATTRIBUTE(57, 2048),                         /* threads of a multiprocessor */
    ATTRIBUTE(58, 2147483647),                   /* pitch of a copy */
    ATTRIBUTE(63, 1),                            /* multiprocessors */
    ATTRIBUTE(71, 65536),                        /* registers, and shared memory, of a block */
    ATTRIBUTE(74, 65536),      ATTRIBUTE(78, 1), /* priorities of streams */
    ATTRIBUTE(81, 256),                          /* alignment of textures */
    ATTRIBUTE(83, 2147483647),                   /* constant memory */
    ATTRIBUTE(85, 1),                            /* one address space for all */
    ATTRIBUTE(87, 64),                           /* a warp */
    ATTRIBUTE(88, 1),                            /* stream-ordered allocation */
    ATTRIBUTE(90, 1),                            /* registers memory of the host */
#undef ATTRIBUTE
};

const struct driver_facade driver_facade = {
    .family = "hip",
    .mark = 2,
    .title = "HIP",
    .visible = "HIP_VISIBLE_DEVICES",
    .unserved = "not simulated: hipErrorNotSupported",
    .kernels = "not simulated: hipErrorNotSupported",
    .attributes = attributes,
    .n_attributes = ATTRIBUTES,
    .bus_id = 67,
    .least = 1,
    .greatest = -1,
    .truth = sizeof(bool),
    .copies_wait = true,
};
