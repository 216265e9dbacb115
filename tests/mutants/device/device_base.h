/* SPDX-License-Identifier: Apache-2.0
 *
 * A correct implementation for one type of device, from which every mutant departs in one point:
 * `mutate`, which each file defines, changes functions of the device or what comes out. Which type
 * it is says the folder that is linked in beside this one: cuda/, ext_dev/, opencl/, vpi/, vulkan/.
 */
#ifndef DEVICE_BASE_H
#define DEVICE_BASE_H

#include <stdbool.h>

#include "adapter.h"
#include "device.h"
#include "dlpack.h"

struct device_base {
    unsigned roles;
    struct adi_device_ops right; /* the device as it is */
    struct adi_device_ops ops;   /* the device that the implementation works with */
    bool other;   /* it works with the other device than the one that it was asked for */
    bool on_both; /* chunks of a stream are on the devices 0 and 1 in turn */
    /* Looks at what `consume` or `relay` is given before anything else does; NULL: nobody. */
    void (*given)(struct adi_device *device, struct ArrowDeviceArray *in);
    void (*exported)(struct ArrowDeviceArray *out); /* may change what is handed out; NULL */
    /* Copies to the host; the caller releases `in`. */
    int (*read)(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out);
    void (*released)(struct adi_device *device); /* called after the release of an input; NULL */
    void (*begins)(void);                        /* a stream begins; NULL */
    void (*ends)(void);                          /* before the devices are closed; NULL */
    const struct adi_host *host;

    /* Tensors of DLPack: `dlpack` of the arrays that it hands out; and with which stream it asks
     * for one, whatever it reads on. */
    int (*ask)(struct adi_dlpack_array *, const struct adi_dlpack_request *,
               struct adi_dlpack_tensor *out);
    int64_t (*stream)(struct adi_device *device);
};
extern struct device_base base;

void mutate(void);

/* How `read` is done right. */
int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out);

/* How `ask` is done right, and the number of the stream that it reads on. */
int base_ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
             struct adi_dlpack_tensor *out);
int64_t base_stream_number(struct adi_device *device);

/* The device of the last call, and the other one of the type. */
struct adi_device *base_last(void);
struct adi_device *base_other(struct adi_device *device);
/* A further queue of the implementation. */
void *base_second_queue(struct adi_device *device);
/* (cuda/, ext_dev/) `write` on it and on the first in turns. */
int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error);
/* An event that stands for all that was queued on it and on the first. */
int base_event_of_both(struct adi_device *device, void **sync_event, struct adi_error *error);
/* What the harness lends: "cuda.stream". */
void *base_lent(int64_t id, const char *what);
/* (cuda/, ext_dev/, opencl/) `read` and `wait` on the queue that the harness lends. */
int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error);
int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error);
/* (All but vpi/) What the runtime calls asking for an event, and its end. */
void base_event_query(struct adi_device *device, void *handle);
void base_event_destroy(struct adi_device *device, void *handle);
/* A function of the runtime that the device has loaded. */
void (*base_function(const char *name))(void);

/* (cuda/, ext_dev/) For `mutate`: the buffers are memory of this kind. */
enum base_memory {
    OF_DEVICE,
    PINNED,
    MANAGED,
};
void base_allocates(enum base_memory memory);

/* ---- what the folder says of its type ---- */

extern const struct base_kind {
    const char *name; /* of the implementation */
    const struct adi_device_ops *device;
    bool is_handed_out; /* devices are the harness's: who only asks for roles has none */
    const char
        *library; /* what `native_handle` calls the path of the runtime; NULL: none is asked for */
    void (*begin)(void); /* (optional) before `mutate` */
    /* (both optional) Around what the implementation does. */
    void (*enter)(struct adi_device *device);
    void (*leave)(void);
} base_kind;

#endif /* DEVICE_BASE_H */
