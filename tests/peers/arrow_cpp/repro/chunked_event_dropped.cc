// SPDX-License-Identifier: Apache-2.0
//
// A stream of arrays on a device is imported and exported again: its chunks came with an event, and
// go without one. The buffers still have it.
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

static int event, given;
static const void *buffers[] = {nullptr, memory.Write({7, 0, 0, 0})};

int main() {
    ArrowDeviceArrayStream in = {}, out;
    in.device_type = ARROW_DEVICE_EXT_DEV;
    in.get_schema = [](auto, ArrowSchema *to) { return ExportType(*int32(), to).ok() ? 0 : EIO; };
    in.get_next = [](auto, ArrowDeviceArray *to) {
        if (given++ == 0) *to = Exported(1, 0, buffers, 2, &event);
        return 0;
    };
    in.release = [](ArrowDeviceArrayStream *self) { self->release = nullptr; };

    auto chunks = ImportDeviceChunkedArray(&in, Mapper).ValueOrDie();
    if (!ExportDeviceChunkedArray(chunks, DeviceAllocationType::kEXT_DEV, &out).ok()) return 1;
    ArrowDeviceArray chunk;
    if (out.get_next(&out, &chunk) != 0) return 1;
    bool is_held = chunks->chunk(0)->data()->buffers[1]->device_sync_event() != nullptr;
    std::printf("sync_event is %p, and nobody has waited: %d; the buffers have one: %d\n",
                chunk.sync_event, memory.waits == 0, is_held);
    return chunk.sync_event == nullptr && memory.waits == 0 && is_held ? 0 : 1;
}
