/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "extent.h"
#include "metal_internal.h"
#include "metal_watch.h"

/* ---- what a buffer value is ---- */

/* Any value, and how many bytes there are from there on. */
struct found {
    void *buffer;         /* MTLBuffer */
    const char *contents; /* where the CPU reads it: the value was an address; NULL: it was not */
    uint64_t bytes;
};

static bool find_contents(const struct adi_metal *metal, const void *value, struct found *out) {
    struct adi_metal_found found;
    if (metal->api->find == NULL || !metal->api->find(value, &found) || found.memory != value)
        return false;
    out->buffer = (void *)(uintptr_t)found.object;
    out->contents = value;
    const char *start = adi_mtl_contents(out->buffer);
    out->bytes = adi_mtl_length(out->buffer) - (uint64_t)(out->contents - start);
    return true;
}

static int find(const struct adi_device *device, const void *value, struct found *out,
                struct adi_error *error) {
    const struct adi_metal *metal = device->state;
    if (adi_metal_class_of(value) == ADI_METAL_BUFFER)
        *out = (struct found){.buffer = (void *)(uintptr_t)value,
                              .bytes = adi_mtl_length((void *)(uintptr_t)value)};
    else if (!find_contents(metal, value, out))
        return adi_error_set(error, EFAULT, "%p is no MTLBuffer", value);
    if (adi_mtl_device(out->buffer) == metal->device) return 0;
    return adi_error_set(error, EFAULT, "%p is an MTLBuffer of another device than metal:%" PRId64,
                         value, device->id);
}

static int find_bytes(const struct adi_device *device, const void *value, int64_t offset,
                      int64_t bytes, struct found *out, struct adi_error *error) {
    ADI_TRY(find(device, value, out, error));
    return adi_extent_check(value, out->bytes, offset, bytes, error);
}

bool adi_metal_accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    struct found found;
    return find_bytes(device, buffer, 0, 0, &found, why) == 0;
}

bool adi_metal_is_address(struct adi_device *device, const void *buffer) {
    struct found found;
    (void)device;
    return adi_metal_class_of(buffer) == ADI_METAL_UNKNOWN &&
           find_contents(device->state, buffer, &found);
}

/* Apple's classes are many, and contents cannot be told from other memory. */
bool adi_metal_can_identify_buffer(struct adi_device *device, const void *buffer,
                                   struct adi_error *why) {
    const struct adi_metal *metal = device->state;
    if (metal->api->is_simulated || adi_metal_class_of(buffer) != ADI_METAL_UNKNOWN) return true;
    adi_error_set(why, ENOTSUP,
                  "%p may be an MTLBuffer of a class that is not known, or what one contains",
                  buffer);
    return false;
}

/* ---- allocating ---- */

int adi_metal_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                    struct adi_error *error) {
    const struct adi_metal *metal = device->state;
    if (bytes <= 0) return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    *buffer = adi_mtl_newBuffer(metal->device, (unsigned long)bytes, ADI_METAL_PRIVATE);
    return *buffer != NULL ? 0
                           : adi_error_set(error, ENOMEM,
                                           "newBufferWithLength: nil for %" PRId64 " bytes", bytes);
}

/* Commands keep what they use. */
void adi_metal_free(struct adi_device *device, void *buffer) {
    (void)device;
    adi_mtl_release(buffer);
}

/* ---- copying ---- */

struct part {
    void *buffer;
    uint64_t offset;
};

/* Queues a copy; in an autorelease pool. */
static int copy(struct adi_metal *metal, struct part to, struct part from, int64_t bytes,
                void **out, struct adi_error *error) {
    void *commands = adi_metal_commands(metal);
    void *encoder = commands == NULL ? NULL : adi_mtl_blitCommandEncoder(commands);
    if (encoder == NULL) return adi_error_set(error, ENOMEM, "blitCommandEncoder: nil");
    adi_mtl_copy(encoder, from.buffer, from.offset, to.buffer, to.offset, (unsigned long)bytes);
    adi_mtl_endEncoding(encoder);
    if (commands != metal->batch) adi_mtl_commit(commands);
    *out = commands;
    return 0;
}

static struct part part_of(const struct found *found, int64_t offset) {
    const char *start = found->contents == NULL ? NULL : adi_mtl_contents(found->buffer);
    uint64_t before = start == NULL ? 0 : (uint64_t)(found->contents - start);
    return (struct part){found->buffer, before + (uint64_t)offset};
}

int adi_metal_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                    int64_t bytes, struct adi_error *error) {
    struct adi_metal *metal = device->state;
    struct found found;
    void *commands = NULL;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, &found, error));
    if (bytes == 0) return 0;
    void *staged = adi_mtl_newBufferOf(metal->device, from, (unsigned long)bytes, ADI_METAL_SHARED);
    if (staged == NULL) return adi_error_set(error, ENOMEM, "newBufferWithBytes: nil");
    void *pool = adi_metal_push();
    int code =
        copy(metal, part_of(&found, offset), (struct part){staged, 0}, bytes, &commands, error);
    adi_metal_pop(pool);
    adi_mtl_release(staged);
    return code;
}

/* By way of shared storage, behind what the queue waits for. */
int adi_metal_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                   int64_t bytes, struct adi_error *error) {
    struct adi_metal *metal = device->state;
    struct found found;
    void *commands = NULL;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, &found, error));
    if (bytes == 0) return 0;
    void *staged = adi_mtl_newBuffer(metal->device, (unsigned long)bytes, ADI_METAL_SHARED);
    if (staged == NULL) return adi_error_set(error, ENOMEM, "newBufferWithLength: nil");
    bool batches = metal->batches;
    adi_metal_batch(device, false, NULL);
    void *pool = adi_metal_push();
    int code =
        copy(metal, (struct part){staged, 0}, part_of(&found, offset), bytes, &commands, error);
    if (code == 0) code = adi_metal_settle(metal, commands, error);
    if (code == 0) memcpy(to, adi_mtl_contents(staged), (size_t)bytes);
    if (code == ETIMEDOUT) adi_metal_replace(metal->device, &metal->queue);
    metal->batches = batches;
    adi_metal_pop(pool);
    adi_mtl_release(staged);
    return code;
}
