/* SPDX-License-Identifier: Apache-2.0
 *
 * A correct implementation for EXT_DEV on the simulation, from which every mutant ext_dev_*.c
 * departs in one point: `mutate`, which each file defines, changes functions of the device or what
 * comes out.
 */
#ifndef EXT_DEV_BASE_H
#define EXT_DEV_BASE_H

#include "adapter.h"
#include "devices.h"
#include "sim.h"

struct ext_dev_base {
    unsigned roles;
    /* Looks at what `consume` or `relay` is given before anything else does; NULL: nobody. */
    void (*given)(struct adi_device *device, struct ArrowDeviceArray *in);
    struct adi_device_ops ops;  /* the device that the implementation works with */
    enum adi_sim_memory memory; /* of the buffers */
    bool other; /* it works with the other device than the one that it was asked for */
    void (*exported)(struct ArrowDeviceArray *out); /* may change what is handed out; NULL */
    /* Copies to the host; the caller releases `in`. */
    int (*read)(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out);
    void (*released)(struct adi_device *device); /* called after the release of an input; NULL */
};
extern struct ext_dev_base base;

void mutate(void);

/* How `read` is done right. */
int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out);

/* The device of the last call, and the other one of the type. */
struct adi_device *base_device(void);
struct adi_device *base_other(struct adi_device *device);
adi_sim_context base_context(struct adi_device *device);
adi_sim_queue base_queue(struct adi_device *device);
/* A further queue of the implementation. */
adi_sim_queue base_second_queue(struct adi_device *device);
/* The one that the harness lends. */
adi_sim_queue base_lent_queue(int64_t id);

/* A function of the engine: SIM(queue_sync)(queue). */
#define SIM(name) ((__typeof__(&adi_sim_##name))base_function("adi_sim_" #name))
void (*base_function(const char *name))(void);

#endif /* EXT_DEV_BASE_H */
