// SPDX-License-Identifier: Apache-2.0
//
// An array of length 0 at offset 5 is imported with buffers of 0 bytes, whatever they have, and
// exported again with offset 5: "each contiguous buffer is large enough to represent length +
// offset values", says the C data interface. On a device such a buffer comes out as NULL.
#include <cstdio>

#include "stand_in.h"

using namespace stand_in;

int main() {
    const void *buffers[] = {nullptr, memory.Write(std::vector<uint8_t>(20))};
    ArrowDeviceArray in = Exported(0, 0, buffers, 2, nullptr), out;
    in.array.offset = 5;
    auto imported = ImportDeviceArray(&in, int32(), Mapper).ValueOrDie();
    auto copied = imported->CopyTo(default_cpu_memory_manager()).ValueOrDie();
    auto again = copied->CopyTo(Mapper(0, 0).ValueOrDie()).ValueOrDie();
    if (!ExportDeviceArray(*again, nullptr, &out).ok()) return 1;
    std::printf("length %lld, offset %lld, the values have %lld bytes and lie at %p\n",
                (long long)out.array.length, (long long)out.array.offset,
                (long long)again->data()->buffers[1]->size(), out.array.buffers[1]);
    bool shown = out.array.offset == 5 && out.array.buffers[1] == nullptr;
    out.array.release(&out.array);
    return shown ? 0 : 1;
}
