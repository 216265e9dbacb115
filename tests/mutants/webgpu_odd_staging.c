/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: data goes to the device by way of a buffer that is mapped when it is made, which is
 * released as soon as the copy is encoded.
 */
#include <stddef.h>
#include <string.h>

#include "webgpu/webgpu.h"

static int by_way(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    WGPU way = base_make_buffer(device, COPY_SRC, bytes, true);
    uint64_t words = wgpu.BufferGetSize(way);
    void *range = wgpu.BufferGetMappedRange(way, 0, words);
    if (range == NULL) return adi_error_set(error, 5, "wgpuBufferGetMappedRange");
    memcpy(range, from, (size_t)bytes);
    wgpu.BufferUnmap(way);
    WGPU encoder = wgpu.DeviceCreateCommandEncoder(base_on(device)->device, NULL);
    wgpu.CommandEncoderCopyBufferToBuffer(encoder, way, 0, buffer, (uint64_t)offset, words);
    wgpu.BufferRelease(way);
    WGPU commands = wgpu.CommandEncoderFinish(encoder, NULL);
    wgpu.CommandEncoderRelease(encoder);
    wgpu.QueueSubmit(base_on(device)->queue, 1, &commands);
    wgpu.CommandBufferRelease(commands);
    return 0;
}

void mutate(void) {
    base.ops.write = by_way;
}
