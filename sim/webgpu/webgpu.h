/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the simulated wgpu-native: what the exported functions (webgpu_entry.c, compiled for each
 * layout of the header) have done. A WGPUBuffer is the address of its memory on the device, every
 * other handle is an object of the engine; whatever is wrong with one, the engine says.
 *
 * Between webgpu_begin and webgpu_end a call is alone, but while it waits for a queue. What a
 * program's callbacks are told, and what ends, waits for webgpu_end.
 */
#ifndef SIM_WEBGPU_H
#define SIM_WEBGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim.h"
#include "try.h"

#define WEBGPU_ADAPTERS ADI_SIM_DEVICES
#define WEBGPU_MOST     ((uint64_t)256 << 20) /* bytes of a buffer */

/* ---- what a program gets told ---- */

enum webgpu_status {
    WEBGPU_OK,
    WEBGPU_FAILED,
    WEBGPU_ABORTED,
};

enum webgpu_error {
    WEBGPU_VALIDATION,
    WEBGPU_OUT_OF_MEMORY,
    WEBGPU_INTERNAL,
    WEBGPU_NO_ERROR,
};

enum webgpu_tells {
    WEBGPU_TELLS_ADAPTER,
    WEBGPU_TELLS_DEVICE,
    WEBGPU_TELLS_MAP,
    WEBGPU_TELLS_DONE,
    WEBGPU_TELLS_ERROR, /* that nobody has asked for */
    WEBGPU_TELLS_POP,
    WEBGPU_TELLS_LOST,
};

struct webgpu_callback {
    void (*function)(void);
    void *data[2];
};

struct webgpu_news {
    enum webgpu_tells tells;
    struct webgpu_callback to;
    unsigned party; /* whose callback it is */
    enum webgpu_status status;
    enum webgpu_error error;
    void *handle; /* of what was asked for, or of the device that it is about */
    char text[160];
};

/* Calls it as the layout has it: webgpu_entry.c says how. */
extern void (*webgpu_tell)(const struct webgpu_news *news);

/* ---- webgpu_objects.c ---- */

enum webgpu_kind {
    WEBGPU_INSTANCE,
    WEBGPU_ADAPTER,
    WEBGPU_DEVICE,
    WEBGPU_QUEUE,
    WEBGPU_BUFFER,
    WEBGPU_ENCODER,
    WEBGPU_COMMANDS,
};

struct webgpu_object;

/* What becomes of an object; both are called within a call, by its maker or whoever had it last. */
struct webgpu_class {
    enum webgpu_kind kind;
    void (*given_up)(struct webgpu_object *object); /* (optional) nobody has a reference any more */
    void (*end)(struct webgpu_object *object);      /* (optional) and nothing needs it */
};

#define WEBGPU_SCOPES 16

struct webgpu_command; /* webgpu_commands.c */

struct webgpu_object {
    const struct webgpu_class *class;
    void *handle;
    unsigned maker, refs[ADI_SIM_PARTIES];      /* refs: of the program's */
    unsigned held;                              /* by other objects, and by what is under way */
    adi_sim_reference counted[ADI_SIM_PARTIES]; /* what stands for the references of who is not the
                                                maker */
    struct webgpu_object *parent, *next;        /* next: in the table of buffers */
    struct webgpu_object *older, *newer;        /* of all */
    union {
        int index; /* of an adapter */
        struct {
            int index;
            adi_sim_context context;
            adi_sim_queue queue, aside; /* aside: for what the runtime does by itself */
            struct webgpu_object *queue_object;
            struct webgpu_callback uncaptured, lost;
            unsigned lost_party;
            bool is_lost;
            size_t n_scopes;
            struct {
                enum webgpu_error filter;
                bool any;
                struct webgpu_news first;
            } scopes[WEBGPU_SCOPES];
        } device;
        struct {
            uint64_t usage, size;
            bool is_invalid, is_destroyed;
            enum {
                WEBGPU_UNMAPPED,
                WEBGPU_MAP_PENDING,
                WEBGPU_MAPPED
            } map;
            bool map_writes;
            uint64_t map_offset, map_bytes;
            void *range; /* what the CPU sees of it while it is mapped */
        } buffer;
        struct {
            bool is_over;      /* finished, or submitted */
            const char *wrong; /* static; NULL: nothing is */
            size_t n, room;
            struct webgpu_command *commands;
        } list; /* of an encoder, or a command buffer */
    };
};

/* false: the call is refused, and is nothing that has to be ended. */
bool webgpu_begin(const char *name, bool surely);
void webgpu_end(void);
unsigned webgpu_party(void);
/* For the end of the call. */
void webgpu_later(const struct webgpu_news *news);

