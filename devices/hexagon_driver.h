/* SPDX-License-Identifier: Apache-2.0
 *
 * The DSPs behind the hexagon device, for programs of others in the same process: the map, and the
 * calls of the driver. It may be copied. C99 and C++.
 *
 * A DSP has a memory of its own, which the CPU cannot reach. Addresses are 32 bits wide; as a
 * buffer value of Arrow such an address is widened to a pointer. What is copied is put into a queue
 * first, and a queue runs when somebody waits for it, and not before.
 */
#ifndef ADI_HEXAGON_DRIVER_H
#define ADI_HEXAGON_DRIVER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADI_HEXAGON_DSPS   2
#define ADI_HEXAGON_BYTES  UINT32_C(0x08000000) /* of memory that each of them has */
#define ADI_HEXAGON_PAGE   UINT32_C(4096)       /* what an allocation is aligned to */
#define ADI_HEXAGON_POISON 0xdb                 /* each byte that nobody has written */

/* Where the memory of the DSP `id` begins. */
#define ADI_HEXAGON_BASE(id) (UINT32_C(0x50000000) + (uint32_t)(id)*ADI_HEXAGON_BYTES)

/* A queue of the DSP. What adi_host.get(host, ARROW_DEVICE_HEXAGON, id, "hexagon.driver") gives is
 * one that the harness does not use itself; it is valid while the device is open.
 *
 * The functions return 0 or an errno value, and any thread may call them. EFAULT: the bytes do not
 * lie in one allocation of this DSP. EIO: the DSP has ended. ETIMEDOUT: it did not answer in time,
 * and has been ended. */
struct adi_hexagon_driver {
    uint32_t size; /* sizeof(struct adi_hexagon_driver): what lies beyond is not there */
    int32_t id;    /* of the DSP */

    /* The caller owns `bytes` (> 0) from `*address` on until `free`. ENOMEM. */
    int (*alloc)(const struct adi_hexagon_driver *, int64_t bytes, uint32_t *address);
    /* EINVAL: no allocation begins there. EPERM: somebody else made it. Commands that use it and
     * have not run are dropped. */
    int (*free)(const struct adi_hexagon_driver *, uint32_t address);

    /* Queue a copy to the DSP, from it, and within its memory. `from` is not needed any more when
     * the call returns; `to` is written when the queue runs. */
    int (*copy_in)(const struct adi_hexagon_driver *, uint32_t to, const void *from, int64_t bytes);
    int (*copy_out)(const struct adi_hexagon_driver *, void *to, uint32_t from, int64_t bytes);
    int (*copy)(const struct adi_hexagon_driver *, uint32_t to, uint32_t from, int64_t bytes);
    /* Runs what is in the queue, in its order, and blocks until that is done. */
    int (*wait)(const struct adi_hexagon_driver *);
    /* Likewise, and has the DSP add up these bytes. */
    int (*sum)(const struct adi_hexagon_driver *, uint32_t from, int64_t bytes, uint64_t *sum);

    /* A further queue, of the DSP `id`, which is the caller's until `close`. What is left in it
     * then is dropped. */
    int (*open)(const struct adi_hexagon_driver *, int32_t id,
                const struct adi_hexagon_driver **out);
    void (*close)(const struct adi_hexagon_driver *);
};

#ifdef __cplusplus
}
#endif

#endif /* ADI_HEXAGON_DRIVER_H */