/* Gives its memory back, and nothing else. */
void webgpu_object_free(struct webgpu_object *object);
/* With one reference of the caller's; a buffer is of the memory at `handle`. NULL: refused. */
struct webgpu_object *webgpu_object_new(const struct webgpu_class *class,
                                        struct webgpu_object *parent, void *handle);
/* What the handle stands for; NULL: nothing of the kind, which was reported. */
struct webgpu_object *webgpu_find(enum webgpu_kind kind, const void *handle);
/* Is it a live buffer? Says nothing; each of what is asked for may be NULL. `given_up`: by its
 * maker.
 */
bool webgpu_ask(const void *handle, void **device, int *adapter, uint64_t *bytes, bool *given_up);
void webgpu_hold(struct webgpu_object *object);
void webgpu_let(struct webgpu_object *object);
/* wgpu...AddRef and wgpu...Release. */
void webgpu_add_ref(const char *name, enum webgpu_kind kind, void *handle);
void webgpu_release(const char *name, enum webgpu_kind kind, void *handle);
void webgpu_take_ref(struct webgpu_object *object);
/* At the end of the call, by who made it. */
void webgpu_end_event(adi_sim_event event, unsigned maker);

/* ---- webgpu_devices.c ---- */

void *webgpu_instance_create(const char *name);
size_t webgpu_adapters(const char *name, void *instance, void **out);
void webgpu_request_adapter(const char *name, void *instance, struct webgpu_callback callback);
int webgpu_adapter_index(const char *name, void *adapter);
void webgpu_request_device(const char *name, void *adapter, const struct webgpu_callback *lost,
                           const struct webgpu_callback *uncaptured,
                           struct webgpu_callback callback);
void *webgpu_device_queue(const char *name, void *device);
void webgpu_device_destroy(const char *name, void *device);
/* Within a call: tells the device's scopes, or its callback. */
void webgpu_fail(struct webgpu_object *device, enum webgpu_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What an answer of the engine, which is not 0, means. */
void webgpu_fail_by(struct webgpu_object *device, int code, const char *what);
void webgpu_push_scope(const char *name, void *device, enum webgpu_error filter);
void webgpu_pop_scope(const char *name, void *device, struct webgpu_callback callback);

/* ---- webgpu_buffers.c ---- */

void *webgpu_buffer_create(const char *name, void *device, uint64_t usage, uint64_t size,
                           bool mapped);
void webgpu_buffer_destroy(const char *name, void *buffer);
/* (of any buffer that is one) */
uint64_t webgpu_buffer_size(const char *name, void *buffer);
uint64_t webgpu_buffer_usage(const char *name, void *buffer);
int webgpu_buffer_map_state(const char *name, void *buffer);
uint64_t webgpu_buffer_map(const char *name, void *buffer, bool reads, bool writes, size_t offset,
                           size_t size, struct webgpu_callback callback);
void *webgpu_buffer_range(const char *name, void *buffer, size_t offset, size_t size);
void webgpu_buffer_unmap(const char *name, void *buffer);
/* Why commands cannot use the bytes of the buffer so; NULL: they can. What the engine has a name
 * for is reported. Within a call. */
const char *webgpu_buffer_refuses(const struct webgpu_object *device,
                                  const struct webgpu_object *buffer, uint64_t usage,
                                  uint64_t offset, uint64_t size);

/* ---- webgpu_commands.c ---- */

void *webgpu_encoder_create(const char *name, void *device);
void webgpu_encode_copy(const char *name, void *encoder, void *from, uint64_t from_offset, void *to,
                        uint64_t to_offset, uint64_t size);
void webgpu_encode_clear(const char *name, void *encoder, void *buffer, uint64_t offset,
                         uint64_t size);
void *webgpu_encoder_finish(const char *name, void *encoder);
void webgpu_queue_submit(const char *name, void *queue, size_t n, void *const *commands);
void webgpu_queue_write(const char *name, void *queue, void *buffer, uint64_t offset,
                        const void *data, size_t size);

/* ---- webgpu_waits.c ---- */

uint64_t webgpu_queue_done(const char *name, void *queue, struct webgpu_callback callback);
/* Within a call: tells when all has run that is in the queue now; 0: it cannot. `map` is called
 * with the buffer before; both may be NULL. */
uint64_t webgpu_wait_add(struct webgpu_object *device, struct webgpu_object *buffer,
                         int (*map)(struct webgpu_object *buffer), struct webgpu_callback callback);
/* Within a call: the mapping that is waited for will not be. */
void webgpu_wait_abort(struct webgpu_object *buffer);
/* Everything of the device, or of all (NULL): what is over is told. true: nothing is left. */
bool webgpu_poll(const char *name, void *device, bool waits);
/* true: it is over, and was told. */
bool webgpu_wait_for(const char *name, uint64_t future, bool waits);

#endif /* SIM_WEBGPU_H */
